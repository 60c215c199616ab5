package suite

import (
	"fmt"
	"strings"

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
	var place []string
	for _, p := range []struct{ key, value string }{{"table", r.Table}, {"section", r.Section}, {"figure", r.Figure}} {
		if p.value != "" {
			place = append(place, p.key+"="+p.value)
		}
	}
	if len(place) != 1 {
		return "", fmt.Errorf("row %+v: have the places %q, want one of table, section and figure", r, place)
	}
	var task string
	if r.Task != "" {
		task = "/task=" + r.Task
	}
	return golden.ParseName(fmt.Sprintf("paper=%s/%s/row=%s%s/seed=%d", r.Paper, place[0], r.Row, task, seed))
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

// File returns the base name of files of the row, such as resurgence-table2-dyck-m4.
func (r RowID) File() string {
	parts := strings.Split(string(r.Group()), "/")
	for i, p := range parts {
		key, value, _ := strings.Cut(p, "=")
		if parts[i] = value; i == 1 { // the table, section or figure
			parts[i] = key + value
		}
	}
	return strings.Join(parts, "-")
}
