package exchange

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
)

// A Row is a row of a suite whose strings can be exported: a [suite.Row], or the field About of a
// [suite.Computed]. Its JSON has the settings.
type Row interface {
	ID() suite.RowID
	// Exchange returns the strings of the row, which are the same for all seeds.
	Exchange() (*Set, error)
}

// A Set is what a row trains, validates and tests on, and how predictions are scored.
type Set struct {
	Alphabet []string // the tokens, by number; nil if tokens are written as numbers
	Tokens   int      // the number of tokens, unless there is an alphabet
	Closing  []string // those that are closing symbols
	Splits   []Split
	Fields   []Field  // what a record of predictions holds
	Metrics  []Metric // what Score returns, in this order
	// Measure returns the values of the metrics of a split, in any order. Values that follow from a field without predictions
	// are ignored.
	Measure func(p *Predictions, split string) ([]golden.Value, error)
}

// Score returns the values of the metrics for which there are predictions. One without cases has no value.
func (s *Set) Score(p *Predictions) (list []golden.Value, err error) {
	found := make(map[string]float64)
	for _, split := range s.Splits {
		if !p.has(split.Name) {
			continue
		}
		values, err := s.Measure(p, split.Name)
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			found[v.Unit] = v.Value
		}
	}
	for _, m := range s.Metrics {
		if v, ok := found[m.Unit]; ok && p.has(m.Split) && !slices.ContainsFunc(m.Fields, p.lacks) {
			list = append(list, golden.Value{Unit: m.Unit, Value: v})
		}
	}
	return list, nil
}

// A Split is a list of strings.
type Split struct {
	Name   string
	Scored bool // whether predictions must have a record for each of its strings
	// Optional says that predictions may have a record for each of its strings, or for none.
	Optional bool
	About    string // what else must be known of its strings; may be empty
	Strings  int
	Text     func(i int) []int32 // the tokens of string i, without marks of start and end
	Labels   *Labels             // nil if all strings are in the language and nothing else is to be said
	More     []Lines             // other files
}

// Lines is a file with a line for each string of a split. The function appends that line, without its end.
type Lines struct {
	Name string
	Line func(dst []byte, i int) []byte
}

// Text returns the field Text of a split whose tokens are of another type.
func Text[T uint8 | int32](of func(i int) []T) func(i int) []int32 {
	return func(i int) []int32 {
		tokens := of(i)
		list := make([]int32, len(tokens))
		for at, token := range tokens {
			list[at] = int32(token)
		}
		return list
	}
}

// Labels says of the strings of a split for recognition what their tokens do not.
type Labels struct {
	Valid func(i int) bool // whether string i is in the language
	Edits func(i int) int  // for a difficult string outside of the language, the number of symbols changed; else 0
	// Next calls visit for each prefix of string i, which is in the language, from the empty one to
	// the whole string, with the tokens that may follow and whether the string may end.
	Next func(i int, visit func(tokens []int32, end bool))
}

// A Metric is a number by which predictions are scored.
type Metric struct {
	Unit       string   `json:"unit"`   // as in the golden files of the suite
	Split      string   `json:"split"`  // of whose strings it is
	Fields     []string `json:"fields"` // from which it follows
	Definition string   `json:"definition"`
}

// A Field is a list of values in a record of predictions.
type Field struct {
	Name       string                    `json:"name"`
	Values     Values                    `json:"values"`
	Optional   bool                      `json:"optional"`   // whether all records may be without it
	Definition string                    `json:"definition"` // what the values are, and how many there are
	Count      func(s *Split, i int) int `json:"-"`          // the number of values for string i
}

// Values says what the values of a field may be.
type Values string

// The kinds of values.
const (
	Probabilities Values = "numbers from 0 to 1"
	Nats          Values = "finite numbers of 0 or more"
	ClosingTokens Values = "closing tokens, or empty strings for none"
	AnyTokens     Values = "tokens, or empty strings for none"
)

// tokens reports whether the values are tokens.
func (v Values) tokens() bool { return v == ClosingTokens || v == AnyTokens }

// Find returns the suite with the given name and its row with the given name at a scale. The name of
// the row is its group, such as paper=second-order-lstm/table=1/row=m6-baseline, or an end of it that
// begins after a slash or after row= and that no other row has, such as m6-baseline.
func Find(all []*suite.Suite, name string, scale suite.Scale, row string) (*suite.Suite, Row, error) {
	s, list, err := rows(all, name, scale)
	if err != nil {
		return nil, nil, err
	}
	var found []Row
	for _, r := range list {
		if group := "/" + string(r.ID().Group()); row != "" && (strings.HasSuffix(group, "/"+row) || strings.HasSuffix(group, "/row="+row)) {
			found = append(found, r)
		}
	}
	if len(found) == 1 {
		return s, found[0], nil
	}
	if len(found) == 0 {
		return nil, nil, fmt.Errorf("row of %s at scale %s: have %q, want a row such as %s", name, scale, row, names(near(list, row)))
	}
	return nil, nil, fmt.Errorf("row of %s at scale %s: have %q, which is the end of several names, want one of %s", name, scale, row, names(found))
}

