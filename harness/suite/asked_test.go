package suite

import (
	"fmt"
	"strings"
	"testing"
)

// TestUnselectedRows checks for which patterns of -run a suite fails that runs none of its
// rows, and that the error names near rows and other scales.
func TestUnselectedRows(t *testing.T) {
	row := func(name string) Computed {
		return Computed{ID: RowID{Paper: "resurgence", Table: "2", Row: name}, Seeds: 2}
	}
	table := Table{Test: "TestTable2", Paper: "resurgence", Name: "2", At: func(scale Scale) Part {
		switch scale {
		case Paper:
			return Part{Computed: []Computed{row("dyck-m4"), row("dyck-m6"), row("other")}}
		case CI:
			return Part{Computed: []Computed{row("dyck-m4"), row("other")}}
		}
		return Part{}
	}}
	s := &Suite{Name: "s", Tables: []Table{table}}
	ran := []Table{table} // a test of this table has run
	const near = ", which selects no run of suite s at scale ci, want one such as paper=resurgence/table=2/row=dyck-m4, paper=resurgence/table=2/row=other"
	const name = "\n-run: the first element is the name of a test, and the others are those of the row, as in -run './paper=resurgence/table=2/row=dyck-m4$'"
	paper := func(run string) string {
		hint := ""
		if testing.Short() {
			hint = " without -short"
		}
		return fmt.Sprintf("\n-run: it selects paper=resurgence/table=2/row=%s at scale paper: PUSHDOWN_SCALE=paper%s", run, hint)
	}
	for _, c := range []struct {
		pattern string
		tables  []Table
		runs    int
		want    string // what follows the pattern in the error; "" for no error
	}{
		{"", ran, 4, ""},
		{"Table2", ran, 4, ""},
		{"Suite/Golden", nil, 0, ""},
		{"T/p/2/nothing", ran, 0, near}, // also without the name of a part
		{"T", ran, 0, ""},               // the table has no rows at this scale
		{"Table2|Suite/Golden", ran, 0, ""},
		{"T/paper/table/row=dyck-m4$", ran, 2, ""},
		{"Other/paper/table/row=dyck-m4$", nil, 0, ""}, // of another suite
		{"T/paper/table/row=dyck-m5$", ran, 0, near},
		{"T/paper/table/row=dyck-m5$|T/paper/table/row=dyck-m7$", ran, 0, near},
		{"T/paper/table/row=dyck-m6$", ran, 0, near + paper("dyck-m6/seed=1")},
		{"row=dyck-m4$", nil, 0, near + name},
		{"row=dyck-m6$", nil, 0, near + paper("dyck-m6/seed=1") + name},
		{"T/paper/table/row=other/seed=7", ran, 0, ", which selects no run of suite s at scale ci, want one such as paper=resurgence/table=2/row=other/seed=1, paper=resurgence/table=2/row=other/seed=2, paper=resurgence/table=2/row=dyck-m4/seed=1"},
	} {
		have, want := "", c.want
		if err := s.unselected(c.pattern, CI, c.tables, c.runs); err != nil {
			have = err.Error()
		}
		if want != "" {
			want = "-run: have " + c.pattern + want
		}
		if have != want {
			t.Errorf("%s: have\n%s\nwant\n%s", c.pattern, have, want)
		}
	}
	if err := s.unselected("T/row=x", Smoke, ran, 0); err == nil || !strings.HasSuffix(err.Error(), "no run of suite s at scale smoke") {
		t.Errorf("at a scale without rows: have %v", err)
	}
}
