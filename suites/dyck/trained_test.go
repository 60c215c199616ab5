package dyck

import (
	"path/filepath"
	"testing"

	"pushdown/golden"
	"pushdown/harness/bench"
	"pushdown/harness/checkpoint"
	"pushdown/harness/train"
)

// trained is the file of the final parameters of an experiment's first seed.
func trained(e Experiment) string {
	return filepath.Join("testdata", "trained", e.Row.Row+".safetensors")
}

// keepTrained writes it, when the golden files are written.
func keepTrained(t *testing.T, e Experiment, p *train.Params) {
	f := &checkpoint.File{Meta: map[string]string{"experiment": e.Row.Row, "digest": p.Digest()}}
	for i, name := range p.Names {
		f.Tensors = append(f.Tensors, checkpoint.Tensor{Name: name, Shape: p.Shapes[i], Data: p.Data[i]})
	}
	if err := checkpoint.Write(trained(e), f); err != nil {
		t.Fatal(err)
	}
}

// TestTrained recomputes the figures of table 2 from the kept parameters of
// seed 1, without training, and holds them against the golden file bit for bit.
func TestTrained(t *testing.T) {
	path, err := golden.Path("dyck", string(bench.CI))
	if err != nil {
		t.Fatal(err)
	}
	g, err := golden.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	dev := bench.Open(t)
	for _, e := range Table2() {
		t.Run(e.Row.Row, func(t *testing.T) {
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
			x, err := e.Run(1)
			if err != nil {
				t.Fatal(err)
			}
			out, err := e.Report(dev, x, &train.Result{Params: p})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range g.Rows {
				if row.Name != out.Row.Name {
					continue
				}
				for _, unit := range []string{"test-wcpa-%", "test-ce", "params"} {
					want, _ := row.Value(unit)
					if got, ok := out.Row.Value(unit); !ok || got != want {
						t.Errorf("%s is %v, the golden file has %v", unit, got, want)
					}
				}
			}
			for _, tr := range g.Trajectories {
				if tr.Name != out.Row.Name {
					continue
				}
				for _, pt := range tr.Points {
					if pt.At == golden.End && pt.SHA256 != p.Digest() {
						t.Errorf("digest %s, the golden file has %s", p.Digest(), pt.SHA256)
					}
				}
				return
			}
			t.Errorf("the golden file has no trajectory of %s", out.Row.Name)
		})
	}
}

// TestGoldenIsWhole holds the rows of the golden files against the experiments,
// so that neither a missing row nor one that nothing makes any more stays there.
func TestGoldenIsWhole(t *testing.T) {
	for scale, c := range map[bench.Scale]struct { // each scale has a file of its own
		list  []Experiment
		seeds int
	}{
		bench.Smoke: {append(Table2(), Unfrozen(4)...), 1},
		bench.CI:    {append(Table2(), Unfrozen(4)...), 3},
		bench.Paper: {append(Table2(), Unfrozen(depths...)...), 10},
	} {
		path, err := golden.Path("dyck", string(scale))
		if err != nil {
			t.Fatal(err)
		}
		g, err := golden.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		rows, digests := map[golden.Name]bool{}, map[golden.Name]bool{}
		for _, r := range g.Rows {
			rows[r.Name] = true
		}
		for _, tr := range g.Trajectories {
			digests[tr.Name] = true
		}
		for _, e := range c.list {
			for seed := 1; seed <= c.seeds; seed++ {
				name, err := e.Row.Name(seed)
				if err != nil {
					t.Fatal(err)
				}
				if !rows[name] || !digests[name] {
					t.Errorf("%s lacks the row or the trajectory of %s", path, name)
				}
				delete(rows, name)
				delete(digests, name)
			}
		}
		for name := range rows { // each is reported
			t.Errorf("%s has %s, which no experiment makes", path, name)
		}
		for name := range digests {
			t.Errorf("%s has a trajectory of %s, which no experiment makes", path, name)
		}
	}
}
