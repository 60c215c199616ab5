package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUpdateAgainChangesNothing(t *testing.T) {
	for _, run := range []func() *Run{dyck, ofTable2} {
		path := filepath.Join(t.TempDir(), "dyck", run().Rows[0].Name.File(run().Scale))
		updated(t, path, run(), "first run")
		before := textOf(t, path)
		again := run()
		slices.Reverse(again.Rows)
		again.set(t, m4One, "train-min", 17) // only the wall time changes
		changed, err := UpdateFile(path, again, "second run")
		if d := cmp.Diff(before, textOf(t, path)); err != nil || changed || d != "" {
			t.Errorf("second update: changed %v, %v (-before +after)\n%s", changed, err, d)
		}
		f := updated(t, path, again, "take in train-min of a faster kernel")
		if v := f.Values(m4, "train-min")[0]; v != 17 {
			t.Errorf("train-min after an update whose reason names it: have %v, want 17", v)
		}
		if have := entries(t, filepath.Dir(path)); have != filepath.Base(path) {
			t.Errorf("folder: have %s, want the file alone", have)
		}
	}
}

// TestUpdateRewritesOnlyWhatRan checks that the rows that a run does not change stay with their
// origins, that changed and new rows and trajectories get the origin of the run, and that results
// that were read back keep theirs but for reason and contract.
func TestUpdateRewritesOnlyWhatRan(t *testing.T) {
	for _, run := range []func() *Run{dyck, ofTable2} {
		path := filepath.Join(t.TempDir(), run().Rows[0].Name.File(run().Scale))
		before := updated(t, path, run(), "first run")
		own := before.Rows[0].Origin
		if here := Here("cpu generic"); own.Reason != "first run" || own.Contract != 1 || own.Machine != here.Machine {
			t.Errorf("origin: have %v, want first run here", own)
		}
		own.Reason = "second run"
		readBack := elsewhere
		readBack.Reason, readBack.Contract = "second run", 1

		part := run()
		part.Rows, part.Trajectories = part.Rows[:4], part.Trajectories[:1]
		part.set(t, m4Two, "epochs", 4.5)
		part.Rows[2].Origin = elsewhere // its values are those of the golden file
		part.Rows[3].Origin = elsewhere
		part.set(t, m4+"/seed=4", "epochs", 4.5)
		part.Rows = append(part.Rows, Row{Name: m4 + "/seed=6", Values: []Value{{"epochs", 4}}})
		part.Trajectories[0].point(10).SHA256 = sum("x")
		part.Trajectories[0].Origin = elsewhere
		after := updated(t, path, part, "second run")

		want := map[Name]Origin{m4Two: own, m4 + "/seed=4": readBack, m4 + "/seed=6": own}
		for _, row := range after.Rows {
			i, ok := indexBy(before.Rows, Row.name)[row.Name]
			if o, changed := want[row.Name]; changed {
				if row.Origin != o || row.Values[0] != (Value{"epochs", 4.5}) && ok {
					t.Errorf("%s: have %v from %v, want it from %v", row.Name, row, row.Origin, o)
				}
			} else if d := cmp.Diff(before.Rows[i], row); d != "" {
				t.Errorf("%s (-before +after)\n%s", row.Name, d)
			}
		}
		if len(after.Rows) != len(before.Rows)+1 {
			t.Errorf("have %d rows, want one more than %d", len(after.Rows), len(before.Rows))
		}
		if tr := after.Trajectories[0]; tr.Origin != readBack || tr.point(10).SHA256 != sum("x") {
			t.Errorf("trajectory: have %v from %v, want it from %v", tr, tr.Origin, readBack)
		}
		if d := cmp.Diff(before.Trajectories[1:], after.Trajectories[1:]); d != "" {
			t.Errorf("other trajectories (-before +after)\n%s", d)
		}
		// All origins are different now: a row, its trajectory, and the next row.
		if f := updated(t, path, run(), "third run"); f.Rows[0].Origin.Reason == "second run" || f.Trajectories[0].Origin.Reason != "third run" || f.row(t, m4Two).Origin.Reason != "third run" {
			t.Errorf("everything ran again: have\n%s", f.encode())
		}
	}
}

func TestUpdateTakesPrefixes(t *testing.T) {
	for _, run := range []func() *Run{dyck, ofTable2} {
		path := filepath.Join(t.TempDir(), run().Rows[0].Name.File(run().Scale))
		prefix := run()
		prefix.Trajectories[0].Points = prefix.Trajectories[0].Points[:2]
		updated(t, path, prefix, "prefix")
		whole := updated(t, path, run(), "whole")
		if d := cmp.Diff(run().File().Trajectories[0].Points, whole.Trajectories[0].Points); d != "" {
			t.Errorf("whole run over a prefix (-want +have)\n%s", d)
		}
		if d := cmp.Diff(whole, updated(t, path, prefix, "prefix again")); d != "" {
			t.Errorf("a prefix that agrees, over the whole run (-before +after)\n%s", d)
		}
	}
}

