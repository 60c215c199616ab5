package stepgraph

import (
	"container/list"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gorgonia.org/tensor"
)

// actions returns the graph of a cell in which each symbol selects a row of a
// parameter. The row holds a weight for each of n actions, and the value to push or
// insert.
func actions(t *testing.T, n int, spec StateSpec, move func(b *Builder, s *node, w []*node, v *node) *node) *Graph {
	t.Helper()
	g, err := Build(Config{}, func(b *Builder) {
		x := b.Gather(weight(b, "actions", 50, n+1), b.Token())
		s := b.State(spec)
		w := b.Split(b.Slice(x, 0, n, 1), n)
		b.SetNext(s, move(b, s, w, b.ToStackMajor(b.Slice(x, n, 1, 1), 1)))
		classify(b, x, 2)
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// finals runs g on 50 symbols. For each symbol, one of n actions is drawn at random and
// performed. finals returns the actions, the values to push or insert, and the final
// state.
func finals(t *testing.T, g *Graph, seed uint64, n int) (acts []int, values []float64, state []float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 9))
	m, token := NewMat(50, n+1), NewMat(50, 1)
	for i := range 50 {
		act := r.IntN(n)
		acts, values = append(acts, act), append(values, 1+float64(i))
		m.Set(i, act, 1)
		m.Set(i, n, values[i])
		token.Data[i] = float64(i)
	}
	active := make([]int, 50)
	for i := range active {
		active[i] = 1
	}
	o, err := Unroll(g, active, 1, tensor.Float32)
	if err != nil {
		t.Fatal(err)
	}
	res, err := o.Run(Values{Params: map[string]Mat{"actions": m, "W_out": NewMat(n+1, 2)},
		Inputs: map[string]Mat{InputToken: token, InputExampleRows: NewMat(1, 1), InputTarget: NewMat(1, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range res.Final {
		state = s.Data
	}
	return acts, values, state
}

// TestOneHotActionsAreAListWithACursor checks that a list with one action of weight 1
// in each step behaves like a doubly linked list with a cursor. LEFT and RIGHT move the
// cursor. INSERT inserts a value after the element under the cursor, and moves the
// cursor to the new element.
func TestOneHotActionsAreAListWithACursor(t *testing.T) {
	const side = 60 // no element reaches an end
	g := actions(t, 4, StateSpec{Name: "tape", Width: 2*side + 1, Stacks: 1, Init: -1}, func(b *Builder, s *node, w []*node, v *node) *node {
		return b.MoveList(ListShape{Cell: 1, Head: side, Empty: -1}, s, w[0], w[1], w[2], w[3], v)
	})
	for seed := range uint64(20) {
		acts, values, got := finals(t, g, seed, 4)
		cells := list.New()
		cursor := cells.PushBack(-1.0)
		for i, act := range acts {
			switch act {
			case 0:
				if cursor.Prev() == nil {
					cells.PushFront(-1.0)
				}
				cursor = cursor.Prev()
			case 1:
				if cursor.Next() == nil {
					cells.PushBack(-1.0)
				}
				cursor = cursor.Next()
			case 2:
				cursor = cells.InsertAfter(values[i], cursor)
			}
		}
		want := make([]float64, 2*side+1)
		for i := range want {
			want[i] = -1
		}
		for e, i := cursor, side; e != nil; e, i = e.Prev(), i-1 {
			want[i] = e.Value.(float64)
		}
		for e, i := cursor.Next(), side+1; e != nil; e, i = e.Next(), i+1 {
			want[i] = e.Value.(float64)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d, actions %v (-list +tape):\n%s", seed, acts, diff)
		}
	}
}

// TestOneHotActionsAreAStack checks that a stack with one action of weight 1 in each
// step behaves like a plain stack of fixed capacity. A push on a full stack drops the
// bottom, and a pop of an empty stack leaves it empty.
func TestOneHotActionsAreAStack(t *testing.T) {
	for _, capacity := range []int{1, 3, 60} {
		t.Run(fmt.Sprint("capacity=", capacity), func(t *testing.T) {
			g := actions(t, 3, StateSpec{Name: "stack", Width: capacity, Stacks: 1, Init: -1}, func(b *Builder, s *node, w []*node, v *node) *node {
				return b.PushNoop(s, w[0], w[1], w[2], v, 1, -1)
			})
			for seed := range uint64(20) {
				acts, values, got := finals(t, g, seed, 3)
				var stack []float64 // the top is last
				for i, act := range acts {
					switch {
					case act == 0:
						stack = append(stack, values[i])
						stack = stack[max(0, len(stack)-capacity):]
					case act == 1 && len(stack) > 0:
						stack = stack[:len(stack)-1]
					}
				}
				want := make([]float64, capacity)
				for i := range want {
					want[i] = -1
					if at := len(stack) - 1 - i; at >= 0 {
						want[i] = stack[at]
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("seed %d, actions %v (-stack +value):\n%s", seed, acts, diff)
				}
			}
		})
	}
}
