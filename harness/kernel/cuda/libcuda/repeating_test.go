package libcuda

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/kerneltest"
)

// repeating is a device that runs each program several times from the same memory and
// checks that the results are equal.
type repeating struct {
	kernel.Device
	times    int
	programs int   // number of calls of Run
	words    int   // number of words read by the test
	differs  error // the first difference between results
}

type repeatingArena struct {
	kernel.Arena
	dev *repeating
}

func (d *repeating) NewArena(words int) (kernel.Arena, error) {
	a, err := d.Device.NewArena(words)
	if err != nil {
		return nil, err
	}
	return &repeatingArena{a, d}, nil
}

func (a *repeatingArena) Read(at int, x []float32) {
	a.dev.words += len(x)
	a.Arena.Read(at, x)
}

func (a *repeatingArena) ReadInts(at int, x []int32) {
	a.dev.words += len(x)
	a.Arena.ReadInts(at, x)
}

func (a *repeatingArena) Run(c kernel.Code, frames []kernel.Frame) {
	d := a.dev
	d.programs++
	if d.times == 1 {
		a.Arena.Run(c, frames)
		return
	}
	var before, first, now = make([]int32, a.Len()), make([]int32, a.Len()), make([]int32, a.Len())
	a.Arena.ReadInts(0, before)
	a.Arena.Run(c, frames)
	a.Arena.ReadInts(0, first)
	for i := 1; i < d.times && d.differs == nil; i++ {
		a.Arena.WriteInts(0, before)
		a.Arena.Run(c, frames)
		if a.Arena.ReadInts(0, now); slices.Equal(now, first) {
			continue
		}
		for j := range now {
			if now[j] != first[j] {
				d.differs = fmt.Errorf("time %d: word %d is %#08x, and was %#08x the first time", i+1, j, uint32(now[j]), uint32(first[j]))
				return
			}
		}
	}
}

// check calls kerneltest.Check. It also returns an error if a repetition differs.
func (d *repeating) check(reference kernel.Device, op kernel.Op) (err error) {
	defer kernel.Catch(&err)
	err = kerneltest.Check(d, reference, op)
	if d.differs != nil {
		return d.differs
	}
	return err
}

// flaky is a device that flips one bit in its memory after one of its runs.
type flaky struct {
	kernel.Device
	left int // number of runs until the bit flips; 0: no bit flips
}

type flakyArena struct {
	kernel.Arena
	dev *flaky
}

func (d *flaky) NewArena(words int) (kernel.Arena, error) {
	a, err := d.Device.NewArena(words)
	return &flakyArena{a, d}, err
}

func (a *flakyArena) Run(c kernel.Code, frames []kernel.Frame) {
	a.Arena.Run(c, frames)
	if a.dev.left--; a.dev.left == 0 {
		var x [1]int32
		a.ReadInts(a.Len()-1, x[:])
		x[0] ^= 1
		a.WriteInts(a.Len()-1, x[:])
	}
}

// TestRepeatingFindsRareFaults checks that the device called repeating finds a bit that
// flips in one of many runs. The comparison with the reference alone could miss it.
func TestRepeatingFindsRareFaults(t *testing.T) {
	const times = 5
	for left, want := range map[int]string{0: "<nil>", 2: "time 2: word ", times: "time 5: word ", times + 2: "time 2: word "} { // the order does not matter
		dev := &repeating{Device: &flaky{generic(t), left}, times: times}
		if err := dev.check(generic(t), kernel.Copy); !strings.HasPrefix(fmt.Sprint(err), want) {
			t.Errorf("a bit flips in run %d: error %v, want %s", left, err, want)
		}
		if dev.programs == 0 || dev.words == 0 {
			t.Errorf("%d programs and %d words are counted", dev.programs, dev.words)
		}
	}
}
