package suite

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// forecast says how many runs of a table will be trained at paper scale, and estimates how
// long that takes from the training times in the golden file g, which may be nil. A run that resumes
// from a checkpoint counts as a whole run. Validation and measuring are not counted. For a run
// without an estimate, forecast says how long the first epoch takes, if the golden file has it.
// forecast returns "" at other scales, if the selected runs are not trained, and if
// PUSHDOWN_RESUME=only excludes training. It
// takes seconds for a hundred runs, because it must build each experiment to find its
// result file.
func (s *Suite) forecast(t *testing.T, part Part, g *golden.File) string {
	settings := Current()
	if settings.Scale != Paper || settings.Only {
		return ""
	}
	var f ahead
	for _, r := range part.Runs {
		runs, seeds := toTrain(t, r)
		f.runs, f.train = f.runs+runs, f.train+len(seeds)
		for _, seed := range seeds {
			group := r.ID().Group()
			if m, ok := trainMinutes(g, group, seed); ok {
				f.known, f.sum, f.longest = f.known+1, f.sum+m, max(f.longest, m)
			} else if m, ok := trainMinutes(g, verdict.FirstEpochOf(group), 1); ok {
				f.begun, f.epochs = f.begun+1, f.epochs+m
			}
		}
	}
	if f.runs == 0 {
		return ""
	}
	return f.text(parallel(), settings.Threads, runtime.GOMAXPROCS(0))
}

// toTrain returns the number of runs of a row that this process selects, and the seeds of those that it
// will train, because it will not read a result back.
func toTrain(t *testing.T, r Runs) (runs int, seeds []int) {
	s := Current()
	for _, seed := range r.List() {
		name := string(r.ID().Group().WithSeed(seed))
		if s.Shard.Owns(name) && selected(t.Name()+"/"+name) {
			if runs++; !readsBack(s, r, seed) {
				seeds = append(seeds, seed)
			}
		}
	}
	return runs, seeds
}

// readsBack reports whether the result of a run exists and will be read back.
func readsBack(s *Settings, r Row, seed int) bool {
	if !s.Resume || s.State == "" {
		return false
	}
	x, err := r.Build(uint64(seed))
	if err != nil {
		return false // runOne reports the error
	}
	file, _, err := resultPath(s.State, x)
	if err != nil {
		return false
	}
	_, err = os.Stat(file)
	return err == nil
}

// trainMinutes returns the training time of a run, in minutes, from the golden file g, which may be nil. For
// a run that the file does not have, it returns the mean of the other runs of the row. If the file has
// no run of the row, it returns false.
func trainMinutes(g *golden.File, group golden.Name, seed int) (float64, bool) {
	if g == nil {
		return 0, false
	}
	for _, r := range g.Seeds(group) {
		if m, ok := r.Value(TrainMinutes.Name); ok && r.Name.Seed() == seed {
			return m, true
		}
	}
	list := g.Values(group, TrainMinutes.Name)
	if len(list) == 0 {
		return 0, false
	}
	return golden.Mean(list), true
}

// ahead counts the runs of a table and adds up the minutes of those that will be
// trained.
type ahead struct {
	runs, train, known int // all runs; runs that will be trained; those of the latter with an estimate
	sum, longest       float64

	begun  int     // runs without an estimate whose first epoch has been run
	epochs float64 // the minutes of these epochs
}

// text formats the forecast. parallel is the number of runs at a time, threads the
// number of threads of a run, and processors the number of processors.
func (f *ahead) text(parallel, threads, processors int) string {
	s := fmt.Sprintf("%d of %d runs to train", f.train, f.runs)
	unknown := f.train - f.known
	if f.known > 0 {
		used := min(min(parallel, f.known)*threads, processors)
		wall := max(f.sum/float64(used), f.longest/float64(min(threads, processors)))
		s += ": "
		if unknown > 0 {
			s += fmt.Sprintf("%d of them ", f.known)
		}
		s += fmt.Sprintf("%s hours of training as measured in the golden file, %s h on %d processor", hours(f.sum), hours(wall), used)
		if used > 1 {
			s += "s"
		}
	}
	switch {
	case f.known == 0 && unknown > 0:
		s += "; no estimate"
	case unknown > 0:
		s += fmt.Sprintf("; no estimate for the other %d", unknown)
	}
	if f.begun > 0 {
		s += fmt.Sprintf("; the first epochs of %d of them take %s hours", f.begun, hours(f.epochs))
	}
	return s
}

// hours formats minutes as hours.
func hours(minutes float64) string {
	if minutes < 6 {
		return "less than 0.1"
	}
	return fmt.Sprintf("about %.1f", minutes/60)
}

// selected reports whether -run and -skip select a test. It is for tests without subtests,
// such as those of single runs.
func selected(test string) bool {
	run, skip := value("test.run"), value("test.skip")
	return (run == "" || matches(run, test, false)) && (skip == "" || !matches(skip, test, true))
}

// matches reports whether a pattern of -run or -skip matches the name of a test. The
// pattern is a list of alternatives separated by |, and an alternative is a list of regular
// expressions separated by /. Each expression must match the element of the name at the
// same position. The name may have more elements than the alternative has expressions. It
// may have fewer only if the parameter whole is false.
func matches(pattern, test string, whole bool) bool {
	names := strings.Split(test, "/")
	for _, alternative := range apart(pattern, '|') {
		elements := apart(alternative, '/')
		ok := !whole || len(elements) <= len(names)
		for i := range min(len(elements), len(names)) {
			match, _ := regexp.MatchString(elements[i], names[i]) // package testing reports a bad expression
			ok = ok && match
		}
		if ok {
			return true
		}
	}
	return false
}

// apart splits a pattern at each separator that is not inside brackets or parentheses.
func apart(pattern string, at byte) (list []string) {
	begin, class, group := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			class++
		case c == ']':
			class = max(class-1, 0)
		case class > 0:
		case c == '(':
			group++
		case c == ')':
			group--
		case c == at && group == 0:
			list, begin = append(list, pattern[begin:i]), i+1
		}
	}
	return append(list, pattern[begin:])
}
