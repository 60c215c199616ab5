package patterns

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
	"pushdown/harness/metric"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// figureFolder is where figures and what they are drawn of stand.
func figureFolder(t *testing.T) string {
	t.Helper()
	name, err := golden.Path("patterns", path.Join("figures", "x"))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(name)
}

// shownAs is the name of the figure that shows the stacks of a row.
func (e Experiment) shownAs() string {
	if e.Row.Table != "" {
		return "table" + e.Row.Table
	}
	return "figure" + e.Row.Figure
}

// keepFigures keeps what the figures at paper scale are drawn of: of figure 2 the
// strings that each restart answered rightly, of the rows whose stacks are shown the
// parameters of the restart that the validation strings choose.
func keepFigures(t *testing.T, path string, lengths map[golden.Name][]*metric.Lengths, params map[golden.Name]*train.Params) {
	t.Helper()
	folder := figureFolder(t)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	kept := readAnswered(t, folder)
	for _, e := range Figure2() {
		for i, l := range lengths[group(e.Row)] {
			if l != nil {
				kept.Add(group(e.Row).WithSeed(i+1), l)
			}
		}
	}
	if len(kept.Names) > 0 {
		write(t, filepath.Join(folder, "figure2.txt"), kept.Format())
	}
	g, err := golden.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range Traced() {
		if best, ok := chosen(g.Rows, group(e.Row)); ok && params[best.Name] != nil {
			if err := params[best.Name].Write(trainedFile(e.shownAs()), string(best.Name)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// readAnswered reads what figure 2 is drawn of, nothing if nothing has been run.
func readAnswered(t *testing.T, folder string) *Answered {
	t.Helper()
	name := filepath.Join(folder, "figure2.txt")
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &Answered{}
	}
	if err != nil {
		t.Fatal(err)
	}
	a, err := ParseAnswered(filepath.Base(name), text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// paperGolden is the golden file at paper scale, empty if nothing has been run.
func paperGolden(t *testing.T) *golden.File {
	t.Helper()
	path, err := golden.Path("patterns", string(suite.Paper))
	if err != nil {
		t.Fatal(err)
	}
	g, err := golden.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &golden.File{}
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestFigures draws figure 2 from what is kept of it, and table 3 and figure 3 from
// the kept parameters, whose digests the golden file has, and holds text and drawing
// against what stands in golden/patterns/figures.
func TestFigures(t *testing.T) {
	folder, g := figureFolder(t), paperGolden(t)
	want := map[string][]byte{} // by file
	draw := func(name string, d plot.Drawing) {
		var svg bytes.Buffer
		if err := plot.SVG(&svg, d); err != nil {
			t.Fatal(err)
		}
		want[name] = svg.Bytes()
	}
	if kept := readAnswered(t, folder); len(kept.Names) > 0 {
		d, err := Figure2Drawing("Measured by pushdown, suites/patterns: figure 2 of stack-rnn.", kept.Curves(Figure2()))
		if err != nil {
			t.Fatal(err)
		}
		draw("figure2.svg", d)
	}
	dev := suite.Open(t)
	for _, e := range Traced() {
		best, ok := chosen(g.Rows, group(e.Row))
		if !ok {
			continue
		}
		p, err := train.ReadParams(trainedFile(e.shownAs()))
		if err != nil {
			t.Fatal(err)
		}
		tr := g.Trajectories[slices.IndexFunc(g.Trajectories, func(tr golden.Trajectory) bool { return tr.Name == best.Name })]
		at := slices.IndexFunc(tr.Points, func(pt golden.Point) bool { return pt.At == golden.Best })
		if at < 0 || tr.Points[at].SHA256 != p.Digest() {
			t.Errorf("%s: digest %s is not that of %s at its best", trainedFile(e.shownAs()), p.Digest(), best.Name)
		}
		trace, err := e.Trace(dev, p, uint64(best.Name.Seed()))
		if err != nil {
			t.Fatal(err)
		}
		unit, shows := "pattern-%", percent(trace.Pattern())
		if e.Answers() {
			unit, shows = "roles", float64(trace.Roles())
		}
		if have, ok := best.Value(unit); !ok || have != shows {
			t.Errorf("%s: the golden file has %v %s, its stacks show %v", best.Name, have, unit, shows)
		}
		var text bytes.Buffer
		if err := trace.Table(&text, trace.Shown(2)); err != nil {
			t.Fatal(err)
		}
		want[e.shownAs()+".txt"] = text.Bytes()
		title := fmt.Sprintf("Tops and actions of the stacks on a string of %s", e.Task)
		draw(e.shownAs()+".svg", trace.Drawing(title, fmt.Sprintf("Measured by pushdown, suites/patterns: %s.", best.Name), trace.Shown(2)))
	}
	for name, text := range want {
		const again = `go test ./suites/patterns -run Figures -update "<reason>" makes it anew`
		if *golden.Flag() != "" {
			write(t, filepath.Join(folder, name), text)
		} else if have, err := os.ReadFile(filepath.Join(folder, name)); err != nil {
			t.Errorf("%v; %s", err, again)
		} else if diff := cmp.Diff(string(text), string(have)); diff != "" {
			t.Errorf("golden/patterns/figures/%s (-want +have); %s:\n%.2000s", name, again, diff)
		}
	}
	have, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range have {
		if base := filepath.Base(name); want[base] == nil && base != "figure2.txt" {
			t.Errorf("golden/patterns/figures/%s: nothing makes it", base)
		}
	}
}

// TestAnsweredAreOfTheGoldenRuns holds the counts of figure 2 against the golden
// file: the restarts are the same, and so is what the file says of each.
func TestAnsweredAreOfTheGoldenRuns(t *testing.T) {
	g, kept := paperGolden(t), readAnswered(t, figureFolder(t))
	var rows []golden.Name
	for _, e := range Figure2() {
		for _, r := range g.Rows {
			if r.Name.Group() != group(e.Row) {
				continue
			}
			rows = append(rows, r.Name)
			at := slices.Index(kept.Names, r.Name)
			if at < 0 {
				t.Errorf("figure2.txt lacks %s", r.Name)
				continue
			}
			for unit, want := range e.figures(kept.Of[at]) {
				if have, _ := r.Value(unit); have != want {
					t.Errorf("%s: figure2.txt gives %v %s, the golden file has %v", r.Name, want, unit, have)
				}
			}
		}
	}
	if len(kept.Names) != len(rows) {
		t.Errorf("figure2.txt has %d restarts, the golden file %d", len(kept.Names), len(rows))
	}
}

// figures are what the golden file has of the counts of a restart.
func (e Experiment) figures(l *metric.Lengths) map[string]float64 {
	units := map[string]float64{}
	for _, v := range e.lengthValues(l) {
		units[v.Unit] = v.Value
	}
	return units
}

// invented counts: restart seed answers all strings shorter than cut, and none else.
func invented(e Experiment, cut int) *metric.Lengths {
	l := metric.NewLengths(shortest, longest)
	for n := max(shortest, e.Task.Shortest()); n <= longest; n++ {
		for range perLength - 1 {
			l.Add(n, n < cut)
		}
	}
	return l
}

// What is written is read as it was, and drawn seed by seed; restarts of one row may
// come in any order and again.
func TestAnswered(t *testing.T) {
	rows := Figure2()
	var a Answered
	for _, seed := range []int{10, 2, 1, 2} {
		a.Add(group(rows[3].Row).WithSeed(seed), invented(rows[3], 10*seed))
		a.Add(group(rows[5].Row).WithSeed(seed), invented(rows[5], seed))
	}
	text := a.Format()
	if n := bytes.Count(text, []byte("\n")); n != 6 {
		t.Fatalf("%d lines, want one for each of 6 restarts:\n%s", n, text)
	}
	again, err := ParseAnswered("x", text)
	if err != nil {
		t.Fatal(err)
	}
	curves := again.Curves(rows)
	if len(curves) != 2 || curves[0].Of.Row != rows[3].Row || len(curves[0].Runs) != 3 {
		t.Fatalf("%d rows, want the Stack RNN on memorization and addition with 3 restarts each", len(curves))
	}
	for i, seed := range []int{1, 2, 10} {
		if have, want := curves[0].Runs[i].Longest(), min(10*seed-1, longest); have != want {
			t.Errorf("restart %d is right up to n = %d, want %d", seed, have, want)
		}
	}
}

func TestAnsweredRefuses(t *testing.T) {
	name := string(group(Figure2()[0].Row))
	line := name + "/seed=1" + strings.Repeat(" 5", 60) + "\n"
	if _, err := ParseAnswered("x", []byte(line)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{name + "/seed=1" + strings.Repeat(" 5", 59) + "\n", "x:1: have 60 words, need 61"},
		{line + line, "x: have text with other spaces or another order"},
		{strings.Replace(line, "seed=1", "seed=2", 1) + line, "x: have text with other spaces or another order"},
		{strings.Replace(line, " 5", "  5", 1), "x: have text with other spaces"},
		{name + strings.Repeat(" 5", 60) + "\n", "x:1: name "},
		{strings.Replace(line, " 5", " 200", 1), `x:1: n = 1: have "200", need a dash or 0 to 199`},
		{strings.Replace(line, " 5", " x", 1), `x:1: n = 1: have "x"`},
		{"\n", "x:1: have 0 words"},
	} {
		if _, err := ParseAnswered("x", []byte(c.text)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.60q: error %v, want %q", c.text, err, c.want)
		}
	}
}

// No text breaks the reader, and what it takes it writes again as it was.
func FuzzParseAnswered(f *testing.F) {
	f.Add([]byte(string(group(Figure2()[0].Row)) + "/seed=1 -" + strings.Repeat(" 199", 59) + "\n"))
	f.Add([]byte("paper=x/seed=1 1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := ParseAnswered("x", text)
		if err == nil && !bytes.Equal(a.Format(), text) {
			t.Errorf("%q is written as %q", text, a.Format())
		}
	})
}
