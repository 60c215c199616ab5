package throughput

import (
	"fmt"

	"pushdown/harness/kernel"
)

// slot is the number of FLOPs for which a vector instruction counts: 2, as for an FMA.
// Only instructions that run on the FMA units are counted, such as sums, products,
// comparisons and divisions. Each of them takes the place of one FMA.
const slot = 2

// The numbers of vector instructions that functions of package numeric need for an
// element, counted as for the constant slot.
const (
	expSlots     = 12
	tanhSlots    = 15
	sigmoidSlots = expSlots + 2
)

// Kernels lists the operations that take most of the time of an update, except for matrix
// products. They run on one thread.
func Kernels() []Work {
	list := []Work{gates(true), gates(false)}
	for _, s := range [][2]int{{512, 3}, {64, 10_000}} {
		list = append(list, softmax(s[0], s[1], true), softmax(s[0], s[1], false))
	}
	list = append(list, losses(64, 10_000)...)
	list = append(list, stack(true), stack(false))
	for _, n := range []int{10_000, 4_500_000} {
		list = append(list, adam(n))
	}
	for _, s := range [][2]int{{50, 128}, {10_000, 64}} {
		list = append(list, scatterAdd(4480, s[0], s[1]), gather(4480, s[0], s[1]))
	}
	return append(list, dropout(4480, 600))
}

// kernelWork returns the Work of a kernel. instructions is the number of vector
// instructions per element. numbers says how many float32 numbers are read, written and
// updated per element.
func kernelWork(elements int, instructions float64, numbers Traffic, name string, open func(dev kernel.Device) (run, done func() error, err error)) Work {
	n := float64(elements)
	return Work{Name: "op=" + name, Threads: 1, FLOPs: slot * instructions * n, Traffic: numbers.times(n), Elements: n, Open: open}
}

// rows returns an instruction that works on matrices with n columns, row by row.
func rows(op kernel.Op, n int, args ...kernel.Arg) kernel.Instr {
	return kernel.Instr{Op: op, Form: kernel.Rows, W: n, Args: args}
}

func softmax(batch, n int, forward bool) Work {
	size := fmt.Sprintf("rows=%d/n=%d", batch, n)
	if forward {
		return kernelWork(batch*n, expSlots+4, Traffic{Read: 1, Written: 1}, "softmax/pass=forward/"+size, func(dev kernel.Device) (run, done func() error, err error) {
			var p memory
			in := rows(kernel.Softmax, n, p.reserve(batch, n), p.floats(batch, n))
			in.I[0] = n
			return p.open(dev, batch, in)
		})
	}
	return kernelWork(batch*n, 4, Traffic{Read: 2, Written: 1}, "softmax/pass=backward/"+size, func(dev kernel.Device) (run, done func() error, err error) {
		var p memory
		in := rows(kernel.SoftmaxGrad, n, p.reserve(batch, n), p.floats(batch, n), p.floats(batch, n))
		in.I[0] = n
		return p.open(dev, batch, in)
	})
}

// losses returns three Works: the cross-entropy of a language model from its logits, the
// gradient of the cross-entropy, and both in one kernel.
func losses(batch, n int) []Work {
	size := fmt.Sprintf("rows=%d/n=%d", batch, n)
	return []Work{
		kernelWork(batch*n, expSlots+3, Traffic{Read: 1}, "crossentropy/pass=forward/"+size, func(dev kernel.Device) (run, done func() error, err error) {
			var p memory
			return p.open(dev, batch, rows(kernel.CrossEntropy, n, p.reserve(batch, 1), p.floats(batch, n), p.ints(batch, 1, n)))
		}),
		kernelWork(batch*n, expSlots+5, Traffic{Read: 1, Written: 1}, "crossentropy/pass=backward/"+size, func(dev kernel.Device) (run, done func() error, err error) {
			var p memory
			return p.open(dev, batch, rows(kernel.CrossEntropyGrad, n, p.reserve(batch, n), p.floats(batch, n), p.ints(batch, 1, n), p.floats(batch, 1)))
		}),
		kernelWork(batch*n, expSlots+5, Traffic{Read: 1, Written: 1}, "crossentropyboth/"+size, func(dev kernel.Device) (run, done func() error, err error) {
			var p memory
			return p.open(dev, batch, rows(kernel.CrossEntropyWithGrad, n, p.reserve(batch, n), p.reserve(batch, 1), p.floats(batch, n), p.ints(batch, 1, n), p.floats(batch, 1)))
		}),
	}
}

