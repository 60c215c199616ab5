package dyck

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/models"
)

// TestBrackets varies what the paper resurgence leaves open about the Dyck-RNN for m = 4:
// the values of the brackets and the initial W_proj. Training stops at the paper's
// threshold, read as a bound of the mean loss (see Literal). No variant comes near the
// number of updates that the epochs of table 1 imply; see the package comment.
func TestBrackets(t *testing.T) {
	if s := suite.Current().Scale; s != suite.Paper {
		t.Skipf("scale %s: the variants run at paper scale: PUSHDOWN_SCALE=paper go test ./suites/dyck -run Brackets", s)
	}
	for _, c := range []struct {
		a, b    float32 // values of the opening brackets; the closing ones have -a, -b
		proj    float64 // initial W_proj
		updates int
	}{
		{1, 2, 1, 14000}, {1, 4, 1, 12000}, {1, 10, 1, 11000}, {1, 20, 1, 10500},
		{5, 10, 1, 15000}, {10, 20, 1, 15000}, {1, 2, 5, 14500}, {1, 10, 5, 11000},
	} {
		t.Run(fmt.Sprintf("brackets=%v:%v/proj=%v", c.a, c.b, c.proj), func(t *testing.T) {
			t.Parallel()
			e := Literal(Table2())[0]
			e.Model = func(m, k int) (*models.Model, error) {
				model, err := models.DyckRNN(m, k)
				if err != nil {
					return nil, err
				}
				model.Embedding = models.FixedEmbedding(1, []float32{c.a, c.b, -c.a, -c.b})
				cell := model.Cell.(models.DyckCell)
				cell.Proj = stepgraph.Init{Kind: stepgraph.Constant, A: c.proj}
				model.Cell = cell
				return model, nil
			}
			x := suitetest.Must(e.Build(1))(t)
			res := suitetest.Must(train.Run(x, train.Options{Device: suite.Open(t)}))(t)
			if res.Updates != c.updates || res.Stopped != "loss" {
				t.Errorf("ended by %q after %d updates, want a low loss after %d", res.Stopped, res.Updates, c.updates)
			}
		})
	}
}

// TestProgram compares two compiled programs, printed as text, with golden files: those that
// train and evaluate the Dyck-RNN on strings of depth 4 at most. So no change of these
// programs goes unnoticed.
func TestProgram(t *testing.T) {
	e := Table2()[0]
	model := suitetest.Must(e.Model(e.M, e.K))(t)
	for _, training := range []bool{true, false} {
		name := map[bool]string{true: "train", false: "evaluate"}[training]
		g := suitetest.Must(model.Build(stepgraph.Config{Training: training}))(t)
		if training {
			if err := g.Differentiate(); err != nil {
				t.Fatal(err)
			}
		}
		got := suitetest.Must(scan.Format(g, scan.Options{MaxStrings: 512, MaxRows: 512 * 123, MaxSteps: 123, MaxExamples: 512, Moments: 2, GradScale: gradScale}))(t)
		path := filepath.Join("testdata", "program-"+name+".txt")
		if *golden.Flag() != "" {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want := suitetest.Must(os.ReadFile(path))(t)
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}
