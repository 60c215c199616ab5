package cuda_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cuda"
	"pushdown/harness/kernel/cuda/emulated"
	"pushdown/harness/kernel/kerneltest"
)

// TestGraphsKeepTheContract runs every operation on a device that records a graph of a
// program when the program first runs. It compares the results with the reference.
func TestGraphsKeepTheContract(t *testing.T) {
	skipUnderRace(t)
	if testing.Short() {
		t.Skip("-short: runs every operation once more; to run it: go test ./harness/kernel/cuda -run Graphs")
	}
	drv := emulated.NewDriver()
	drv.Guard = guard
	dev := cuda.New(drv).RecordFirst()
	kerneltest.Bits(t, dev, genericCPU(t))
	if drv.GraphLaunches < 100 {
		t.Errorf("%d graphs ran, want one for most programs", drv.GraphLaunches)
	}
	if err := dev.Close(); err != nil {
		t.Error(err)
	}
}

// steps returns a program and n frames to run it in. In each frame the program adds the
// previous row to the current row, by way of a temporary row. A row has two words.
func steps(n int) (program []kernel.Instr, frames []kernel.Frame) {
	row := func(slot kernel.Slot) kernel.Arg { return kernel.Arg{Slot: slot, Off: 4, Row: 2, LD: 2} }
	between := kernel.Arg{Slot: kernel.FixedSlot, LD: 2}
	program = []kernel.Instr{
		{Op: kernel.Add, Form: kernel.Rows, W: 2, Args: []kernel.Arg{between, row(kernel.StateIn), row(kernel.Current)}},
		{Op: kernel.Copy, Form: kernel.Rows, W: 2, Args: []kernel.Arg{row(kernel.Current), between}},
	}
	for i := range n {
		f := kernel.Frame{N: 1, StepsBefore: n - 1 - i}
		f.Start[kernel.StateIn], f.Start[kernel.Current] = i, i+1
		frames = append(frames, f)
	}
	return program, frames
}

// TestRepeatedPiecesUseGraphs checks that a piece, a short sequence of frames, is recorded
// as a graph when it occurs for the second time. It also checks that runs of different
// lengths share the graphs of pieces.
func TestRepeatedPiecesUseGraphs(t *testing.T) {
	drv := emulated.NewDriver()
	dev := cuda.New(drv)
	dev.EnableGraphs()
	a, err := dev.NewArena(100)
	if err != nil {
		t.Fatal(err)
	}
	program, _ := steps(0)
	code, err := a.Compile(program)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ rows, repeats, graphs int }{
		{20, 0, 0}, // three pieces: 8, 8 and 4 frames
		{20, 3, 3},
		{20, 6, 3},
		{17, 8, 3}, // the same first two pieces and a new one of one frame
		{17, 11, 4},
		{4, 11, 4}, // a piece of 4 frames, but not the one of the first run
		{0, 11, 4},
	} {
		ones := slices.Repeat([]float32{1}, 96)
		a.Write(4, ones)
		_, frames := steps(c.rows)
		a.Run(code, frames)
		got := make([]float32, 96)
		a.Read(4, got)
		for j := range got {
			want := float32(1)
			if row := j / 2; row <= c.rows {
				want = float32(row + 1)
			}
			if got[j] != want {
				t.Fatalf("run %d: word %d is %v, want %v", i, j, got[j], want)
			}
		}
		if drv.GraphLaunches != c.repeats || drv.NumGraphs() != c.graphs {
			t.Errorf("run %d of %d rows: %d graphs ran so far and %d are kept, want %d and %d", i, c.rows, drv.GraphLaunches, drv.NumGraphs(), c.repeats, c.graphs)
		}
	}
	_, frames := steps(20)
	if n := testing.AllocsPerRun(3, func() { a.Run(code, frames) }); n != 0 {
		t.Errorf("a run makes %v allocations", n)
	}
	if dev.Recorded() != 2*21 {
		t.Errorf("%d launches are in graphs, want two for each of 21 frames", dev.Recorded())
	}
	if err := a.Close(); err != nil || drv.NumGraphs() != 0 || dev.Recorded() != 0 {
		t.Errorf("%d graphs and %d launches are left when the arena is closed (%v)", drv.NumGraphs(), dev.Recorded(), err)
	}
}

