package dyck

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/numeric"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// kept lists, for each scale, the rows whose parameters are kept: those of the
// result of seed 1. The rows of table 2 are as large at scale ci as in the paper.
func kept(scale suite.Scale) []experiment {
	if scale == suite.Smoke {
		return nil
	}
	list := rows([]part{readouts(scale), languageModels(scale)})
	if scale == suite.CI {
		list = append(list, stacks(scale).list...)
	}
	present := rows(parts(scale))
	return slices.DeleteFunc(list, func(e experiment) bool { return !holds(present, e) })
}

// trained is the file of the kept parameters of a row.
func trained(e experiment) string {
	name := e.row().Row
	if task := e.row().Task; task != "" {
		name += "-" + task
	}
	return filepath.Join("testdata", "trained", name+".safetensors")
}

// keepTrained writes it, when the golden files are written.
func keepTrained(t *testing.T, e experiment, p *train.Params) {
	t.Helper()
	if err := p.Write(trained(e), e.row().Row); err != nil {
		t.Fatal(err)
	}
}

// readTrained reads it.
func readTrained(t *testing.T, e experiment) *train.Params {
	t.Helper()
	p, err := train.ReadParams(trained(e))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTrained holds the kept parameters against the digests of the golden files,
// recomputes their figures, without training, and holds these against the golden
// files bit for bit. All of them take a minute and a half, most of it the long
// strings of m = 6 and m = 8, so that of the rows at paper scale the figures of m = 4
// without other rates are enough where no long checks are asked for.
func TestTrained(t *testing.T) {
	for _, scale := range []suite.Scale{suite.CI, suite.Paper} {
		if testing.Short() && scale == suite.Paper {
			continue // its digests are of parameters of many sizes, whose corpora take seconds
		}
		t.Run(string(scale), func(t *testing.T) { recompute(t, scale) })
	}
}

func recompute(t *testing.T, scale suite.Scale) {
	path, err := golden.Path("dyck", string(scale))
	if err != nil {
		t.Fatal(err)
	}
	g, err := golden.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	dev := suite.Open(t)
	traces := &traced{}
	if scale == suite.Paper {
		traces = keptTraces(t, figureFolder(t))
	}
	for _, e := range kept(scale) {
		t.Run(strings.TrimSuffix(filepath.Base(trained(e)), ".safetensors"), func(t *testing.T) {
			p := readTrained(t, e)
			x, err := e.Run(1)
			if err != nil {
				t.Fatal(err)
			}
			row := slices.IndexFunc(g.Rows, func(r golden.Row) bool { return string(r.Name) == x.Name })
			tr := slices.IndexFunc(g.Trajectories, func(tr golden.Trajectory) bool { return string(tr.Name) == x.Name })
			if row < 0 || tr < 0 {
				t.Fatalf("the golden file has no row or no trajectory of %s", x.Name)
			}
			result := golden.End
			if x.Best {
				result = golden.Best
			}
			at := slices.IndexFunc(g.Trajectories[tr].Points, func(pt golden.Point) bool { return pt.At == result })
			if at < 0 || g.Trajectories[tr].Points[at].SHA256 != p.Digest() {
				t.Fatalf("digest %s is not that of the golden file at update %v", p.Digest(), result)
			}
			if scale == suite.Paper && !suite.Long() && (!strings.Contains(e.row().Row, "m4") || e.row().Task != "") {
				return
			}
			check := validation(t, g.Trajectories[tr], p.Digest())
			out, err := e.Report(dev, x, &train.Result{Params: p, Checks: []train.Check{check}})
			if err != nil {
				t.Fatal(err)
			}
			if err := validated(e, dev, p, check, out); err != nil {
				t.Error(err)
			}
			if lm, ok := e.(LanguageModel); ok {
				traces.hold(t, lm, p, check, out)
			}
			for _, have := range out.Row.Values {
				switch have.Unit {
				case "updates", "epochs", "train-min", "wcpa-fall-%":
					continue // nothing was trained
				}
				if want, ok := g.Rows[row].Value(have.Unit); !ok {
					t.Errorf("%s is %v, the golden file has none of this run", have.Unit, have.Value)
				} else if have.Value != want {
					t.Errorf("%s is %v, the golden file has %v", have.Unit, have.Value, want)
				}
			}
		})
	}
}

// validation is the one of a trajectory that was made of the parameters of a digest.
func validation(t *testing.T, tr golden.Trajectory, digest string) train.Check {
	t.Helper()
	for _, pt := range tr.Points {
		c := train.Check{Update: int(pt.At), Loss: math.NaN(), Best: true, Figures: []float64{0}}
		for _, x := range pt.Extra {
			switch x.Key {
			case "valid-loss":
				c.Loss = x.Value
			case "temperature":
				c.Scalars = []float64{x.Value}
			}
		}
		if pt.SHA256 == digest && !math.IsNaN(c.Loss) {
			return c
		}
	}
	t.Fatalf("%s: no validation of the golden file was made of parameters with the digest %s", tr.Name, digest)
	return train.Check{}
}

// validated is an error if the parameters have another loss on the validation strings
// than that validation. Of a language model the outcome has it, as a perplexity.
func validated(e experiment, dev kernel.Device, p *train.Params, c train.Check, out *Outcome) error {
	have, want := math.NaN(), c.Loss
	switch e := e.(type) {
	case Experiment:
		a, err := e.Measure(dev, p, 1, formal.Dev)
		if err != nil {
			return err
		}
		have = a.Loss
	case LanguageModel:
		unit := "valid-ppl"
		if e.Kind == Attention {
			unit = "valid-ppl-soft"
		}
		have, _ = out.Row.Value(unit)
		want = numeric.Exp64(want)
	}
	if have != want {
		return fmt.Errorf("loss or perplexity of the validation strings is %v, the golden file has %v after update %d", have, want, c.Update)
	}
	return nil
}

// TestNothingElseIsTrained: each file of kept parameters belongs to a row.
func TestNothingElseIsTrained(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "trained", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var of []string
	for _, e := range slices.Concat(kept(suite.CI), kept(suite.Paper)) {
		of = append(of, trained(e))
	}
	if len(names) == 0 {
		t.Error("no parameters are kept")
	}
	for _, name := range names {
		if !slices.Contains(of, name) {
			t.Errorf("%s: no row has these parameters", name)
		}
	}
}

// TestGoldenIsWhole holds the rows of the golden files against the experiments,
// so that neither a missing row nor one that nothing makes any more stays there.
func TestGoldenIsWhole(t *testing.T) {
	for _, scale := range []suite.Scale{suite.Smoke, suite.CI, suite.Paper} {
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
		for _, p := range parts(scale) {
			for _, e := range p.list {
				for seed := 1; seed <= p.seeds; seed++ {
					name, err := e.row().Name(seed)
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
		}
		for name := range rows { // each is reported
			t.Errorf("%s has %s, which no experiment makes", path, name)
		}
		for name := range digests {
			t.Errorf("%s has a trajectory of %s, which no experiment makes", path, name)
		}
	}
}
