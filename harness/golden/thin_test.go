package golden

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ranThrough returns the trajectory of a run of 1200 updates. It has a validation
// every 50 updates. The learning rate is cut at updates 400 and 900, and the best
// loss is at 750.
func ranThrough(name Name) Trajectory {
	t := Trajectory{Name: name}
	of := func(what any) string { return digest(fmt.Sprint(name, what)) }
	rate := 0.1
	for n := 1; n <= 1200; n++ {
		p := Point{At: Step(n), SHA256: of(n)}
		if n%50 == 0 {
			if n == 400 || n == 900 {
				rate /= 2
			}
			loss := lossAt(n)
			if n == 750 {
				p.SHA256, loss = of("best"), 0.1
			}
			p.State = of(fmt.Sprint("state", n))
			p.Extra = []Scalar{{"lr", rate}, {"temperature", 1 / float64(n)}, {"valid-loss", loss}}
		} else if !p.At.decade() {
			continue
		}
		t.Points = append(t.Points, p)
	}
	last := t.Points[len(t.Points)-1]
	t.Points = append(t.Points, Point{At: Best, SHA256: of("best")}, Point{At: End, SHA256: last.SHA256, State: last.State, Extra: []Scalar{{"diverged", 1}}})
	return t
}

func lossAt(update int) float64 { return 0.1 + 1/float64(7+update) }

// atPaper returns the run that the function dyck makes, with two changes: it is at paper
// scale, and each row has a trajectory.
func atPaper() *Run {
	r := dyck()
	r.Scale, r.Trajectories, r.Judge = "paper", nil, Judge{}
	for _, row := range r.Rows {
		r.Trajectories = append(r.Trajectories, ranThrough(row.Name))
	}
	return r
}

func TestThin(t *testing.T) {
	full := ranThrough(m4One)
	thin := full.Thin()
	var marks []string
	for _, p := range thin.Points {
		marks = append(marks, p.At.String())
		i := slices.IndexFunc(full.Points, func(q Point) bool { return q.At == p.At })
		if d := cmp.Diff(full.Points[i], p); d != "" {
			t.Errorf("update %v (-run +kept)\n%s", p.At, d)
		}
	}
	if have, want := strings.Join(marks, " "), "1 10 100 400 750 900 1000 best end"; have != want {
		t.Errorf("kept: have %s, want %s", have, want)
	}
	text := strings.ReplaceAll(full.String(), "Trajectory "+string(m4One)+" ", "")
	if have, want := thin.Thinned.SHA256, fmt.Sprintf("%x", sha256.Sum256([]byte(text))); have != want || thin.Thinned.Points != len(full.Points) {
		t.Errorf("all points: have %d, %s, want %d, %s", thin.Thinned.Points, have, len(full.Points), want)
	}
	curve := thin.Thinned.Curve
	if len(curve) != 24 || curve[0] != (Validation{50, 0.117544}) || curve[14] != (Validation{750, 0.1}) {
		t.Errorf("curve: have %v", curve)
	}
	if d := cmp.Diff(thin, thin.Thin()); d != "" {
		t.Errorf("thinned again\n%s", d)
	}
	// Without the point Best, the result of the run is its last state, the point End. The
	// first validation with the digest of End must then be kept.
	full.Points = slices.DeleteFunc(full.Points, func(p Point) bool { return p.At == Best })
	if have := full.Thin().Points; len(have) != 8 || have[6].At != 1200 || have[7].At != End {
		t.Errorf("without a best: have %v", have)
	}
	if have := (Trajectory{Points: []Point{{At: 0, SHA256: digest("0")}}}).Thin(); len(have.Points) != 1 {
		t.Errorf("initial state alone: have %v", have)
	}
}

