package suite

import (
	"fmt"
	"strings"
	"testing"

	"pushdown/harness/golden"
)

// RowID says where a paper publishes a row. Exactly one of Table, Section and Figure is
// set. The JSON keys must not change, because they enter the hashes by which results are
// found.
type RowID struct {
	Paper   string `json:"paper"`             // such as resurgence
	Table   string `json:"table,omitempty"`   // such as 2
	Section string `json:"section,omitempty"` // such as 6.2
	Figure  string `json:"figure,omitempty"`  // such as 3
	Row     string `json:"row"`               // such as dyck-m4
	Task    string `json:"task,omitempty"`    // empty if a row has only one task
}

// Name returns the name of the run of this row with the given seed, such as
//
//	paper=resurgence/table=2/row=dyck-m4/seed=1
func (r RowID) Name(seed int) (golden.Name, error) {
	if seed < 1 {
		return "", fmt.Errorf("row %+v: have seed %d, want >= 1", r, seed)
	}
	var place string
	for _, p := range []struct{ key, value string }{{"table", r.Table}, {"section", r.Section}, {"figure", r.Figure}} {
		if p.value == "" {
			continue
		}
		if place != "" {
			return "", fmt.Errorf("row %+v: have a second place %s=%s, want one of table, section and figure", r, p.key, p.value)
		}
		place = "/" + p.key + "=" + p.value
	}
	if place == "" {
		return "", fmt.Errorf("row %+v: have no place, want one of table, section and figure", r)
	}
	var task string
	if r.Task != "" {
		task = "/task=" + r.Task
	}
	return golden.ParseName(fmt.Sprintf("paper=%s%s/row=%s%s/seed=%d", r.Paper, place, r.Row, task, seed))
}

// Group returns the name of the row's runs without the seed. It panics if the place is
// invalid.
func (r RowID) Group() golden.Name {
	name, err := r.Name(1)
	if err != nil {
		panic("suite: " + err.Error())
	}
	return name.Group()
}

// where returns the table, section or figure in the form table2, section6.2 or figure3.
func (r RowID) where() string {
	switch {
	case r.Table != "":
		return "table" + r.Table
	case r.Section != "":
		return "section" + r.Section
	}
	return "figure" + r.Figure
}

// File returns the base name of files of the row, such as resurgence-table2-dyck-m4.
func (r RowID) File() string {
	name := r.Paper + "-" + r.where() + "-" + r.Row
	if r.Task != "" {
		name += "-" + r.Task
	}
	return name
}

// subtest runs f as a subtest with the given name. It skips the subtest if it belongs to
// another shard. It fails the subtest if package testing has changed the name, or if it is
// too late for a run to begin. If it is too late, the function in the last parameter, which
// may be nil, is called first and may fail the subtest with a message of its own.
func subtest(t *testing.T, name golden.Name, f func(t *testing.T), late func(t *testing.T, why string)) bool {
	t.Helper()
	return t.Run(string(name), func(t *testing.T) {
		t.Helper()
		Summarize(t)
		if !strings.HasSuffix(t.Name(), "/"+string(name)) {
			t.Fatalf("subtest: have name %s, want %s: the name occurs twice or has a character that testing replaces", t.Name(), name)
		}
		if shard := Current().Shard; !shard.Owns(string(name)) {
			t.Skipf("PUSHDOWN_SHARD=%s: this run belongs to another shard", shard)
		}
		d := NewDeadline(t, nil)
		if why := d.refusal(); why != "" && late != nil {
			late(t, why)
		}
		d.Begin(t)
		f(t)
	})
}
