package train

import (
	"errors"
	"strings"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
)

// failingDevice is a device that fails after a given number of calls to its arenas.
type failingDevice struct {
	kernel.Device
	left *int
}

type failingArena struct {
	kernel.Arena
	left *int
}

var errBus = errors.New("the bus is gone")

func (d failingDevice) NewArena(words int) (kernel.Arena, error) {
	a, err := d.Device.NewArena(words)
	return failingArena{a, d.left}, err
}

func (a failingArena) call(doing string) {
	if *a.left--; *a.left < 0 {
		panic(&kernel.Failure{Device: "frail", Doing: doing, Err: errBus})
	}
}

func (a failingArena) Write(at int, x []float32)   { a.call("writing"); a.Arena.Write(at, x) }
func (a failingArena) WriteInts(at int, x []int32) { a.call("writing"); a.Arena.WriteInts(at, x) }
func (a failingArena) Read(at int, x []float32)    { a.call("reading"); a.Arena.Read(at, x) }
func (a failingArena) Run(c kernel.Code, frames []kernel.Frame) {
	a.call("launching")
	a.Arena.Run(c, frames)
}

// TestDeviceFailure checks that a device that fails at any call ends the run with an
// error, and that the run resumes from its checkpoint and ends with the same result.
func TestDeviceFailure(t *testing.T) {
	e := shortProblem()
	e.MaxUpdates = 12
	host := device(t, cpu.Generic)
	const plenty = 1 << 30
	left := plenty
	want := run(t, e, Options{Device: failingDevice{host, &left}})
	calls := plenty - left
	texts := map[string]int{}
	for n := 0; n < calls; n += 1 + calls/20 {
		opts := Options{Device: failingDevice{host, &left}, State: state(t), SaveEvery: every, Resume: true}
		left = n
		_, err := Run(e, opts)
		if err == nil || !errors.Is(err, errBus) {
			t.Fatalf("a device that fails after %d calls of %d: error %v, want one of the device", n, calls, err)
		}
		for _, text := range []string{"train: tiny: after update 0: frail: launching: the bus is gone", "train: tiny: validation after update 5: frail: "} {
			if strings.Contains(err.Error(), text) {
				texts[text]++
			}
		}
		left = plenty
		if diff := differ(want, run(t, e, opts)); diff != "" {
			t.Fatalf("resumed after a failure at call %d (-without +with):\n%s", n, diff)
		}
	}
	if len(texts) != 2 {
		t.Errorf("errors say %v, want of where in the run they come from", texts)
	}
}
