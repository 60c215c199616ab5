package regression

// Status is the result of comparing two texts. Its value is the exit status of the
// commands gate and compare.
type Status int

// The statuses. If several apply, the report has the most severe one; see worst.
const (
	NoLoss      Status = 0 // no loss, and enough samples to be sure
	Loss        Status = 1 // something has become slower, or allocates more
	Unusable    Status = 2 // wrong arguments, or text that is damaged or incomplete
	TooFew      Status = 3 // no loss was seen, but one may have been missed
	Missing     Status = 4 // no baseline, or head lacks a benchmark or measurement of base
	Environment Status = 5 // the two sides ran in different environments
)

// worst lists the statuses, most severe first.
var worst = []Status{Unusable, Environment, Loss, Missing, TooFew, NoLoss}

func (s Status) String() string {
	switch s {
	case NoLoss:
		return "no loss"
	case Loss:
		return "loss"
	case Unusable:
		return "unusable input"
	case TooFew:
		return "too few samples"
	case Missing:
		return "missing benchmarks"
	case Environment:
		return "changed environment"
	}
	return "unknown"
}

// A Fault is a reason why the texts cannot be compared in full.
type Fault struct {
	Status Status
	Text   string
}
