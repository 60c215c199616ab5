package golden

import "slices"

// Value returns the value in the given unit and reports whether the row has one.
func (r Row) Value(unit string) (float64, bool) {
	for _, v := range r.Values {
		if v.Unit == unit {
			return v.Value, true
		}
	}
	return 0, false
}

// indexBy maps the keys of items to their positions.
func indexBy[T any, K comparable](items []T, key func(T) K) map[K]int {
	index := make(map[K]int, len(items))
	for i, item := range items {
		index[key(item)] = i
	}
	return index
}

// Groups returns the groups that have rows, sorted by CompareNames. A group is the name
// of a row without the seed.
func (f *File) Groups() []Name {
	var groups []Name
	seen := make(map[Name]bool)
	for _, r := range f.Rows {
		if g := r.Name.Group(); !seen[g] {
			seen[g] = true
			groups = append(groups, g)
		}
	}
	slices.SortFunc(groups, CompareNames)
	return groups
}

// Seeds returns the rows of a group, sorted by seed.
func (f *File) Seeds(group Name) []Row {
	var rows []Row
	for _, r := range f.Rows {
		if r.Name.Group() == group {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b Row) int { return CompareNames(a.Name, b.Name) })
	return rows
}

// Values returns the values of a group in one unit, sorted by seed.
func (f *File) Values(group Name, unit string) []float64 {
	var values []float64
	for _, r := range f.Seeds(group) {
		if v, ok := r.Value(unit); ok {
			values = append(values, v)
		}
	}
	return values
}

// Mean returns the mean of x. If all values are equal, the mean is exactly that value.
func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v - x[0]
	}
	return x[0] + sum/float64(len(x))
}

// UnitOf returns the Unit with the given name and reports whether there is one.
func (f *File) UnitOf(name string) (Unit, bool) {
	i := slices.IndexFunc(f.Units, func(u Unit) bool { return u.Name == name })
	if i < 0 {
		return Unit{}, false
	}
	return f.Units[i], true
}
