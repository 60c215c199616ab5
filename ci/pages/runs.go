package main

import (
	"encoding/json"
	"io"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
)

// A jsonRun is a line of the JSON format: a run.
type jsonRun struct {
	Name     golden.Name        `json:"name"`
	Suite    string             `json:"suite"`
	Scale    string             `json:"scale"`
	Seed     int                `json:"seed"`
	Values   map[string]float64 `json:"values"` // by unit
	Digest   string             `json:"digest,omitempty"`
	Commit   string             `json:"commit"`
	Machine  string             `json:"machine"`
	Date     string             `json:"date"`
	Contract int                `json:"contract"`
	Reason   string             `json:"reason"`
	Settings suite.Row          `json:"settings,omitempty"` // as the suite declares them; none of a row without training
}

// writeRuns writes a line of JSON for each run, in the order of their names.
func (r *report) writeRuns(w io.Writer) error {
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	for _, x := range r.rows {
		for _, run := range x.Runs {
			line := jsonRun{
				Name: run.Name, Suite: x.File.Suite, Scale: x.File.Scale, Seed: run.Name.Seed(), Values: map[string]float64{}, Digest: x.Digest(run),
				Commit: run.Origin.Commit, Machine: run.Origin.Machine, Date: run.Origin.Date, Contract: run.Origin.Contract, Reason: run.Origin.Reason, Settings: x.row,
			}
			for _, v := range run.Values {
				line.Values[v.Unit] = v.Value
			}
			if err := to.Encode(line); err != nil {
				return err
			}
		}
	}
	return nil
}
