package optim

import (
	"fmt"
	"math"

	"pushdown/harness/kernel"
	"pushdown/harness/scan"
)

// Method names an update rule.
type Method string

// The update rules.
const (
	SGD  Method = "sgd"
	Adam Method = "adam"
)

// Rule is an update rule with its settings.
type Rule struct {
	Method   Method  `json:"method"`
	LR       float64 `json:"lr"`        // initial learning rate
	Beta1    float64 `json:"beta1"`     // of Adam; 0 means 0.9
	Beta2    float64 `json:"beta2"`     // of Adam; 0 means 0.999
	Eps      float64 `json:"eps"`       // of Adam, added to the square root; 0 means 1e-8
	ClipNorm float64 `json:"clip_norm"` // bound on the global norm of the gradient; 0 means none
	Clip     float64 `json:"clip"`      // bound on each element of the gradient; 0 means none
}

// Moments returns the number of moments that the rule keeps. A moment has the size
// of all trained parameters.
func (r Rule) Moments() int {
	if r.Method == Adam {
		return 2
	}
	return 0
}

// withDefaults returns r with settings of zero replaced by their defaults.
func (r Rule) withDefaults() Rule {
	for _, d := range []struct {
		at   *float64
		want float64
	}{{&r.Beta1, 0.9}, {&r.Beta2, 0.999}, {&r.Eps, 1e-8}} {
		if *d.at == 0 {
			*d.at = d.want
		}
	}
	return r
}

// Check returns an error if a setting is out of range.
func (r Rule) Check() error {
	r = r.withDefaults()
	switch {
	case r.Method != SGD && r.Method != Adam:
		return fmt.Errorf("optim: method %q, want %q or %q", r.Method, SGD, Adam)
	case !(r.LR > 0) || math.IsInf(r.LR, 0):
		return fmt.Errorf("optim: learning rate %v, want a positive number", r.LR)
	case !(r.Beta1 > 0 && r.Beta1 < 1) || !(r.Beta2 > 0 && r.Beta2 < 1):
		return fmt.Errorf("optim: betas %v and %v, want numbers between 0 and 1", r.Beta1, r.Beta2)
	case !(r.Eps > 0):
		return fmt.Errorf("optim: eps %v, want a positive number", r.Eps)
	case !(r.ClipNorm >= 0) || !(r.Clip >= 0):
		return fmt.Errorf("optim: clip by norm %v and by element %v, want numbers of at least 0", r.ClipNorm, r.Clip)
	}
	return nil
}

// Optimizer updates the trained parameters of a VM. The powers of beta1 and beta2 that Adam
// needs are float64 products, which get one more factor in each update. To compute a power
// anew could give other bits, so the powers are part of the State.
type Optimizer struct {
	rule   Rule
	vm     *scan.VM
	update kernel.Code
	norms  kernel.Code
	scale  kernel.Code
	clip   kernel.Code
	frame  []kernel.Frame
	square []float32
	state  State
	send   [kernel.AdamScalars]float32
}

// scaleWord is the index of the scalar that holds a factor for the gradient. When the norm
// of the gradient is clipped, the gradient is multiplied by this factor. Adam does not use
// the scalar with this index.
const scaleWord = 15

// State is what an optimizer passes from update to update, except for the moments,
// which the VM holds.
type State struct {
	Updates int
	LR      float64
	Power1  float64 // Beta1 to the power Updates
	Power2  float64
}

// New returns an optimizer for a VM, which must have been compiled with room for
// rule.Moments() moments.
func New(vm *scan.VM, rule Rule) (*Optimizer, error) {
	if err := rule.Check(); err != nil {
		return nil, err
	}
	rule = rule.withDefaults()
	l := vm.Layout()
	if len(l.Moments) != rule.Moments() {
		return nil, fmt.Errorf("optim: %s: have a VM with room for %d moments, want %d", rule.Method, len(l.Moments), rule.Moments())
	}
	o := &Optimizer{rule: rule, vm: vm, frame: make([]kernel.Frame, 1), square: make([]float32, len(l.Trainable))}
	o.state = State{LR: rule.LR, Power1: 1, Power2: 1}
	return o, o.compile()
}

