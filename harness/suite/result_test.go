package suite

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"pushdown/harness/disk"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// countingSource is a source that counts its batches.
type countingSource struct {
	train.Source
	batches *atomic.Int64
}

func (c countingSource) Fill(i int, b *train.Batch) { c.batches.Add(1); c.Source.Fill(i, b) }

// toy is a row whose runs have thirty updates. It counts the batches that its runs
// train on, and its trace has one line.
type toy struct {
	batches *atomic.Int64
	rate    float64
}

func (toy) ID() RowID { return RowID{Paper: "resurgence", Section: "6.2", Row: "toy"} }

func (r toy) Build(seed uint64) (*train.Experiment, error) {
	x := spelling(false)
	name, err := r.ID().Name(int(seed))
	x.Name, x.Seed, x.Train, x.MaxUpdates = string(name), seed, countingSource{x.Train, r.batches}, 30
	x.Rule.LR = r.rate
	// Training changes the slice validations, from which the hash of the experiment is
	// computed. A result must have the hash from before training.
	validations := []int{0}
	x.About = map[string]any{"word": x.About, "validations": validations}
	x.OnValidation = func(checks []train.Validation) { validations[0] = len(checks) }
	return x, err
}

func (toy) Measure(_ kernel.Device, _ *train.Experiment, res *train.Result) (*Measured, error) {
	return &Measured{Values: []golden.Value{
		{Unit: "valid-ce", Value: res.Checks[len(res.Checks)-1].Loss}, {Unit: "updates", Value: float64(res.Updates)}, {Unit: "train-min", Value: res.Took.Minutes()},
	}}, nil
}

func (toy) Trace(_ kernel.Device, _ *train.Experiment, res *train.Result, _ *Measured) (any, error) {
	return struct{ Loss float64 }{traces.Rounded(res.Checks[0].Loss)}, nil
}

// toys returns a suite that has the row toy at paper scale, and the row itself. It
// changes the working directory to a new module and sets a new state folder.
func toys(t *testing.T) (s *Suite, r toy) {
	t.Helper()
	dir := t.TempDir()
	plant(t, dir, map[string]string{"go.mod": "module x\n"})
	t.Chdir(dir)
	settings, reason := Current(), golden.Flag()
	old := *settings
	t.Cleanup(func() { *settings, *reason = old, "" })
	if err := flag.Set("commit", "ba9876543210"); err != nil { // the tests are built without a stamp
		t.Fatal(err)
	}
	settings.Scale, settings.State, settings.Resume = Paper, t.TempDir(), true
	r = toy{new(atomic.Int64), 0.1}
	return r.suite(), r
}

// suite returns a suite that has the row r at paper scale.
func (r toy) suite() *Suite {
	return &Suite{
		Name: "toy", Units: []Unit{Lower("valid-ce"), Lower("updates").FromTraining(), TrainMinutes},
		Tables: []Table{{Paper: "resurgence", Name: "section 6.2", At: func(Scale) Part {
			runs := Seeds(2, r)
			runs[0].Traced, runs[0].Keep = true, First
			return Part{Runs: runs}
		}}},
		Figures: func([]Traced) ([]Figure, error) { return nil, nil },
	}
}

// text returns the content of a file.
func text(t *testing.T, name string) string { return string(must(os.ReadFile(name))) }

// results lists the result files in the state folder.
func results(t *testing.T) []string {
	return must(filepath.Glob(filepath.Join(ResultFolder(Current().State), "*.safetensors")))
}

