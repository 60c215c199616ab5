package optim_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
	"pushdown/harness/scan"
)

// rules cover every path through Step. Gradients of standard deviation 0.1 have norms
// of about 7, or of about 1e16 with the edge cases that the function draw adds.
var rules = []struct {
	name  string
	rule  optim.Rule
	sd    float64
	clips bool // the norm exceeds the bound
}{
	{"sgd", optim.Rule{Method: optim.SGD, LR: 0.5}, 0.1, false},
	{"sgd-norm", optim.Rule{Method: optim.SGD, LR: 0.5, ClipNorm: 5}, 2, true},
	{"sgd-norm-above", optim.Rule{Method: optim.SGD, LR: 0.5, ClipNorm: 1000}, 2, false},
	{"sgd-element", optim.Rule{Method: optim.SGD, LR: 0.5, Clip: 0.05}, 0.1, false},
	{"adam", optim.Rule{Method: optim.Adam, LR: 0.01}, 0.1, false},
	{"adam-norm", optim.Rule{Method: optim.Adam, LR: 0.01, ClipNorm: 0.25}, 0.1, true},
	{"adam-both", optim.Rule{Method: optim.Adam, LR: 0.001, Beta1: 0.5, Beta2: 0.9, Eps: 1e-3, Clip: 0.1, ClipNorm: 4}, 0.1, true},
}

const updates = 6

// history is the result of a sequence of updates by the plain optimizer, which is the
// reference.
type history struct {
	start   [][]float32
	grads   [updates][][]float32
	norms   [updates]float32 // norms of the gradients after clipping by element
	w, m, v [updates][][]float32
}

func run(rule optim.Rule, sd float64) *history {
	random := rand.New(rand.NewPCG(3, 4))
	h := &history{start: draw(random, 1)}
	p := newPlain(rule, h.start)
	for u := range updates {
		h.grads[u] = draw(random, sd)
		if u == updates/2 {
			p.lr /= 3
		}
		g := clone(h.grads[u])
		p.step(g)
		clipped := clone(h.grads[u])
		if rule.Clip > 0 {
			for _, x := range clipped {
				for i := range x {
					x[i] = min(max(x[i], -float32(rule.Clip)), float32(rule.Clip))
				}
			}
		}
		h.norms[u] = globalNorm(clipped)
		h.w[u], h.m[u], h.v[u] = clone(p.w), clone(p.m), clone(p.v)
	}
	return h
}

func clone(x [][]float32) [][]float32 {
	y := make([][]float32, len(x))
	for i := range x {
		y[i] = append([]float32(nil), x[i]...)
	}
	return y
}

// TestStep compares parameters and moments with the plain optimizer after every
// update, on every instruction set. Each update is made by a new optimizer that
// restores the state of the previous one. The learning rate changes halfway.
func TestStep(t *testing.T) {
	for _, c := range rules {
		full := newOptimizer(t, newVM(t, cpu.Options{}, c.rule.Moments()), c.rule).Rule()
		want := run(full, c.sd)
		if clips := want.norms[0] > float32(c.rule.ClipNorm) && c.rule.ClipNorm > 0; clips != c.clips {
			t.Fatalf("%s: the first norm is %v, bound %v: clipped %v, want %v", c.name, want.norms[0], c.rule.ClipNorm, clips, c.clips)
		}
		for _, isa := range cpu.Available() {
			t.Run(fmt.Sprintf("%s/isa=%s", c.name, isa), func(t *testing.T) {
				vm := newVM(t, cpu.Options{ISA: isa, Threads: 2}, c.rule.Moments())
				l := vm.Layout()
				write(vm, l.Params, want.start)
				o := newOptimizer(t, vm, c.rule)
				for u := range updates {
					again := newOptimizer(t, vm, c.rule)
					if err := again.Restore(o.State()); err != nil {
						t.Fatal(err)
					}
					o = again
					if u == updates/2 {
						o.SetLR(o.State().LR / 3)
					}
					write(vm, l.Grads, want.grads[u])
					if err := o.Step(); err != nil {
						t.Fatal(err)
					}
					what := fmt.Sprintf("update %d", u+1)
					same(t, what+": parameters", read(vm, l.Params), want.w[u])
					if c.rule.Method == optim.Adam {
						same(t, what+": first moments", read(vm, l.Moments[0]), want.m[u])
						same(t, what+": second moments", read(vm, l.Moments[1]), want.v[u])
					}
				}
			})
		}
	}
}

// TestNorm compares the global norm of a gradient with a plain sum.
func TestNorm(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, isa := range cpu.Available() {
		vm := newVM(t, cpu.Options{ISA: isa}, 0)
		o := newOptimizer(t, vm, optim.Rule{Method: optim.SGD, LR: 1})
		for _, sd := range []float64{1e-30, 0.1, 3, 1e10} {
			g := draw(random, sd)
			write(vm, vm.Layout().Grads, g)
			if have, want := o.Norm(), globalNorm(g); have != want {
				t.Errorf("%s: norm of gradients of deviation %v is %v, want %v", isa, sd, have, want)
			}
		}
	}
}

