package papers

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// Tables holds the printed numbers and the claims of all papers.
type Tables struct {
	Numbers []Number // by file name, then in printed order
	Claims  []Claim  // in the order of claims.csv

	cell     map[Key]int
	claim    map[string]int
	measured map[place][]int
	unit     map[string]*Quantity // the first quantity of each unit
}

// A place is the benchmark name and the unit under which runs report a quantity.
type place struct{ group, unit string }

//go:embed units.csv tables/*.csv
var files embed.FS

// Published returns the tables that are compiled in. It panics if they cannot be
// loaded, but the tests of this package check that they can.
var Published = sync.OnceValue(func() *Tables {
	t, err := Load(files)
	if err != nil {
		panic("papers: " + err.Error())
	}
	return t
})

// Number returns the number with the key k, and whether there is one.
func (t *Tables) Number(k Key) (Number, bool) {
	i, ok := t.cell[k]
	if !ok {
		return Number{}, false
	}
	return t.Numbers[i], true
}

// Claim returns the claim with the given id, and whether there is one.
func (t *Tables) Claim(id string) (Claim, bool) {
	i, ok := t.claim[id]
	if !ok {
		return Claim{}, false
	}
	return t.Claims[i], true
}

// Measured returns the numbers that runs report under a benchmark name, in the given unit.
// The parameter group is the name without the seed. There are two numbers if the paper prints
// both the mean and the best of several runs, and usually one in other cases.
func (t *Tables) Measured(group, unit string) []Number {
	var cells []Number
	for _, i := range t.measured[place{group, unit}] {
		cells = append(cells, t.Numbers[i])
	}
	return cells
}

// Paper reports whether the paper with the given short name has a table.
func (t *Tables) Paper(name string) bool {
	for i := range t.Numbers {
		if t.Numbers[i].Paper == name {
			return true
		}
	}
	return false
}

// Unit reports whether higher values are better in a unit, and whether any quantity
// has the unit.
func (t *Tables) Unit(unit string) (higher, ok bool) {
	q, ok := t.unit[unit]
	return ok && q.Higher, ok
}

