package papers

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Number is one printed value of a table.
type Number struct {
	Key
	Model   string // the model, as the paper names it
	Config  string // sizes and settings, for the reader; may be empty
	Dataset string // the data, as the paper names it
	Value   string // the text as transcribed; see AsPrinted

	// Numeric reports whether Value is a number. In a printed trace it may be a
	// symbol.
	Numeric bool
	// Float is the printed number, without its suffix. Claims compare it.
	Float float64

	// Quantity is what a run measures for this number. Quantity.Unit is empty if
	// no run measures it.
	Quantity *Quantity
	// Published is the printed number in Quantity.Unit. HalfDigit is half a unit of its
	// last digit, in Quantity.Unit. For some whole numbers the decimals of the other
	// numbers in the column determine the last digit; see the package comment. Both fields
	// are zero if no run measures the number.
	Published, HalfDigit float64
}

// AsPrinted returns the number as the paper prints it. The tables have the parameters of the
// paper resurgence as whole numbers, where it prints 4.5M or 2M.
func (c Number) AsPrinted() string {
	if c.Paper == "resurgence" && c.Metric == "parameters" && c.Float >= 1e6 {
		return strconv.FormatFloat(c.Float/1e6, 'f', -1, 64) + "M"
	}
	return c.Value
}

// Group returns the benchmark name, without a seed, under which runs report the
// number, such as paper=resurgence/table=2/row=dyck-m4. It is empty if no run
// measures the number.
func (c Number) Group() string {
	if c.Quantity.Unit == "" {
		return ""
	}
	paper, place := c.Paper, c.Quantity.Place
	if c.copied() {
		paper, place = "stack-rnn", "table=4/row={row}"
	}
	return "paper=" + paper + "/" + strings.ReplaceAll(place, "{row}", c.Row)
}

// Counted reports whether the number is that of an n-gram model, which counts words. No seed
// changes its number.
func (c Number) Counted() bool {
	return c.Paper == "stack-rnn" && c.Table == "4" && (c.Row == "ngram" || c.Row == "ngram-cache")
}

// copied reports whether the number is in one of the four rows of table 5 of the paper diffstk
// that repeat the numbers of table 4 of the paper stack-rnn. The same runs count for both
// tables.
func (c Number) copied() bool {
	return c.Paper == "diffstk" && c.Table == "5" && slices.Contains([]string{"rnn", "lstm", "srcn", "stack-rnn"}, c.Row)
}

// roundedHalf is half of the step of means that are printed as multiples of a half.
const roundedHalf = 0.25

// rounded reports whether the number is a mean of the paper diffstk, in per cent, that was rounded to a
// multiple of a half before it was printed. Of the 128 means of its tables 1 to 4 from 5 to 99.9, 90 are
// such multiples, where printing with two decimals would give about one in fifty. So such a number is
// exact to a quarter of a per cent only.
func (c Number) rounded() bool {
	q := c.Quantity
	return c.Paper == "diffstk" && strings.HasSuffix(q.Unit, "-acc-%") && q.Trials > 1 && !q.Best &&
		5 <= c.Published && c.Published <= 99.9 && 2*c.Published == math.Trunc(2*c.Published)
}

// numberHeader is the first line of every table.
const numberHeader = "paper,table,row,model,config,dataset,metric,stat,value"

// parseNumber parses one line of a table. It does not set the fields that depend on the Quantity
// that a run measures; Number.measure sets them.
func parseNumber(field []string) (Number, error) {
	c := Number{
		Key:   Key{Paper: field[0], Table: field[1], Row: field[2], Metric: field[6], Stat: field[7]},
		Model: field[3], Config: field[4], Dataset: field[5], Value: field[8],
	}
	if err := c.Key.check(); err != nil {
		return Number{}, err
	}
	if c.Value == "" {
		return Number{}, fmt.Errorf("%v: value: have an empty text, want the printed one", c.Key)
	}
	return c, nil
}

// measure sets the fields that depend on the quantity q.
func (c *Number) measure(q *Quantity) error {
	c.Quantity = q
	text, suffixed := c.Value, true
	if q.Suffix != "" {
		text, suffixed = strings.CutSuffix(text, q.Suffix)
	}
	d, err := parseDecimal(text)
	switch {
	case err == nil && suffixed:
		c.Numeric, c.Float = true, d.float(0)
		if q.Unit != "" {
			c.Published, c.HalfDigit = d.float(q.Shift), d.half(q.Shift, q.Padded)
			if c.rounded() {
				c.HalfDigit = roundedHalf
			}
		}
	case q.Unit != "":
		return fmt.Errorf("%v: value: have %q, want a number with suffix %q to compare in %s", c.Key, abbreviate(c.Value), q.Suffix, q.Unit)
	}
	return nil
}
