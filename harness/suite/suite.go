package suite

import (
	"fmt"
	"slices"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/plot"
	"pushdown/harness/traces"
	"pushdown/harness/train"
	"pushdown/harness/verdict"
)

// A Suite is the tables and figures of a task as data. [Suite.Run] trains a table,
// and package suitetest holds the suite against what every suite must show.
type Suite struct {
	Name   string // of the package and of the folder of its golden files
	Units  []Unit
	Tables []Table
	// Claims are the functions of claims that no printed table holds.
	Claims []verdict.Measure
	// Figures draws what rows left behind; nil: the suite has no figures. Rows of
	// which nothing is there are not among them.
	Figures func(rows []Traced) ([]Figure, error)
	// Agrees reports how a trace contradicts the golden row of its run; nil where the
	// suite has no figures.
	Agrees func(row Row, trace traces.Run, of golden.Row) error
	// Speed lists what BenchmarkTrain measures.
	Speed []Speed
}

// A Unit is one of the numbers that a suite measures.
type Unit struct {
	golden.Unit
	// Clock says that the number is wall time, which is not compared.
	Clock bool
	// Training says that the number comes of the course of training, so that
	// parameters alone do not give it.
	Training bool
}

// Higher returns a unit of which more is better.
func Higher(name string) Unit { return Unit{Unit: golden.Unit{Name: name, Better: "higher"}} }

// Lower returns a unit of which less is better.
func Lower(name string) Unit { return Unit{Unit: golden.Unit{Name: name, Better: "lower"}} }

// TrainMinutes is the wall time of training.
var TrainMinutes = Unit{Unit: golden.Unit{Name: "train-min", Better: "lower"}, Clock: true, Training: true}

// Fixed returns the unit as one that does not vary with the seed.
func (u Unit) Fixed() Unit { u.Exact = true; return u }

// FromTraining returns the unit as one that parameters alone do not give.
func (u Unit) FromTraining() Unit { u.Training = true; return u }

// A Table is what one test runs: a table, a section or a figure of a paper.
type Table struct {
	Paper string // such as resurgence
	Name  string // such as 2, section 6.2 or figure 2
	// At returns what runs at a scale.
	At func(Scale) Part
}

// A Part is what a table runs at a scale.
type Part struct {
	Runs   []Runs   // the shortest first
	Judge  bool     // the rows have the paper's own size, so verdicts follow from them
	Claims []string // that are judged by them
}

// Runs are the runs of a row, with the seeds from 1 on.
type Runs struct {
	Row
	Seeds int
	// Prefixes is the number of seeds whose first updates suitetest repeats;
	// 0: 1.
	Prefixes int
	Keep     Keep
	Traced   bool // what the runs leave behind is kept, so that figures show it
}

// Seeds returns the runs of rows with n seeds each.
func Seeds[R Row](n int, rows ...R) []Runs {
	list := make([]Runs, len(rows))
	for i, r := range rows {
		list[i] = Runs{Row: r, Seeds: n}
	}
	return list
}

// Smaller returns the rows as a smoke run has them.
func Smaller[R interface{ Smoke() R }](rows []R) []R {
	list := make([]R, len(rows))
	for i, r := range rows {
		list[i] = r.Smoke()
	}
	return list
}

// KeepFirst has the parameters of seed 1 of each row kept.
func KeepFirst(runs []Runs) []Runs {
	for i := range runs {
		runs[i].Keep = First
	}
	return runs
}

// Keep says of which seed of a row the parameters are kept in the suite's
// testdata/trained, where a test measures them again.
type Keep int

// The seeds of which parameters are kept.
const (
	None   Keep = iota
	First       // seed 1
	Chosen      // the seed with the least valid-ce
)

// A Row is a row of a table at one scale, for any seed.
type Row interface {
	// Place says where the paper publishes the row.
	Place() Place
	// Build makes the experiment of a seed.
	Build(seed uint64) (*train.Experiment, error)
	// Measure measures the result of a run. It must need no more of the result than
	// the parameters, the checks and what is counted in training.
	Measure(dev kernel.Device, x *train.Experiment, res *train.Result) (*Measured, error)
	// Trace returns what figures could show of the run, nil if nothing. It is kept
	// where Runs.Traced is set.
	Trace(dev kernel.Device, x *train.Experiment, res *train.Result, m *Measured) ([]traces.Line, error)
}

