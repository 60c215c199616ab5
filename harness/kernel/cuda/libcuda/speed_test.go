//go:build linux && (amd64 || arm64) && !purego

package libcuda

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cuda"
)

// Flags by which ci/gpu asks for longer and more samples.
var (
	speed  = flag.Duration("speed", 10*time.Millisecond, "how long a sample of a speed takes at least")
	rounds = flag.Int("rounds", 3, "`samples` of each speed")
)

// shapes are the shapes of the products to time. The last two are there because missed()
// sets an aim for their speeds. The others are those of throughput.Shapes.
var shapes = [][3]int{ // M, K, N
	{128, 991, 3964}, {128, 2032, 2032}, {128, 125, 500}, {4480, 125, 10000},
	{10000, 4480, 125}, {64, 600, 2400}, {4480, 600, 33278}, {10, 12, 48},
	{128, 1000, 4000}, {4096, 4096, 4096},
}

// side is one of the computations whose speeds are compared. Its function do starts the
// computation once, and flops is the number of floating-point operations that this
// takes.
type side struct {
	flops float64
	do    func() error
}

// sample returns the speed of a side in GFLOP/s, measured for at least the time in the
// flag speed.
func (s side) sample(sync func() error) (float64, error) {
	for n := 1; ; n *= 2 {
		if err := sync(); err != nil {
			return 0, err
		}
		began := time.Now()
		for range n {
			if err := s.do(); err != nil {
				return 0, err
			}
		}
		if err := sync(); err != nil {
			return 0, err
		}
		if took := time.Since(began); took >= *speed {
			return float64(n) * s.flops / float64(took.Nanoseconds()), nil
		}
	}
}

// compare takes one sample of each side in turn, for several rounds. For each side it
// returns the median of its speeds and the median of its ratios. The ratio of a round is
// the first side's speed divided by this side's speed.
func compare(sides []side, sync func() error) (speeds, ratios []float64, err error) {
	all, over := make([][]float64, len(sides)), make([][]float64, len(sides))
	for _, s := range sides { // warm up
		if _, err := s.sample(sync); err != nil {
			return nil, nil, err
		}
	}
	for range *rounds {
		for i, s := range sides {
			x, err := s.sample(sync)
			if err != nil {
				return nil, nil, err
			}
			all[i] = append(all[i], x)
			over[i] = append(over[i], all[0][len(all[0])-1]/x)
		}
	}
	for i := range sides {
		speeds, ratios = append(speeds, median(all[i])), append(ratios, median(over[i]))
	}
	return speeds, ratios, nil
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// peakSide returns a side that measures the peak speed of the FMA units. Each thread
// runs 16 chains of the given length, in each of which an FMA depends on the one before.
func peakSide(d cuda.Driver, blocks, length int) (side, error) {
	text, err := os.ReadFile("testdata/peak.ptx")
	if err != nil {
		return side{}, err
	}
	fns, err := d.Load(string(text), "peak")
	if err != nil {
		return side{}, err
	}
	const threads = 256
	p, err := d.Alloc(blocks * threads)
	if err != nil {
		return side{}, err
	}
	b := params(p, math.Float32bits(0.999))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(0.01))
	b = binary.LittleEndian.AppendUint32(b, uint32(length))
	return side{2 * 16 * float64(length) * threads * float64(blocks), func() error {
		return d.Launch(fns[0], [3]uint32{uint32(blocks), 1, 1}, [3]uint32{threads, 1, 1}, b)
	}}, nil
}

// productSides returns ways to compute one product, as sides to compare. The first is
// this repository's kernel. If b is not nil, the second is cuBLAS in float32 and the
// third is cuBLAS with TF32. check compares the last rows of the first two sides'
// results. done frees the memory.
func productSides(d cuda.Driver, b *blas, dev *cuda.Device, trans string, m, k, n int) (sides []side, check, done func() error, err error) {
	at := func(off, ld int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: ld} }
	in := kernel.Instr{Op: kernel.MatMul, M: m, W: n, K: k, Args: []kernel.Arg{at(0, n), at(m*n, k), at(m*n+m*k, n)}}
	switch trans {
	case "TN":
		in.I[0], in.Args[1].LD = 1, m
	case "NT":
		in.I[1], in.Args[2].LD = 1, k
	}
	a, err := dev.NewArena(m*n + m*k + k*n)
	if err != nil {
		return nil, nil, nil, err
	}
	x := make([]float32, max(m, n)*k)
	for i := range x {
		x[i] = float32(i*7919%2003-1001) / 1001
	}
	a.Write(m*n, x[:m*k])
	a.Write(m*n+m*k, x[:k*n])
	code, err := a.Compile([]kernel.Instr{in})
	if err != nil {
		return nil, nil, nil, err
	}
	frames, flops := make([]kernel.Frame, 1), 2*float64(m)*float64(k)*float64(n)
	sides = []side{{flops, func() error { a.Run(code, frames); return nil }}}
	if b == nil {
		return sides, func() error { return nil }, a.Close, nil
	}
	var p [3]cuda.Pointer
	for i, words := range []int{m * n, m * k, k * n} {
		if p[i], err = d.Alloc(words); err != nil {
			return nil, nil, nil, err
		}
	}
	if err := errors.Join(d.Upload(p[1], words(x[:m*k])), d.Upload(p[2], words(x[:k*n]))); err != nil {
		return nil, nil, nil, err
	}
	for _, mode := range []uintptr{modeDefault, modeTF32} {
		sides = append(sides, side{flops, func() error { return errors.Join(b.mode(mode), b.product(trans, m, k, n, p[0], p[1], p[2])) }})
	}
	check = func() error {
		row, theirs := make([]float32, n), make([]float32, n)
		if err := errors.Join(sides[0].do(), sides[1].do(), d.Download(words(theirs), p[0]+4*cuda.Pointer((m-1)*n))); err != nil {
			return err
		}
		a.Read((m-1)*n, row)
		for j := range row { // in both results, each of k partial sums is below k and has an error of at most half an ulp
			if diff := math.Abs(float64(row[j] - theirs[j])); !(diff <= float64(k)*float64(k)*0x1p-23) {
				return fmt.Errorf("%s %dx%dx%d: element %d of the last row is %v, cuBLAS's is %v", trans, m, k, n, j, row[j], theirs[j])
			}
		}
		return nil
	}
	return sides, check, func() error {
		return errors.Join(d.Free(p[0]), d.Free(p[1]), d.Free(p[2]), a.Close())
	}, nil
}

