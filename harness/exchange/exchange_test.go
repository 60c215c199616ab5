package exchange

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// brackets returns a set of two strings, () and )(, of which the first is in the language.
func brackets() *Set {
	texts := [][]uint8{{0, 1}, {1, 0}}
	split := Split{Name: "train", Strings: 2, Text: Text(func(i int) []uint8 { return texts[i] }), Labels: &Labels{
		Valid: func(i int) bool { return i == 0 },
		Edits: func(int) int { return 2 },
		Next: func(_ int, visit func([]int32, bool)) {
			visit([]int32{0}, true)
			visit([]int32{1, 0}, false)
			visit([]int32{0}, true)
		},
	}}
	test := split
	test.Name, test.Scored = "test", true
	count := func(more int) func(s *Split, i int) int {
		return func(s *Split, i int) int { return len(s.Text(i)) + more }
	}
	return &Set{
		Alphabet: []string{"(", ")"}, Closing: []string{")"}, Splits: []Split{split, test},
		Fields: []Field{
			{Name: "yhat", Values: Probabilities, Definition: "verdicts", Count: count(1)},
			{Name: "nats", Values: Nats, Definition: "losses", Count: count(0)},
			{Name: "first", Values: ClosingTokens, Definition: "tokens", Count: count(0)},
		},
	}
}

// records has the records of both strings.
const records = `{"split":"test","string":1,"yhat":[0,0.25,1e-3],"nats":[0,1.5],"first":["",")"]}
{"string":0, "first":[")","\u0029"],"nats":[ 2 , 3] ,"yhat":[1,1,1],"split":"test"}
`

// read reads predictions with the first line that the set brackets wants.
func read(text string) (*Predictions, error) {
	return Read(strings.NewReader(`{"data":"abc"}`+"\n"+text), "p", brackets(), "abc")
}

func TestRead(t *testing.T) {
	for _, text := range []string{records, strings.TrimSuffix(records, "\n"), strings.ReplaceAll(records, "\n", "\r\n")} {
		p, err := read(text)
		if err != nil {
			t.Fatal(err)
		}
		have := fmt.Sprint(p.Numbers("yhat", "test", 1), p.Numbers("nats", "test", 0), p.Tokens("first", "test", 1), p.Tokens("first", "test", 0))
		if want := "[0 0.25 0.001] [2 3] [-1 1] [1 1]"; have != want {
			t.Errorf("have %s, want %s", have, want)
		}
	}
}

