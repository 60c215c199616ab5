package suite

import (
	"slices"
	"strings"
	"testing"
)

func TestPlaceName(t *testing.T) {
	for _, c := range []struct {
		row  RowID
		seed int
		want string // the name or, after "!", a part of the error
	}{
		{RowID{Paper: "resurgence", Table: "2", Row: "dyck-m4"}, 1, "paper=resurgence/table=2/row=dyck-m4/seed=1"},
		{RowID{Paper: "resurgence", Section: "6.2", Row: "fixed", Task: "m4"}, 10, "paper=resurgence/section=6.2/row=fixed/task=m4/seed=10"},
		{RowID{Paper: "resurgence", Figure: "3", Row: "a"}, 2, "paper=resurgence/figure=3/row=a/seed=2"},
		{RowID{Paper: "resurgence", Table: "2", Row: "a"}, 0, "!have seed 0, want >= 1"},
		{RowID{Paper: "resurgence", Row: "a"}, 1, "!have the places [], want one of table, section and figure"},
		{RowID{Paper: "resurgence", Table: "2", Figure: "3", Row: "a"}, 1, `!have the places ["table=2" "figure=3"], want one of`},
		{RowID{Paper: "resurgence", Table: "2"}, 1, `!have "row=", want key=value`},
		{RowID{Table: "2", Row: "a"}, 1, `!have "paper=", want key=value`},
		{RowID{Paper: "resurgence", Table: "2", Row: "a b"}, 1, `!have "row=a b", want key=value`},
		{RowID{Paper: "resurgence", Table: "2", Row: "a/b"}, 1, `!want key=value`},
	} {
		name, err := c.row.Name(c.seed)
		want, fault := strings.CutPrefix(c.want, "!")
		if fault != (err != nil) || !fault && string(name) != want || fault && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: have %q, %v\nwant %s", c.row, name, err, c.want)
		}
	}
}

// TestRunTwice is run by TestChangedNames in another process.
func TestRunTwice(t *testing.T) {
	if !child() {
		t.Skip("subject of another test")
	}
	runAll(t, slices.Repeat([]job{{"test=x/seed=1", func(*testing.T) {}}}, 2))
}

// TestChangedNames checks that a subtest fails if package testing changes its name.
func TestChangedNames(t *testing.T) {
	stdout, _, status := again(t, nil, "-test.run=^TestRunTwice$")
	if status != 1 || !contains(stdout, "subtest: have name TestRunTwice/test=x/seed=1#01, want test=x/seed=1") {
		t.Errorf("exit status %d\n%s", status, stdout)
	}
}