// stack returns the work of one step of a soft stack, which is the weighted sum of push,
// pop and no-op, or of the gradient of this step. An element is one cell of one stack.
func stack(forward bool) Work {
	const batch, depth = 512, 8
	size := fmt.Sprintf("batch=%d/depth=%d", batch, depth)
	do := func(op kernel.Op, args ...kernel.Arg) kernel.Instr {
		return kernel.Instr{Op: op, Form: kernel.StackMajor, W: depth, S: 1, I: [3]int{1}, Args: args}
	}
	if forward {
		return kernelWork(batch*depth, 3, Traffic{Read: 1 + 4.0/depth, Written: 1}, "stack/pass=forward/"+size, func(dev kernel.Device) (run, done func() error, err error) {
			var p memory
			cells, one := func() kernel.Arg { return p.floats(depth, batch) }, func() kernel.Arg { return p.floats(1, batch) }
			return p.open(dev, batch, do(kernel.Stack, cells(), cells(), one(), one(), one(), one()))
		})
	}
	return kernelWork(batch*depth, 6, Traffic{Read: 2 + 4.0/depth, Written: 1 + 4.0/depth}, "stack/pass=backward/"+size, func(dev kernel.Device) (run, done func() error, err error) {
		var p memory
		cells, one := func() kernel.Arg { return p.floats(depth, batch) }, func() kernel.Arg { return p.floats(1, batch) }
		return p.open(dev, batch, do(kernel.StackGrad, cells(), one(), one(), one(), one(), cells(), cells(), one(), one(), one(), one()))
	})
}

// adam returns the work of Adam on n parameters, with two moments for each.
func adam(n int) Work {
	return kernelWork(n, 12, Traffic{Read: 1, Updated: 3}, fmt.Sprintf("adam/n=%d", n), func(dev kernel.Device) (run, done func() error, err error) {
		var p memory
		scalars := make([]float32, kernel.AdamScalars)
		scalars[kernel.AdamLR], scalars[kernel.AdamInvC2], scalars[kernel.AdamEps] = 1e-3, 1, 1e-8
		scalars[kernel.AdamB1], scalars[kernel.AdamOneMinusB1] = 0.9, 0.1
		scalars[kernel.AdamB2], scalars[kernel.AdamOneMinusB2] = 0.999, 0.001
		in := kernel.Instr{Op: kernel.Adam, M: 1, W: n}
		in.Args = []kernel.Arg{p.floats(1, n), p.reserve(1, n), p.reserve(1, n), p.floats(1, n), p.values(scalars...)}
		return p.open(dev, 1, in)
	})
}

// scatterAdd returns the work of the gradient of an embedding, which writes the whole
// table. An element is one number of a row that is added to the table.
func scatterAdd(batch, vocabulary, n int) Work {
	w := kernelWork(batch*n, 1, Traffic{Read: 1}, fmt.Sprintf("scatteradd/rows=%d/vocabulary=%d/n=%d", batch, vocabulary, n), func(dev kernel.Device) (run, done func() error, err error) {
		var p memory
		in := rows(kernel.ScatterAdd, n, p.reserve(vocabulary, n), p.floats(batch, n), p.ints(batch, 1, vocabulary), p.reserve(1, batch+vocabulary+16))
		in.M = vocabulary
		return p.open(dev, batch, in)
	})
	w.Traffic.Written = 4 * float64(vocabulary*n)
	return w
}

// gather returns the work of looking up rows of an embedding. The traffic counts each row
// of the table once.
func gather(batch, vocabulary, n int) Work {
	w := kernelWork(batch*n, 0, Traffic{Written: 1}, fmt.Sprintf("gather/rows=%d/vocabulary=%d/n=%d", batch, vocabulary, n), func(dev kernel.Device) (run, done func() error, err error) {
		var p memory
		return p.open(dev, batch, rows(kernel.Gather, n, p.reserve(batch, n), p.floats(vocabulary, n), p.ints(batch, 1, vocabulary)))
	})
	w.Traffic.Read = 4 * float64(min(batch, vocabulary)*n)
	return w
}

// dropout returns the work of dropout. It draws a random number for each element, in
// integer arithmetic.
func dropout(batch, n int) Work {
	return kernelWork(batch*n, 1, Traffic{Read: 1, Written: 1}, fmt.Sprintf("dropout/rows=%d/n=%d", batch, n), func(dev kernel.Device) (run, done func() error, err error) {
		var p memory
		in := rows(kernel.Dropout, n, p.reserve(batch, n), p.floats(batch, n), p.ints(batch, 3, 1000))
		in.I, in.F = [3]int{1, 2}, [2]float32{0.5}
		return p.open(dev, batch, in)
	})
}
