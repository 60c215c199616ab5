package golden

// A File is what a golden file says: the results, digests and verdicts of one
// suite at one scale. Write brings the slices into their order; everywhere
// else they are in it.
type File struct {
	Suite string // such as dyck
	Scale string // such as ci

	Provenance   []Provenance   // by ID; the last is the last update
	Units        []Unit         // by Name
	Tolerances   []Tolerance    // by Unit, one for every unit
	Rows         []Row          // by Name
	Trajectories []Trajectory   // by Name
	Verdicts     []Verdict      // by Key
	Claims       []ClaimVerdict // by ID
}

// Provenance says where rows come from. Rows and trajectories refer to it, so
// an update that reruns a few of them leaves the origin of the others alone.
type Provenance struct {
	ID       int    // from 1, rising; never reused while a row refers to it
	Commit   string // the commit that was checked out, in hex, or unknown
	Machine  string // kind of machine: system, processor, device
	Date     string // day on which the rows were made, 2006-01-02 in UTC
	Contract int    // version of the numeric contract the run was under
	Reason   string // why the update was made
}

// Unit says what a number is, in benchstat's words.
type Unit struct {
	Name   string // <split>-<metric>, such as test-wcpa-%
	Better string // higher, lower, or empty if neither is better
	Exact  bool   // never varies between seeds: assume=exact
}

// Tolerance bounds the difference between a golden value and a run's. It is
// derived, never chosen: Reason says from what.
type Tolerance struct {
	Unit string
	// Abs and Rel bound the difference absolutely and relative to the golden
	// value; the larger bound counts. Both zero: the values must be equal.
	Abs, Rel float64
	// Any turns comparison off: for wall time, which no golden can hold.
	// Verdicts that rest on such a unit are recorded but not compared either.
	Any    bool
	Reason string
}

// A Row is the result of one run.
type Row struct {
	Name   Name
	From   int     // Provenance.ID; 0 in a run
	Values []Value // by Unit
}

// A Value is one number of a result. It is never NaN or infinite.
type Value struct {
	Unit  string
	Value float64
}

// A Trajectory is the sequence of digests along one run.
type Trajectory struct {
	Name   Name
	From   int     // Provenance.ID; 0 in a run
	Points []Point // by At
	// Thinned says that Points are not all points of the run; nil: they are.
	Thinned *Thinned
}

// A Point is the state of a run after an update.
type Point struct {
	At     Mark
	SHA256 string   // of the parameters, 64 hex digits
	State  string   // of optimiser, schedule and counters, likewise; may be empty
	Extra  []Scalar // by Key: losses, learning rates; compared bit for bit
}

// A Scalar is a number that decided something on the way, such as a
// validation loss. It is written as a hexadecimal float, in a
// digest file as a decimal.
type Scalar struct {
	Key   string
	Value float64
}

// Outcome is what a verdict says.
type Outcome string

// The outcomes of a published cell.
const (
	Matches    Outcome = "matches"     // our runs predict the published value
	Better     Outcome = "better"      // it differs: our runs are better
	Worse      Outcome = "worse"       // it differs: our runs are worse
	OpenRuns   Outcome = "open-runs"   // more runs of ours could tell
	OpenSpread Outcome = "open-spread" // runs spread so much that no number of ours could make it match
	Misprinted Outcome = "misprint"    // the published value is contradicted by its own paper
)

// CellOutcomes lists them.
func CellOutcomes() []Outcome {
	return []Outcome{Matches, Better, Worse, OpenRuns, OpenSpread, Misprinted}
}

// The outcomes of a claim.
const (
	Holds     Outcome = "holds"     // the claim is true of our runs
	Fails     Outcome = "fails"     // the claim is false of our runs
	Undecided Outcome = "undecided" // too few seeds, missing cells, or a close call
)

// Words returns the outcome for readers: a figure that is better or worse differs.
func (o Outcome) Words() string {
	switch o {
	case Better, Worse:
		return "differs (" + string(o) + ")"
	case OpenRuns:
		return "open (runs)"
	case OpenSpread:
		return "open (spread)"
	}
	return string(o)
}

// A Verdict compares one published cell with our runs.
type Verdict struct {
	Key      string // the cell, [paper:table:row:metric:stat]
	Outcome  Outcome
	Evidence string // key=value fields: published, half, n, then need; or value; or mean and sd, best, or chosen and by, with of, low, high, margin, width
}

// A ClaimVerdict says whether a claim is true of our runs.
type ClaimVerdict struct {
	ID       string // such as R07
	Outcome  Outcome
	Evidence string // key=value fields: draws, true, or what is missing
}
