package traces

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// text is the trace file of a row with two seeds and two kinds of line.
const text = `row paper=diffstk/table=1/row=lstm
seeds 1 3
share 1 0 66.6667
share 2 - 99.9914
count ( 50 50 1
`

// file returns the trace file in the constant text, as Parse should return it.
func file() *File {
	return &File{Row: "paper=diffstk/table=1/row=lstm", Runs: []Run{
		{1, []Line{{"share 1", "0"}, {"count ( 50", "50"}}},
		{3, []Line{{"share 1", "66.6667"}, {"share 2", "99.9914"}, {"count ( 50", "1"}}},
	}}
}

func TestTextIsReadAsWritten(t *testing.T) {
	have, err := Parse("x.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(file(), have); diff != "" {
		t.Errorf("read (-want +have):\n%s", diff)
	}
	again, err := have.Format()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, string(again)); diff != "" {
		t.Errorf("written (-want +have):\n%s", diff)
	}
	if have := have.Runs[1].OfKind("share"); len(have) != 2 || have[1].Word != "99.9914" {
		t.Errorf("lines of share: have %v, want two", have)
	}
}

// bad lists changes that make the trace file in the constant text invalid: the part to
// replace, its replacement, and a part of the error that Parse returns.
var bad = []struct{ old, new, want string }{
	{text, text + text, "x.txt:6: have 2 words"},
	{"row paper", "share 1 1 1\nrow paper", `x.txt:1: have ["share"`},
	{"row paper=", "row ", "x.txt:1: name"},
	{"row paper", "row a paper", "x.txt:1: have"},
	{"seeds 1 3\n", "seeds 1 3\nseeds 1 3\n", `have a line "seeds" here`},
	{"seeds 1 3\n", "", `x.txt:2: have ["share"`},
	{"seeds 1 3", "seeds 1 x", `x.txt:2: seeds: have "x", want a number`},
	{"seeds 1 3", "seeds 3 1", "have seed 1 at place 2, want ascending seeds from 1"},
	{"seeds 1 3", "seeds 0 3", "have seed 0 at place 1"},
	{"\nshare 2", "\n\nshare 2", "x.txt:4: have 0 words"},
	{"share 2 - 99.9914", "share 2", "x.txt:4: have 2 words"},
	{"share 2 - 99.9914\ncount ( 50 50 1", "count ( 50 50 1\nshare 2 1 99.9914", `have a line "share" here`},
	{"share 1 0 66.6667\nshare 2 -", "share 1 - 66.6667\nshare 2 5", `have line "share 2", want "share 1" as for another seed`},
	{text, "", "have no run"},
	{"share 2", "share  2", `x.txt:4: have "share  2 - 99.9914\n", want "share 2`},
	{"50 1\n", "50 1", `x.txt:5: have "count ( 50 50 1", want "count ( 50 50 1\n"`},
}

