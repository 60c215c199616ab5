package patterns

import (
	"path/filepath"
	"slices"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// trained is the file of the kept parameters of a row's first restart.
func trained(e Experiment) string { return trainedFile(e.Row.Row + "-" + e.Row.Task) }

func trainedFile(name string) string {
	return filepath.Join("testdata", "trained", name+".safetensors")
}

// keepTrained writes it, when the golden files are written.
func keepTrained(t *testing.T, e Experiment, p *train.Params) {
	t.Helper()
	if err := p.Write(trained(e), string(group(e.Row))); err != nil {
		t.Fatal(err)
	}
}

// readTrained reads it.
func readTrained(t *testing.T, e Experiment) *train.Params {
	t.Helper()
	p, err := train.ReadParams(trained(e))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTrained recomputes the figures of the kept parameters, without training, and
// holds them against the golden file bit for bit.
func TestTrained(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a test of 12,000 strings takes seconds: go test ./suites/patterns -run Trained")
	}
	path, err := golden.Path("patterns", string(suite.CI))
	if err != nil {
		t.Fatal(err)
	}
	g, err := golden.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	dev := suite.Open(t)
	for _, e := range Short() {
		t.Run(e.Row.Row+"-"+e.Row.Task, func(t *testing.T) {
			p := readTrained(t, e)
			x, err := e.Run(1)
			if err != nil {
				t.Fatal(err)
			}
			out, err := e.Report(dev, x, &train.Result{Params: p})
			if err != nil {
				t.Fatal(err)
			}
			row := slices.IndexFunc(g.Rows, func(r golden.Row) bool { return r.Name == out.Row.Name })
			tr := slices.IndexFunc(g.Trajectories, func(tr golden.Trajectory) bool { return tr.Name == out.Row.Name })
			if row < 0 || tr < 0 {
				t.Fatalf("the golden file has no row or no trajectory of %s", out.Row.Name)
			}
			for _, have := range out.Row.Values {
				switch have.Unit {
				case "symbols", "epochs", "train-min":
					continue // nothing was trained
				}
				want, ok := g.Rows[row].Value(have.Unit)
				if !ok || have.Value != want {
					t.Errorf("%s is %v, the golden file has %v", have.Unit, have.Value, want)
				}
			}
			at := slices.IndexFunc(g.Trajectories[tr].Points, func(pt golden.Point) bool { return pt.At == golden.Best })
			if at < 0 || g.Trajectories[tr].Points[at].SHA256 != p.Digest() {
				t.Errorf("digest %s is not that of the golden file at the best update", p.Digest())
			}
		})
	}
}