// TestResultsAreReadBack checks that only the first updates of a finished run are
// trained again, unless PUSHDOWN_RESUME=0 is set. It also checks that results copied
// from another folder give the same golden file, traces and kept parameters, and that
// the golden file has the origin of each run from its result.
func TestResultsAreReadBack(t *testing.T) {
	s, r := toys(t)
	run := func(name, reason string) (batches int64) {
		t.Helper()
		r.batches.Store(0)
		trainToys(t, s, name, reason)
		return r.batches.Load()
	}
	if n := run("trained", "first run"); n < 60 || len(results(t)) != 2 {
		t.Fatalf("%d batches and %d results of two runs of 30 updates", n, len(results(t)))
	}
	before := tree(t, ".")
	if n := run("read back", ""); n > 2*(PrefixUpdates+1) {
		t.Errorf("%d batches where results are there, want %d for the first updates", n, 2*PrefixUpdates)
	}
	Current().Resume = false
	if n := run("trained again", ""); n < 60 {
		t.Errorf("%d batches with PUSHDOWN_RESUME=0, want all", n)
	}
	Current().Resume = true

	// Simulate another machine, which has only the results.
	g, found := must(s.Golden(Paper)), tree(t, ResultFolder(Current().State))
	Current().State = t.TempDir()
	plant(t, ResultFolder(Current().State), found)
	if err := errors.Join(os.RemoveAll("golden"), os.RemoveAll("testdata")); err != nil {
		t.Fatal(err)
	}
	run("taken in", "results of another machine")
	after := tree(t, ".")
	for _, f := range []string{"golden/toy/traces/resurgence-section6.2-toy.jsonl", filepath.ToSlash(TrainedFile(r))} {
		if after[f] == "" || after[f] != before[f] {
			t.Errorf("%s: have\n%s\nwant\n%s", f, after[f], before[f])
		}
	}
	again := must(s.Golden(Paper))
	if have, want := rowsOf(again), rowsOf(g); have != want {
		t.Errorf("golden rows are\n%s\nwant\n%s", have, want)
	}
	for _, row := range again.Rows {
		want := originOf(t, results(t), row.Name)
		if want.Reason = "results of another machine"; row.Origin != want {
			t.Errorf("%s: have the origin %+v, want that of its result, %+v", row.Name, row.Origin, want)
		}
	}
}

// TestResultOfAnotherScale checks that a result is read back at another scale that has the same row, and is one of
// that scale then.
func TestResultOfAnotherScale(t *testing.T) {
	s, r := toys(t)
	trainToys(t, s, "trained", "first run")
	r.batches.Store(0)
	Current().Scale = CI
	trainToys(t, s, "read back", "the same row at scale ci")
	if n := r.batches.Load(); n > 2*(PrefixUpdates+1) {
		t.Errorf("%d batches where a result of scale paper is there, want %d for the first updates", n, 2*PrefixUpdates)
	}
	ci, paper := must(s.Golden(CI)), must(s.Golden(Paper))
	if !slices.EqualFunc(ci.Rows, paper.Rows, func(a, b golden.Row) bool { return a.Name == b.Name && slices.Equal(a.Values, b.Values) }) {
		t.Errorf("golden rows of scale ci are\n%s\nwant those of scale paper\n%s", rowsOf(ci), rowsOf(paper))
	}
}

// TestResultOfUnknownBuild checks that the commit that an older result has is not taken in, because
// its program may have been built from another one. The flag -commit names it.
func TestResultOfUnknownBuild(t *testing.T) {
	s, _ := toys(t)
	trainToys(t, s, "trained", "first run")
	if err := os.RemoveAll("golden"); err != nil {
		t.Fatal(err)
	}
	for _, file := range results(t) {
		r := must(ReadResult(file))
		r.Built, r.Origin.Commit = false, "0123456789ab"
		if err := r.write(disk.FS{}, file); err != nil {
			t.Fatal(err)
		}
	}
	trainToys(t, s, "taken in", "old results")
	for _, r := range must(s.Golden(Paper)).Rows {
		if r.Origin.Commit != "ba9876543210+unconfirmed" {
			t.Errorf("%s: have the commit %s, want that of the flag -commit, marked", r.Name, r.Origin.Commit)
		}
	}
}

func rowsOf(f *golden.File) (text string) {
	for _, r := range f.Rows {
		r.Values = append([]golden.Value(nil), r.Values...)
		for i, v := range r.Values {
			if v.Unit == "train-min" {
				r.Values[i].Value = 0
			}
		}
		text += r.String() + "\n"
	}
	for _, tr := range f.Trajectories {
		text += tr.String()
	}
	return text
}

func originOf(t *testing.T, files []string, name golden.Name) golden.Origin {
	t.Helper()
	for _, f := range files {
		if r := must(ReadResult(f)); r.Row.Name == name {
			return r.Origin
		}
	}
	t.Fatalf("no result of %s", name)
	return golden.Origin{}
}

