package cuda_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cuda/emulated"
)

// tiesWidths are row widths, most of them near 8 or near a multiple of 64. One thread
// computes a row of at most 8 elements, and 64 threads compute a longer row.
var tiesWidths = []int{1, 2, 3, 7, 8, 9, 31, 63, 64, 65, 127, 130, 200}

// tiesProgram returns a program and the number of words that it needs. The program runs
// the operations that look for the maximum of a row, on rows of n elements.
func tiesProgram(rows, n int) (program []kernel.Instr, words int) {
	at := func(off, ld int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: ld} }
	size := rows * n
	target, dloss := at(size, 1), at(size+rows, 1)
	x, out := at(0, n), size+2*rows
	for _, in := range []kernel.Instr{
		{Op: kernel.OneHot, I: [3]int{n}, Args: []kernel.Arg{at(out, n), x}},
		{Op: kernel.Softmax, I: [3]int{n}, Args: []kernel.Arg{at(out+size, n), x}},
		{Op: kernel.CrossEntropy, Args: []kernel.Arg{at(out+2*size, 1), x, target}},
		{Op: kernel.CrossEntropyGrad, Args: []kernel.Arg{at(out+2*size+rows, n), x, target, dloss}},
		{Op: kernel.CrossEntropyWithGrad, Args: []kernel.Arg{at(out+3*size+rows, n), at(out+4*size+rows, 1), x, target, dloss}},
	} {
		in.M, in.W = rows, n
		program = append(program, in)
	}
	return program, out + 4*size + 2*rows
}

// TestRowsWithTiesAndNaN runs tiesProgram on rows that contain few distinct numbers, among
// them +0 and -0, infinities and NaN.
func TestRowsWithTiesAndNaN(t *testing.T) {
	const rows = 40
	reference, dev := genericCPU(t), emulated.New()
	defer dev.Close()
	if err := ties(reference, dev, rows); err != nil {
		t.Error(err)
	}
}

// ties runs tiesProgram on both devices and returns an error if the results differ. It
// panics with a kernel.Failure if the emulated device fails.
func ties(reference, dev kernel.Device, rows int) error {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	few := [][]float32{{0, float32(math.Copysign(0, -1))}, {1, 2, 3}, {nan, 1, 2}, {nan, inf, -inf, 5}, {-inf, -inf, -inf, 1}, {-inf}, {7}}
	for _, n := range tiesWidths {
		program, words := tiesProgram(rows, n)
		r := rand.New(rand.NewPCG(uint64(n), 1))
		x := make([]float32, rows*n)
		for i := range x {
			f := few[i/n%len(few)]
			x[i] = f[r.IntN(len(f))]
		}
		target, dloss := make([]int32, rows), make([]float32, rows)
		for i := range target {
			target[i], dloss[i] = int32(r.IntN(n)), float32(r.NormFloat64())
		}
		var have [2][]float32
		for i, d := range []kernel.Device{reference, dev} {
			a, err := d.NewArena(words)
			if err != nil {
				return err
			}
			defer a.Close()
			a.Write(0, x)
			a.WriteInts(rows*n, target)
			a.Write(rows*n+rows, dloss)
			code, err := a.Compile(program)
			if err != nil {
				return err
			}
			a.Run(code, make([]kernel.Frame, 1))
			have[i] = make([]float32, words)
			a.Read(0, have[i])
		}
		for i, want := range have[0] {
			if got := have[1][i]; math.Float32bits(got) != math.Float32bits(want) && !(got != got && want != want) {
				return fmt.Errorf("rows of %d: word %d is %v, want %v", n, i, got, want)
			}
		}
	}
	return nil
}

// TestMutatedTiesAreFound compiles softmax.cu with mutations of its rules for ties and NaN,
// and checks that the function ties then returns an error. The rules are: the first of equal
// maxima counts, and a NaN counts only if it is the first element.
func TestMutatedTiesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles the kernels; to run it: go test ./harness/kernel/cuda -run MutatedTies")
	}
	needClang(t)
	for _, m := range []struct{ from, to string }{
		{"p[t + half] == p[t] && q[t + half] < q[t]", "false"},
		{"p[t + half] == p[t] && q[t + half] < q[t]", "p[t + half] == p[t]"},
		{"if (u[i] > m) m = u[i], best = i;", "if (!(u[i] <= m)) m = u[i], best = i;"},
		{"if (u[i] > m) m = u[i], best = i;", "if (u[i] >= m) m = u[i], best = i;"},
	} {
		dev := mutated(t, "softmax.cu", m.from, m.to, "softmax")
		if alive := func() (alive bool) {
			defer func() { alive = recover() == nil && alive }()
			return ties(genericCPU(t), dev, 40) == nil
		}(); alive {
			t.Errorf("softmax.cu with %q instead of %q passes", m.to, m.from)
		}
	}
}
