package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestRunsAsJSON reads the lines of the runs of the repository back. Each run of a golden file that pages
// show has one line, with all its values and its settings.
func TestRunsAsJSON(t *testing.T) {
	r, _ := ofRepository(t)
	var b strings.Builder
	if err := r.writeRuns(&b); err != nil {
		t.Fatal(err)
	}
	to := json.NewDecoder(strings.NewReader(b.String()))
	lines, trained := 0, 0
	for _, x := range r.rows {
		for _, run := range x.Runs {
			var have struct {
				Name, Suite, Commit, Digest string
				Seed                        int
				Values                      map[string]float64
				Settings                    map[string]any
			}
			if err := to.Decode(&have); err != nil {
				t.Fatalf("%s: %v", run.Name, err)
			}
			if have.Name != string(run.Name) || have.Suite != x.File.Suite || have.Seed != run.Name.Seed() || have.Commit != run.Origin.Commit || have.Digest != x.Digest(run) {
				t.Fatalf("have %+v, want %s", have, run.Name)
			}
			for _, v := range run.Values {
				if have.Values[v.Unit] != v.Value {
					t.Errorf("%s: have %v %s, want %v", run.Name, have.Values[v.Unit], v.Unit, v.Value)
				}
			}
			if lines++; have.Settings["place"] != nil {
				trained++
			}
			if len(have.Values) != len(run.Values) || (x.row != nil) != (have.Settings["place"] != nil) {
				t.Errorf("%s: have %d values and the settings %v, want %d and those of %v", run.Name, len(have.Values), have.Settings, len(run.Values), x.row)
			}
		}
	}
	if to.More() || lines < 1000 || trained < 900 {
		t.Errorf("have %d lines, %d with settings, and then more (%t), want those of all runs", lines, trained, to.More())
	}
}