// Load reads units.csv and tables/*.csv from fsys and checks them. It rejects wrong
// headers, duplicate keys, numbers without a quantity, quantities without a number, values
// that are not numbers, and claims on numbers that no run measures. Errors name the file
// and the line.
func Load(fsys fs.FS) (*Tables, error) {
	t := &Tables{
		cell: make(map[Key]int), claim: make(map[string]int),
		measured: make(map[place][]int), unit: make(map[string]*Quantity),
	}
	var quantities []*Quantity
	quantity := make(map[Key]*Quantity) // the keys have an empty row
	line := make(map[*Quantity]int)
	err := lines(fsys, "units.csv", quantityHeader, func(n int, field []string) error {
		q, err := parseQuantity(field)
		if err != nil {
			return err
		}
		k := Key{Paper: q.Paper, Table: q.Table, Metric: q.Metric, Stat: q.Stat}
		if first := quantity[k]; first != nil {
			return fmt.Errorf("quantity %v: have a second line, want one (line %d)", k, line[first])
		}
		if same := t.unit[q.Unit]; q.Unit != "" && same != nil && same.Higher != q.Higher {
			return fmt.Errorf("unit %s: have the direction opposite to line %d, want one direction", q.Unit, line[same])
		}
		quantity[k], line[q] = q, n
		if q.Unit != "" && t.unit[q.Unit] == nil {
			t.unit[q.Unit] = q
		}
		quantities = append(quantities, q)
		return nil
	})
	if err != nil {
		return nil, err
	}

	names, err := fs.Glob(fsys, "tables/*_table*.csv")
	if err != nil {
		return nil, err
	}
	used := make(map[*Quantity]bool)
	for _, name := range names {
		err := lines(fsys, name, numberHeader, func(n int, field []string) error {
			c, err := parseNumber(field)
			if err != nil {
				return err
			}
			if want := "tables/" + c.Paper + "_table" + c.Table + ".csv"; name != want {
				return fmt.Errorf("%v: have a cell of %s, want one of this file", c.Key, want)
			}
			if _, twice := t.cell[c.Key]; twice {
				return fmt.Errorf("%v: have a second cell of this key, want one", c.Key)
			}
			q := quantity[Key{Paper: c.Paper, Table: c.Table, Metric: c.Metric, Stat: c.Stat}]
			if q == nil {
				return fmt.Errorf("%v: have no line in units.csv, want one for its metric and stat", c.Key)
			}
			if err := c.measure(q); err != nil {
				return err
			}
			used[q] = true
			i := len(t.Numbers)
			t.Numbers, t.cell[c.Key] = append(t.Numbers, c), i
			if q.Unit == "" {
				return nil
			}
			at := place{c.Group(), q.Unit}
			for _, other := range t.measured[at] {
				if o := t.Numbers[other]; o.Paper == c.Paper && o.Table == c.Table && o.Quantity.Best == q.Best {
					return fmt.Errorf("%v: have the place %s %s of %v, want one of its own", c.Key, at.group, at.unit, o.Key)
				}
			}
			t.measured[at] = append(t.measured[at], i)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	t.wholeNumbers()
	for _, q := range quantities {
		if !used[q] {
			return nil, fmt.Errorf("units.csv:%d: quantity %s %s %s %s: have no cell, want one or no line", line[q], q.Paper, q.Table, q.Metric, q.Stat)
		}
	}
	return t, t.loadClaims(fsys)
}

// wholeNumbers sets HalfDigit, half a unit of the last digit, for whole numbers in a column
// that also has numbers with decimals: 99 beside 98.5 counts as 99.0. Numbers with a suffix
// and padded numbers are left as they are, because they are counts.
func (t *Tables) wholeNumbers() {
	least := make(map[*Quantity]float64)
	for _, c := range t.Numbers {
		if q := c.Quantity; c.HalfDigit > 0 && !c.rounded() && q.Suffix == "" && !q.Padded && (least[q] == 0 || c.HalfDigit < least[q]) {
			least[q] = c.HalfDigit
		}
	}
	for i, c := range t.Numbers {
		if half := least[c.Quantity]; half > 0 && !c.rounded() && !strings.Contains(c.Value, ".") {
			t.Numbers[i].HalfDigit = half
		}
	}
}

func (t *Tables) loadClaims(fsys fs.FS) error {
	return lines(fsys, "tables/claims.csv", claimHeader, func(n int, field []string) error {
		c, err := parseClaim(field)
		if err != nil {
			return err
		}
		if _, twice := t.claim[c.ID]; twice {
			return fmt.Errorf("claim %s: have a second one of this id, want one", c.ID)
		}
		if c.Relation != nil {
			for _, k := range c.Relation.Keys() {
				if cell, ok := t.Number(k); !ok {
					return fmt.Errorf("claim %s: %v: have no such cell", c.ID, k)
				} else if !cell.Numeric || cell.Quantity.Unit == "" {
					return fmt.Errorf("claim %s: %v: have %q, want a measured number", c.ID, k, abbreviate(cell.Value))
				}
			}
		}
		t.claim[c.ID] = len(t.Claims)
		t.Claims = append(t.Claims, c)
		return nil
	})
}

// lines reads a CSV file. For every line after the header it calls the function each with
// the number of the line and its fields. It prefixes errors with the file and the line.
func lines(fsys fs.FS, name, header string, each func(line int, field []string) error) error {
	const most = 1 << 20
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	base := path.Base(name)
	if len(text) > most {
		return fmt.Errorf("%s: have %d bytes, want at most %d", base, len(text), most)
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = strings.Count(header, ",") + 1
	for first := true; ; first = false {
		field, err := r.Read()
		if err == io.EOF && !first {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", base, err) // the csv error has the line
		}
		line, _ := r.FieldPos(0)
		if first {
			if have := strings.Join(field, ","); have != header {
				return fmt.Errorf("%s:1: header: have %q, want %q", base, abbreviate(have), header)
			}
			continue
		}
		if err := each(line, field); err != nil {
			return fmt.Errorf("%s:%d: %w", base, line, err)
		}
	}
}
