package recognition

import "pushdown/harness/suite"

// noise is that of tables 6 and 7, whose strength the paper does not give.
const noise = 0.05

// ablated are the rows of tables 6 to 8.
func ablated() []Network {
	return []Network{RNN, LSTM, StackRNN, DiffStkRNN, DiffStkMRNN, DiffStkMIRNN}
}

// as is the experiment under another row.
func (e Experiment) as(place suite.Place, task string) Experiment {
	place.Paper, place.Row, place.Task = "diffstk", string(e.Network), task
	e.Row = place
	return e
}

// Table6 lists the rows of table 6: noise against none. Networks without a stack
// take it, too.
func Table6() (list []Experiment) {
	place := suite.Place{Table: "6"}
	for _, n := range ablated() {
		e := printed("6", "D2", n)
		list = append(list, e.as(place, "without-noise"))
		e.Noise = noise
		list = append(list, e.as(place, "with-noise"))
	}
	return list
}

// Table7 lists the rows of table 7: noise and carry-forward against neither. Where
// there is no stack, and in the Stack RNN, which has no NO-OP, it is noise alone.
func Table7() (list []Experiment) {
	place := suite.Place{Table: "7"}
	for _, n := range ablated() {
		e := printed("7", "D2", n)
		list = append(list, e.as(place, "without-changes"))
		e.Noise, e.Carry = noise, true
		list = append(list, e.as(place, "with-changes"))
	}
	return list
}

// Table8 lists the rows of table 8: all strings from the start against strings that
// come in by length, in ten blocks, both with noise and carry-forward. The paper
// gives no schedule; see growth.
func Table8() (list []Experiment) {
	place := suite.Place{Table: "8"}
	for _, n := range ablated() {
		e := printed("8", "D2", n)
		e.Noise, e.Carry = noise, true
		list = append(list, e.as(place, "sequential"))
		e.Blocks = 10
		list = append(list, e.as(place, "incremental"))
	}
	return list
}

// Announced lists experiments that the paper speaks of in section 3 without
// figures: no difficult strings outside of the language, carry-forward by itself,
// a label at the end alone, and one that tells the truth about each prefix. The
// runs of [Table] 1 stand beside them.
func Announced() (list []Experiment) {
	place := suite.Place{Section: "3"}
	for _, n := range []Network{DiffStkRNN, DiffStkMRNN} {
		for _, v := range []struct {
			task   string
			change func(e *Experiment)
		}{
			{"ordinary", func(e *Experiment) { e.Ordinary = true }},
			{"carry-forward", func(e *Experiment) { e.Carry = true }},
			{"end-label", func(e *Experiment) { e.Label = AtEnd }},
			{"prefix-label", func(e *Experiment) { e.Label = OfPrefix }},
		} {
			e := printed("1", "D2", n)
			v.change(&e)
			list = append(list, e.as(place, v.task))
		}
	}
	return list
}