func TestBadTexts(t *testing.T) {
	for _, c := range bad {
		if _, err := Parse("x.txt", []byte(strings.Replace(text, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v, want one that says %s", c.new, c.old, err, c.want)
		}
	}
}

func TestFormatRefuses(t *testing.T) {
	for _, l := range []Line{{"share 1", "-"}, {"share 1", ""}, {"share 1", "a b"}, {"share  1", "a"}, {"", "a"}, {"row x", "a"}} {
		f := &File{Row: "paper=diffstk/table=1/row=lstm", Runs: []Run{{1, []Line{l}}}}
		if text, err := f.Format(); err == nil {
			t.Errorf("%q with %q: have %q, want an error", l.First, l.Word, text)
		}
	}
}

// FuzzParse checks that Parse does not panic and that formatting accepted text
// gives the same text.
func FuzzParse(f *testing.F) {
	f.Add([]byte(text))
	for _, c := range bad {
		f.Add([]byte(strings.Replace(text, c.old, c.new, 1)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := Parse("x.txt", text)
		if err != nil {
			return
		}
		if again, err := file.Format(); err != nil || !bytes.Equal(again, text) {
			t.Errorf("have %v and %q, want %q", err, again, text)
		}
	})
}

// TestDecimals checks that numbers are written with at most four decimal places and
// that Rounded rounds to the written number.
func TestDecimals(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 100: "100", 200.0 / 3: "66.6667", 99.99996: "100", 0.00004: "0", -0.9: "-0.9", 1e6 + 0.25: "1000000.25"} {
		if have := Decimal(x); have != want || Decimal(Rounded(x)) != want {
			t.Errorf("%v is written %s, want %s", x, have, want)
		}
	}
}

// TestMerge checks that Merge inserts runs of new seeds in order, replaces runs of
// known seeds, and refuses runs whose lines do not fit the others.
func TestMerge(t *testing.T) {
	f, runs := &File{Row: file().Row}, file().Runs
	for _, r := range []Run{runs[1], runs[0]} {
		if err := f.Merge(r); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(file(), f); diff != "" {
		t.Errorf("two seeds one after the other (-want +have):\n%s", diff)
	}
	other := Run{1, []Line{{"share 1", "7"}, {"count ( 50", "2"}}}
	if err := f.Merge(other); err != nil {
		t.Fatal(err)
	}
	if r, ok := f.Find(1); !ok || r.Lines[0].Word != "7" || len(f.Runs) != 2 {
		t.Errorf("have %v, want seed 1 replaced", f.Runs)
	}
	if err := f.Merge(Run{2, []Line{{"share 1", "7"}, {"count ( 51", "2"}}}); err == nil || len(f.Runs) != 2 {
		t.Errorf("error %v with %d runs, want a refusal of other cases", err, len(f.Runs))
	}
}

// TestEach checks that Each passes the lines that Add added. A line may have fewer words
// than the function reads; the missing ones must be empty strings.
func TestEach(t *testing.T) {
	var list List
	list.Add("199", "ldpa %d %s", 3, "x")
	list.Add("-1", "end")
	var have []string
	take := func(kind string, first []string, word string) error {
		have = append(have, fmt.Sprintf("%s %q %q %s", kind, first[0], first[1], word))
		if kind == "end" {
			return CheckNumber("place", first[0], 2)
		}
		return nil
	}
	err := Run{Seed: 4, Lines: list}.Each(take)
	if want := `seed 4: "end": have place "", want 2`; err == nil || err.Error() != want {
		t.Errorf("have error %v, want %s", err, want)
	}
	if want := []string{`ldpa "3" "x" 199`, `end "" "" -1`}; !slices.Equal(want, have) {
		t.Errorf("have %q, want %q", have, want)
	}
}

func TestNumbers(t *testing.T) {
	if err := CheckNumber("place", "2", 2); err != nil {
		t.Error(err)
	}
	if n, err := Ascending("distance", "5", 4); n != 5 || err != nil {
		t.Errorf("have %d and error %v, want 5", n, err)
	}
	for _, word := range []string{"4", "0", "x", ""} {
		want := fmt.Sprintf("have distance %q, want ascending ones from 1", word)
		if _, err := Ascending("distance", word, 4); err == nil || err.Error() != want {
			t.Errorf("%q: have error %v, want %s", word, err, want)
		}
	}
	if _, err := Ascending("distance", "0", 0); err == nil {
		t.Error("0 after nothing: have no error, want one")
	}
	if n, x, err := NumberedWeight("4:0.25"); n != 4 || x != 0.25 || err != nil {
		t.Errorf("have %d, %v and error %v, want 4 and 0.25", n, x, err)
	}
	for _, word := range []string{"0:0.5", "x:0.5", ":0.5", "4", "4:", "4:1.5", "4:-1", "4:NaN"} {
		if _, _, err := NumberedWeight(word); err == nil {
			t.Errorf("%q: have no error, want one", word)
		}
	}
}
