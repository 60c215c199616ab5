package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pushdown/harness/checkpoint"
	"pushdown/harness/disk"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// A Result has everything that golden files, figures and verdicts need to know
// about a finished run. A finished run writes its Result to a file in the state
// folder: a checkpoint file with the parameters, and the rest as a JSON document in its metadata.
// Command ci/cluster brings the files of several machines together.
type Result struct {
	Experiment string // hash of the experiment as it was before training, which may change what the hash covers
	Scale      string
	Row        golden.Row
	Trajectory golden.Trajectory
	Checks     []train.Validation // the validation curve
	Stopped    string             // why the run ended
	Params     *train.Params      `json:"-"`
	Trace      traces.Run         `json:",omitzero"` // the data for figures
	Origin     golden.Origin
	Built      bool `json:",omitempty"` // whether Origin has the commit of the build; in older results it has the one that was checked out
}

// metaResult is the key of the JSON document in the metadata of a result file.
const metaResult = "result"

const paramPrefix = "param/"

// ResultFolder returns the folder below root with the results of the current
// version of the numeric contract.
func ResultFolder(root string) string {
	return filepath.Join(root, "contract-"+strconv.Itoa(kernel.ContractVersion), "results")
}

// resultPath returns the hash of an experiment and the path of its result file. root is the
// state folder.
func resultPath(root string, x *train.Experiment) (file, hash string, err error) {
	hash, err = x.Hash()
	return filepath.Join(ResultFolder(root), hash+".safetensors"), hash, err
}

// absent reports whether err means that a file does not exist.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// write atomically writes the result to the file with the given name on fsys.
func (r *Result) write(fsys disk.FS, name string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f := &checkpoint.File{Tensors: r.Params.Tensors(paramPrefix), Meta: map[string]string{metaResult: string(text)}}
	if err := fsys.MkdirAll(filepath.Dir(name)); err != nil {
		return err
	}
	return checkpoint.WriteFS(fsys, name, f)
}

// ReadResult reads a result file.
func ReadResult(name string) (*Result, error) { return readResult(disk.FS{}, name) }