// TestNoPlaceForResults checks writable, which finds out before training whether a
// result could be written to a path.
func TestNoPlaceForResults(t *testing.T) {
	dir := t.TempDir()
	if err := writable(disk.FS{}, filepath.Join(dir, "a", "b.safetensors")); err != nil {
		t.Errorf("a folder that can be made: %v", err)
	}
	if list, err := os.ReadDir(filepath.Join(dir, "a")); err != nil || len(list) > 0 {
		t.Errorf("have %v (%v) left there, want nothing", list, err)
	}
	plant(t, dir, map[string]string{"f": "", "d.safetensors/x": ""})
	if err := writable(disk.FS{}, filepath.Join(dir, "f", "b.safetensors")); err == nil {
		t.Error("below a file: have no error, want one")
	}
	if err := writable(disk.FS{}, filepath.Join(dir, "d.safetensors")); err == nil || !strings.Contains(err.Error(), "have a file of type d---------, want a regular file") {
		t.Errorf("a folder in its place: error %v, want one that says so", err)
	}
}

// TestBadResults checks that a result is refused if it belongs to another
// experiment, if its file was changed, or if the program now trains differently.
// The error must name the file.
func TestBadResults(t *testing.T) {
	s, row := toys(t)
	trainToys(t, s, "trained", "first run")
	dev := Open(t)
	x := must(row.Build(1))
	file, _, err := resultPath(Current().State, x)
	if err != nil {
		t.Fatal(err)
	}
	good := must(ReadResult(file))
	write := func(r *Result) {
		t.Helper()
		if err := r.write(disk.FS{}, file); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(want string, change ...func(x *train.Experiment)) {
		t.Helper()
		x := must(row.Build(1))
		for _, f := range change {
			f(x)
		}
		r, err := ReadResult(file)
		if err == nil {
			err = r.verify(dev, s, Runs{Row: row}, x, file)
		}
		if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that names the file and says %q", err, want)
		}
	}
	plant(t, filepath.Dir(file), map[string]string{filepath.Base(file): strings.Replace(text(t, file), `Stopped\":`, `Stopqed\":`, 1)})
	refused("have")
	if _, err := ReadResult(file); !strings.HasSuffix(unusable(err).Error(), "; to train this run again, delete that file: other runs keep their results") {
		t.Errorf("error %v, want one that says how to train the run again", unusable(err))
	}

	other := *good
	other.Params = &train.Params{Names: good.Params.Names, Shapes: good.Params.Shapes}
	for _, d := range good.Params.Data {
		other.Params.Data = append(other.Params.Data, slices.Clone(d))
	}
	other.Params.Data[0][0]++
	write(&other)
	refused("parameters: have digest")

	other = *good
	other.Experiment = must(must(row.Build(2)).Hash())
	write(&other)
	refused("with the hash")

	// A measure that did not exist when the result was made is added to it.
	older := *good
	older.Row.Values = slices.DeleteFunc(slices.Clone(good.Row.Values), func(v golden.Value) bool { return v.Unit == "valid-ce" })
	if err := older.verify(dev, s, Runs{Row: row}, x, file); err != nil {
		t.Error(err)
	}
	have, _ := older.Row.Value("valid-ce")
	if want, _ := good.Row.Value("valid-ce"); have != want {
		t.Errorf("a result without valid-ce: have %v after it was measured again, want %v", have, want)
	}

	write(good)
	refused("want one whose first updates this program repeats", func(x *train.Experiment) { x.Train = shifted{x.Train} }) // this does not change the hash
}

