package traces

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
)

// text is what a row with two seeds and two kinds of line looks like.
const text = `row paper=diffstk/table=1/row=lstm
seeds 1 3
share 1 0 66.6667
share 2 0.2 99.9914
count ( 50 50 1
`

// book is what the tests keep of a text: each word with what stands before it.
type book struct {
	row   golden.Name
	seeds []int
	words [][]string // of each run
}

func (b *book) read(name string, text []byte) error {
	r := Reader{
		Kinds: []Kind{{"share", 1}, {"count", 2}},
		Row:   func(row golden.Name) { b.row = row },
		Seed:  func(seed int) { b.seeds, b.words = append(b.seeds, seed), append(b.words, nil) },
		Word: func(run int, kind string, first []string, word string) error {
			if kind == "share" {
				if _, err := Within(word, 0, 100); err != nil {
					return err
				}
			} else if _, _, err := Counts(first[1], word); err != nil {
				return err
			}
			b.words[run] = append(b.words[run], kind+" "+strings.Join(first, " ")+": "+word)
			return nil
		},
		Again: b.write,
	}
	return r.Parse(name, text)
}

// write is what was read.
func (b *book) write() ([]byte, error) {
	if err := Ascending(b.row, b.seeds); err != nil {
		return nil, err
	}
	w := NewWriter(b.row, b.seeds)
	for i, first := range b.words[0] {
		before, _, _ := strings.Cut(first, ": ")
		w.Line(before, func(run int) string {
			_, word, _ := strings.Cut(b.words[run][i], ": ")
			return word
		})
	}
	return w.Bytes(), nil
}

// TestTextIsReadAsWritten in both directions.
func TestTextIsReadAsWritten(t *testing.T) {
	var b book
	if err := b.read("x.txt", []byte(text)); err != nil {
		t.Fatal(err)
	}
	want := book{"paper=diffstk/table=1/row=lstm", []int{1, 3}, [][]string{
		{"share 1: 0", "share 2: 0.2", "count ( 50: 50"}, {"share 1: 66.6667", "share 2: 99.9914", "count ( 50: 1"},
	}}
	if diff := cmp.Diff(want, b, cmp.AllowUnexported(book{})); diff != "" {
		t.Errorf("read (-want +have):\n%s", diff)
	}
	again, err := b.write()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, string(again)); diff != "" {
		t.Errorf("written (-want +have):\n%s", diff)
	}
}

// bad are changes of the text, each with what the error says.
var bad = []struct{ old, new, want string }{
	{text, text + text, "x.txt:6: row: have 1 names, need one, once"},
	{"row paper", "share 1 1 1\nrow paper", `x.txt:1: have "share", need the row first`},
	{"row paper=", "row ", "x.txt:1: row: "},
	{"row paper", "row a paper", "x.txt:1: row: have 2 names"},
	{"seeds 1 3\n", "seeds 1 3\nseeds 1 3\n", "x.txt:3: seeds: have them twice"},
	{"seeds 1 3\n", "", "x.txt:2: share: have 3 words, need 1 and one for each of 0 seeds"},
	{"seeds 1 3", "seeds 1 x", `x.txt:2: seeds: have "x", need a number`},
	{"seeds 1 3", "seeds 1", "x.txt:3: share: have 3 words, need 1 and one for each of 1 seeds"},
	{"\nshare 2", "\n\nshare 2", "x.txt:4: have an empty line"},
	{"share 2", "shares 2", `x.txt:4: have "shares", need row, seeds, share or count`},
	{"99.9914", "100.1", `x.txt:4: share: seed 3: have "100.1", need a number from 0 to 100`},
	{"99.9914", "NaN", `share: seed 3: have "NaN", need a number`},
	{"50 50 1", "0 0 0", `count: seed 1: have "0" cases, need 1 or more`},
	{"50 50 1", "50 51 1", `count: seed 1: have "51" right answers, need 0 to 50`},
	{"seeds 1 3", "seeds 3 1", "x.txt: traces of paper=diffstk/table=1/row=lstm: have seed 1 at place 2"},
	{text, "", "x.txt: traces of : have no run"},
	{"share 2", "share  2", `x.txt: line 4: have "share  2 0.2 99.9914\n", need "share 2`},
	{"50 50 1", "50 50 -1", `count: seed 3: have "-1" right answers`},
}

// TestBadTexts are errors that name file and line.
func TestBadTexts(t *testing.T) {
	for _, c := range bad {
		var b book
		if err := b.read("x.txt", []byte(strings.Replace(text, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v, want one that says %s", c.new, c.old, err, c.want)
		}
	}
}

// TestSame names the first line that is otherwise.
func TestSame(t *testing.T) {
	for _, c := range []struct{ have, want string }{
		{text, ""},
		{strings.Replace(text, "0.2", "0.20", 1), `x.txt: line 4: have "share 2 0.20 99.9914\n", need "share 2 0.2 99.9914\n"`},
		{strings.Replace(text, "count (", "count  (", 1), `x.txt: line 5: have "count  ( 50 50 1\n"`},
		{text[:len(text)-1], `x.txt: line 5: have "count ( 50 50 1", need "count ( 50 50 1\n"`},
		{text + "\n", "x.txt: line 6: have"},
	} {
		switch err := Same("x.txt", []byte(text), []byte(c.have)); {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%q: error %v, want %q", c.have, err, c.want)
		}
	}
}

// FuzzParse: no text breaks the reader, and what it takes is written as it was.
func FuzzParse(f *testing.F) {
	f.Add([]byte(text))
	for _, c := range bad {
		f.Add([]byte(strings.Replace(text, c.old, c.new, 1)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var b book
		if b.read("x.txt", text) != nil {
			return
		}
		if again, err := b.write(); err != nil || !bytes.Equal(again, text) {
			t.Errorf("have %v and %q, want %q", err, again, text)
		}
	})
}

// TestDecimals: a number is written to four places, and as it was rounded.
func TestDecimals(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 100: "100", 200.0 / 3: "66.6667", 99.99996: "100", 0.00004: "0", -0.9: "-0.9", 1e6 + 0.25: "1000000.25"} {
		if have := Decimal(x); have != want || Decimal(Rounded(x)) != want {
			t.Errorf("%v is written %s, want %s", x, have, want)
		}
	}
}

// TestMergeAndAscending: runs of new seeds come in by seed, others in their place.
func TestMergeAndAscending(t *testing.T) {
	type run struct {
		seed int
		what string
	}
	seed := func(r run) int { return r.seed }
	old := []run{{2, "old"}, {5, "old"}}
	have := Merge(old, []run{{5, "new"}, {1, "new"}, {7, "new"}}, seed)
	if diff := cmp.Diff("[{1 new} {2 old} {5 new} {7 new}] [{2 old} {5 old}]", fmt.Sprint(have, old)); diff != "" {
		t.Errorf("merged, and as it was (-want +have):\n%s", diff)
	}
	for _, c := range []struct {
		seeds []int
		want  string
	}{
		{[]int{1}, ""}, {[]int{2, 3, 10}, ""}, {nil, "traces of x: have no run, need one or more"},
		{[]int{0, 1}, "traces of x: have seed 0 at place 1, need ascending ones from 1"},
		{[]int{1, 1}, "have seed 1 at place 2"}, {[]int{3, 1}, "have seed 1 at place 2"},
	} {
		if err := Ascending("x", c.seeds); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.seeds, err, c.want)
		}
	}
}
