package patterns

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// small returns the Data of a few strings of a task.
func small(task formal.Pattern) Data {
	return Data{Task: task, Corpus: 4, Min: least(task), Max: 7, Epoch: 9, ResetEvery: 4, Valid: 5}
}

// least returns the least n that the authors' program draws for a task.
func least(task formal.Pattern) int {
	if task == formal.Addition {
		return 0
	}
	return 2
}

// text formats each symbol that p reads together with the symbol that is predicted after
// it, or with a dot if none is predicted.
func text(task formal.Pattern, p *train.StreamString) string {
	var b strings.Builder
	for i, token := range p.Token {
		target := "."
		if p.Target[i] >= 0 {
			target = task.Token(uint8(p.Target[i]))
		}
		fmt.Fprint(&b, task.Token(uint8(token)), target, " ")
	}
	return b.String()
}

// TestStreamFollows checks that each symbol is predicted from the symbol before it, which
// may be the last one of the previous string. The first symbol of an epoch is read but not
// predicted.
func TestStreamFollows(t *testing.T) {
	for _, task := range formal.Patterns() {
		d := small(task)
		s := suitetest.Must(d.training())(t)
		var p train.StreamString
		last := ""
		for i := range 4 * d.Epoch {
			p.Reset()
			s.Fill(i, &p)
			strings := suitetest.Must(task.Stream(d.Corpus, formal.Train, uint32(i/d.Epoch), d.Lengths(i/d.Epoch)))(t)
			strings.Seek(uint32(i % d.Epoch))
			x := strings.Next()
			want := ""
			for j, symbol := range x.Tokens {
				target := task.Token(symbol)
				if task == formal.Addition && j < x.From {
					target = "."
				}
				if j > 0 || i%d.Epoch > 0 {
					want += last + target + " "
				}
				last = task.Token(symbol)
			}
			if got := text(task, &p); got != want {
				t.Errorf("%s string %d is %q, want %q", task, i, got, want)
			}
			if want := i%d.Epoch%d.ResetEvery == 0; p.ResetStates != want {
				t.Errorf("%s string %d: ResetStates is %v, want %v", task, i, p.ResetStates, want)
			}
		}
	}
}

// TestStreamIsAFunctionOfTheNumber checks that a string depends only on its index, and not
// on the order in which strings are drawn.
func TestStreamIsAFunctionOfTheNumber(t *testing.T) {
	for _, task := range formal.Patterns() {
		d := small(task)
		one := suitetest.Must(d.training())(t)
		other := suitetest.Must(d.training())(t)
		want := make([]string, 30)
		var p train.StreamString
		for i := range want {
			p.Reset()
			one.Fill(i, &p)
			want[i] = text(task, &p)
		}
		for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(want)) {
			p.Reset()
			other.Fill(i, &p)
			if got := text(task, &p); got != want[i] {
				t.Errorf("%s string %d is %q out of order, want %q", task, i, got, want[i])
			}
		}
	}
}

// TestStreamAllocatesNothing checks that drawing a string within an epoch does not
// allocate, so that an endless stream needs no more memory.
func TestStreamAllocatesNothing(t *testing.T) {
	for _, task := range formal.Patterns() {
		d := small(task)
		d.Epoch = 2000
		s := suitetest.Must(d.training())(t)
		var p train.StreamString
		i := 9 * d.Epoch
		for ; i < 9*d.Epoch+500; i++ { // room for the longest string
			p.Reset()
			s.Fill(i, &p)
		}
		if n := testing.AllocsPerRun(500, func() {
			p.Reset()
			s.Fill(i, &p)
			i++
		}); n != 0 {
			t.Errorf("%s: %v allocations a string, want none", task, n)
		}
	}
}

// TestLengths checks the curriculum and the validation lengths against those of the
// authors' program.
func TestLengths(t *testing.T) {
	for _, c := range []struct {
		d     Data
		epoch int
		want  formal.Range
	}{
		{Data{Task: formal.AnBn, Min: 2, Max: 15}, 0, formal.Range{Min: 2, Max: 2}},
		{Data{Task: formal.AnBn, Min: 2, Max: 15}, 1, formal.Range{Min: 2, Max: 3}},
		{Data{Task: formal.AnBn, Min: 2, Max: 15}, 12, formal.Range{Min: 2, Max: 14}},
		{Data{Task: formal.AnBn, Min: 2, Max: 15}, 99, formal.Range{Min: 2, Max: 14}},
		{Data{Task: formal.Addition, Max: 20}, 0, formal.Range{Min: 0, Max: 2}},
		{Data{Task: formal.Addition, Max: 20}, 50, formal.Range{Min: 0, Max: 19}},
	} {
		if got := c.d.Lengths(c.epoch); got != c.want {
			t.Errorf("%+v: epoch %d has lengths %v, want %v", c.d, c.epoch, got, c.want)
		}
	}
	for _, c := range []struct {
		d    Data
		want formal.Range
	}{
		{Data{Task: formal.AnBn, Min: 2, Max: 15}, formal.Range{Min: 2, Max: 14}},
		{Data{Task: formal.AnBn, Min: 2, Max: 15, Long: true}, formal.Range{Min: 2, Max: 19}},
		{Data{Task: formal.AnBn, Min: 2, Max: 30, Long: true}, formal.Range{Min: 2, Max: 29}},
		{Data{Task: formal.Addition, Max: 20}, formal.Range{Min: 20, Max: 20}},
	} {
		if got := c.d.validation(); got != c.want {
			t.Errorf("%+v: validated on lengths %v, want %v", c.d, got, c.want)
		}
	}
}

