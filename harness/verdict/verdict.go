package verdict

import (
	"fmt"
	"math"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// An Outcome is the outcome of a verdict on a printed number or on a claim.
type Outcome string

// The outcomes of a printed number.
const (
	Matches    Outcome = "matches"     // our runs predict the printed number
	Better     Outcome = "better"      // the number differs, and our runs are better
	Worse      Outcome = "worse"       // the number differs, and our runs are worse
	OpenRuns   Outcome = "open-runs"   // undecided, but more runs could decide, if only under one reading
	OpenSpread Outcome = "open-spread" // our runs vary so much that no number of them could make the number match, if only under one reading
	Misprinted Outcome = "misprint"    // the printed number contradicts its own paper
	// Undetermined says that the number matches under one reading between which the paper leaves the choice, and differs under another.
	Undetermined Outcome = "undetermined"
)

// The outcomes of a claim, with Undetermined.
const (
	Holds     Outcome = "holds"     // the claim is true of our runs
	Fails     Outcome = "fails"     // the claim is false of our runs
	Undecided Outcome = "undecided" // runs are missing, or a share of draws is between the limits, if only under one reading
)

// Outcomes returns the possible outcomes of a printed number.
func Outcomes() []Outcome {
	return []Outcome{Matches, Better, Worse, Undetermined, OpenRuns, OpenSpread, Misprinted}
}

// Differs reports whether o is Better or Worse.
func (o Outcome) Differs() bool { return o == Better || o == Worse }

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

// A Verdict compares a printed number with our runs. All values are in the unit of the runs.
type Verdict struct {
	Outcome Outcome
	Runs    int  // the number of our runs
	Need    int  // the number of runs that a decision needs
	Exact   bool // whether the unit of the runs is one whose values never vary, such as params
	// Value is the mean of the runs or, if the paper prints one, the chosen one or the best. If we have as many runs as the paper or more,
	// a best is the median of the bests of as many runs as it has, drawn from ours.
	Value     float64
	Deviation float64 // the standard deviation of the runs; 0 if there is one
	Above     int     // the number of runs above [Middle], if the value is a share and some runs are above and some are not; otherwise 0
	// Low and High are the ends of the prediction interval, rounded to six digits, as are Margin and
	// Width, by which it is judged. Interval reports whether there is one.
	Low, High, Margin, Width float64
	Interval                 bool
	Pool                     *Pool // the spread that the interval has, if the row has too few runs; otherwise nil
}

// String returns the numbers behind the outcome as key=value fields.
func (v Verdict) String() string {
	text := fmt.Sprintf("runs=%d need=%d value=%s", v.Runs, v.Need, Short(v.Value))
	if v.Interval {
		if v.Pool != nil {
			text += " pool-sd=" + Short(v.Pool.Deviation)
		}
		text += fmt.Sprintf(" sd=%s low=%s high=%s margin=%s width=%s", Short(v.Deviation), golden.Number(v.Low), golden.Number(v.High), golden.Number(v.Margin), golden.Number(v.Width))
	}
	return text
}

// misprints maps the key of a misprinted number to a text that says what contradicts
// it.
var misprints = func() map[string]string {
	texts := make(map[string]string)
	for _, m := range papers.Misprints() {
		texts[m.Key] = m.Text
	}
	return texts
}()

// judge compares a printed number with the values of our seeds, by the rules of the package comment.
// The parameter exact says that values in this unit never vary, and p is the spread that rows have in common. The sample must not be empty.
func judge(c papers.Number, s sample, exact bool, p Pool) Verdict {
	q := c.Quantity
	figure := figureOf(q)
	v := Verdict{Runs: len(s.values), Exact: exact, Value: valueOf(s, q), Deviation: Deviation(s.values)}
	exact = exact || c.Counted()
	v.Need = needSeeds(q, exact)
	if n, both := Above(s.values); both && IsShare(q.Unit, q.Higher) && !q.Best {
		v.Above = n
	}
	switch _, wrong := misprints[c.Key.String()]; {
	case wrong:
		v.Outcome = Misprinted
		return v
	case v.Runs < v.Need && pools(q) && p.decides():
		v.Pool = &p
	case v.Runs < v.Need:
		v.Outcome = OpenRuns
		return v
	}
	v.Margin, v.Width = golden.Round6(q.Margin.For(c.Published)), golden.Round6(q.Width.For(c.Published))
	low, high, near := v.Value, v.Value, Matches // near is the outcome if the number does not differ
	if !exact {
		spread := 0.0 // width of the interval if we had infinitely many runs; 0 for a best or a chosen run
		switch draws := newResampler(golden.Name(c.Group())); {
		case v.Pool != nil:
			low, high = p.predict(s.values)
		case selects(q):
			low, high = predictOf(s, q.Trials, figure, draws)
		case v.Above > 0 && q.Trials > 1 && v.Runs >= q.Trials:
			low, high = predictMean(s, q.Trials, draws)
		default:
			low, high = predict(s.values, q.Trials)
		}
		if !selects(q) && v.Pool == nil {
			spread = 3.92 * leastDeviation(v.Deviation, v.Runs) / math.Sqrt(float64(q.Trials))
		}
		low, high = max(low, 0), max(high, 0)
		if IsShare(q.Unit, q.Higher) {
			low, high = min(low, whole), min(high, whole)
		}
		low, high = golden.Round6(low), golden.Round6(high)
		v.Low, v.High, v.Interval = low, high, true
		switch {
		case golden.Round6(high-low) <= v.Width:
		case golden.Round6(spread) > v.Width:
			near = OpenSpread
		default:
			near = OpenRuns
		}
	}
	// The distance of the interval from the printed number. On one of the sides it is negative.
	above, below := golden.Round6(low-(c.Published+c.HalfDigit)), golden.Round6((c.Published-c.HalfDigit)-high)
	switch {
	case above > v.Margin && !q.Higher, below > v.Margin && q.Higher:
		v.Outcome = Worse
	case above > v.Margin, below > v.Margin:
		v.Outcome = Better
	default:
		v.Outcome = near
	}
	return v
}

// needSeeds returns the number of seeds that a verdict on q needs. If the paper reports
// the best of k runs, or one of k runs chosen by its loss, a verdict needs several times
// k. With only k runs, about two draws in three would contain the best of them, so its
// value would always be an end of the interval.
func needSeeds(q *papers.Quantity, exact bool) int {
	switch {
	case exact:
		return 1
	case selects(q):
		return MinSeeds * q.Trials
	}
	return MinSeeds
}