// TestGPUProductsBesideCuBLAS logs the speed of products, that of cuBLAS, and the measured
// peak of the FMA units.
func TestGPUProductsBesideCuBLAS(t *testing.T) {
	d := onGPU(t)
	dev := cuda.New(d)
	shapes, blocks, length := shapes, 4096, 4096
	var b *blas
	if gpu, ok := d.(*Driver); !ok {
		shapes, blocks, length = [][3]int{{10, 12, 48}}, 1, 4
		t.Logf("cuBLAS is left out: the device is %v", d)
	} else if library, err := openBlas(gpu, blasLibraries()); err != nil {
		t.Logf("cuBLAS is left out: %v", err)
	} else {
		b = library
		defer b.close()
	}
	chains, err := peakSide(d, blocks, length)
	if err != nil {
		t.Fatal(err)
	}
	speeds, _, err := compare([]side{chains}, d.Sync)
	if err != nil {
		t.Fatal(err)
	}
	peak := speeds[0]
	t.Logf("fp32 peak, measured: %.0f GFLOP/s", peak)
	t.Logf("%-5s %-17s %10s %7s %10s %7s %10s %7s", "form", "shape", "GFLOP/s", "peak-%", "cuBLAS", "ratio", "TF32", "ratio")
	for _, s := range shapes {
		for _, trans := range []string{"NN", "NT", "TN"} {
			sides, check, done, err := productSides(d, b, dev, trans, s[0], s[1], s[2])
			if err != nil {
				t.Fatal(err)
			}
			speeds, ratios, err := compare(sides, d.Sync)
			if err != nil {
				t.Fatal(err)
			}
			if b != nil {
				if err := check(); err != nil {
					t.Error(err)
				}
			}
			line := fmt.Sprintf("%-5s %-17s %10.1f %7.1f", trans, fmt.Sprintf("%dx%dx%d", s[0], s[1], s[2]), speeds[0], 100*speeds[0]/peak)
			for i := 1; i < len(sides); i++ {
				line += fmt.Sprintf(" %10.1f %7.3f", speeds[i], ratios[i])
			}
			t.Log(line)
			for _, word := range missed(s, speeds, peak) {
				t.Log("aim missed: " + word)
			}
			if err := done(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// missed returns the aims that a product of the given shape misses. speeds[0] is our
// speed; speeds[1], if present, is that of cuBLAS in float32.
// TestGPUProductsBesideCuBLAS logs missed aims, but does not fail.
func missed(shape [3]int, speeds []float64, peak float64) (list []string) {
	if share := speeds[0] / peak; shape == [3]int{4096, 4096, 4096} && share < 0.7 {
		list = append(list, fmt.Sprintf("%.0f %% of the fp32 peak, want 70 at a large size", 100*share))
	}
	if shape == [3]int{128, 1000, 4000} && len(speeds) > 1 && speeds[0] < speeds[1] {
		list = append(list, fmt.Sprintf("%.0f GFLOP/s, want cuBLAS's %.0f at the size of a step", speeds[0], speeds[1]))
	}
	return list
}

// TestSpeedsAreMedians checks the results of compare and that each sample takes at least
// the time in the flag speed. It also checks median and missed.
func TestSpeedsAreMedians(t *testing.T) {
	calls, syncs := [2]int{}, 0
	slow := func(i int, d time.Duration) side {
		return side{1e6, func() error { calls[i]++; time.Sleep(d); return nil }}
	}
	speeds, ratios, err := compare([]side{slow(0, time.Millisecond), slow(1, 4*time.Millisecond)}, func() error { syncs++; return nil })
	if err != nil || len(speeds) != 2 || speeds[0] > 1 || speeds[0] < speeds[1] || ratios[0] != 1 || ratios[1] < 1.5 {
		t.Errorf("speeds %v, ratios %v, %v", speeds, ratios, err)
	}
	if calls[0] < 8**rounds || calls[1] < 3**rounds || syncs < 8**rounds {
		t.Errorf("%v calls, waited %d times", calls, syncs)
	}
	if m := median([]float64{3, 1, 2}); m != 2 {
		t.Errorf("the median is %v, want 2", m)
	}
	fault := errors.New("gone")
	if _, _, err := compare([]side{{1, func() error { return fault }}}, func() error { return nil }); err != fault {
		t.Errorf("error %v, want that of the side", err)
	}
	if list := missed([3]int{4096, 4096, 4096}, []float64{69}, 100); len(list) != 1 {
		t.Errorf("aims %v", list)
	}
	if list := missed([3]int{128, 1000, 4000}, []float64{5, 6, 9}, 100); len(list) != 1 {
		t.Errorf("aims %v", list)
	}
	if list := missed([3]int{128, 1000, 4000}, []float64{6, 6, 9}, 100); len(list) != 0 {
		t.Errorf("aims %v", list)
	}
}