func readResult(fsys disk.FS, name string) (*Result, error) {
	f, err := checkpoint.ReadFS(fsys, name)
	if err != nil {
		return nil, err
	}
	r, err := resultOf(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// Trained returns the parameters of the run of r with a seed, from the result that an earlier
// process wrote to the state folder. The error is a *[Missing] if there is no such result, or
// if no state folder is set.
func Trained(r Row, seed int) (*train.Params, error) {
	x, err := r.Build(uint64(seed))
	if err != nil {
		return nil, err
	}
	lacks := func(reason string) error {
		return &Missing{Need: trained, Reason: reason, Remedy: "train that run at scale paper first, with the same PUSHDOWN_STATE"}
	}
	root := Current().State
	if root == "" {
		return nil, lacks("there is no state folder for the result of " + x.Name)
	}
	file, _, err := resultPath(root, x)
	if err != nil {
		return nil, err
	}
	res, err := ReadResult(file)
	if absent(err) {
		return nil, lacks(fmt.Sprintf("there is no result of %s in %s", x.Name, root))
	}
	if err == nil {
		err = res.check(x, file)
	}
	if err != nil {
		return nil, err
	}
	return res.Params, nil
}

// resultOf decodes a result file. It returns an error if the parameters do not have
// the digest that the trajectory gives.
func resultOf(f *checkpoint.File) (*Result, error) {
	r := &Result{Params: &train.Params{}}
	text, ok := f.Meta[metaResult]
	if !ok {
		return nil, fmt.Errorf("metadata: have no %s, want one, as this version of the program writes", metaResult)
	}
	in := json.NewDecoder(strings.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(r); err != nil {
		return nil, fmt.Errorf("metadata %s: %w", metaResult, err)
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, fmt.Errorf("metadata %s: have text after the document, want none", metaResult)
	}
	if err := r.valid(); err != nil {
		return nil, fmt.Errorf("metadata %s: %w", metaResult, err)
	}
	if trace := r.Trace; r.Row.Name != r.Trajectory.Name || trace.Trace != nil && trace.Row.WithSeed(trace.Seed) != r.Row.Name {
		return nil, fmt.Errorf("metadata %s: have a row of %s, a trajectory of %s and a trace of %s, want those of one run", metaResult, r.Row.Name, r.Trajectory.Name, trace.Row)
	}
	var err error
	if r.Params, err = train.ParamsOf(f, paramPrefix); err != nil {
		return nil, err
	}
	if have, want := r.Params.Digest(), r.Trajectory.Result(); have != want {
		return nil, fmt.Errorf("parameters: have digest %s, want %s as in the trajectory of the run", have, want)
	}
	return r, nil
}

// valid returns an error if a golden file could not have the row, the trajectory and the origin of r.
func (r *Result) valid() error {
	row, trajectory := r.Row, r.Trajectory
	row.Origin, trajectory.Origin = r.Origin, r.Origin
	run := golden.Run{Suite: "result", Scale: r.Scale, Contract: r.Origin.Contract, Rows: []golden.Row{row}, Trajectories: []golden.Trajectory{trajectory}}
	for _, v := range r.Row.Values {
		run.Units = append(run.Units, golden.Unit{Name: v.Unit, Better: "lower"})
	}
	if _, err := golden.Format(run.File()); err != nil {
		return err
	}
	return Contradiction(r.Row, r.Trajectory)
}

// check returns an error if r, which was read from a file, is not the result of experiment x under the
// current version of the numeric contract.
func (r *Result) check(x *train.Experiment, file string) error {
	hash, err := x.Hash()
	if err != nil {
		return err
	}
	if have, want := r.Origin.Contract, kernel.ContractVersion; have != want {
		return fmt.Errorf("%s: result of %s: have contract version %d, want %d", file, x.Name, have, want)
	}
	if r.Experiment != hash || string(r.Row.Name) != x.Name {
		return fmt.Errorf("%s: result of %s: have a result of %s with the hash %.12s, want %.12s", file, x.Name, r.Row.Name, r.Experiment, hash)
	}
	return nil
}

// verify repeats the first updates of an experiment, measures the parameters of r again, and lets the
// schedule decide again on the losses of the validations. It returns an error if the current program
// trains, measures or decides differently from the program that made r. Values that did not exist then are measured now and added to r,
// whose origin stays that of the run. file is the path of r, for error messages.
func (r *Result) verify(dev kernel.Device, s *Suite, runs Runs, x *train.Experiment, file string) error {
	if err := r.check(x, file); err != nil {
		return err
	}
	again, err := train.Run(x, train.Options{Device: dev, Updates: runs.FirstUpdates()})
	if err != nil {
		return err
	}
	again.Trajectory.Name = r.Trajectory.Name
	if why := golden.FirstDifference(r.Trajectory, again.Trajectory); why != "" {
		return fmt.Errorf("%s: have a run of commit %s, want one whose first updates this program repeats: %s", file, r.Origin.Commit, why)
	}
	return r.remeasure(dev, s, runs, x, file)
}

// remeasure is the part of verify that trains nothing.
func (r *Result) remeasure(dev kernel.Device, s *Suite, runs Runs, x *train.Experiment, file string) error {
	course, err := Course(x, r.Row, r.Trajectory)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	same := func(a, b train.Validation) bool {
		return a.Update == b.Update && a.Loss == b.Loss && a.LR == b.LR && a.Best == b.Best
	}
	if !slices.EqualFunc(r.Checks, course.Checks, same) {
		return fmt.Errorf("%s: have validations that differ from those of the trajectory, want the same", file)
	}
	res := &train.Result{Params: r.Params, Checks: r.Checks, Stopped: r.Stopped, Trajectory: r.Trajectory}
	if end := course.End; end != nil {
		if r.Stopped != end.Stopped {
			return fmt.Errorf("%s: have the end by %s, want %s as the validations give", file, r.Stopped, end.Stopped)
		}
		res.Updates, res.Strings = end.Updates, end.Strings
		symbols, _ := r.Row.Value("symbols") // what nothing else says
		res.Rows = int64(symbols)
	}
	m, err := runs.Measure(dev, x, res)
	if err != nil {
		return err
	}
	for _, u := range s.Units {
		have, ok := r.Row.Value(u.Name)
		want, measured := m.Value(u.Name)
		switch {
		case u.Clock || u.Training && course.End == nil:
		case !ok && measured:
			r.Row.Values = append(r.Row.Values, golden.Value{Unit: u.Name, Value: want})
		case ok != measured || have != want:
			return fmt.Errorf("%s: %s: have %v of commit %s, want %v as measured now", file, u.Name, have, r.Origin.Commit, want)
		}
	}
	return nil
}

// writable returns an error if no result can be written to the file with the given name on fsys. An
// empty name means that no result will be written; it is not an error.
func writable(fsys disk.FS, name string) error {
	if name == "" {
		return nil
	}
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: have a file of type %v, want a regular file", name, info.Mode().Type())
	}
	if err := fsys.MkdirAll(filepath.Dir(name)); err != nil {
		return err
	}
	return fsys.Probe(filepath.Dir(name))
}
