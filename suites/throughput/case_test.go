package throughput

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/argument"
	"pushdown/harness/train"
)

var update = flag.Bool("update", false, "rewrite the golden file")

func TestMain(m *testing.M) { argument.Main(m) }

// TestFLOPs compares the number of floating-point operations per token, for each case, with
// numbers computed by hand from the equations.
func TestFLOPs(t *testing.T) {
	million := map[string]float64{"a": 26.9, "b": 8.07, "c": 132.8, "d": 0.0125, "e": 27.0, "f/batch=1": 0.0175, "f/batch=32": 0.0175, "g": 27.0, "h": 8.114, "i": 6.324, "j": 6.384, "k": 26.96, "l": 26.99}
	for _, c := range Cases() {
		have, err := c.FLOPs()
		if err != nil {
			t.Fatal(err)
		}
		want, ok := million[c.Name]
		if !ok {
			t.Errorf("case %s: no figure, want one", c.Name)
		}
		if off := have/(want*1e6) - 1; math.Abs(off) > 0.003 {
			t.Errorf("case %s: %.4g FLOP a token, want %.4g million", c.Name, have, want)
		}
	}
}

// TestCases checks the files from which programs in other languages read the cases.
func TestCases(t *testing.T) {
	for file, list := range map[string][]Case{"testdata/cases.txt": Cases(), "testdata/growth.txt": Growth()} {
		var got strings.Builder
		for _, c := range list {
			got.WriteString(c.String() + "\n")
		}
		golden(t, file, got.String())
	}
}

// TestGrowth checks that a case differs from the one of its network with another name in the sizes that their names state
// and in no other, and that the name states the size.
func TestGrowth(t *testing.T) {
	sizes := func(c Case) map[string]string {
		list := make(map[string]string)
		for part := range strings.FieldsSeq(c.String()) {
			key, value, _ := strings.Cut(part, "=")
			list[key] = value
		}
		delete(list, "case")
		return list
	}
	names := make(map[string]bool)
	for _, a := range Growth() {
		_, size, _ := strings.Cut(a.Name, "/")
		letter, value, ok := strings.Cut(size, "=")
		if !ok || sizes(a)[letter] != value || names[a.Name] {
			t.Errorf("%s: have the sizes %v, want the name to state one of them, and once", a.Name, sizes(a))
		}
		names[a.Name] = true
		for _, b := range Growth() {
			if a.Cell != b.Cell {
				continue
			}
			_, size, _ := strings.Cut(b.Name, "/")
			other, _, _ := strings.Cut(size, "=")
			for key, v := range sizes(a) {
				if sizes(b)[key] != v && key != letter && key != other {
					t.Errorf("%s and %s: have %s=%s and %s, want the same", a.Name, b.Name, key, v, sizes(b)[key])
				}
			}
		}
	}
}

// golden compares got with a file, which -update rewrites.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test ./suites/throughput -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("differs from %s (-golden +got):\n%s", file, diff)
	}
}

func TestUnknownCell(t *testing.T) {
	c := Cases()[0]
	c.Cell = "gru"
	w := c.Update(1)
	if _, _, err := w.Open(nil); err == nil || !strings.Contains(err.Error(), `case a: cell "gru", want`) {
		t.Errorf("error is %v, want one that names case and cell", err)
	}
}

// TestStream checks that the targets of an update are the symbols after its tokens, and
// that with Carry an update continues where the last one ended.
func TestStream(t *testing.T) {
	c := Case{Vocabulary: 1000, Batch: 3, Steps: 4, Dropout: 0.5, Carry: true}
	s := newStream(c)
	var tokens, targets []int32
	for u := range streamUpdates {
		var b train.Batch
		s.Fill(u, &b)
		if len(b.Active) != c.Steps || len(b.Token) != c.Tokens() || len(b.Target) != c.Tokens() || len(b.ExampleRows) != c.Tokens() || len(b.Coord) != 3*c.Tokens() {
			t.Fatalf("update %d: %d steps, %d tokens, %d targets, %d picks, %d coordinates", u, len(b.Active), len(b.Token), len(b.Target), len(b.ExampleRows), len(b.Coord))
		}
		if b.Continue != (u > 0) {
			t.Errorf("update %d: Continue is %v, want %v", u, b.Continue, u > 0)
		}
		tokens, targets = append(tokens, b.Token...), append(targets, b.Target...)
	}
	if diff := cmp.Diff(tokens[c.Batch:], targets[:len(targets)-c.Batch]); diff != "" {
		t.Errorf("targets differ from the symbols that follow:\n%s", diff)
	}
}
