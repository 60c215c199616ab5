package traces

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// toy is the trace of a suite.
type toy struct {
	Epochs []float64 `json:"epochs"`
	Word   string    `json:"word,omitempty"`
}

// good is the check of a toy.
func good(x toy) error {
	if x.Word == "bad" {
		return errors.New("a bad word")
	}
	return nil
}

const (
	row = "paper=diffstk/table=1/row=lstm"
	// text is the trace file of a row with two seeds.
	text = `{"row":"` + row + `","seed":1,"trace":{"epochs":[0,66.6667]}}
{"row":"` + row + `","seed":3,"trace":{"epochs":null,"word":"a"}}
`
)

func TestTextIsReadAsWritten(t *testing.T) {
	var want []Run
	for seed, trace := range map[int]toy{3: {Word: "a"}, 1: {Epochs: []float64{0, 66.6667}}} {
		r, err := New(Run{Row: row}.Row.WithSeed(seed), trace)
		if err != nil {
			t.Fatal(err)
		}
		want = Merge(want, r)
	}
	written, err := Format(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, string(written)); diff != "" {
		t.Errorf("written (-want +have):\n%s", diff)
	}
	have, err := Parse("x.jsonl", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("read (-want +have):\n%s", diff)
	}
	if trace, err := Decode(have[1], good); err != nil || trace.Word != "a" {
		t.Errorf("have %v, %v, want the trace of seed 3", trace, err)
	}
}

// bad lists changes that make the text invalid: the part to replace, its replacement, and a
// part of the error that Parse returns.
var bad = []struct{ old, new, want string }{
	{text, "", "have no trace"},
	{text, text + text, "have the trace of " + row + "/seed=1 after that of " + row + "/seed=3"},
	{"}}\n{", "}}\n\n{", "x.jsonl:2: EOF"},
	{`"row":"paper`, `"row": "paper`, "x.jsonl:1: column 8: have"},
	{`"seed":3`, `"seed":1`, "want one row and ascending seeds"},
	{`"seed":1`, `"seed":-1`, "seed"},
	{`"seed":3`, `"seed":"3"`, "x.jsonl:2: json: cannot unmarshal"},
	{`"seed":3`, `"sead":3`, `x.jsonl:2: json: unknown field "sead"`},
	{"row=lstm", "row lstm", "name"},
	{`{"epochs":[0,66.6667]}`, "null", "have none, want an object"},
	{`"a"}}` + "\n", `"a"}}`, "x.jsonl:2: have a last line without newline"},
	{`"a"}}` + "\n", `"a"}}` + " {}\n", "x.jsonl:2: column"},
}

func TestBadTexts(t *testing.T) {
	for _, c := range bad {
		if _, err := Parse("x.jsonl", []byte(strings.Replace(text, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v, want one that says %s", c.new, c.old, err, c.want)
		}
	}
}

// TestBadTraces checks that Decode accepts only what New writes.
func TestBadTraces(t *testing.T) {
	for trace, want := range map[string]string{
		`{"epochs":[1.0]}`:            `have ".0]}", want it written as "]}"`,
		`{"epochs":[1],"x":1}`:        `unknown field "x"`,
		`{"word":"a"}`:                "want it written as",
		`{"epochs":[1]`:               "unexpected EOF",
		`{"epochs":[1],"word":"bad"}`: "seed 2: a bad word",
		`{"epochs":[1],"word":1}`:     "cannot unmarshal number",
	} {
		if _, err := Decode(Run{Row: row, Seed: 2, Trace: []byte(trace)}, good); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have error %v, want one that says %s", trace, err, want)
		}
	}
}

// FuzzParse checks that Parse does not panic and that formatting accepted text gives the same
// text.
func FuzzParse(f *testing.F) {
	f.Add([]byte(text))
	for _, c := range bad {
		f.Add([]byte(strings.Replace(text, c.old, c.new, 1)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := Parse("x.jsonl", text)
		if err != nil {
			return
		}
		if again, err := Format(list); err != nil || !bytes.Equal(again, text) {
			t.Errorf("have %v and %q, want %q", err, again, text)
		}
	})
}

func TestRounded(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 100: 100, 200.0 / 3: 66.6667, 99.99996: 100, 0.00004: 0, -0.9: -0.9} {
		if have := Rounded(x); have != want {
			t.Errorf("Rounded(%v) = %v, want %v", x, have, want)
		}
	}
}

// TestMerge checks that Merge inserts new seeds in order and replaces known ones.
func TestMerge(t *testing.T) {
	have := Merge([]Run{{Seed: 1}, {Seed: 3}}, Run{Seed: 3, Trace: []byte("1")}, Run{Seed: 2})
	if diff := cmp.Diff([]Run{{Seed: 1}, {Seed: 2}, {Seed: 3, Trace: []byte("1")}}, have); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
}

func TestBadNumbers(t *testing.T) {
	if err := Within("epoch", []float64{0, 100}, 0, 100); err != nil {
		t.Error(err)
	}
	if err := Within("epoch", []float64{0, 100.1}, 0, 100); err == nil || err.Error() != "epoch 2: have 100.1, want a number from 0 to 100" {
		t.Errorf("have %v, want an error", err)
	}
	if err := CheckShare("length", 0, 1, 1, 1); err != nil {
		t.Error(err)
	}
	for _, c := range [][4]int{{1, 1, 1, 1}, {0, 1, 2, 1}, {0, 1, -1, 1}, {0, 1, 0, 0}} {
		if err := CheckShare("length", c[0], c[1], int64(c[2]), int64(c[3])); err == nil {
			t.Errorf("%v: have no error, want one", c)
		}
	}
}
