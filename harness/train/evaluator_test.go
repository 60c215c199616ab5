package train

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/kernel/cpu"
)

func evaluator(t *testing.T, s Set) *Evaluator {
	t.Helper()
	ev, err := NewEvaluator(build, device(t, cpu.Best()), s, 7)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ev.Close() })
	return ev
}

// prefixParams returns the parameters after the given number of updates.
func prefixParams(t *testing.T, updates int) *Params {
	return run(t, problem(), Options{Updates: updates}).Params
}

// TestEvaluatorOrder checks that the mean is the float64 sum of the float32 losses in
// the order of the set, batch by batch and row by row, and that the loss of a row does
// not depend on the position of its batch in the set.
func TestEvaluatorOrder(t *testing.T) {
	p := prefixParams(t, 40)
	rows := map[int][]float32{}
	for _, s := range []set{{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {3, 0, 5, 1, 4, 2}, {2, 2, 0}} {
		var sum float64
		count, index := 0, 0
		mean, err := evaluator(t, s).Run(p, func(o *BatchOutput) error {
			if o.Index != index || len(o.Loss) != len(o.Batch.Target) {
				t.Errorf("batch %d with %d losses of %d examples, want batch %d", o.Index, len(o.Loss), len(o.Batch.Target), index)
			}
			index++
			for _, x := range o.Loss {
				sum += float64(x)
				count++
			}
			have := append([]float32(nil), o.Loss...)
			if want, ok := rows[s[o.Index]]; ok && !cmp.Equal(want, have) {
				t.Errorf("losses of strings %d depend on their place: %v and %v", s[o.Index], want, have)
			}
			rows[s[o.Index]] = have
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if mean != sum/float64(count) || index != len(s) {
			t.Errorf("mean of %v is %v after %d batches, want %v", s, mean, index, sum/float64(count))
		}
	}
}

// TestEvaluatorOutputs checks that outputs are in the order of the examples and agree
// with the losses.
func TestEvaluatorOutputs(t *testing.T) {
	ev := evaluator(t, set{0, 1, 2})
	examples := 0
	if _, err := ev.Run(prefixParams(t, 40), func(o *BatchOutput) error {
		prob, err := o.Output("prob", classes)
		if err != nil {
			return err
		}
		for i, class := range o.Batch.Target {
			// The probability and the loss come from the same logits, but they are
			// computed by different sums over the three classes. So they agree only up to
			// rounding.
			p := float64(prob[i*classes+int(class)])
			if loss := -math.Log(p); math.Abs(loss-float64(o.Loss[i])) > 1e-6*max(1, loss) {
				t.Errorf("batch %d, example %d: probability %v, loss %v", o.Index, i, p, o.Loss[i])
			}
			examples++
		}
		if _, err := o.Output("prob", classes+1); err == nil {
			t.Error("an output was read at a width that is not its own")
		}
		if _, err := o.Output("h", hidden); err == nil || !strings.Contains(err.Error(), "no output h") {
			t.Errorf("error %v, want one that names the output", err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if examples == 0 {
		t.Error("nothing was compared")
	}
}

// TestEvaluatorAgain checks that an evaluation does not affect the next one.
func TestEvaluatorAgain(t *testing.T) {
	ev := evaluator(t, set{0, 1, 2})
	p, q := prefixParams(t, 3), prefixParams(t, 30)
	var list []float64
	for _, x := range []*Params{p, q, p, q} {
		loss, err := ev.Run(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, loss)
	}
	if list[0] != list[2] || list[1] != list[3] || list[0] == list[1] {
		t.Errorf("losses of two sets of parameters in turn are %v", list)
	}
}

// TestEvaluatorErrors checks that the error of visit is returned, that an empty set
// has no mean, and that parameters of another model are refused.
func TestEvaluatorErrors(t *testing.T) {
	p := prefixParams(t, 1)
	sorry := errors.New("enough")
	visits := 0
	if _, err := evaluator(t, set{0, 1}).Run(p, func(*BatchOutput) error { visits++; return sorry }); !errors.Is(err, sorry) || visits != 1 {
		t.Errorf("error %v after %d visits, want %v after 1", err, visits, sorry)
	}
	if _, err := evaluator(t, set{}).Run(p, nil); err == nil || !strings.Contains(err.Error(), "no rows") {
		t.Errorf("error %v, want one that says that there are no rows", err)
	}
	ev := evaluator(t, set{0})
	for _, c := range []struct {
		says   string
		change func(p *Params)
	}{
		{"5 trained tensors", func(p *Params) { p.Names, p.Shapes, p.Data = p.Names[:5], p.Shapes[:5], p.Data[:5] }},
		{"have U [5 3], want E [5 3]", func(p *Params) { p.Names = append([]string{"U"}, p.Names[1:]...) }},
		{"have W_x [6 3], want W_x [3 6]", func(p *Params) { p.Shapes = append(p.Shapes[:3:3], []int{6, 3}, p.Shapes[4], p.Shapes[5]) }},
	} {
		q := *p
		c.change(&q)
		if _, err := ev.Run(&q, nil); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want one that says %q", err, c.says)
		}
	}
}