// TestGraphsFollowReallocatedMemory checks that graphs are recorded again after the
// memory for chunk sums was reallocated.
func TestGraphsFollowReallocatedMemory(t *testing.T) {
	drv := emulated.NewDriver()
	dev := cuda.New(drv).RecordFirst()
	defer dev.Close()
	at := func(off, ld int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: ld} }
	const k, n = 258, 184
	a, err := dev.NewArena(n*n + 2*n*k)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ones := slices.Repeat([]float32{1}, 2*n*k)
	a.Write(n*n, ones)
	var codes [2]kernel.Code
	for i, m := range []int{3, n} { // the first memory for chunk sums holds two chunks of 3x3, but not two of 184x184
		in := kernel.Instr{Op: kernel.MatMul, M: m, W: m, K: k, Args: []kernel.Arg{at(0, m), at(n*n, k), at(n*n+n*k, n)}}
		if codes[i], err = a.Compile([]kernel.Instr{in, in}); err != nil {
			t.Fatal(err)
		}
	}
	frames := make([]kernel.Frame, 1)
	for i, c := range []struct{ code, graphs int }{{0, 1}, {1, 2}, {0, 2}, {1, 2}} {
		m := []int{3, n}[c.code]
		a.Write(0, make([]float32, m*m))
		a.Run(codes[c.code], frames)
		got := make([]float32, m*m)
		a.Read(0, got)
		if j := slices.IndexFunc(got, func(v float32) bool { return v != k }); j >= 0 {
			t.Fatalf("run %d: word %d is %v, want %d", i, j, got[j], k)
		}
		if drv.NumGraphs() != c.graphs {
			t.Errorf("run %d: %d graphs, want %d", i, drv.NumGraphs(), c.graphs)
		}
	}
}

// graphless is a driver whose graphs are unsupported or fail.
type graphless struct {
	*emulated.Driver
	record, recorded, repeat error // of BeginRecord, EndRecord and LaunchGraph
}

func (d *graphless) BeginRecord() error {
	if d.record != nil {
		return d.record
	}
	return d.Driver.BeginRecord()
}

func (d *graphless) EndRecord() (cuda.Graph, error) {
	g, err := d.Driver.EndRecord()
	return g, errors.Join(d.recorded, err)
}

func (d *graphless) LaunchGraph(g cuda.Graph) error {
	return errors.Join(d.repeat, d.Driver.LaunchGraph(g))
}

// TestGraphErrors checks that the device launches kernels one by one on a driver
// without graphs, and that it reports other errors of graphs as failures.
func TestGraphErrors(t *testing.T) {
	for _, c := range []struct {
		drv  graphless
		want string
	}{
		{graphless{}, "<nil>"},
		{graphless{record: fmt.Errorf("too old: %w", errors.ErrUnsupported)}, "<nil>"},
		{graphless{record: errBus}, "cuda/emulated: recording the launches of frames 0 to 7: the bus is gone"},
		{graphless{recorded: errBus}, "cuda/emulated: recording the launches of frames 0 to 7: the bus is gone"},
		{graphless{repeat: errBus}, "cuda/emulated: repeating the launches of frames 0 to 7: the bus is gone"},
	} {
		drv := c.drv
		drv.Driver = emulated.NewDriver()
		err := func() (err error) {
			defer kernel.Catch(&err)
			dev := cuda.New(&drv).RecordFirst()
			a, err := dev.NewArena(100)
			if err != nil {
				return err
			}
			return tenSteps(a)
		}()
		if !strings.HasPrefix(fmt.Sprint(err), c.want) {
			t.Errorf("%v: error %v, want %s", c.drv, err, c.want)
		}
	}
}

// failingLaunch is a driver whose launches fail after a number of successful ones.
type failingLaunch struct {
	*emulated.Driver
	left int // number of launches that still succeed
}

func (d *failingLaunch) Launch(fn cuda.Function, grid, block [3]uint32, params []byte) error {
	if d.left--; d.left < 0 {
		return errBus
	}
	return d.Driver.Launch(fn, grid, block, params)
}

// TestFailureEndsRecording checks that the device still runs programs after a launch has
// failed during recording.
func TestFailureEndsRecording(t *testing.T) {
	drv := &failingLaunch{emulated.NewDriver(), 3}
	dev := cuda.New(drv).RecordFirst()
	defer dev.Close()
	for i, want := range []string{"cuda/emulated: launching instruction 1 (copy) in frame 1: the bus is gone", "<nil>"} {
		err := func() (err error) {
			defer kernel.Catch(&err)
			a, err := dev.NewArena(100)
			if err != nil {
				return err
			}
			defer a.Close()
			return tenSteps(a)
		}()
		if fmt.Sprint(err) != want {
			t.Errorf("time %d: error %v, want %s", i, err, want)
		}
		drv.left = 1 << 30
	}
	if drv.NumGraphs() != 0 {
		t.Errorf("%d graphs are left, want none", drv.NumGraphs())
	}
}

// tenSteps runs the program that the function steps returns in ten frames. All rows hold
// ones at first, so the last row must hold 11 in the end.
func tenSteps(a kernel.Arena) error {
	a.Write(4, slices.Repeat([]float32{1}, 96))
	program, frames := steps(10)
	code, err := a.Compile(program)
	if err != nil {
		return err
	}
	a.Run(code, frames)
	got := make([]float32, 1)
	if a.Read(4+2*10, got); got[0] != 11 {
		return fmt.Errorf("the last row holds %v, want 11", got[0])
	}
	return nil
}
