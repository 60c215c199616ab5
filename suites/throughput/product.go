package throughput

import (
	"fmt"
	"slices"

	"pushdown/harness/kernel"
)

// Shape has the dimensions of a product of an [M, K] and a [K, N] matrix.
type Shape struct{ M, K, N int }

// Shapes lists the shapes of products like those in the networks of [Cases]: steps and
// outputs of LSTMs of several sizes, the gradient of the weights of an output, and a step of
// an RNN with as many parameters as the character LSTM.
func Shapes() []Shape {
	return []Shape{
		{128, 991, 3964}, {128, 2032, 2032}, {128, 125, 500}, {4480, 125, 10000},
		{10000, 4480, 125}, {64, 600, 2400}, {4480, 600, 33278}, {10, 12, 48},
	}
}

// Products lists the products of each shape: with neither matrix transposed (NN), with
// the right one transposed (NT), and with the left one transposed (TN), on one thread
// and on two. It also lists the product of a step of the character LSTM for every
// number of rows from 1 to 32. One run repeats a small product many times, as an update
// has many products too.
func Products() []Work {
	var list []Work
	for _, s := range Shapes() {
		for _, trans := range []string{"NN", "NT", "TN"} {
			for threads := 1; threads <= 2; threads++ {
				list = append(list, product(s, trans, threads))
			}
		}
	}
	for m := 1; m <= 32; m++ {
		list = append(list, product(Shape{m, 991, 3964}, "NN", 1))
	}
	return list
}

// least is the approximate minimum number of FLOPs in a run. A run then takes at least
// some microseconds, so the time to start a program on the device does not matter.
const least = 2e6

func product(s Shape, trans string, threads int) Work {
	flops := 2 * float64(s.M) * float64(s.K) * float64(s.N)
	times := max(1, int(least/flops))
	return Work{
		Name:    fmt.Sprintf("m=%d/k=%d/n=%d/trans=%s/threads=%d", s.M, s.K, s.N, trans, threads),
		Threads: threads,
		FLOPs:   float64(times) * flops,
		Open: func(dev kernel.Device) (run, done func() error, err error) {
			var p memory
			in := kernel.Instr{Op: kernel.MatMul, Form: kernel.Fixed, M: s.M, W: s.N, K: s.K}
			a, b := p.floats(s.M, s.K), p.floats(s.K, s.N)
			switch trans {
			case "TN":
				in.I[0], a.LD = 1, s.M
			case "NT":
				in.I[1], b.LD = 1, s.K
			}
			c := p.reserve(s.M, s.N)
			code := slices.Repeat([]kernel.Instr{in}, times)
			for i := range code {
				code[i].Args = []kernel.Arg{c, a, b}
			}
			return p.open(dev, s.M, code...)
		},
	}
}
