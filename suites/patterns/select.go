package patterns

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// Selection is the restarts of a cell and the one that the validation strings
// choose. Its figure is a best of so many and is to be called so.
type Selection struct {
	Group       golden.Name
	Restarts    int
	Best        golden.Row // the lowest validation loss, the first of equal ones
	Generalises int        // restarts that are right on more than a third of the lengths
	Perfect     int        // that are right on all of them
}

// Select groups the rows of restarts. A row without a validation loss is left out.
func Select(rows []golden.Row) []Selection {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b golden.Row) int { return golden.CompareNames(a.Name, b.Name) })
	var list []Selection
	for _, r := range rows {
		loss, ok := r.Value("valid-ce")
		if !ok {
			continue
		}
		if n := len(list); n == 0 || list[n-1].Group != r.Name.Group() {
			list = append(list, Selection{Group: r.Name.Group()})
		}
		s := &list[len(list)-1]
		if least, _ := s.Best.Value("valid-ce"); s.Restarts == 0 || loss < least {
			s.Best = r
		}
		s.Restarts++
		if v, _ := r.Value("generalises-%"); v == 100 {
			s.Generalises++
		}
		if v, _ := r.Value("perfect-%"); v == 100 {
			s.Perfect++
		}
	}
	return list
}

// WriteSelections writes a line for each: what the paper prints, where it does, the
// lengths that the chosen restart predicts, by the paper's count and by the
// program's, and how many restarts succeed.
func WriteSelections(w io.Writer, list []Selection) error {
	var b strings.Builder
	for _, s := range list {
		printed := "-"
		for _, c := range papers.Published().At(string(s.Group)) {
			if c.Quantity.Unit == "test-lengths-%" {
				printed = fmt.Sprintf("%.1f", c.Published)
			}
		}
		all, _ := s.Best.Value("test-lengths-%")
		code, _ := s.Best.Value("test-lengths-code-%")
		loss, _ := s.Best.Value("valid-ce")
		fmt.Fprintf(&b, "%s: published %s; best by validation %.1f (lengths 2 to 59: %.1f; loss %.4f, %s); restarts: %d, that generalise %d, perfect %d\n",
			s.Group, printed, all, code, loss, seedOf(s.Best.Name), s.Restarts, s.Generalises, s.Perfect)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// seedOf is the last part of a name.
func seedOf(n golden.Name) string { return string(n)[strings.LastIndex(string(n), "/")+1:] }