// TestReadRefuses changes valid predictions. The error must say where the fault is.
func TestReadRefuses(t *testing.T) {
	first, _, _ := strings.Cut(records, "\n")
	for _, c := range []struct{ old, new, want string }{
		{records, "", "p: have records of 0 strings of test, want 2; the first that is missing is string 0"},
		{records, first, "p: have records of 1 strings of test, want 2; the first that is missing is string 0"},
		{records, records + first, "p:4: string: have 1 of test a second time, want it once"},
		{"0.25", "NaN", `p:2: yhat: value 1: have "NaN", want numbers from 0 to 1`},
		{"0.25", "1.01", `p:2: yhat: value 1: have "1.01", want numbers from 0 to 1`},
		{"0.25", "-0.1", `p:2: yhat: value 1: have "-0.1", want `},
		{"0.25", "0x1p-2", `p:2: yhat: value 1: have "0x1p-2", want `},
		{"0.25", "true", `p:2: yhat: value 1: have "true", want `},
		{"0.25", `"0.25"`, "p:2: yhat: value 1: have "},
		{"0.25", "\x1b", `p:2: yhat: value 1: have "\x1b", want `},
		{"0.25", "[0.25]", "p:2: yhat: value 1: have \"[0.25]"},
		{"0.25", strings.Repeat("[", 1000), "p:2: yhat: value 1: have \"[[["},
		{"0.25", "null", `p:2: yhat: value 1: have "null", want `},
		{"1.5", "Infinity", `p:2: nats: value 1: have "Infinity", want `},
		{"1.5", "1e39", `p:2: nats: value 1: have "1e39", want `},
		{"1.5", "-1", `p:2: nats: value 1: have "-1", want `},
		{"0.25,", "", "p:2: yhat: have 2 values, want 3: verdicts"},
		{"0.25", "0.25,0", "p:2: yhat: have more than 3 values, want 3: verdicts"},
		{`"",")"`, `"","("`, `p:2: first: value 1: have "(", want one of [")"], or an empty string`},
		{`"nats":[0,1.5],`, "", "p:2: nats: have no such field, want 2 values"},
		{`"nats":[0,1.5],`, `"nats":7,`, `p:2: nats: column `},
		{`"nats":[0,1.5]`, `"nats":[0,1.5],"nats":[0,1.5]`, `p:2: "nats": have the field twice, want it once`},
		{`"nats":[0,1.5]`, `"nats":[0,1.5],"lr":3`, `p:2: have the field "lr", want split, string, yhat, nats, first`},
		{`"split":"test","string":1`, `"split":"train","string":1`, `p:2: split: have "train", want test`},
		{`"split":"test","string":1`, `"string":1`, `p:2: split: have "", want test`},
		{`"split":"test","string":1`, `"split":"test"`, "p:2: string: have -1, want a number from 0 to 1"},
		{`"string":1`, `"string":2`, "p:2: string: have 2, want a number from 0 to 1"},
		{`"string":1`, `"string":0.5`, "p:2: string: have 0.5, want the number of a string"},
		{`"string":1`, `"string":-1`, `p:2: string: have "-1", want the number of a string`},
		{records, "\n" + records, "p:2: have a blank line"},
		{records, "[]", "p:2: column 1: have \"[]\", want '{'"},
		{`{"split"`, `{"split`, "p:2: "},
		{first, first + "}", `p:2: column 81: have "}", want the end of the line`},
		{first, strings.TrimSuffix(first, "}"), `p:2: column 80: have the end of the line, want ','`},
		{first, first + strings.Repeat(" ", mostLine), "p:2: have a line of more than 1048575 bytes, want a record"},
	} {
		if strings.Count(records, c.old) != 1 {
			t.Fatalf("%q is not once in the records", c.old)
		}
		if _, err := read(strings.Replace(records, c.old, c.new, 1)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.60q instead of %.60q: have error %v, want %s", c.new, c.old, err, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"", `p: have no line, want {"data":"abc"} first`},
		{records, `p:1: have the field "split", want "data" alone in the first line`},
		{"\ufeff" + `{"data":"abc"}`, "p:1: have a byte order mark, want a JSON object"},
		{"\x1f\x8b\x08", "p:1: have a file compressed by gzip, want a JSON object"},
		{`{"data":"abd"}`, `p:1: data: have "abd", want "abc", the data set`},
		{`{}`, `p:1: data: have "", want "abc", the data set`},
	} {
		if _, err := Read(strings.NewReader(c.text), "p", brackets(), "abc"); err == nil || err.Error() != c.want {
			t.Errorf("%.40q: have error %v, want %s", c.text, err, c.want)
		}
	}
}

// TestOptional reads predictions with and without an optional split and an optional field. Metrics without predictions have no value.
func TestOptional(t *testing.T) {
	set := brackets()
	set.Splits[0].Optional, set.Fields[0].Optional, set.Fields[2].Optional = true, true, true
	for _, split := range []string{"train", "test"} {
		set.Metrics = append(set.Metrics, Metric{Unit: split + "-nats", Split: split, Fields: []string{"nats"}}, Metric{Unit: split + "-first", Split: split, Fields: []string{"nats", "first"}})
	}
	set.Metrics = append(set.Metrics, Metric{Unit: "no-cases", Split: "test", Fields: []string{"nats"}})
	set.Measure = func(p *Predictions, split string) ([]golden.Value, error) {
		return []golden.Value{{Unit: split + "-nats", Value: p.Numbers("nats", split, 1)[1]}, {Unit: split + "-first", Value: float64(p.Tokens("first", split, 0)[0])}, {Unit: "another"}}, nil
	}
	test := `{"split":"test","string":1,"nats":[0,1.5]}` + "\n" + `{"split":"test","string":0,"nats":[2,3]}` + "\n"
	first := strings.ReplaceAll(test, `,"nats"`, `,"first":[")",""],"nats"`)
	train := strings.ReplaceAll(test, `"test"`, `"train"`)
	for _, c := range []struct{ text, want string }{
		{test, "[{test-nats 1.5}]"},
		{first, "[{test-nats 1.5} {test-first 1}]"},
		{test + train, "[{train-nats 1.5} {test-nats 1.5}]"},
		{strings.ReplaceAll(train, "1.5", "4") + test, "[{train-nats 4} {test-nats 1.5}]"},
		{train, "p: have records of 0 strings of test, want 2; the first that is missing is string 0"},
		{test + train[:strings.Index(train, "\n")], "p: have records of 1 strings of train, want 2 or none; the first that is missing is string 0"},
		{first + train, "p:4: first: have no such field, want 2 values"},
		{test + strings.ReplaceAll(first, `"test"`, `"train"`), "p:4: first: have this field, want none, as in the records before"},
		{strings.ReplaceAll(test, `,"nats":[0,1.5]`, ""), "p:2: have no field of predictions, want one of yhat, nats, first"},
		{strings.ReplaceAll(first, `,"nats":[0,1.5]`, ""), "p:2: nats: have no such field, want 2 values"},
		{strings.ReplaceAll(test, `"test"`, `"dev"`), `p:2: split: have "dev", want train or test`},
	} {
		have := ""
		p, err := Read(strings.NewReader(`{"data":"abc"}`+"\n"+c.text), "p", set, "abc")
		if err == nil {
			var values []golden.Value
			values, err = set.Score(p)
			have = fmt.Sprint(values)
		}
		if err != nil {
			have = err.Error()
		}
		if have != c.want {
			t.Errorf("%s: have %s, want %s", c.text, have, c.want)
		}
	}
}

// TestWrite writes a set, looks at each file, and then damages the folder in several ways.
func TestWrite(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "data")
	set := brackets()
	m, err := set.Write(folder, Manifest{Suite: "dyck", Scale: "paper", Row: "paper=a/table=1/row=b", Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"main.tok": "( )\n) (\n", "labels.txt": "1\n0\n", "num-edits.txt": "2\n",
		"next-symbols.jsonl": `[{"s":"(","e":true},{"s":"( )","e":false},{"s":"(","e":true}]` + "\n",
	} {
		if have, err := os.ReadFile(filepath.Join(folder, "test", name)); string(have) != want || err != nil {
			t.Errorf("%s: have %q, %v, want %q", name, have, err, want)
		}
	}
	have, err := ReadManifest(folder)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(have.Files, have.Splits) != fmt.Sprint(m.Files, m.Splits) || have.Data != m.Data || len(m.Files) != 8 || have.Seed != 3 {
		t.Errorf("have the manifest %+v, want %+v", have, m)
	}
	if want := "[{train false false  2 1 4 2 2} {test true false  2 1 4 2 2}]"; fmt.Sprint(m.Splits) != want {
		t.Errorf("have the splits %v, want %s", m.Splits, want)
	}
	if err := set.Check(folder, m); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{filepath.Dir(folder), filepath.Join(folder, "test", "main.tok")} {
		if _, err := set.Write(bad, *m); err == nil || !strings.Contains(err.Error(), "want a new or an empty") {
			t.Errorf("%s: have error %v, want a new or an empty folder", bad, err)
		}
	}
	other := brackets()
	other.Splits[1].Text = func(int) []int32 { return []int32{0, 1} }
	if err := other.Check(folder, m); err == nil || !strings.Contains(err.Error(), "data: have "+m.Data) {
		t.Errorf("a set with other strings: have error %v, want one about the data", err)
	}
	file := filepath.Join(folder, "test", "labels.txt")
	if err := os.WriteFile(file, []byte("1\n1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := set.Check(folder, m); err == nil || !strings.Contains(err.Error(), "labels.txt: have a file with the SHA-256") {
		t.Errorf("another label: have error %v, want one about the file", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := set.Check(folder, m); err == nil || !strings.Contains(err.Error(), "want a regular file") {
		t.Errorf("a folder in place of a file: have error %v, want one about the file", err)
	}
}

// TestWriteThroughLinks writes to folders that are links, or whose paths go through links.
func TestWriteThroughLinks(t *testing.T) {
	root, away := t.TempDir(), t.TempDir()
	link := filepath.Join(root, "link")
	if err := os.Symlink(away, link); err != nil {
		t.Skip(err)
	}
	set := brackets()
	m, err := set.Write(link, Manifest{Suite: "dyck", Scale: "paper", Row: "paper=a/table=1/row=b", Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Check(away, m); err != nil {
		t.Error(err)
	}
	// The files of link/../full would be those of full, and not those of a folder beside away.
	full := filepath.Join(root, "full")
	if err := os.Mkdir(full, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(full, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	nowhere := filepath.Join(root, "nowhere")
	if err := os.Symlink("none", nowhere); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{link: "have a folder with", link + "/../full": "have a folder with x", nowhere: "have a link to nothing"} {
		if _, err := set.Write(folder, *m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have error %v, want %s", folder, err, want)
		}
	}
}

func TestReadManifestRefuses(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct{ text, want string }{
		{"", "unexpected end"}, {`{"format":1}`, "format: have 1, want 2"}, {`{"format":2,"row":"../x","seed":1}`, "row: name"},
		{strings.Repeat("[", 1<<19), "exceeded max depth"}, {strings.Repeat(" ", mostManifest+1), "have more than 1048576 bytes"},
	} {
		if err := os.WriteFile(filepath.Join(folder, ManifestName), []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadManifest(folder); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: have error %v, want %s", c.text, err, c.want)
		}
	}
}

// A fakeRow is a row of a suite with a name and without an experiment.
type fakeRow struct{ suite.RowID }

func (r fakeRow) ID() suite.RowID                       { return r.RowID }
func (fakeRow) Build(uint64) (*train.Experiment, error) { return nil, nil }
func (fakeRow) Exchange() (*Set, error)                 { return brackets(), nil }
func (fakeRow) Trace(kernel.Device, *train.Experiment, *train.Result, *suite.Measured) (any, error) {
	return nil, nil
}
func (fakeRow) Measure(kernel.Device, *train.Experiment, *train.Result) (*suite.Measured, error) {
	return nil, nil
}

func TestFind(t *testing.T) {
	var rows []fakeRow
	for _, id := range []suite.RowID{{Table: "1", Row: "lstm"}, {Table: "2", Row: "lstm"}, {Table: "1", Row: "gru"}, {Table: "1", Row: "gru", Task: "fast"}} {
		id.Paper = "p"
		rows = append(rows, fakeRow{id})
	}
	all := []*suite.Suite{
		{Name: "words", Tables: []suite.Table{{At: func(suite.Scale) suite.Part { return suite.Part{} }}}},
		{Name: "dyck", Tables: []suite.Table{{At: func(suite.Scale) suite.Part { return suite.Part{Runs: suite.Seeds(1, rows...)} }}}},
	}
	for _, c := range []struct{ suite, scale, row, want string }{
		{"dyck", "paper", "gru", "paper=p/table=1/row=gru"},
		{"dyck", "paper", "gru/task=fast", "paper=p/table=1/row=gru/task=fast"},
		{"dyck", "ci", "table=2/row=lstm", "paper=p/table=2/row=lstm"},
		{"dyck", "smoke", "paper=p/table=2/row=lstm", "paper=p/table=2/row=lstm"},
		{"dyck", "paper", "lstm", `row of dyck at scale paper: have "lstm", which is the end of several names, want one of paper=p/table=1/row=lstm, paper=p/table=2/row=lstm`},
		{"dyck", "paper", "grü", `row of dyck at scale paper: have "grü", want a row such as paper=p/table=1/row=gru, `},
		{"dyck", "paper", "", `row of dyck at scale paper: have "", want a row such as paper=p/`},
		{"dyck", "big", "gru", `scale: have "big", want smoke, ci or paper`},
		{"dick", "paper", "gru", `suite: have "dick", want dyck`},
		{"words", "paper", "gru", `suite: have words, which has no export yet, want dyck`},
	} {
		have := ""
		if _, row, err := Find(all, c.suite, suite.Scale(c.scale), c.row); err != nil {
			have = err.Error()
		} else {
			have = string(row.ID().Group())
		}
		if !strings.HasPrefix(have, c.want) || golden.Name(c.want).Group() != golden.Name(c.want) {
			t.Errorf("%s %s %s: have %s, want %s", c.suite, c.scale, c.row, have, c.want)
		}
	}
}