// TestPowers checks that the powers of beta are running products in float64 and not
// results of math.Pow. The powers of a small beta reach zero, which Restore must
// accept.
func TestPowers(t *testing.T) {
	vm := newVM(t, cpu.Options{}, 2)
	rule := optim.Rule{Method: optim.Adam, LR: 0.01, Beta1: 0.3}
	o := newOptimizer(t, vm, rule)
	p1, p2, differs := 1.0, 1.0, false
	for u := 1; u <= 700; u++ {
		if err := o.Step(); err != nil {
			t.Fatal(err)
		}
		p1, p2 = p1*0.3, p2*0.999
		want := optim.State{Updates: u, LR: 0.01, Power1: p1, Power2: p2}
		if o.State() != want {
			t.Fatalf("state is %+v, want %+v", o.State(), want)
		}
		differs = differs || p2 != math.Pow(0.999, float64(u))
	}
	if p1 != 0 {
		t.Errorf("0.3 to the power 700 is %v, want 0", p1)
	}
	if !differs {
		t.Error("no product differs from math.Pow: the test cannot tell them apart")
	}
	if err := o.Restore(o.State()); err != nil {
		t.Error(err)
	}
}

// TestBadNorm checks that Step updates nothing if the norm is not finite.
func TestBadNorm(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(-1)), 1e30} {
		vm := newVM(t, cpu.Options{}, 2)
		o := newOptimizer(t, vm, optim.Rule{Method: optim.Adam, LR: 0.1, ClipNorm: 1})
		g := draw(rand.New(rand.NewPCG(1, 1)), 0.5)
		write(vm, vm.Layout().Grads, g)
		if err := o.Step(); err != nil {
			t.Fatal(err)
		}
		state, w, m := o.State(), read(vm, vm.Layout().Params), read(vm, vm.Layout().Moments[0])
		g[1][7] = bad
		write(vm, vm.Layout().Grads, g)
		err := o.Step()
		if err == nil || !strings.Contains(err.Error(), "at update 2") {
			t.Errorf("a gradient of %v: error %v, want one that names update 2", bad, err)
		}
		same(t, "parameters", read(vm, vm.Layout().Params), w)
		same(t, "moments", read(vm, vm.Layout().Moments[0]), m)
		if diff := cmp.Diff(state, o.State()); diff != "" {
			t.Errorf("state after the refusal (-want +have):\n%s", diff)
		}
	}
}

// TestStepAllocatesNothing checks that Step allocates only what the device allocates
// to run the update.
func TestStepAllocatesNothing(t *testing.T) {
	for _, c := range rules {
		vm := newVM(t, cpu.Options{}, c.rule.Moments())
		o := newOptimizer(t, vm, c.rule)
		g := draw(rand.New(rand.NewPCG(1, 1)), c.sd)
		have := testing.AllocsPerRun(20, func() {
			for i, r := range vm.Layout().Trainable {
				vm.Arena().Write(vm.Layout().Grads+r.At, g[i])
			}
			if err := o.Step(); err != nil {
				t.Fatal(err)
			}
		})
		if want := deviceAllocs(t, vm, c.rule.Method); have != want {
			t.Errorf("%s: %v allocations in a step, want the %v of the device", c.name, have, want)
		}
	}
}

// deviceAllocs returns the number of allocations of the device for one update.
func deviceAllocs(t *testing.T, vm *scan.VM, method optim.Method) float64 {
	l := vm.Layout()
	at := func(off int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: l.Words} }
	in := kernel.Instr{Op: kernel.SGD, M: 1, W: l.Words, Args: []kernel.Arg{at(l.Params), at(l.Grads), at(l.Scalars)}}
	if method == optim.Adam {
		in.Op = kernel.Adam
		in.Args = []kernel.Arg{at(l.Params), at(l.Moments[0]), at(l.Moments[1]), at(l.Grads), at(l.Scalars)}
	}
	code, err := vm.Arena().Compile([]kernel.Instr{in})
	if err != nil {
		t.Fatal(err)
	}
	frames := make([]kernel.Frame, 1)
	return testing.AllocsPerRun(20, func() { vm.Arena().Run(code, frames) })
}

// TestMoments checks that New refuses a VM with the wrong number of moments.
func TestMoments(t *testing.T) {
	for _, c := range []struct {
		method optim.Method
		room   int
	}{{optim.Adam, 0}, {optim.Adam, 1}, {optim.SGD, 2}} {
		vm := newVM(t, cpu.Options{}, c.room)
		_, err := optim.New(vm, optim.Rule{Method: c.method, LR: 1})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("room for %d", c.room)) {
			t.Errorf("%s with room for %d copies: error %v, want one that says so", c.method, c.room, err)
		}
	}
	if _, err := optim.New(newVM(t, cpu.Options{}, 0), optim.Rule{Method: "lion", LR: 1}); err == nil {
		t.Error("an unknown method was bound")
	}
}
