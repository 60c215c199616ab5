package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/traces"
	"pushdown/harness/train"
	"pushdown/harness/verdict"
)

// Run trains every seed of every row of the table whose test is t, at the scale that
// PUSHDOWN_SCALE selects, or reads back its result. It begins with the last row, which takes
// longest. Rows without training are computed at every call. Then Run compares the finished runs
// with the golden file and the paper. With -update it writes them to the golden file instead, and
// removes from PrefixFile what that file now has. Runs that fail, runs that the deadline stops, and
// runs of other shards do not affect the other runs.
func (s *Suite) Run(t *testing.T) {
	t.Helper()
	s.run(t, s.table(t))
}

func (s *Suite) run(t *testing.T, of Table) {
	t.Helper()
	Summarize(t)
	scale := Current().Scale
	of.note(t.Name(), scale)
	part := of.At(scale)
	if len(part.Runs)+len(part.Computed) == 0 {
		t.Skipf("scale %s has no such runs; to run them: PUSHDOWN_SCALE=paper go test ./suites/%s -run '^%s$' -timeout 0, or small ones with -short", scale, s.Name, t.Name())
	}
	if *golden.Flag() != "" && golden.Commit() == golden.Unknown {
		t.Fatal("-update: " + golden.Unstamped)
	}
	watch()
	g, err := s.Golden(scale)
	if err != nil && !absent(err) {
		t.Fatal(err)
	}
	if Current().Only {
		folder := ResultFolder(Current().State)
		if _, err := os.Stat(folder); err != nil {
			t.Fatalf("PUSHDOWN_RESUME=only: %v, want the folder of results in PUSHDOWN_STATE", err)
		}
	}
	if text := s.forecast(t, part, g); text != "" {
		t.Log(text)
	}
	if settings := Current(); settings.Device != hostDevice && settings.Resume && !settings.Only {
		for _, text := range s.paces(t, part) {
			t.Log(text)
		}
	}
	var (
		mu    sync.Mutex
		ended []*finished
		jobs  []job
	)
	add := func(name golden.Name, run func(*testing.T) *finished) {
		jobs = append(jobs, job{name, func(t *testing.T) {
			e := run(t)
			mu.Lock()
			defer mu.Unlock()
			ended = append(ended, e)
		}})
	}
	for _, r := range slices.Backward(part.Runs) {
		for _, seed := range r.List() {
			add(r.ID().Group().WithSeed(seed), func(t *testing.T) *finished { return s.runOne(t, r, seed) })
		}
	}
	for _, c := range part.Computed {
		for seed := 1; seed <= c.Seeds; seed++ {
			add(c.ID.Group().WithSeed(seed), func(t *testing.T) *finished { return c.compute(t, seed) })
		}
	}
	runAll(t, jobs)
	if len(ended) < len(jobs) {
		t.Logf("%d of %d runs have ended and are compared with the golden file or written to it", len(ended), len(jobs))
	}
	if len(ended) == 0 {
		return
	}
	run := s.NewRun(string(scale), Machine(Open(t)))
	for _, e := range ended {
		e.Row.Origin, e.Trajectory.Origin = golden.Origin{}, golden.Origin{}
		if e.readBack {
			e.Row.Origin, e.Trajectory.Origin = e.Origin, e.Origin
		}
		run.Rows = append(run.Rows, e.Row)
		run.Trajectories = append(run.Trajectories, e.Trajectory)
	}
	taken := s.Check(t, run) && *golden.Flag() != ""
	s.show(t, run)
	if taken {
		s.keepParams(t, ended)
		if scale == Paper {
			s.dropPrefixes(t)
		}
	}
	s.draw(t, part, ended, taken && scale == Paper)
}

// Check compares a run with the golden files at its scale, or writes it to them with -update.
func (s *Suite) Check(t *testing.T, run *golden.Run) (ok bool) {
	t.Helper()
	folder, err := golden.Folder(s.Name)
	if err != nil {
		t.Fatal(err)
	}
	ok = true
	parts := run.Files()
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		ok = golden.Check(t, filepath.Join(folder, name), parts[name]) && ok
	}
	return ok
}

// show logs the printed numbers, the golden files and a run side by side.
func (s *Suite) show(t *testing.T, run *golden.Run) {
	t.Helper()
	g, err := s.Golden(Scale(run.Scale))
	if err != nil {
		return // Check has reported it
	}
	files := []*golden.File{g}
	if run.Scale == string(Paper) { // a claim may depend on rows of other suites, too
		folder, err := golden.Folder("*")
		if err != nil {
			t.Fatal(err)
		}
		others, _ := filepath.Glob(folder) // the pattern is well-formed
		for _, other := range others {
			switch f, err := golden.ReadScale(os.DirFS(other), run.Scale, other); {
			case err == nil && f.Suite != s.Name:
				files = append(files, f)
			case err != nil && !errors.Is(err, fs.ErrNotExist):
				t.Logf("claims are judged without these rows: %v", err)
			}
		}
	}
	t.Log("\n" + verdict.Table(verdict.NewResults(files, s.Claims...), g, run))
}