// TestDigestText checks the text of a run in a digest file, line by line.
func TestDigestText(t *testing.T) {
	of := func(what any) string { return digest(fmt.Sprint(m4One, what)) }
	thin := ranThrough(m4One).Thin()
	curve := "curve every=50"
	for n := 50; n <= 1200; n += 50 {
		switch n {
		case 100, 400, 750, 900, 1000:
			curve += " -"
		default:
			curve += fmt.Sprintf(" %.6g", lossAt(n))
		}
	}
	want := strings.Join([]string{
		"1 " + of(1), "10 " + of(10), "100 " + of(100) + " " + of("state100") + " 0.1 " + Number(lossAt(100)) + " temperature=0.01",
		"400 " + of(400) + " " + of("state400") + " 0.05 " + Number(lossAt(400)) + " temperature=0.0025",
		"750 " + of("best") + " " + of("state750") + " 0.05 0.1 temperature=0.0013333333333333333",
		"900 " + of(900) + " " + of("state900") + " 0.025 " + Number(lossAt(900)) + " temperature=0.0011111111111111111",
		"1000 " + of(1000) + " " + of("state1000") + " 0.025 " + Number(lossAt(1000)) + " temperature=0.001",
		"best =750", "end " + of(1200) + " " + of("state1200") + " diverged=1",
		fmt.Sprintf("points %d %s", thin.Thinned.Points, thin.Thinned.SHA256), curve, "",
	}, "\n")
	have := thin.digests()
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("(-want +have)\n%s", d)
	}
}

func TestCompareThinned(t *testing.T) {
	path := filepath.Join(t.TempDir(), "paper-scale.txt")
	g := updated(t, path, atPaper(), "first run")
	at := func(tr *Trajectory, m Step) *Point {
		return &tr.Points[slices.IndexFunc(tr.Points, func(p Point) bool { return p.At == m })]
	}
	upTo := func(tr *Trajectory, m Step) {
		tr.Points = slices.DeleteFunc(tr.Points, func(p Point) bool { return p.At > m })
	}
	name := "digest: " + string(m4One) + ": "
	for _, test := range []struct {
		name   string
		change func(*Trajectory)
		want   string // a part of the only difference; empty if there is none
	}{
		{"same", func(*Trajectory) {}, ""},
		{"prefix", func(tr *Trajectory) { upTo(tr, 600) }, ""},
		{"prefix up to a validation that the result alone keeps", func(tr *Trajectory) { upTo(tr, 750) }, ""},
		{"kept", func(tr *Trajectory) { at(tr, 400).SHA256 = digest("x") }, "sha256 differs first at update 400; equal up to update 100, of the updates kept"},
		{"kept validation", func(tr *Trajectory) { at(tr, 400).Extra[1].Value = 2 }, "temperature differs first at update 400; equal up to update 100"},
		{"prefix, kept", func(tr *Trajectory) { upTo(tr, 600); at(tr, 400).State = digest("x") }, "state differs first at update 400; equal up to update 100"},
		{"prefix, the best", func(tr *Trajectory) { upTo(tr, 750); at(tr, 750).SHA256 = digest("x") }, "sha256 differs first at update 750; equal up to update 400"},
		{"curve", func(tr *Trajectory) {
			for m := Step(250); m <= 1200; m += 50 {
				at(tr, m).Extra[2].Value *= 1.5
			}
		}, "valid-loss differs first at update 400; equal up to update 100, of the updates kept; the validation curves part at update 250"},
		{"not kept", func(tr *Trajectory) { at(tr, 450).SHA256 = digest("x") }, name + "golden 28 points "},
		{"loss not kept", func(tr *Trajectory) { at(tr, 450).Extra[2].Value = 7 }, "the digest of all points differs, though the updates kept agree; the validation curves part at update 450"},
		{"last digit of a loss not kept", func(tr *Trajectory) { at(tr, 450).Extra[2].Value += 1e-15 }, "the digest of all points differs"},
		{"a point less", func(tr *Trajectory) {
			tr.Points = slices.DeleteFunc(tr.Points, func(p Point) bool { return p.At == 450 })
		}, "run 27 points"},
		{"another cut", func(tr *Trajectory) { at(tr, 200).Extra[0].Value = 0.07 }, "golden update 400, run update 200: the runs have different points from there on; equal up to update 100"},
		{"ended early", func(tr *Trajectory) {
			tr.Points = slices.DeleteFunc(tr.Points, func(p Point) bool { return p.At > 600 && p.At < Best })
		}, "golden update 750, run update best"},
		{"thinned", func(tr *Trajectory) { *tr = tr.Thin() }, ""},
		{"thinned, not kept", func(tr *Trajectory) { at(tr, 450).SHA256 = digest("x"); *tr = tr.Thin() }, "the digest of all points differs"},
	} {
		run := atPaper()
		test.change(&run.Trajectories[slices.IndexFunc(run.Trajectories, func(tr Trajectory) bool { return tr.Name == m4One })])
		differences, err := Compare(g, run, rules)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		have := list(differences)
		if test.want == "" && len(differences) > 0 || test.want != "" && (len(differences) != 1 || !strings.Contains(have, test.want) || !strings.Contains(have, name)) {
			t.Errorf("%s: have\n%s\nwant one difference with %q", test.name, have, test.want)
		}
	}
	// Compare finds an edited curve.
	edited := *g
	edited.Trajectories = slices.Clone(g.Trajectories)
	i := slices.IndexFunc(edited.Trajectories, func(tr Trajectory) bool { return tr.Name == m4One })
	thinned := *g.Trajectories[i].Thinned
	thinned.Curve = slices.Clone(thinned.Curve)
	thinned.Curve[1].Loss++
	edited.Trajectories[i].Thinned = &thinned
	if d, err := Compare(&edited, atPaper(), rules); err != nil || len(d) != 1 || !strings.Contains(d[0].String(), "one of the curves was edited") {
		t.Errorf("edited curve: have %v, %v, want one difference that says so", d, err)
	}
	// A golden prefix is compared with a run that is longer.
	run := atPaper()
	upTo(&run.Trajectories[0], 600)
	first := run.Trajectories[0].Name
	prefix := updated(t, filepath.Join(t.TempDir(), "paper-scale.txt"), run, "a prefix")
	if d, err := Compare(prefix, atPaper(), rules); err != nil || len(d) != 1 || !strings.Contains(d[0].String(), string(first)+": golden nothing, run update 750: the golden trajectory stops before it") {
		t.Errorf("run that goes on: have %v, %v", d, err)
	}
}