// TestForgedResults changes what a result says twice, or what its parameters give, and checks that
// the result is refused.
func TestForgedResults(t *testing.T) {
	s, row := toys(t)
	trainToys(t, s, "trained", "first run")
	dev := Open(t)
	x := must(row.Build(1))
	file, _, err := resultPath(Current().State, x)
	if err != nil {
		t.Fatal(err)
	}
	set := func(unit string, value float64) func(r *Result) {
		return func(r *Result) {
			for i, v := range r.Row.Values {
				if v.Unit == unit {
					r.Row.Values[i].Value = value
				}
			}
		}
	}
	last := func(r *Result) *golden.Point {
		return &r.Trajectory.Points[slices.IndexFunc(r.Trajectory.Points, func(p golden.Point) bool { return p.At == 30 })]
	}
	for i, c := range []struct {
		change func(r *Result)
		want   string // "" if it is not refused
	}{
		{func(*Result) {}, ""},
		{set("train-min", 99), ""},
		{set("valid-ce", 99), "valid-ce: have 99, want "},
		{set("updates", 29), "updates: have 29, want 30"},
		{func(r *Result) { r.Checks[0].Loss++ }, "have validations that differ"},
		{func(r *Result) { r.Checks = r.Checks[1:] }, "have validations that differ"},
		{func(r *Result) { r.Checks[1].LR /= 2 }, "have validations that differ"},
		{func(r *Result) { last(r).Extra[0].Value /= 2 }, "have another learning rate after it, want"},
		{func(r *Result) { r.Stopped = "patience" }, "have the end by patience, want updates"},
		{func(r *Result) { // an epoch more, everywhere
			p := *last(r)
			p.At += 2
			at := slices.IndexFunc(r.Trajectory.Points, func(q golden.Point) bool { return q.At > 30 })
			r.Trajectory.Points = slices.Insert(r.Trajectory.Points, at, p)
			c := r.Checks[len(r.Checks)-1]
			c.Update += 2
			r.Checks = append(r.Checks, c)
			set("updates", 32)(r)
		}, "validation 16: have it after update 32, want the end of the run after update 30"},
	} {
		r := must(ReadResult(file))
		c.change(r)
		err := r.valid()
		if err == nil {
			err = r.verify(dev, s, Runs{Row: row}, must(row.Build(1)), file)
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("case %d: have error %v, want %q", i, err, c.want)
		}
	}
}

// TestContradictions checks that a row may not contradict itself.
func TestContradictions(t *testing.T) {
	for _, c := range []struct {
		units string
		want  string
	}{
		{"valid-ce 0 valid-ppl 1 test-ce 1 test-ppl 2.7182818284590455", ""},
		{"valid-ce 0 valid-ppl 1.5", "valid-ppl: have 1.5, want 1, since valid-ce is 0"},
		{"test-ce 0 test-bpc 1", "test-bpc: have 1, want 0"},
		{"valid-ce 0 valid-ppl 1.5 valid-ppl-soft 1", ""}, // of the mixture
		{"valid-ce 0 valid-ppl 1.5 valid-ppl-soft 2", "valid-ppl-soft: have 2, want 1"},
		{"test-ppl 7", ""},
	} {
		r, words := golden.Row{}, strings.Fields(c.units)
		for i := 0; i < len(words); i += 2 {
			r.Values = append(r.Values, golden.Value{Unit: words[i], Value: must(strconv.ParseFloat(words[i+1], 64))})
		}
		if err := Contradiction(r, golden.Trajectory{}); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have error %v, want %q", c.units, err, c.want)
		}
	}
}

// shifted is a source that returns, for each update, the batch that Source has for the
// next update.
type shifted struct{ train.Source }

func (o shifted) Fill(i int, b *train.Batch) { o.Source.Fill(i+1, b) }

// TestTrained checks that the parameters of a finished run are found, and what the error is if
// they are not there.
func TestTrained(t *testing.T) {
	s, r := toys(t)
	trainToys(t, s, "trained", "first run")
	if have, want := must(Trained(r, 1)).Digest(), must(train.ReadParams(TrainedFile(r))).Digest(); have != want {
		t.Errorf("have parameters of digest %s, want %s", have, want)
	}
	_, err := Trained(r, 3)
	var m *Missing
	if !errors.As(err, &m) || m.Need != trained || !strings.Contains(err.Error(), "seed=3") {
		t.Errorf("have error %v, want one that says that the result of seed 3 is missing", err)
	}
	Current().State = ""
	if _, err := Trained(r, 1); !errors.As(err, &m) {
		t.Errorf("without a state folder: have error %v, want one that says that the result is missing", err)
	}
}