// TestUpdateRefuses also checks that a run does not differ from the golden file after an update that
// is not refused.
func TestUpdateRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ci.txt")
	first := filed(t, dyck())
	for _, test := range []struct {
		name, reason string
		change       func(*Run)
		want         string // in the error; empty if the update is fine
	}{
		{"no reason", "", func(r *Run) {}, "reason: have \"\""},
		{"blank reason", " ", func(r *Run) {}, "reason: have \" \""},
		{"a flag for a reason", "-run", func(r *Run) {}, "reason: have \"-run\", want words"},
		{"reason of two lines", "a\nb", func(r *Run) {}, "want one line"},
		{"endless reason", strings.Repeat("a", 501), func(r *Run) {}, "have 501 bytes"},
		{"NaN", "x", func(r *Run) { r.Rows[0].Values[0].Value /= 0; r.Rows[0].Values[0].Value *= 0 }, "have NaN"},
		{"other scale", "x", func(r *Run) { r.Scale = "smoke" }, "run of dyck/smoke: golden file: have dyck/ci, want that of the run"},
		{"other suite", "x", func(r *Run) { r.Suite = "x" }, "run of x/ci: golden file: have dyck/ci, want that of the run"},

		{"dropped", "x", func(r *Run) { drop(r, "train-min") }, "unit train-min: have no row with it any more, want the reason to name the unit"},
		{"dropped and said so", "no train-min, any longer", func(r *Run) { drop(r, "train-min") }, ""},
		{"dropped from some rows", "x", func(r *Run) { drop(r, "train-min"); r.Rows = r.Rows[:3]; r.Complete = false }, ""},
		{"not compared", "epochs-ish", func(r *Run) { r.Units[2].Clock = true }, "unit epochs: have wall time, which is not compared"},
		{"not compared and said so", "(epochs) are wall time", func(r *Run) { r.Units[2].Clock = true }, ""},
		{"compared", "x", func(r *Run) { r.Units[3].Clock = false }, ""},

		{"fewer rows", "x", func(r *Run) { r.Rows, r.Trajectories = r.Rows[:5], nil }, ""},
		{"prefix that diverges", "x", func(r *Run) {
			r.Trajectories[0].Points = r.Trajectories[0].Points[:2]
			r.Trajectories[0].Points[1].SHA256 = sum("x")
		}, "trajectory " + string(m4One) + ": have a prefix up to update 10 that differs, want the run to its end"},

		{"contract, same results", "x", func(r *Run) { r.Contract = 2 }, ""},
		{"contract, inside the spread", "x", func(r *Run) { r.Contract = 2; r.set(t, m4One, "epochs", 4.078125) }, ""},
		{"contract, other wall time", "x", func(r *Run) { r.Contract = 2; r.set(t, m4One, "train-min", 1e6) }, ""},
		{"contract, outside the spread", "x", func(r *Run) { r.Contract = 2; r.set(t, m4One, "epochs", 40) },
			string(m4) + ": epochs: contract version 2: have a mean of 11.2437 over 5 seeds, want one in the spread 4.015625 to 4.078125 of the 5 seeds before"},
		{"contract, no spread", "x", func(r *Run) { r.Contract = 2; r.set(t, m4One, "test-wcpa-%", 99.9) }, "want one in the spread 100 to 100 of the 5 seeds before"},
		{"contract, one seed", "x", func(r *Run) {
			r.Contract, r.Rows, r.Trajectories, r.Complete = 2, r.Rows[:1], nil, false
			r.set(t, m4One, "epochs", 4)
		}, "over 1 seeds, want one in the spread 4.015625 to 4.078125"},
		{"same contract, outside the spread", "x", func(r *Run) { r.set(t, m4One, "epochs", 40) }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := formatted(t, first)
			put(t, path, before)
			run := dyck()
			run.Complete = true
			test.change(run)
			changed, err := UpdateFile(path, run, test.reason)
			if test.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				f, err := Read(path)
				if err != nil {
					t.Fatal(err)
				}
				wantDifferences(t, f, run)
				return
			}
			if wantError(t, "update", err, "update of "+path+": ", test.want); changed || textOf(t, path) != before {
				t.Errorf("a refused update wrote the file, or says so: changed %v", changed)
			}
		})
	}
}

// drop removes a unit and its values from a run.
func drop(r *Run, unit string) {
	r.Units = slices.DeleteFunc(r.Units, func(u Unit) bool { return u.Name == unit })
	for i := range r.Rows {
		r.Rows[i].Values = slices.DeleteFunc(r.Rows[i].Values, func(v Value) bool { return v.Unit == unit })
	}
}

