package patterns

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pushdown/harness/golden"
	"pushdown/harness/metric"
)

// Answered are the strings that restarts of figure 2 answered rightly, length by
// length. As text it has a line for each restart:
//
//	paper=stack-rnn/figure=2/row=stack-rnn/task=memorization/seed=1 199 199 198 ...
//
// behind whose name stand the numbers of n = 1, 2 and so on. A length of which the
// task has no strings is written as a dash.
type Answered struct {
	Names []golden.Name
	Of    []*metric.Lengths
}

// Add takes the count of a restart in, in the place of one of the same name. Names
// stand in their order.
func (a *Answered) Add(name golden.Name, l *metric.Lengths) {
	i, found := slices.BinarySearchFunc(a.Names, name, golden.CompareNames)
	if found {
		a.Of[i] = l
		return
	}
	a.Names, a.Of = slices.Insert(a.Names, i, name), slices.Insert(a.Of, i, l)
}

// Format writes the text.
func (a *Answered) Format() []byte {
	var b bytes.Buffer
	for i, name := range a.Names {
		b.WriteString(string(name))
		for n := shortest; n <= longest; n++ {
			if s := a.Of[i].Of(n); s.Cases > 0 {
				fmt.Fprintf(&b, " %d", s.Correct)
			} else {
				b.WriteString(" -")
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// ParseAnswered reads what [Answered.Format] writes, and nothing else. file is for
// errors.
func ParseAnswered(file string, text []byte) (*Answered, error) {
	a := &Answered{}
	line := 0
	for words := range strings.Lines(string(text)) {
		line++
		if err := a.line(strings.Fields(words)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
	}
	if again := a.Format(); !bytes.Equal(again, text) {
		return nil, fmt.Errorf("%s: have text with other spaces or another order of lines, need it as it would be written", file)
	}
	return a, nil
}

// line takes the words of a line in.
func (a *Answered) line(words []string) error {
	if have, want := len(words), 1+longest-shortest+1; have != want {
		return fmt.Errorf("have %d words, need %d: a name and a number for each length", have, want)
	}
	name, err := golden.ParseName(words[0])
	if err != nil {
		return err
	}
	l := metric.NewLengths(shortest, longest)
	for i, w := range words[1:] {
		if w == "-" {
			continue
		}
		right, err := strconv.Atoi(w)
		if err != nil || right < 0 || right > perLength-1 {
			return fmt.Errorf("n = %d: have %.20q, need a dash or 0 to %d", shortest+i, w, perLength-1)
		}
		for s := range perLength - 1 {
			l.Add(shortest+i, s < right)
		}
	}
	a.Add(name, l)
	return nil
}

// Curves are the restarts of each of the given rows that have some, seed by seed.
func (a *Answered) Curves(rows []Experiment) []Curves {
	var list []Curves
	for _, e := range rows {
		c := Curves{Of: e}
		for i, name := range a.Names {
			if name.Group() == group(e.Row) {
				c.Runs = append(c.Runs, a.Of[i])
			}
		}
		if len(c.Runs) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// chosen is the restart of a row that the validation strings choose, if any of it
// has been run.
func chosen(rows []golden.Row, of golden.Name) (best golden.Row, ok bool) {
	for _, s := range Select(rows) {
		if s.Group == of {
			return s.Best, true
		}
	}
	return golden.Row{}, false
}
