package papers

import (
	"fmt"
	"strings"
)

// A Cell is one printed figure.
type Cell struct {
	Key
	Model   string // the model as the paper calls it
	Config  string // sizes and settings, for the reader; may be empty
	Dataset string // the data as the paper calls it
	Value   string // the text as transcribed

	// Numeric says that Value is a number; a printed trace also has symbols.
	Numeric bool
	// Number is Value as printed, without its suffix. Claims compare these.
	Number float64

	// Quantity is what a run measures for this cell; Quantity.Unit is empty
	// where it measures nothing.
	Quantity *Quantity
	// Published is the printed number in Quantity.Unit, and Half is half of
	// its last printed digit there, or of its column's; see the package comment. Zero
	// where nothing is measured.
	Published, Half float64
}

// Group returns the benchmark name, without a seed, at which runs report the
// cell: paper=resurgence/table=2/row=dyck-m4. It is empty where nothing is
// measured.
func (c Cell) Group() string {
	if c.Quantity.Unit == "" {
		return ""
	}
	return "paper=" + c.Paper + "/" + strings.ReplaceAll(c.Quantity.Place, "{row}", c.Row)
}

// cellHeader is the first line of every table.
const cellHeader = "paper,table,row,model,config,dataset,metric,stat,value"

// parseCell reads one line of a table but for its quantity.
func parseCell(field []string) (Cell, error) {
	c := Cell{
		Key:   Key{Paper: field[0], Table: field[1], Row: field[2], Metric: field[6], Stat: field[7]},
		Model: field[3], Config: field[4], Dataset: field[5], Value: field[8],
	}
	if err := c.Key.check(); err != nil {
		return Cell{}, err
	}
	if c.Value == "" {
		return Cell{}, fmt.Errorf("%v: value: have nothing, want the printed text", c.Key)
	}
	return c, nil
}

// measure fills in what follows from the quantity.
func (c *Cell) measure(q *Quantity) error {
	c.Quantity = q
	text, suffixed := c.Value, true
	if q.Suffix != "" {
		text, suffixed = strings.CutSuffix(text, q.Suffix)
	}
	d, err := parseDecimal(text)
	switch {
	case err == nil && suffixed:
		c.Numeric, c.Number = true, d.float(0)
		if q.Unit != "" {
			c.Published, c.Half = d.float(q.Shift), d.half(q.Shift, q.Padded)
		}
	case q.Unit != "":
		return fmt.Errorf("%v: value: have %q, want a number with suffix %q to compare in %s", c.Key, abbreviate(c.Value), q.Suffix, q.Unit)
	}
	return nil
}