// List returns a line for each row of a suite, or of all suites if the name is empty: the suite, the
// row and the number of runs that the golden file has. If outcomes of printed numbers rest on the row, the model, the data
// and the units of these follow. A suite without an export has a line that says so.
func List(all []*suite.Suite, name string, scale suite.Scale) (lines []string, err error) {
	for _, s := range all {
		if name != "" && s.Name != name {
			continue
		}
		if len(rowsOf(s, suite.Paper)) == 0 {
			lines = append(lines, s.Name+" has no export yet")
			continue
		}
		_, list, err := rows(all, s.Name, scale)
		if err != nil {
			return nil, err
		}
		g, err := s.Golden(scale)
		if errors.Is(err, fs.ErrNotExist) {
			g, err = &golden.File{}, nil
		}
		if err != nil {
			return nil, err
		}
		about := describeRows(g)
		for _, r := range list {
			group := r.ID().Group()
			lines = append(lines, fmt.Sprintf("%s %s %d%s", s.Name, group, len(g.Seeds(group)), about[string(group)]))
		}
	}
	if len(lines) == 0 {
		_, _, err = rows(all, name, scale)
	}
	return lines, err
}

// describeRows describes the rows on which outcomes rest: the model, the data, and the units of the printed numbers. Of the
// rows that may stand for a reading it takes the first of which g has runs, or the last.
func describeRows(g *golden.File) map[string]string {
	text, units := make(map[string]string), make(map[string]bool)
	for _, n := range papers.Published().Numbers {
		var groups []string
		for _, x := range n.Readings() {
			at := slices.IndexFunc(x.Groups, func(group string) bool { return len(g.Seeds(golden.Name(group))) > 0 })
			if at < 0 {
				at = len(x.Groups) - 1
			}
			groups = append(groups, x.Groups[at])
		}
		if groups == nil && n.Quantity.Unit != "" && !n.Quantity.Shown {
			groups = append(groups, n.Group())
		}
		for _, group := range groups {
			if text[group] == "" {
				text[group] = fmt.Sprintf(" %s, %s:", n.Model, n.Dataset)
			}
			if unit := " " + n.Quantity.Unit; !units[group+unit] {
				units[group+unit] = true
				text[group] += unit
			}
		}
	}
	return text
}

// rows returns the suite with the given name and its rows at a scale.
func rows(all []*suite.Suite, name string, scale suite.Scale) (*suite.Suite, []Row, error) {
	if !slices.Contains([]suite.Scale{suite.Smoke, suite.CI, suite.Paper}, scale) {
		return nil, nil, fmt.Errorf("scale: have %q, want smoke, ci or paper", scale)
	}
	have, want := fmt.Sprintf("%q", name), []string(nil)
	for _, s := range all {
		exports := len(rowsOf(s, suite.Paper)) > 0
		switch {
		case exports && s.Name == name:
			return s, rowsOf(s, scale), nil
		case exports:
			want = append(want, s.Name)
		case s.Name == name:
			have = name + ", which has no export yet"
		}
	}
	return nil, nil, fmt.Errorf("suite: have %s, want %s", have, strings.Join(want, " or "))
}

// rowsOf returns the rows of a suite at a scale that can be exported, each once.
func rowsOf(s *suite.Suite, scale suite.Scale) (list []Row) {
	seen := map[golden.Name]bool{}
	add := func(row any) {
		if x, ok := row.(Row); ok && !seen[x.ID().Group()] {
			seen[x.ID().Group()] = true
			list = append(list, x)
		}
	}
	for _, r := range s.Rows(scale) {
		add(r.Row)
	}
	for _, t := range s.Tables {
		for _, c := range t.At(scale).Computed {
			add(c.About)
		}
	}
	return list
}

// most is the number of names in an error.
const most = 6

func names(list []Row) string {
	var text []string
	for _, r := range list[:min(len(list), most)] {
		text = append(text, string(r.ID().Group()))
	}
	if more := len(list) - most; more > 0 {
		text = append(text, fmt.Sprintf("%d more", more))
	}
	return strings.Join(text, ", ")
}

// near returns the rows whose names share most pairs of letters with a name.
func near(list []Row, name string) (found []Row) {
	shared := func(r Row) (n int) {
		for i := range max(0, len(name)-1) {
			if strings.Contains(string(r.ID().Group()), name[i:i+2]) {
				n++
			}
		}
		return n
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Row) int {
		return cmp.Or(shared(b)-shared(a), len(a.ID().Group())-len(b.ID().Group()))
	})
	return list[:min(len(list), 3)]
}