// files returns the content of each file below dir, by path.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		texts[filepath.ToSlash(name)] = string(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return texts
}

func namesOf(texts map[string]string) string {
	var names []string
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// TestDigestFiles checks that an update writes only the digest files that change,
// and that Read refuses digest files that do not match the rows.
func TestDigestFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "paper-scale.txt")
	const section, table = "digests/resurgence-section6.2.txt", "digests/resurgence-table2.txt"
	g := updated(t, path, atPaper(), "first run")
	before := files(t, dir)
	if have, want := namesOf(before), section+" "+table+" paper-scale.txt"; have != want {
		t.Fatalf("files: have %s, want %s", have, want)
	}
	if strings.Contains(before["paper-scale.txt"], "Trajectory") {
		t.Error("the golden file has a trajectory, want them in the digest files")
	}
	if d := cmp.Diff(filed(t, atPaper()).thin().Trajectories, g.Trajectories); d != "" {
		t.Errorf("trajectories (-run +read)\n%s", d)
	}
	info, err := os.Stat(filepath.Join(dir, section))
	if err != nil {
		t.Fatal(err)
	}
	if changed, err := UpdateFile(path, atPaper(), "again", rules); changed || err != nil {
		t.Errorf("second update: have %v, %v, want no change", changed, err)
	}
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := UpdateFile(path, atPaper(), "without rows", rules); err == nil || !strings.Contains(err.Error(), "have 2 files of digests but not this file, want both from one commit") {
		t.Errorf("update without the rows of the digests: error %v, want a refusal", err)
	}
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}

	run := atPaper()
	i := slices.IndexFunc(run.Trajectories, func(tr Trajectory) bool { return tr.Name == m4One })
	run.Trajectories[i].Points[5].SHA256 = digest("x")
	if err := os.WriteFile(filepath.Join(dir, "digests", ".resurgence-table2.txt.0123456789abcdef.partial"), nil, 0o644); err != nil { // a temporary file of a killed update
		t.Fatal(err)
	}
	updated(t, path, run, "one digest")
	after := files(t, dir)
	if have, want := namesOf(after), namesOf(before); have != want {
		t.Errorf("files: have %s, want %s", have, want)
	}
	if after[section] != before[section] || after[table] == before[table] || after["paper-scale.txt"] == before["paper-scale.txt"] {
		t.Error("the wrong files changed, want that of the table and the golden file")
	}
	if now, err := os.Stat(filepath.Join(dir, section)); err != nil || !os.SameFile(info, now) {
		t.Errorf("%s was written, want it left alone (%v)", section, err)
	}

	put := func(texts map[string]string) {
		t.Helper()
		if err := os.RemoveAll(filepath.Join(dir, "digests")); err != nil {
			t.Fatal(err)
		}
		for name, text := range texts {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	row, _, _ := strings.Cut(before["paper-scale.txt"][strings.Index(before["paper-scale.txt"], "BenchmarkTrain"):], "\n")
	for name, test := range map[string]struct {
		texts map[string]string
		want  string
	}{
		"killed between the two": {map[string]string{"paper-scale.txt": before["paper-scale.txt"], section: after[section], table: after[table]}, "from 2: have no such provenance, want one: one of them was edited: take both from one commit"},
		"no digests":             {map[string]string{"paper-scale.txt": before["paper-scale.txt"], section: before[section]}, "have a row without digests"},
		"no folder":              {map[string]string{"paper-scale.txt": before["paper-scale.txt"]}, "have a row without digests"},
		"no row":                 {map[string]string{"paper-scale.txt": strings.Replace(before["paper-scale.txt"], row+"\n", "", 1), section: before[section], table: before[table]}, "have digests without a row"},
		"a trajectory inline": {map[string]string{"paper-scale.txt": before["paper-scale.txt"] + "\nFrom 1\nTrajectory a=b/seed=1 update=1 sha256=" + digest("x") + "\n",
			section: before[section], table: before[table]}, "have a trajectory, want it in a-b.txt"},
		"another table": {map[string]string{"paper-scale.txt": before["paper-scale.txt"], section: before[section], "digests/x.txt": before[table]}, "x.txt:7: paper=resurgence/table=2/row=dyck-m4/seed=1: have it here, want it in resurgence-table2.txt"},
	} {
		put(test.texts)
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: have %v, want an error with %q", name, err, test.want)
		}
		if _, err := UpdateFile(path, atPaper(), "x", rules); err == nil {
			t.Errorf("%s: update: have no error, want one", name)
		}
		if d := cmp.Diff(test.texts, files(t, dir)); d != "" {
			t.Errorf("%s: a refused update wrote\n%s", name, d)
		}
	}

	put(before)
	if _, err := Format(g); err == nil || !strings.Contains(err.Error(), "trajectory is thinned: have true, want false") {
		t.Errorf("text of thinned trajectories: have %v, want an error", err)
	}
	if err := os.Chmod(filepath.Join(dir, table), 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := UpdateFile(path, run, "x", rules); err == nil || !strings.Contains(err.Error(), "have a read-only file") {
		t.Errorf("read-only digests: have %v, want a refusal", err)
	}
	if d := cmp.Diff(before, files(t, dir)); d != "" {
		t.Errorf("read-only digests: a refused update wrote\n%s", d)
	}
	if err := os.Chmod(filepath.Join(dir, table), 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "paper-scale.txt")
	kept := filepath.Join(dir, "kept") // the link has the name of a golden file at scale paper, so the name of the file is free
	if err := os.Rename(path, kept); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(kept, link); err == nil { // needs a privilege on Windows
		if f := updated(t, link, run, "through the link"); len(f.Provenance) != 2 || len(f.Trajectories) != len(run.Trajectories) {
			t.Errorf("through the link: have %d trajectories from %v", len(f.Trajectories), f.Provenance)
		}
		if have, want := namesOf(files(t, dir)), section+" "+table+" kept"; have != want {
			t.Errorf("files: have %s, want %s", have, want)
		}
	}
	if err := os.Rename(kept, path); err != nil {
		t.Fatal(err)
	}
	part := atPaper() // only the rows of the table
	part.Rows, part.Trajectories = part.Rows[:15], part.Trajectories[:15]
	part.Complete = true
	updated(t, path, part, "no section 6.2")
	if have, want := namesOf(files(t, dir)), table+" paper-scale.txt"; have != want {
		t.Errorf("files: have %s, want %s", have, want)
	}
}

func TestDigestFileRejects(t *testing.T) {
	thin := ranThrough(m4One).Thin()
	thin.From = 1
	good := string(encodeDigests("dyck", "paper", "resurgence-table2", []Trajectory{thin}))
	irregular := thin
	irregular.Thinned = &Thinned{thin.Thinned.Points, thin.Thinned.SHA256, slices.Delete(slices.Clone(thin.Thinned.Curve), 0, 1)}
	other := string(encodeDigests("dyck", "paper", "resurgence-table2", []Trajectory{irregular}))
	for _, text := range []string{good, other} {
		list, err := parseDigests("resurgence-table2.txt", []byte(text), "dyck", "paper")
		if err != nil || len(list) != 1 {
			t.Fatalf("have %v, %v, want a trajectory", list, err)
		}
	}
	state := digest(fmt.Sprint(m4One, "state400"))
	for _, test := range []struct {
		old, new string
		line     int
		want     string
	}{
		{"suite: dyck", "suite: x", 1, "want it written as"},
		{"table: resurgence-table2", "table: resurgence-table1", 3, "want it written as"},
		{"From 1\n", "", 6, "have no From line"},
		{"From 1", "From x", 5, `From: have "x", want a number`},
		{"Seed 1", "Seed 01", 7, `column 6: have "01", want it written as "1"`},
		{"Seed 1", "Seed 1 2", 7, "Seed: have 3 words"},
		{"Seed 1\n", "", 7, "want Seed before it"},
		{"dyck-m4\n", "dyck m4\n", 6, "Group: have 3 words"},
		{"resurgence/table=2", "resurgence/table=3", 7, "want it in resurgence-table3.txt"},
		{"resurgence/table=2", "nobody/table=2", 7, "want one of the papers"},
		{"best =750", "best =751", 15, `have "=751", want an earlier update`},
		{"best =750", "best " + digest(fmt.Sprint(m4One, "best")), 15, "want it written as"},
		{state, state[1:], 11, "want key=number"},
		{state, strings.ToUpper(state), 7, "state: have"},
		{" 0.05 ", " 0.050 ", 11, `have "0.050", want it written as "0.05"`},
		{"temperature=0.0025", "temperature=1e999", 11, "want key=number"},
		{"temperature=0.0025", "temperature=NaN", 7, "have NaN"},
		{"10 ", "2000 ", 7, "have it after update 2000"},
		{"points 28", "points 3", 7, "points: have 3, want at least the 9 kept"},
		{"points 28", "points 20", 7, "curve: have 19 validations that are not kept, want no more than the 11 points"},
		{"points 28", "points x", 17, `points: have "x"`},
		{"points 28 ", "points 28 x ", 17, "points: have 4 words"},
		{"points 28 " + thin.Thinned.SHA256 + "\n", "", 7, "have no line of all points"},
		{"every=50", "every=51", 18, "update 102: have"},
		{"every=50 0.117544", "every=50 0.1175440", 18, "want it written as"},
		{"every=50 0.117544", "every=50 0.1175443", 7, "want a finite number of six digits"},
		{"every=50 0.117544", "every=50 +Inf", 7, "want a finite number"},
		{"every=50 0.117544", "every=50 NaN", 7, "want a finite number"},
		{"every=50 0.117544", "every=50 -", 18, "update 50: have"},
		{"every=50 0.117544 -", "every=50 0.117544 0.109346", 18, "want it written as"},
		{"every=50 0.117544 -", "every=50 0.117544 0.2", 7, "curve: update 100: have 0.2, want 0.109346"},
		{"\nSeed", "\n\nSeed", 7, `have a blank line, want none before "Seed 1"`},
	} {
		text := strings.Replace(good, test.old, test.new, 1)
		if text == good {
			t.Fatalf("the example does not contain %q", test.old)
		}
		_, err := parseDigests("resurgence-table2.txt", []byte(text), "dyck", "paper")
		var parse *ParseError
		if !errors.As(err, &parse) || parse.Line != test.line || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q for %q: have %v, want line %d: ... %s", test.new, test.old, err, test.line, test.want)
		}
	}
}

