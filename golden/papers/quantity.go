package papers

import (
	"fmt"
	"strconv"
	"strings"
)

// A Quantity is a line of units.csv: what this project measures where a paper
// prints (Metric, Stat) in a table. Paper, Table, Metric and Stat are its key.
type Quantity struct {
	Paper, Table, Metric, Stat string

	// Unit is the benchmark unit, <split>-<metric>, such as test-wcpa-%.
	// Empty where no run measures the quantity; all fields below are then zero.
	Unit string
	// Higher says that more is better. One direction per unit: parameters,
	// epochs and minutes are better when fewer.
	Higher bool
	// Trials is the number of runs behind one printed figure: 1 unless the
	// paper prints a mean or a best over several, or chooses among them.
	Trials int
	// Best says that the figure is the best of Trials, not their mean.
	Best bool
	// By is the unit of the loss, such as valid-ce, by which the paper chooses
	// one of Trials: the figure is that of the run with the least. Empty where
	// nothing is chosen.
	By string
	// Shift is the power of ten that leads from the printed number to Unit:
	// 2 from a share to per cent.
	Shift int
	// Suffix is what follows the digits in print, such as M; it is worth the
	// Shift.
	Suffix string
	// Padded says that trailing zeros of whole numbers were written out by
	// the transcription and are not printed digits.
	Padded bool
	// Place is the benchmark name below the paper at which runs report the
	// quantity, with {row} for the row: table=2/row={row}. Two tables that
	// print figures of one run share a place.
	Place string

	// Margin is how far from the printed number an interval may lie that agrees with
	// it, and Width how wide it may be to say so; see package verdict. Both were fixed
	// for the unit, for the given Reason. Shown says that there are none: the figure is
	// shown beside the printed one and not judged.
	Margin, Width Limit
	Reason        string
	Shown         bool
}

// A Limit is a distance in the unit of a quantity, or a share of the printed number.
type Limit struct {
	Value    float64
	Relative bool // Value is a share
}

// Of returns the distance for a printed number.
func (l Limit) Of(published float64) float64 {
	if l.Relative {
		return float64(l.Value * max(published, -published))
	}
	return l.Value
}

// parseLimit takes a distance such as 0.5, or a share such as 20%.
func parseLimit(column, s string) (Limit, error) {
	text, relative := strings.CutSuffix(s, "%")
	d, err := parseDecimal(text)
	if err != nil || strings.HasPrefix(text, "-") {
		return Limit{}, fmt.Errorf("%s: have %q, want a distance such as 0.5, a share such as 20%%, or - in margin and width", column, abbreviate(s))
	}
	if relative {
		return Limit{d.float(-2), true}, nil
	}
	return Limit{d.float(0), false}, nil
}

// quantityHeader is the first line of units.csv.
const quantityHeader = "paper,table,metric,stat,unit,better,of,times,zeros,place,margin,width,reason"

// parseQuantity reads one line of units.csv.
func parseQuantity(field []string) (*Quantity, error) {
	q := &Quantity{Paper: field[0], Table: field[1], Metric: field[2], Stat: field[3]}
	if err := (Key{q.Paper, q.Table, "any", q.Metric, q.Stat}).check(); err != nil {
		return nil, err
	}
	unit, better, of, times, zeros, place := field[4], field[5], field[6], field[7], field[8], field[9]
	if unit == "-" {
		for _, rest := range field[5:] {
			if rest != "-" {
				return nil, fmt.Errorf("quantity without a unit: have %q, want - in every later column", rest)
			}
		}
		return q, nil
	}
	if !unitName(unit) {
		return nil, fmt.Errorf("unit: have %q, want lower-case letters, digits, '-' and a final %%", abbreviate(unit))
	}
	q.Unit = unit

	switch better {
	case "higher":
		q.Higher = true
	case "lower":
	default:
		return nil, fmt.Errorf("better: have %q, want higher or lower", abbreviate(better))
	}

	kind, trials, counted := strings.Cut(of, ":")
	trials, by, chooses := strings.Cut(trials, ":")
	n, err := strconv.Atoi(trials)
	switch {
	case of == "one":
		n = 1
	case counted && err == nil && 2 <= n && n <= 1000 && strconv.Itoa(n) == trials &&
		(kind == "mean" || kind == "best" || kind == "least" && unitName(by)) && chooses == (kind == "least"):
		q.Best, q.By = kind == "best", by
	default:
		return nil, fmt.Errorf("of: have %q, want one, mean:<trials>, best:<trials> or least:<trials>:<unit of a loss>", abbreviate(of))
	}
	q.Trials = n

	factor := times
	if suffix, rest, ok := strings.Cut(times, "="); ok {
		if suffix != "M" {
			return nil, fmt.Errorf("times: suffix: have %q, want M", abbreviate(suffix))
		}
		q.Suffix, factor = suffix, rest
	}
	if strings.TrimRight(factor, "0") != "1" || len(factor) > 10 {
		return nil, fmt.Errorf("times: have %q, want a power of ten such as 100 or M=1000", abbreviate(times))
	}
	q.Shift = len(factor) - 1

	switch zeros {
	case "padding":
		q.Padded = true
	case "digits":
	default:
		return nil, fmt.Errorf("zeros: have %q, want digits or padding", abbreviate(zeros))
	}

	for _, part := range strings.Split(strings.ReplaceAll(place, "{row}", "x"), "/") {
		key, value, ok := strings.Cut(part, "=")
		if !ok || !word(key) || !word(value) {
			return nil, fmt.Errorf("place: have %q, want key=value parts such as table=2/row={row}", abbreviate(place))
		}
	}
	q.Place = place
	q.Reason = field[12]
	if q.Reason == "" || q.Reason == "-" {
		return nil, fmt.Errorf("reason: have %q, want why margin and width are these", q.Reason)
	}
	if q.Shown = field[10] == "-" && field[11] == "-"; q.Shown {
		return q, nil
	}
	if q.Margin, err = parseLimit("margin", field[10]); err != nil {
		return nil, err
	}
	q.Width, err = parseLimit("width", field[11])
	return q, err
}

// unitName reports whether s can be a unit: what benchstat prints in a column
// heading and splits at blanks.
func unitName(s string) bool {
	name := strings.TrimSuffix(s, "-%")
	for i := range len(name) {
		c := name[i]
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' && 0 < i && i < len(name)-1) {
			return false
		}
	}
	return name != "" && len(s) <= 40
}

// Printed converts a measured value from Unit to the scale of the printed
// number, in which the claims are written: 99.4 per cent to 0.994, by moving
// the decimal point, so that a value that prints alike compares alike.
func (q *Quantity) Printed(measured float64) float64 {
	if q.Shift == 0 {
		return measured
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(measured, 'e', -1, 64), "e")
	power, err := strconv.Atoi(exponent)
	if err != nil {
		return measured // NaN and infinities have no decimal point
	}
	v, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(power-q.Shift), 64)
	return v
}
