package suite

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pushdown/harness/kernel"
	"pushdown/harness/train"
)

// How long paces measures a row: until this many updates, or for this time if that is less
// and three updates have ended.
const (
	paceUpdates = 50
	paceTime    = 2 * time.Second
)

// paces says for each row how long its runs will take on the selected device. It trains the
// first updates of one run of the row, since the times in golden files are those of a CPU. It
// says nothing about rows whose runs are not selected or have results. If this would take
// more than a tenth of -timeout, the rows that are left are not measured.
func (s *Suite) paces(t *testing.T, part Part) (list []string) {
	t.Helper()
	dev, err := Current().device()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	began, whole := time.Now(), timeout()
	for _, r := range part.Runs {
		_, seeds := toTrain(t, r)
		if len(seeds) == 0 {
			continue
		}
		text := "no estimate: -timeout is too short to measure it"
		if whole <= 0 || time.Since(began) < whole/10 {
			if text, err = pace(dev, r, seeds[0]); err != nil {
				text = err.Error() // the run itself fails with it
			}
		}
		list = append(list, fmt.Sprintf("%s: %d to train, %s", r.ID().Group(), len(seeds), text))
	}
	return list
}

// pace measures the first updates of a run, or the first strings of a run on a stream, and
// returns a text with the time of an epoch and of the whole run. The first two are not
// counted: in them kernels are compiled and graphs recorded.
func pace(dev kernel.Device, r Row, seed int) (string, error) {
	x, err := r.Build(uint64(seed))
	if err != nil {
		return "", err
	}
	epoch, most, item := 0, x.MaxUpdates, "updates"
	if stream := x.Online.Stream; stream != nil {
		epoch, item = stream.PerEpoch(), "strings"
		most = x.Online.Epochs * epoch
	} else {
		epoch = x.Train.PerEpoch()
	}
	var ends []time.Time
	took := func() time.Duration { return ends[len(ends)-1].Sub(ends[1]) }
	_, err = train.Run(x, train.Options{
		Device: dev, Updates: paceUpdates,
		Progress: func(train.Progress) { ends = append(ends, time.Now()) },
		Stop:     func() bool { return signalled() != "" || len(ends) > 2 && took() >= paceTime },
	})
	if err != nil && !errors.Is(err, train.ErrStopped) {
		return "", err
	}
	n := len(ends) - 2
	if n < 1 {
		return "no estimate", nil
	}
	minutes := func(items int) float64 { return took().Minutes() / float64(n) * float64(items) }
	text := fmt.Sprintf("%s hours an epoch", hours(minutes(epoch)))
	if most > 0 {
		text += fmt.Sprintf(", %s hours a run of all its %d %s", hours(minutes(most)), most, item)
	}
	return fmt.Sprintf("%s, as %d %s took on %s", text, n, item, dev), nil
}
