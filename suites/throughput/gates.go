package throughput

import (
	"fmt"

	"pushdown/harness/kernel"
)

// gates returns the work of the elementwise part of an LSTM step, or of the gradient of
// that part, by the equations of models.LSTM. An element is one hidden unit of one string.
// The pre-activations of i, f, g and o are side by side in one matrix.
func gates(forward bool) Work {
	const batch, hidden = 64, 256
	size := fmt.Sprintf("cell=lstm/batch=%d/hidden=%d", batch, hidden)
	side := func(m kernel.Arg, i int) kernel.Arg { m.Off += i * hidden; return m }
	do := func(op kernel.Op, args ...kernel.Arg) kernel.Instr { return rows(op, hidden, args...) }
	if forward {
		// The traffic is a lower bound. The step must read four pre-activations and the
		// previous cell, and write four gates, the cell, its tanh and h.
		return kernelWork(batch*hidden, 3*sigmoidSlots+2*tanhSlots+4, Traffic{Read: 5, Written: 7}, "gates/pass=forward/"+size, func(dev kernel.Device) (run, done func() error, err error) {
			var p memory
			one := func() kernel.Arg { return p.floats(batch, hidden) }
			pre, act := p.floats(batch, 4*hidden), p.floats(batch, 4*hidden)
			i, f, g, o := side(act, 0), side(act, 1), side(act, 2), side(act, 3)
			before, kept, added, cell, squashed, h := one(), one(), one(), one(), one(), one()
			return p.open(dev, batch,
				do(kernel.Sigmoid, i, side(pre, 0)), do(kernel.Sigmoid, f, side(pre, 1)),
				do(kernel.Tanh, g, side(pre, 2)), do(kernel.Sigmoid, o, side(pre, 3)),
				do(kernel.Mul, kept, f, before), do(kernel.Mul, added, i, g), do(kernel.Add, cell, kept, added),
				do(kernel.Tanh, squashed, cell), do(kernel.Mul, h, o, squashed))
		})
	}
	// This traffic, too, is a lower bound. The gradient must read four gates, the
	// previous cell, tanh of the cell, and the gradients of h and of the cell. It must
	// write the gradients of four pre-activations and of the previous cell.
	return kernelWork(batch*hidden, 20, Traffic{Read: 8, Written: 5}, "gates/pass=backward/"+size, func(dev kernel.Device) (run, done func() error, err error) {
		var p memory
		one := func() kernel.Arg { return p.floats(batch, hidden) }
		act, dact := p.floats(batch, 4*hidden), p.floats(batch, 4*hidden)
		i, f, g, o := side(act, 0), side(act, 1), side(act, 2), side(act, 3)
		before, squashed, dh, dcell, dsum, dbefore, d := one(), one(), one(), one(), one(), one(), one()
		return p.open(dev, batch,
			do(kernel.Mul, d, dh, squashed), do(kernel.SigmoidGrad, side(dact, 3), o, d),
			do(kernel.Mul, d, dh, o), do(kernel.TanhGrad, d, squashed, d), do(kernel.Add, dsum, dcell, d),
			do(kernel.Mul, d, dsum, i), do(kernel.TanhGrad, side(dact, 2), g, d),
			do(kernel.Mul, d, dsum, before), do(kernel.SigmoidGrad, side(dact, 1), f, d),
			do(kernel.Mul, d, dsum, g), do(kernel.SigmoidGrad, side(dact, 0), i, d),
			do(kernel.Mul, dbefore, dsum, f))
	})
}