// Measured is what a run came out as.
type Measured struct {
	Values []golden.Value
	Detail any // for the row's Trace
}

// Best returns the last validation that was a new best.
func Best(checks []train.Check) (last train.Check) {
	for _, c := range checks {
		if c.Best {
			last = c
		}
	}
	return last
}

// Traced is a row with what its runs left behind.
type Traced struct {
	Row  Row
	Runs []traces.Run // by seed
}

// A Figure is drawn of traces.
type Figure struct {
	Name    string // of its files, without extension
	Drawing plot.Drawing
	Text    []byte // of a file beside the drawing; nil: none
	Shown   bool   // it stands in the suite's golden folder, drawn at paper scale, and on the page of the suite
}

// Speed is one benchmark of training.
type Speed struct {
	Row     Row
	Updates int // of one repetition
}

// SpeedOf returns the benchmarks of rows, with the updates of a repetition.
func SpeedOf[R Row](updates int, rows ...R) []Speed {
	list := make([]Speed, len(rows))
	for i, r := range rows {
		list[i] = Speed{r, updates}
	}
	return list
}

// At returns the parts of a scale, in the order of the tables.
func (s *Suite) At(scale Scale) []Part {
	list := make([]Part, len(s.Tables))
	for i, t := range s.Tables {
		list[i] = t.At(scale)
	}
	return list
}

// Rows returns the runs of a scale.
func (s *Suite) Rows(scale Scale) (list []Runs) {
	for _, p := range s.At(scale) {
		list = append(list, p.Runs...)
	}
	return list
}

// table finds a table.
func (s *Suite) table(t testing.TB, paper, name string) Table {
	t.Helper()
	var have []string
	for _, x := range s.Tables {
		if x.Paper == paper && x.Name == name {
			return x
		}
		have = append(have, x.Paper+" "+x.Name)
	}
	t.Fatalf("suite %s: have no table %s %s, want one of %q", s.Name, paper, name, have)
	return Table{}
}

// units returns the units as golden files have them.
func (s *Suite) units() (list []golden.Unit) {
	for _, u := range s.Units {
		list = append(list, u.Unit)
	}
	return list
}

// tolerances says that everything but wall time is exact.
func (s *Suite) tolerances() (list []golden.Tolerance) {
	for _, u := range s.Units {
		tol := golden.Tolerance{Unit: u.Name, Reason: "equal bits"}
		if u.Clock {
			tol = golden.Tolerance{Unit: u.Name, Any: true, Reason: "wall time"}
		}
		list = append(list, tol)
	}
	return list
}

// Golden returns the path of the suite's golden file at a scale.
func (s *Suite) Golden(scale Scale) (string, error) { return golden.Path(s.Name, string(scale)) }

// NewRun returns a run of the suite to be held against a golden file, without rows.
// scale is that of the golden file, such as trajectory.
func (s *Suite) NewRun(scale string, machine string) *golden.Run {
	return &golden.Run{
		Suite: s.Name, Scale: scale, Contract: kernel.ContractVersion, Machine: machine,
		Units: s.units(), Tolerances: s.tolerances(),
	}
}

// Judge says which verdicts follow from some parts.
func Judge(parts ...Part) (j golden.Judge) {
	for _, p := range parts {
		if !p.Judge {
			continue
		}
		for _, r := range p.Runs {
			j.Groups = append(j.Groups, r.Place().Group())
		}
		for _, c := range p.Claims {
			if !slices.Contains(j.Claims, c) {
				j.Claims = append(j.Claims, c)
			}
		}
	}
	return j
}

// Main is the TestMain of the suite: [Main] with its units, and with the functions
// of its claims known.
func (s *Suite) Main(m *testing.M) {
	golden.Flag()
	for _, c := range s.Claims {
		verdict.RegisterMeasure(c)
	}
	Main(m, append(s.units(), speedUnits...)...)
}

// String returns the name of the table.
func (t Table) String() string { return fmt.Sprintf("%s of %s", t.Name, t.Paper) }

// Value returns the value in a unit and whether there is one.
func (m *Measured) Value(unit string) (float64, bool) {
	return golden.Row{Values: m.Values}.Value(unit)
}