// TestRefuses checks that Format returns no text that Read would refuse, that UpdateFile neither overwrites a file
// with such a text nor one that Read refuses, and that no temporary files are left.
func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	path, plain := filepath.Join(dir, "ci.txt"), filepath.Join(t.TempDir(), "plain")
	updated(t, path, dyck(), "first run")
	put(t, plain, "")
	if have, want := stat(t, path).Mode(), stat(t, plain).Mode(); have != want {
		t.Errorf("mode: have %v, want %v, so that others can read the file if the umask allows it", have, want)
	}
	before := textOf(t, path)
	for want, change := range map[string]func(*File){
		"origin: contract: have 0": func(f *File) { f.Rows[0].Origin.Contract = 0 },
		"bytes, want at most 4096": func(f *File) {
			for i := range 400 {
				u := fmt.Sprint("unit-", i)
				f.Units, f.Rows[0].Values = append(f.Units, Unit{Name: u, Exact: true}), append(f.Rows[0].Values, Value{u, 1})
			}
		},
		"have it twice, want it once": func(f *File) { f.Rows[1].Name = f.Rows[0].Name },
	} {
		f := filed(t, dyck())
		change(f)
		_, err := Format(f)
		wantError(t, "format", err, want)
	}
	twice := dyck()
	twice.Rows[1].Name = twice.Rows[0].Name
	_, err := UpdateFile(path, twice, "x")
	wantError(t, "update with a row twice", err, "twice")
	_, err = UpdateFile(filepath.Join(dir, "resurgence-table3.txt"), ofTable2(), "x")
	wantError(t, "update of the wrong file", err, "have "+string(m4One)+", want it in "+table2)
	if _, err := UpdateFile(filepath.Join(path, "below-a-file.txt"), dyck(), "x"); err == nil {
		t.Error("file below a file: have no error, want one")
	}
	if err := os.Mkdir(filepath.Join(dir, "x.txt"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err = UpdateFile(filepath.Join(dir, "x.txt"), dyck(), "x")
	wantError(t, "update of a folder", err, "x.txt: have d", "want a file")
	if have := textOf(t, path); have != before {
		t.Error("a refused file was written")
	}
	damaged := strings.Replace(before, "4.015625 epochs", "NaN epochs", 1)
	put(t, path, damaged)
	_, err = UpdateFile(path, dyck(), "x")
	if wantError(t, "damaged file", err, "ci.txt:20: "); textOf(t, path) != damaged {
		t.Error("the damaged file was changed")
	}
	if have := entries(t, dir); have != "ci.txt x.txt" {
		t.Errorf("folder: have %s, want the golden file and the folder", have)
	}
}

func TestUpdateOfLinksAndReadOnlyFiles(t *testing.T) {
	dir := t.TempDir()
	there, link := filepath.Join(dir, "there", "x"), filepath.Join(dir, table2)
	if err := os.Mkdir(filepath.Dir(there), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, there, formatted(t, filed(t, ofTable2())))
	if err := os.Symlink(filepath.Join("there", "x"), link); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip(err) // symbolic links need a privilege
		}
		t.Fatal(err)
	}
	run := ofTable2()
	run.set(t, m4One, "epochs", 4)
	f := updated(t, link, run, "through the link")
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("link after the update: have %v, %v, want a link", info, err)
	}
	if have, want := textOf(t, there), formatted(t, f); have != want || f.Values(m4, "epochs")[0] != 4 {
		t.Errorf("file that the link leads to (-want +have)\n%s", cmp.Diff(want, have))
	}
	if have := entries(t, dir) + ", " + entries(t, filepath.Dir(there)); have != table2+" there, x" {
		t.Errorf("folders: have %s, want the link and the file alone", have)
	}

	if err := os.Chmod(there, 0o444); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(there, 0o644)
	_, err := UpdateFile(link, ofTable2(), "x")
	wantError(t, "update", err, "have a read-only file")
	if err := os.Remove(there); err == nil {
		_, err = UpdateFile(link, ofTable2(), "x")
		wantError(t, "link to nothing", err, "there")
	}
}

// TestRunFiles checks that the parts of a run have all of it, each in the file of its name.
func TestRunFiles(t *testing.T) {
	run, whole := atPaper(), atPaper()
	whole.Rows, whole.Trajectories = nil, nil
	parts := run.Files()
	for _, file := range []string{table2, "resurgence-section6.2.txt"} {
		part := parts[file]
		if f := updated(t, filepath.Join(t.TempDir(), file), part, "first run"); len(f.Rows) != len(part.Rows) { // which refuses rows of other files
			t.Errorf("%s: have %d rows, want %d", file, len(f.Rows), len(part.Rows))
		}
		whole.Rows, whole.Trajectories = append(whole.Rows, part.Rows...), append(whole.Trajectories, part.Trajectories...)
	}
	if d := cmp.Diff(run, whole); d != "" || len(parts) != 2 {
		t.Errorf("have %d files, want 2 (-run +parts)\n%s", len(parts), d)
	}
	if parts := dyck().Files(); len(parts) != 1 || !cmp.Equal(parts["ci.txt"], dyck()) {
		t.Errorf("scale ci: have %v, want the run alone", parts)
	}
}

// TestCheckModule looks at go.mod of this module and of another.
func TestCheckModule(t *testing.T) {
	if err := CheckModule(); err != nil {
		t.Error(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module example.org/other\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	if err := CheckModule(); err == nil || !strings.Contains(err.Error(), `have the module "example.org/other", want `) {
		t.Errorf("have error %v, want one that names the module", err)
	}
}
