package golden

// A File is the content of a golden file: the results, digests and verdicts of one
// suite at one scale. Write and Format sort the slices; all other functions expect them
// sorted.
type File struct {
	Suite string // such as dyck
	Scale string // such as ci

	Provenance   []Provenance   // sorted by ID; the last one is that of the last update
	Units        []Unit         // sorted by Name
	Tolerances   []Tolerance    // sorted by Unit, one for every unit
	Rows         []Row          // sorted by Name
	Trajectories []Trajectory   // sorted by Name
	Verdicts     []Verdict      // sorted by Key
	Claims       []ClaimVerdict // sorted by ID
}

// Provenance says where rows come from. Each row and trajectory refers to one Provenance.
// So if an update of the golden file reruns only some rows, the others keep their origin.
type Provenance struct {
	ID       int    // 1 or more, ascending; not reused while a row refers to it
	Commit   string // the commit that was checked out, in hex, or unknown
	Machine  string // kind of machine: system, processor, device
	Date     string // day on which the rows were made, as 2006-01-02 in UTC
	Contract int    // version of the numeric contract under which the rows were made
	Reason   string // why the update was made
}

// Unit describes a unit of the values. It has the properties that benchstat reads from a
// Unit line.
type Unit struct {
	Name   string // <split>-<metric>, such as test-wcpa-%
	Better string // higher, lower, or empty if neither is better
	Exact  bool   // whether all seeds have the same value: assume=exact
}

// Tolerance says how far the value of a run may be from the golden value. The bound must
// follow from a property of the value, which Reason names; it must not be chosen freely.
type Tolerance struct {
	Unit string
	// Abs bounds the absolute difference, and Rel the difference relative to the
	// golden value. The larger of the two bounds applies. If both are zero, the
	// values must be equal.
	Abs, Rel float64
	// Any turns the comparison off. It is for wall time, which varies from run to run.
	// Verdicts that depend on wall time are recorded, but they are not compared either.
	Any    bool
	Reason string
}

// A Row is the result of one run.
type Row struct {
	Name   Name
	From   int     // Provenance.ID; 0 in a run
	Values []Value // sorted by Unit
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
	Points []Point // sorted by At
	// Thinned is nil if Points has all points of the run. Otherwise it describes all points
	// of the run, for example by a digest.
	Thinned *Thinned
}

// A Point is the state of a run after an update.
type Point struct {
	At     Step
	SHA256 string   // digest of the parameters, 64 hex digits
	State  string   // digest of the optimizer, schedule and counters, 64 hex digits or empty
	Extra  []Scalar // losses and learning rates, sorted by Key; compared bit for bit
}

// A Scalar is a number that influences the course of a run, such as a validation loss.
// It is written as a hexadecimal float, or as a decimal in a digest file.
type Scalar struct {
	Key   string
	Value float64
}

// An Outcome is the outcome of a verdict.
type Outcome string

// The outcomes of a published cell.
const (
	Matches    Outcome = "matches"     // our runs predict the published value
	Better     Outcome = "better"      // the value differs, and our runs are better
	Worse      Outcome = "worse"       // the value differs, and our runs are worse
	OpenRuns   Outcome = "open-runs"   // undecided, but more runs could decide
	OpenSpread Outcome = "open-spread" // our runs vary so much that no number of them could make the value match
	Misprinted Outcome = "misprint"    // the published value contradicts its own paper
)

// CellOutcomes returns the possible outcomes of a published cell, which is one printed
// number of a paper.
func CellOutcomes() []Outcome {
	return []Outcome{Matches, Better, Worse, OpenRuns, OpenSpread, Misprinted}
}

// The outcomes of a claim.
const (
	Holds     Outcome = "holds"     // the claim is true of our runs
	Fails     Outcome = "fails"     // the claim is false of our runs
	Undecided Outcome = "undecided" // too few seeds, missing cells, or a share of draws too close to a limit
)

// Description returns a description of the outcome for readers, such as "differs
// (better)".
func (o Outcome) Description() string {
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

// A Verdict compares one published cell, a printed number of a paper, with our runs.
type Verdict struct {
	Key     string // the key of the cell, [paper:table:row:metric:stat]
	Outcome Outcome
	// Evidence has key=value fields. The first is published, the printed number. A misprint
	// has no other fields. Else two fields follow: half is half a unit of the last printed
	// digit, and n is the number of our runs. The other fields are one of these lists:
	//
	//	need                               n is less than this number
	//	value                              the value that all runs have
	//	mean, sd, of, low, high, margin, width
	//	best, of, low, high, margin, width
	//	chosen, of, by, low, high, margin, width
	Evidence string
}

// A ClaimVerdict says whether a claim is true of our runs.
type ClaimVerdict struct {
	ID       string // such as R07
	Outcome  Outcome
	Evidence string // key=value fields: draws and true, or which cells are missing or have too few seeds
}
