package exchange

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
)

// externals returns a suite with the fake row, and a result of it.
func externals() ([]*suite.Suite, *External) {
	row := fakeRow{suite.RowID{Paper: "p", Table: "1", Row: "fake"}}
	all := []*suite.Suite{{
		Name:   "fake",
		Units:  []suite.Unit{{Unit: golden.Unit{Name: "test-ce"}}, {Unit: golden.Unit{Name: "test-%", Better: "higher"}}},
		Tables: []suite.Table{{At: func(suite.Scale) suite.Part { return suite.Part{Runs: suite.Seeds(1, row)} }}},
	}}
	return all, &External{
		Suite: "fake", Row: row.ID().Group(), Data: strings.Repeat("0a", 32), Contract: 1, Commit: "unknown", Date: "2026-01-31",
		Who: "A. Nonymous", Framework: "PyTorch 2.2.2 (CPU)", Link: "https://example.org/a?b=c",
		Runs: []ExternalRun{{strings.Repeat("1", 64), map[string]float64{"test-%": 99, "test-ce": 0.5}}, {strings.Repeat("2", 64), map[string]float64{"test-%": 100, "test-ce": 0.25}}},
	}
}

func TestExternalIsReadAsWritten(t *testing.T) {
	all, e := externals()
	text, err := e.Text()
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadExternals(fstest.MapFS{ExternalFolder + "/a-1.json": {Data: text}}, all)
	if err != nil || len(list) != 1 {
		t.Fatalf("have %d results, %v, want one", len(list), err)
	}
	f := list["a-1"].File(all[0])
	if have := f.Values(e.Row, "test-%"); len(have) != 2 || have[0] != 99 || have[1] != 100 || f.Units[0].Name != "test-ce" {
		t.Errorf("have %v in units %v, want 99 and 100, and the units in the order of the suite", have, f.Units)
	}
}

// TestExternalsAreChecked damages a result in many ways.
func TestExternalsAreChecked(t *testing.T) {
	for want, damage := range map[string]func(*External){
		"suite: have \"x\"":       func(e *External) { e.Suite = "x" },
		"row of fake":             func(e *External) { e.Row = "paper=a/table=1/row=b" },
		"row: have \"fake\"":      func(e *External) { e.Row = "fake" },
		"data: have":              func(e *External) { e.Data = strings.ToUpper(e.Data) },
		"contract: have":          func(e *External) { e.Contract = 0 },
		"date: have":              func(e *External) { e.Date = "2026-02-31" },
		"who: have":               func(e *External) { e.Who = "<b>" },
		"framework: have \"\"":    func(e *External) { e.Framework = "" },
		"link: have \"javascript": func(e *External) { e.Link = "javascript:alert(1)" },
		"link: have \"a/../b":     func(e *External) { e.Link = "a/../b" },
		"link: have \"/etc":       func(e *External) { e.Link = "/etc/passwd" },
		"runs: have \"0\"":        func(e *External) { e.Runs = nil },
		"run 2: predictions":      func(e *External) { e.Runs[1].Predictions = e.Runs[0].Predictions },
		"want a number from 0 to": func(e *External) { e.Runs[0].Values["test-%"] = 100.5 },
		"want units of the suite": func(e *External) { e.Runs[0].Values["params"] = 1 },
		"run 2: values: have":     func(e *External) { delete(e.Runs[1].Values, "test-%") },
		"run 1: values: have":     func(e *External) { clear(e.Runs[0].Values) },
	} {
		all, e := externals()
		for i := range e.Runs {
			e.Runs[i].Values = maps.Clone(e.Runs[i].Values)
		}
		damage(e)
		if _, err := e.Check("golden/external/a.json", all); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("have %v, want an error with %s", err, want)
		}
	}
	all, e := externals()
	text, err := e.Text()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"A.json": string(text), "a.txt": string(text), "a.json": strings.Replace(string(text), `"who"`, `"who": "B", "who"`, 1), "b.json": "[]", "c.json": string(text) + "\n"} {
		if _, err := ReadExternals(fstest.MapFS{ExternalFolder + "/" + name: {Data: []byte(text)}}, all); err == nil || !strings.HasPrefix(err.Error(), ExternalFolder+"/"+name) {
			t.Errorf("%s: have %v, want an error with the name", name, err)
		}
	}
}