func (o *Optimizer) compile() (err error) {
	l := o.vm.Layout()
	at := func(off int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: l.Words} }
	block := func(op kernel.Op, args ...kernel.Arg) kernel.Instr {
		return kernel.Instr{Op: op, M: 1, W: l.Words, Args: args}
	}
	var step kernel.Instr
	if o.rule.Method == SGD {
		step = block(kernel.SGD, at(l.Params), at(l.Grads), at(l.Scalars))
	} else {
		step = block(kernel.Adam, at(l.Params), at(l.Moments[0]), at(l.Moments[1]), at(l.Grads), at(l.Scalars))
	}
	clip := block(kernel.Clip, at(l.Grads), at(l.Grads))
	clip.F = [2]float32{float32(-o.rule.Clip), float32(o.rule.Clip)}
	scale := block(kernel.MulOne, at(l.Grads), at(l.Grads), at(l.Scalars+scaleWord))
	var norms []kernel.Instr
	for i, r := range l.Trainable {
		norms = append(norms, kernel.Instr{Op: kernel.SumSquares, M: r.Rows, W: r.Cols, Args: []kernel.Arg{at(l.Norms + i), at(l.Grads + r.At)}})
	}
	for _, c := range []struct {
		code *kernel.Code
		from []kernel.Instr
	}{{&o.update, []kernel.Instr{step}}, {&o.clip, []kernel.Instr{clip}}, {&o.scale, []kernel.Instr{scale}}, {&o.norms, norms}} {
		if *c.code, err = o.vm.Arena().Compile(c.from); err != nil {
			return err
		}
	}
	return nil
}

// Rule returns the rule with its defaults filled in.
func (o *Optimizer) Rule() Rule { return o.rule }

// State returns the current state, for Restore.
func (o *Optimizer) State() State { return o.state }

// Restore sets the state. The caller restores the moments.
func (o *Optimizer) Restore(s State) error {
	power := func(x float64) bool { return x >= 0 && x <= 1 } // the powers of a small beta reach 0
	if s.Updates < 0 || !(s.LR > 0) || math.IsInf(s.LR, 0) || !power(s.Power1) || !power(s.Power2) {
		return fmt.Errorf("optim: state %+v, want at least 0 updates, a positive rate, powers from 0 to 1", s)
	}
	o.state = s
	return nil
}

// SetLR sets the learning rate.
func (o *Optimizer) SetLR(lr float64) { o.state.LR = lr }

// Norm returns the global norm of the gradient. It adds the squared norms of the
// tensors in float32, in the order of their names, and returns the root of the sum.
// It waits for the device.
func (o *Optimizer) Norm() float32 {
	a := o.vm.Arena()
	a.Run(o.norms, o.frame)
	a.Read(o.vm.Layout().Norms, o.square)
	var sum float32
	for _, s := range o.square {
		sum += s
	}
	return float32(math.Sqrt(float64(sum)))
}

// Step updates the parameters by their gradients. If ClipNorm is set and the norm
// is not finite, Step returns an error and updates nothing.
func (o *Optimizer) Step() error {
	a, l := o.vm.Arena(), o.vm.Layout()
	if o.rule.Clip > 0 {
		a.Run(o.clip, o.frame)
	}
	if o.rule.ClipNorm > 0 {
		norm := o.Norm()
		if math.IsNaN(float64(norm)) || math.IsInf(float64(norm), 0) {
			return fmt.Errorf("optim: norm of the gradient is %v at update %d", norm, o.state.Updates+1)
		}
		if bound := float32(o.rule.ClipNorm); norm > bound {
			o.send[0] = bound / norm
			a.Write(l.Scalars+scaleWord, o.send[:1])
			a.Run(o.scale, o.frame)
		}
	}
	o.state.Updates++
	if o.rule.Method == SGD {
		o.send[0] = float32(o.state.LR)
		a.Write(l.Scalars, o.send[:1])
	} else {
		// The conversions force rounding. Without them, a compiler may fuse a product
		// with the difference below.
		o.state.Power1 = float64(o.state.Power1 * o.rule.Beta1)
		o.state.Power2 = float64(o.state.Power2 * o.rule.Beta2)
		o.send = [kernel.AdamScalars]float32{
			kernel.AdamLR: float32(o.state.LR / (1 - o.state.Power1)), kernel.AdamInvC2: float32(1 / (1 - o.state.Power2)),
			kernel.AdamB1: float32(o.rule.Beta1), kernel.AdamOneMinusB1: float32(1 - o.rule.Beta1),
			kernel.AdamB2: float32(o.rule.Beta2), kernel.AdamOneMinusB2: float32(1 - o.rule.Beta2),
			kernel.AdamEps: float32(o.rule.Eps),
		}
		a.Write(l.Scalars, o.send[:])
	}
	a.Run(o.update, o.frame)
	return nil
}
