package suitetest

import (
	"fmt"
	"reflect"
	"testing"

	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// seed checks that runs use their seeds. Both runs of each row at scale smoke must have their own
// seed, which determines weights, noise and dropout. A source that has another order in each epoch must
// have another one for each seed. All other data must be the same for all seeds.
func (c *checker) seed(t *testing.T) {
	for _, r := range c.Rows(suite.Smoke) {
		var x [2]*train.Experiment
		for i := range x {
			x[i] = Must(r.Build(uint64(i + 1)))(t)
			if x[i].Seed != uint64(i+1) {
				t.Errorf("%s: have seed %d, want %d", x[i].Name, x[i].Seed, i+1)
			}
		}
		equal := func(what string, want bool, a, b any) {
			if reflect.DeepEqual(a, b) != want {
				t.Errorf("%s: the seeds 1 and 2: %s: have the same: %v, want %v", r.ID().Group(), what, !want, want)
			}
		}
		equal("validation batches", true, batches(x[0].Valid.Fill, 0, x[0].Valid.Len()), batches(x[1].Valid.Fill, 0, x[1].Valid.Len()))
		if s := x[0].Online.Stream; s != nil {
			equal("strings", true, streamStrings(s), streamStrings(x[1].Online.Stream))
			continue
		}
		n := x[0].Train.PerEpoch()
		first := batches(x[0].Train.Fill, 0, n)
		same := reflect.DeepEqual(first, batches(x[0].Train.Fill, n, 2*n)) // as in the second epoch
		equal("batches", same, first, batches(x[1].Train.Fill, 0, n))
	}
}

// batches returns a range of batches, without the coordinates of random numbers, which have
// the number of the update.
func batches(fill func(int, *train.Batch), from, to int) (list []train.Batch) {
	for i := from; i < to; i++ {
		var b train.Batch
		fill(i, &b)
		b.Coord = nil
		list = append(list, b)
	}
	return list
}

// streamStrings returns the strings of the first epoch of a stream.
func streamStrings(s train.Stream) (list []train.StreamString) {
	for i := range s.PerEpoch() {
		var p train.StreamString
		s.Fill(i, &p)
		list = append(list, p)
	}
	return list
}

// way names the way in which a run uses its seed: the type of its row and of its source, and
// whether it draws random numbers in training.
func way(r suite.Runs, x *train.Experiment) string {
	var b train.Batch
	if x.Train != nil {
		x.Train.Fill(0, &b)
	}
	return fmt.Sprintf("%T %T %v", r.Row, x.Train, b.Coord != nil)
}