func TestDataErrors(t *testing.T) {
	for _, c := range []struct {
		change func(*Data)
		want   string
	}{
		{func(d *Data) { d.Task = "anbnan" }, `patterns: n of training is below 7: pattern "anbnan" is unknown`},
		{func(d *Data) { d.Max = 2 }, "patterns: n of training is below 2: pattern anbn: greatest n is 1, want at least the least, 2"},
		{func(d *Data) { d.Max = 1 << 17 }, "greatest n is 131071, want at most 65536"},
		{func(d *Data) { d.Epoch = 0 }, "patterns: anbn: 0 strings in an epoch, 5 of a validation, stacks emptied after 4, want at least 1, 1 and 0"},
		{func(d *Data) { d.ResetEvery = -1 }, "stacks emptied after -1, want at least 1, 1 and 0"},
	} {
		d := small(formal.AnBn)
		c.change(&d)
		_, err := d.training()
		_, err2 := d.valid()
		if err == nil || !strings.Contains(err.Error(), c.want) || err2 == nil || err2.Error() != err.Error() {
			t.Errorf("got errors %v and %v, want %q", err, err2, c.want)
		}
	}
}

// TestNetworkErrors checks that an impossible network is an error that names the run.
func TestNetworkErrors(t *testing.T) {
	for _, c := range []struct {
		network Network
		want    string
	}{
		{Network{Kind: "gru", Hidden: 3}, `network of kind "gru", want stack-rnn, list-rnn, rnn or lstm`},
		{Network{Kind: Stack, Hidden: 3, Read: 2}, "s (stacks) is 0, want at least 1"},
		{Network{Kind: Stack, Hidden: 3, Count: 1, Read: 300}, "capacity (cells of a stack) is 200, want at least 300"},
		{Network{Kind: List, Hidden: 3, Count: 1}, "k (cells read) is 0, want at least 1"},
		{Network{Kind: Sigma}, "h (hidden units) is 0, want at least 1"},
		{Network{Kind: LSTM, Hidden: 3}, "there are 0 layers, want at least 1"},
	} {
		e := Table2()[0]
		e.Networks = []Network{c.network}
		if _, err := e.Build(1); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "paper=stack-rnn/table=2/row=rnn/task=anbn/seed=1: ") {
			t.Errorf("%+v: got error %v, want one of the run that says %q", c.network, err, c.want)
		}
	}
}

// TestRestarts checks that the restarts of a row cycle through its networks.
func TestRestarts(t *testing.T) {
	for _, e := range Table2() {
		counts := map[Network]int{}
		for seed := range e.Restarts {
			counts[e.Network(uint64(seed+1))]++
		}
		least := 10
		if e.Networks[0].Baseline() {
			least = 3
		}
		for _, n := range e.Networks {
			if counts[n] < least {
				t.Errorf("%s: %d restarts of %+v, want at least %d", e.Row.Group(), counts[n], n, least)
			}
		}
	}
}

// TestRows checks that every row has a unique name, and that it is trained and tested with
// the settings of the paper stack-rnn.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, list := range [][]Experiment{Table2(), Variants(), Figure2(), Traced(), Short()} {
		for _, e := range list {
			name := string(e.Row.Group())
			if seen[name] {
				t.Errorf("two rows are named %s", name)
			}
			seen[name] = true
			every, rate := 1, 0.1
			if e.Networks[0].Baseline() && !strings.HasSuffix(e.Row.Row, "-every-symbol") {
				every, rate = 25, 0.02
			}
			if e.Longest != 60 || e.PerLength != 200 || e.Window != 50 && e.Networks[0].Forget == 0 || e.Clip != 15 || e.Capacity != 200 || e.Every != every || e.LR != rate {
				t.Errorf("%s: %+v, want the protocol of the paper", name, e)
			}
		}
	}
	suitetest.Equal(t, 25+27+6+2+1, len(seen), "number of rows")
}
