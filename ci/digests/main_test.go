package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pushdown/ci/git/gittest"
	"pushdown/harness/golden"
)

// repository makes a git repository. Its commit has a golden file in the former format,
// with all digests in the file itself. Its working tree has the same golden file in the
// format of golden.Write.
func repository(t *testing.T) (root, file string) {
	t.Helper()
	root = t.TempDir()
	git := gittest.In(t, root)
	text, err := os.ReadFile(filepath.Join("..", "..", "harness", "golden", "testdata", "dyck.txt"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := golden.Parse("dyck.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	f.Scale = "paper"
	run := f.Trajectories[0] // used for every row, with three points added: the learning rate falls at 700, and thinning removes some points
	for i, at := range []golden.Step{600, 700, 800} {
		p := run.Points[2]
		p.At, p.Extra = at, []golden.Scalar{{Key: "lr", Value: []float64{2, 1, 1}[i]}, {Key: "valid-loss", Value: 1 / float64(3+i)}}
		run.Points = append(run.Points, p)
	}
	f.Trajectories = nil
	for _, row := range f.Rows {
		run.Name = row.Name
		f.Trajectories = append(f.Trajectories, run)
	}
	old, err := golden.Format(f)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(root, "golden", "dyck")
	for _, name := range []string{folder, filepath.Join(root, "suites")} {
		if err := os.MkdirAll(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string][]byte{filepath.Join(folder, "paper.txt"): old, filepath.Join(root, "suites", "x"): nil} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "x")
	if err := os.Remove(filepath.Join(folder, "paper.txt")); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(folder, golden.FileName("paper"))
	if err := golden.Write(file, f); err != nil {
		t.Fatal(err)
	}
	return root, file
}

func TestRun(t *testing.T) {
	root, file := repository(t)
	command := func(want int, args ...string) string {
		t.Helper()
		var out, complaint bytes.Buffer
		if have := run(&out, &complaint, append([]string{"-root", root}, args...)); have != want {
			t.Errorf("%v: have status %d, %s%s, want %d", args, have, out.String(), complaint.String(), want)
		}
		return out.String() + complaint.String()
	}
	const counts = "25 rows with 70 values, 9 verdicts, 3 claims, 25 trajectories with 125 of 200 points, 100 losses of curves, 25 digests of all points\n"
	if have := command(0, "HEAD"); !strings.Contains(have, "golden/dyck/paper-scale.txt: "+counts) || !strings.Contains(have, "0 differences") {
		t.Errorf("have %s, want %s", have, counts)
	}

	good, err := golden.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		change func(*golden.File)
		want   string
	}{
		{func(f *golden.File) { f.Rows[0].Values[0].Value++ }, "seed=1: have [{Unit:test-wcpa-% Value:39.5}], want [{Unit:test-wcpa-% Value:38.5}]"},
		{func(f *golden.File) { f.Rows, f.Trajectories = f.Rows[1:], f.Trajectories[1:] }, "seed=1: only in the commit (rows)"},
		{func(f *golden.File) { f.Verdicts[0].Outcome = golden.Worse }, "Outcome:worse"},
		{func(f *golden.File) { f.Claims = f.Claims[1:] }, "R07: only in the commit (claims)"},
		{func(f *golden.File) { f.Provenance[0].Commit = "abcdefabcdef" }, "Commit:abcdefabcdef"},
		{func(f *golden.File) { f.Trajectories[0].Points[0].SHA256 = strings.Repeat("0", 64) }, "have {At:1 SHA256:0000"},
		{func(f *golden.File) { f.Trajectories[0].Points[2].Extra[0].Value = 3 }, "Key:lr Value:3"},
		{func(f *golden.File) { f.Trajectories[0].Points = f.Trajectories[0].Points[1:] }, "update 1: have no digest"},
		{func(f *golden.File) { f.Trajectories[0].Points[1].At = 9 }, "update 9: have a digest"},
		{func(f *golden.File) { f.Trajectories[0].Thinned.SHA256 = strings.Repeat("0", 64) }, "have 8 points 0000"},
		{func(f *golden.File) { f.Trajectories[0].Thinned.Points = 9 }, "have 9 points"},
		{func(f *golden.File) { f.Trajectories[0].Thinned.Curve[0].Loss = 7 }, "Loss:7"},
	} {
		f, err := golden.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		test.change(f)
		if err := golden.Write(file, f); err != nil {
			t.Fatal(err)
		}
		if have := command(1, "HEAD"); !strings.Contains(have, test.want) {
			t.Errorf("have %s, want %q", have, test.want)
		}
		if err := golden.Write(file, good); err != nil {
			t.Fatal(err)
		}
	}
	few, err := golden.Read(file) // will lack the runs of a row
	if err != nil {
		t.Fatal(err)
	}
	row := few.Rows[0].Name.Group()
	few.Rows = slices.DeleteFunc(few.Rows, func(r golden.Row) bool { return r.Name.Group() == row })
	few.Trajectories = slices.DeleteFunc(few.Trajectories, func(tr golden.Trajectory) bool { return tr.Name.Group() == row })
	if err := golden.Write(file, few); err != nil {
		t.Fatal(err)
	}
	missing := len(good.Seeds(row))
	short, all := command(1, "HEAD"), command(1, "-all", "HEAD")
	if want := fmt.Sprintf("/seed=1: only in the commit (rows); and %d more of %s\n", missing-1, row); !strings.Contains(short, want) || strings.Count(short, ": only in the commit (") != 2 || !strings.HasSuffix(short, "to see every difference: -all\n") {
		t.Errorf("a row without its seeds: have\n%s\nwant %q and a line for the trajectories", short, want)
	}
	if n := strings.Count(all, ": only in the commit ("); n != 2*missing || missing < 3 || strings.Contains(all, "more") {
		t.Errorf("-all: have %d differences, want two for each of %d runs\n%s", n, missing, all)
	}
	if err := golden.Write(file, good); err != nil {
		t.Fatal(err)
	}
	if have := command(1, "nothing"); !strings.Contains(have, "git rev-parse") {
		t.Errorf("no commit: have %s", have)
	}
	if have := command(2); !strings.Contains(have, "have no arguments after the flags, want commit") {
		t.Errorf("no argument: have %s", have)
	}
	if have := command(2, "HEAD~1", "HEAD"); !strings.Contains(have, `have the arguments ["HEAD~1" "HEAD"] after the flags, want commit`) {
		t.Errorf("two arguments: have %s", have)
	}
	command(2, "-x")
	if err := os.RemoveAll(filepath.Dir(file)); err != nil {
		t.Fatal(err)
	}
	if have := command(1, "HEAD"); !strings.Contains(have, "golden/dyck/paper-scale.txt: only in the commit") {
		t.Errorf("no golden file: have %s", have)
	}
}

func TestOtherRepositoriesStay(t *testing.T) { gittest.OthersStay(t, "^TestRun$") }

func TestWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out, complaint bytes.Buffer
	if status := run(&out, &complaint, []string{"-root", t.TempDir(), "HEAD"}); status != 1 || !strings.HasPrefix(complaint.String(), "digests: have no git, want it to read the files of HEAD: ") {
		t.Errorf("have status %d, %s, want 1 and what git is wanted for", status, complaint.String())
	}
}
