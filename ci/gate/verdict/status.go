package verdict

// Status is the outcome of a comparison of two texts. Its number is the exit
// status of the commands.
type Status int

// The outcomes. Of several the one that stands first in worst counts.
const (
	NoLoss      Status = 0 // no loss, and enough samples to say so
	Loss        Status = 1 // something has become slower, or allocates more
	Unusable    Status = 2 // wrong arguments, or text that is damaged or incomplete
	TooFew      Status = 3 // no loss was seen, but one might have been missed
	Missing     Status = 4 // no baseline, or a benchmark or measurement of one side only
	Environment Status = 5 // the two sides did not run in the same environment
)

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

// A Fault is what keeps a text from being judged.
type Fault struct {
	Status Status
	Text   string
}
