package papers

import (
	"fmt"
	"strconv"
	"strings"
)

// A Quantity is a line of units.csv. It says what this project measures for the numbers
// with the key (Paper, Table, Metric, Stat).
type Quantity struct {
	Paper, Table, Metric, Stat string

	// Unit is the benchmark unit, <split>-<metric>, such as test-wcpa-%. It is
	// empty if no run measures the quantity; then all fields below are zero.
	Unit string
	// Higher reports whether higher values are better. It is the same for all
	// quantities with the same unit. For parameters, epochs and minutes, lower
	// values are better.
	Higher bool
	// Trials is the number of runs behind one printed number. It is 1 unless the paper
	// prints a mean or the best of several runs, or chooses one of them.
	Trials int
	// Best reports whether the printed number is the best of Trials runs and not their
	// mean.
	Best bool
	// ChosenBy is the unit of the loss, such as valid-ce, by which the paper chooses one of
	// Trials runs: the printed number is that of the run with the smallest loss. It is
	// empty if the paper does not choose a run.
	ChosenBy string
	// Shift converts the printed number to Unit: the value in Unit is the printed
	// number times ten to the power Shift. It is 2 if the paper prints a fraction
	// and Unit is per cent.
	Shift int
	// Suffix is the text after the printed digits, such as M. It stands for a
	// factor of ten to the power Shift.
	Suffix string
	// Factor is a number by which values in Unit are multiplied before they are compared, if a
	// Variant says so. Else it is zero.
	Factor float64
	// Padded reports whether trailing zeros of whole numbers come from the
	// transcription and are not printed digits.
	Padded bool
	// Place is the benchmark name under which runs report the quantity, without the
	// part for the paper: table=2/row={row}, where {row} stands for the row.
	// Quantities of two tables that come from the same run have the same place.
	Place string

	// Our interval agrees with the printed number if their distance is at most Margin.
	// Width is the greatest width of an interval that can match; see package verdict.
	// Reason says why Margin and Width have these values. Shown reports whether our number
	// is only shown next to the printed one and not judged; then there is no margin and no
	// width.
	Margin, Width Limit
	Reason        string
	Shown         bool
}

// Untrained reports whether training does not change the quantity: it is a count of
// parameters.
func (q *Quantity) Untrained() bool { return q.Unit == "params" }

// A Limit is a distance, either in the unit of a quantity or relative to the printed
// number.
type Limit struct {
	Value    float64
	Relative bool // whether Value is a fraction of the printed number
}

// For returns the distance for the given printed number.
func (l Limit) For(published float64) float64 {
	if l.Relative {
		return float64(l.Value * max(published, -published))
	}
	return l.Value
}

// parseLimit parses a distance such as 0.5 or a share such as 20%.
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

// parseQuantity parses one line of units.csv.
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
		q.Best, q.ChosenBy = kind == "best", by
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
		return nil, fmt.Errorf("reason: have %q, want a reason for the margin and the width", q.Reason)
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

// unitName reports whether s is a valid unit: lower-case letters, digits and hyphens,
// and "-%" at the end for per cent. benchstat prints units in column headings and
// splits them at spaces.
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

// Printed converts a measured value from Unit to the scale of the printed number, which
// claims use: it converts 99.4 per cent to 0.994. It moves the decimal point in the text of
// the value. A division by a power of ten could round instead, and then a value with the
// printed digits would not compare equal to the printed number.
func (q *Quantity) Printed(measured float64) float64 {
	if q.Shift == 0 {
		return measured
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(measured, 'e', -1, 64), "e")
	power, err := strconv.Atoi(exponent)
	if err != nil {
		return measured // NaN or an infinity, which have no decimal point
	}
	v, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(power-q.Shift), 64)
	return v
}
