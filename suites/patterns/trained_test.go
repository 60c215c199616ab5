package patterns

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pushdown/golden"
	"pushdown/harness/bench"
	"pushdown/harness/checkpoint"
	"pushdown/harness/train"
)

// trained is the file of the kept parameters of a row's first restart.
func trained(e Experiment) string {
	return filepath.Join("testdata", "trained", e.Row.Row+"-"+e.Row.Task+".safetensors")
}

// keepTrained writes it, when the golden file is written.
func keepTrained(t *testing.T, e Experiment, p *train.Params) {
	f := &checkpoint.File{Meta: map[string]string{"experiment": string(group(e.Row)), "digest": p.Digest()}}
	for i, name := range p.Names {
		f.Tensors = append(f.Tensors, checkpoint.Tensor{Name: name, Shape: p.Shapes[i], Data: p.Data[i]})
	}
	if err := os.MkdirAll(filepath.Dir(trained(e)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := checkpoint.Write(trained(e), f); err != nil {
		t.Fatal(err)
	}
}

// readTrained reads it.
func readTrained(t *testing.T, e Experiment) *train.Params {
	t.Helper()
	f, err := checkpoint.Read(trained(e))
	if err != nil {
		t.Fatal(err)
	}
	p := &train.Params{}
	for _, x := range f.Tensors {
		data, err := checkpoint.Get[float32](f, x.Name, x.Shape...)
		if err != nil {
			t.Fatal(err)
		}
		p.Names, p.Shapes, p.Data = append(p.Names, x.Name), append(p.Shapes, x.Shape), append(p.Data, data)
	}
	return p
}

// TestTrained recomputes the figures of the kept parameters, without training, and
// holds them against the golden file bit for bit.
func TestTrained(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a test of 12,000 strings takes seconds: go test ./suites/patterns -run Trained")
	}
	path, err := golden.Path("patterns", string(bench.CI))
	if err != nil {
		t.Fatal(err)
	}
	g, err := golden.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	dev := bench.Open(t)
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