// FuzzDigests checks that the parser of digest files does not panic, that its
// errors have a line number, and that formatting accepted text gives the same text.
func FuzzDigests(f *testing.F) {
	first, second := ranThrough(m4One).Thin(), ranThrough(m4+"/seed=2").Thin()
	first.From, second.From = 1, 2
	second.Thinned.Curve = slices.Delete(second.Thinned.Curve, 0, 1)
	text := encodeDigests("dyck", "paper", "resurgence-table2", []Trajectory{first, second})
	f.Add(text)
	f.Add(bytes.Replace(text, []byte("every=50"), []byte("every=0"), 1))
	f.Add([]byte("suite: dyck"))
	f.Add([]byte("suite: dyck\nscale: paper\ntable: resurgence-table2\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := parseDigests("resurgence-table2.txt", text, "dyck", "paper")
		if err != nil {
			var parse *ParseError
			if !errors.As(err, &parse) || parse.Line < 1 || parse.Line > bytes.Count(text, []byte("\n"))+1 {
				t.Fatalf("error %v: need a *ParseError with a line of the file", err)
			}
			return
		}
		again := encodeDigests("dyck", "paper", "resurgence-table2", list)
		if !bytes.Equal(again, text) {
			t.Fatalf("written again\n%s", cmp.Diff(string(text), string(again)))
		}
	})
}
