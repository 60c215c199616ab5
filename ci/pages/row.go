package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// A row is a group of runs, which differ only in their seeds.
type row struct {
	declaration
	Name      golden.Name
	Slug      string // the name of its page, without extension
	File      *golden.File
	Runs      []golden.Row // by seed
	Places    []entry      // where tables show the row
	Of        *row         // the printed row of which this row is a variant, or nil
	Relatives []relative
	Traced    []trace // by seed
	TraceAt   string  // the path of the trace in the repository
	runs      map[int]golden.Trajectory
}

// slug returns the name of a group as a file name without extension.
func slug(group golden.Name) string {
	return strings.NewReplacer("paper=", "", "/row=", "-", "/task=", "-", "/", "-", "=", "").Replace(string(group))
}

// An origin is where runs of a row come from, with their seeds.
type origin struct {
	golden.Origin
	ID    int // from 1
	Seeds string
}

// Numbers returns the places whose printed number is compared with whole runs. Those that are the
// first of their unit say so.
func (x *row) Numbers() (list []entry) {
	for _, p := range x.Places {
		if p.Compared && !p.FirstEpoch {
			p.First = !slices.ContainsFunc(list, func(other entry) bool { return other.InPaper.Quantity.Unit == p.InPaper.Quantity.Unit })
			list = append(list, p)
		}
	}
	return list
}

// Tables returns the tables that show the row.
func (x *row) Tables() (list []*table) {
	for _, p := range x.Places {
		list = with(list, p.Table)
	}
	return list
}

// with returns a list with a value at its end, unless the list has it.
func with[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// Digest returns the digest of the parameters of a run, or "" if there is none.
func (x *row) Digest(run golden.Row) string {
	if t, ok := x.runs[run.Name.Seed()]; ok {
		return t.Result()
	}
	return ""
}

// Origins returns where the runs come from.
func (x *row) Origins() (list []origin) {
	seeds := make(map[golden.Origin][]int)
	for _, run := range x.Runs {
		if seeds[run.Origin] == nil {
			list = append(list, origin{Origin: run.Origin, ID: len(list) + 1})
		}
		seeds[run.Origin] = append(seeds[run.Origin], run.Name.Seed())
	}
	for i, o := range list {
		list[i].Seeds = ranges(seeds[o.Origin])
	}
	return list
}

// From returns the number of the origin of a run.
func (x *row) From(run golden.Row) int {
	return slices.IndexFunc(x.Origins(), func(o origin) bool { return o.Origin == run.Origin }) + 1
}

// valuesOf returns the values of a run in the given units, as text.
func valuesOf(run golden.Row, units []string) (list []string) {
	for _, u := range units {
		text := ""
		if v, ok := run.Value(u); ok {
			text = verdict.Short(v)
		}
		list = append(list, text)
	}
	return list
}

// Units returns the units of the row, those that a paper prints first.
func (x *row) Units() (list []string) {
	for _, run := range x.Runs {
		for _, v := range run.Values {
			list = with(list, v.Unit)
		}
	}
	rank := func(unit string) int {
		if i := slices.IndexFunc(x.Places, func(p entry) bool { return p.InPaper.Quantity.Unit == unit }); i >= 0 {
			return i
		}
		if _, printed := papers.Published().Unit(unit); printed {
			return len(x.Places)
		}
		return len(x.Places) + 1
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b)) })
	return list
}

// Ours says what our number is of our runs.
func (e entry) Ours() string {
	of := fmt.Sprintf(" of %d runs", e.Runs)
	switch kind := statisticOf(e.InPaper.Quantity); {
	case e.Runs == 1:
		return "one run"
	case e.Exact:
		return "in each" + of
	case kind == "chosen":
		return "the one with the lowest " + verdict.MetricName(e.InPaper.Quantity.ChosenBy) + of
	case kind == "best":
		return "best" + of
	}
	return "mean" + of
}

// Theirs says what the printed number is of the paper's runs.
func (e entry) Theirs() string {
	switch q, kind := e.InPaper.Quantity, statisticOf(e.InPaper.Quantity); kind {
	case "one":
		return "one run"
	case "chosen":
		return fmt.Sprintf("one of %d runs, chosen by %s", q.Trials, verdict.MetricName(q.ChosenBy))
	default:
		return fmt.Sprintf("%s of %d runs", kind, q.Trials)
	}
}

// ranges formats rising numbers, such as 1-10, 12.
func ranges(list []int) (text string) {
	for i, n := range list {
		switch {
		case i == 0:
			text = strconv.Itoa(n)
		case list[i-1] != n-1:
			text += fmt.Sprintf(", %d", n)
		case i == len(list)-1 || list[i+1] != n+1:
			text += fmt.Sprintf("–%d", n)
		}
	}
	return text
}

// A rowGroup holds the rows that are named after a table, section or figure of a paper.
type rowGroup struct {
	ID, Title string
	Rows      []*row
}

// Label returns the name of one of the rows without that of the group.
func (g *rowGroup) Label(x *row) string {
	return strings.TrimPrefix(verdict.Title(x.Name), g.Title+", ")
}

// RowGroups returns all rows by group.
func (r *report) RowGroups() (list []*rowGroup) {
	for _, x := range r.rows {
		parts := x.Name.Parts()
		name, _, _ := strings.Cut(string(x.Name), "/"+parts[min(2, len(parts)-1)].Key+"=")
		if id := slug(golden.Name(name)); len(list) == 0 || list[len(list)-1].ID != id {
			list = append(list, &rowGroup{ID: id, Title: verdict.Title(golden.Name(name))})
		}
		g := list[len(list)-1]
		g.Rows = append(g.Rows, x)
	}
	return list
}

// Outcomes returns the outcomes of the numbers of a row.
func (x *row) Outcomes() (list []verdict.Outcome) {
	for _, p := range x.Places {
		if o := p.Result(); p.Compared && o != shown && o != unfinished {
			list = append(list, o)
		}
	}
	return list
}

// A setting is a hyper-parameter of a row.
type setting struct{ Name, Value string }

// Settings returns the settings of the row, as its suite declares them.
func (d declaration) Settings() ([]setting, error) {
	text, err := json.Marshal(d.row)
	if err != nil {
		return nil, err
	}
	return flatten(text)
}

// flatten lists the values of a JSON object in their order. It leaves out values that are
// zero, false or empty, and the place of the row, which its name has already. The names of
// values inside other objects are joined by dots.
func flatten(text []byte) (list []setting, err error) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var value func(name string) error
	value = func(name string) error {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case json.Delim:
			for i := 0; d.More(); i++ {
				inner := fmt.Sprintf("%s.%d", name, i+1)
				if t == '{' {
					key, err := d.Token()
					if err != nil {
						return err
					}
					inner = strings.TrimPrefix(name+"."+key.(string), ".")
				}
				if err := value(inner); err != nil {
					return err
				}
			}
			_, err := d.Token()
			return err
		case nil:
		default:
			if text := fmt.Sprint(t); !slices.Contains([]string{"0", "", "false"}, text) && !strings.HasPrefix(name, "place.") {
				list = append(list, setting{name, text})
			}
		}
		return nil
	}
	err = value("")
	return list, err
}
