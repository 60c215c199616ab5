package golden

// A File is the content of a golden file: the results of runs of one suite at one scale. Format
// sorts the slices; all other functions expect them sorted.
type File struct {
	Suite string // such as dyck
	Scale string // such as ci

	Units        []Unit       // sorted by Name; those that a row has
	Rows         []Row        // sorted by Name
	Trajectories []Trajectory // sorted by Name
}

// Unit describes a unit of the values. It has the properties that benchstat reads from a
// Unit line.
type Unit struct {
	Name   string // <split>-<metric>, such as test-wcpa-%
	Better string // higher, lower, or empty if neither is better
	Exact  bool   // whether all seeds have the same value: assume=exact
	// Clock reports whether the value is wall time, which varies from run to run and is not
	// compared. All other values must be equal, because the numeric contract fixes their bits.
	Clock bool
}

// An Origin says where and why a result was made. If an update of a golden file reruns only some
// rows, the others keep their origin.
type Origin struct {
	Commit   string // see Commit; of older results, the commit that was checked out when the run began or ended
	Machine  string // kind of machine: system, processor, device
	Date     string // day, as 2006-01-02 in UTC
	Contract int    // version of the numeric contract
	Reason   string // why the golden file was updated; empty outside a golden file
}

// A Row is the result of one run.
type Row struct {
	Name   Name
	Origin Origin  `json:",omitzero"`
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
	Origin Origin  `json:",omitzero"` // that of the row, unless the values of the row were measured again
	Points []Point // sorted by At
	// Thinned is nil if Points has all points of the run. Otherwise it describes all points
	// of the run, for example by a digest.
	Thinned *Thinned `json:",omitempty"`
}

// A Point is the state of a run after an update.
type Point struct {
	At     Step
	SHA256 string   // digest of the parameters, 64 hex digits
	State  string   `json:",omitempty"` // digest of the optimizer, schedule and counters, 64 hex digits or empty
	Extra  []Scalar `json:",omitempty"` // losses and learning rates, sorted by Key; compared bit for bit
}

// A Scalar is a number that influences the course of a run, such as a validation loss.
type Scalar struct {
	Key   string
	Value float64
}