// finished is a run that has finished.
type finished struct {
	*Result
	runs     Runs
	readBack bool // whether an earlier process made the result
}

// runOne trains a run, or reads back the result that an earlier process made. If
// PUSHDOWN_RESUME=only and there is no result, it skips the test. If the run has to
// stop before its end, it fails the test.
func (s *Suite) runOne(t *testing.T, r Runs, seed int) *finished {
	t.Helper()
	settings := Current()
	x, err := r.Build(uint64(seed))
	x = Built(t, x, err)
	dev := Open(t)
	file, hash := "", ""
	if settings.State != "" && (settings.Scale == Paper || settings.Resume) {
		if file, hash, err = resultPath(settings.State, x); err != nil {
			t.Fatal(err)
		}
	}
	if file != "" && settings.Resume {
		res, err := readResult(s.disk, file)
		switch {
		case err == nil:
			if err := res.verify(dev, s, r, x, file); err != nil {
				t.Fatal(unusable(err))
			}
			res.Scale = string(settings.Scale) // some rows are the same at scales ci and paper
			t.Logf("read back, commit %s: %s", res.Origin.Commit, file)
			if !res.Built {
				res.Origin.Commit = golden.Unknown
			}
			return &finished{res, r, true}
		case !absent(err):
			t.Fatal(unusable(err))
		case settings.Only:
			t.Skipf("PUSHDOWN_RESUME=only: no result of this run is in %s", file)
		}
	}
	if err := writable(s.disk, file); err != nil {
		t.Fatalf("result of this run cannot be written: %v; set PUSHDOWN_STATE to another folder", err)
	}
	result := &Result{Experiment: hash, Scale: string(settings.Scale)}
	if file != "" {
		result.Origin, result.Built = golden.Here(Machine(dev)), true
		result.Origin.Contract = kernel.ContractVersion
	}
	res := trainRun(t, dev, x, func(res *train.Result) error {
		if err := result.measure(dev, r, x, res); err != nil || file == "" {
			return err
		}
		return result.write(s.disk, file)
	})
	t.Logf("ended by %s after %d updates, %d validations and %d rows, %.1f ns a row with backward and update; parameters %s",
		res.Stopped, res.Updates, len(res.Checks), res.Rows, float64(res.Took.Nanoseconds())/float64(res.Rows), res.Params.Digest())
	attributes(t, result.Row, res.Params.Digest())
	return &finished{result, r, false}
}

// unusable adds a hint to an error about a result file: how to train the run again.
func unusable(err error) error {
	return fmt.Errorf("%w; to train this run again, delete that file: other runs keep their results", err)
}

// measure measures a trained run and adds all that is known of it to r.
func (r *Result) measure(dev kernel.Device, row Row, x *train.Experiment, res *train.Result) error {
	m, err := row.Measure(dev, x, res)
	if err != nil {
		return err
	}
	r.Row = golden.Row{Name: golden.Name(x.Name), Values: m.Values}
	r.Trajectory, r.Checks, r.Stopped, r.Params = res.Trajectory, res.Checks, res.Stopped, res.Params
	if r.Scale == string(Smoke) {
		return nil
	}
	trace, err := row.Trace(dev, x, res, m)
	if err == nil && trace != nil {
		r.Trace, err = traces.New(r.Row.Name, trace)
	}
	return err
}

// TrainedFile returns the path of the file with the kept parameters of a row,
// relative to the folder of the suite.
func TrainedFile(r Row) string {
	return filepath.Join("testdata", "trained", r.ID().File()+".safetensors")
}

// keepParams writes the parameters of the runs that Runs.Keep selects. It is called
// after the results of these runs have been written to the golden files.
func (s *Suite) keepParams(t *testing.T, ended []*finished) {
	t.Helper()
	g, err := s.Golden(Current().Scale)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range ended {
		if e.runs.KeptSeed(g) == e.Row.Name.Seed() {
			if err := e.Params.WriteFS(s.disk, TrainedFile(e.runs), string(e.Row.Name)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// KeptSeed returns the seed whose parameters are kept, or 0 if no parameters are
// kept. If Keep is Chosen, the golden rows in g give the seed.
func (r Runs) KeptSeed(g *golden.File) int {
	seed, least := 0, 0.0
	switch r.Keep {
	case First:
		return r.List()[0]
	case Chosen:
		for _, row := range g.Seeds(r.ID().Group()) {
			if loss, ok := row.Value("valid-ce"); ok && (seed == 0 || loss < least) {
				seed, least = row.Name.Seed(), loss
			}
		}
	}
	return seed
}
