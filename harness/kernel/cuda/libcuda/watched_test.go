package libcuda

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/kerneltest"
)

// watched is a device that counts what it does, and runs each program so many
// times, from the same memory each time: it has to leave the same words.
type watched struct {
	kernel.Device
	times    int
	programs int   // run
	words    int   // read back by the test
	differs  error // the first time that a program left other words
}

type watchedArena struct {
	kernel.Arena
	dev *watched
}

func (d *watched) NewArena(words int) (kernel.Arena, error) {
	a, err := d.Device.NewArena(words)
	if err != nil {
		return nil, err
	}
	return &watchedArena{a, d}, nil
}

func (a *watchedArena) Read(at int, x []float32) {
	a.dev.words += len(x)
	a.Arena.Read(at, x)
}

func (a *watchedArena) ReadInts(at int, x []int32) {
	a.dev.words += len(x)
	a.Arena.ReadInts(at, x)
}

func (a *watchedArena) Run(c kernel.Code, frames []kernel.Frame) {
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

// check is kerneltest.Check with what comes up in later runs.
func (d *watched) check(reference kernel.Device, op kernel.Op) (err error) {
	defer kernel.Catch(&err)
	err = kerneltest.Check(d, reference, op)
	if d.differs != nil {
		return d.differs
	}
	return err
}

// flaky is a device that goes wrong once.
type flaky struct {
	kernel.Device
	left int // runs until then
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

// TestRepeatingFindsWhatComesUpOnce: a bit that flips in one run of many, which
// the comparison with the reference does not see.
func TestRepeatingFindsWhatComesUpOnce(t *testing.T) {
	const times = 5
	for left, want := range map[int]string{0: "<nil>", 2: "time 2: word ", times: "time 5: word ", times + 2: "time 2: word "} { // in any order
		dev := &watched{Device: &flaky{generic(t), left}, times: times}
		if err := dev.check(generic(t), kernel.Copy); !strings.HasPrefix(fmt.Sprint(err), want) {
			t.Errorf("a bit flips in run %d: error %v, want %s", left, err, want)
		}
		if dev.programs == 0 || dev.words == 0 {
			t.Errorf("%d programs and %d words are counted", dev.programs, dev.words)
		}
	}
}
