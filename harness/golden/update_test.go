package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// updated updates the golden file at path with run and returns the new golden file.
func updated(t *testing.T, path string, run *Run, reason string) *File {
	t.Helper()
	if _, err := UpdateFile(path, run, reason, rules); err != nil {
		t.Fatal(err)
	}
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestExampleIsCurrent checks that the run of dyck gives the committed example
// file, except for the provenance lines.
func TestExampleIsCurrent(t *testing.T) {
	want, err := Read(example)
	if err != nil {
		t.Fatal(err)
	}
	have := filed(t, dyck())
	have.Provenance, want.Provenance = nil, nil
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("%s (-committed +made)\n%s", example, d)
	}
}

func TestUpdateAgainChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dyck", "ci.txt")
	updated(t, path, dyck(), "first run")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	again := dyck()
	slices.Reverse(again.Rows)
	again.set(t, m4One, "train-min", 17) // only the wall time changes
	changed, err := UpdateFile(path, again, "second run", rules)
	after, readErr := os.ReadFile(path)
	if err != nil || readErr != nil || changed || !bytes.Equal(before, after) {
		t.Errorf("second update: changed %v, %v, %v\n%s", changed, err, readErr, cmp.Diff(string(before), string(after)))
	}
	f := updated(t, path, again, "take in train-min of a faster kernel")
	if v := f.Values(m4, "train-min")[0]; v != 17 {
		t.Errorf("train-min after an update whose reason names it: have %v, want 17", v)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("folder: have %v, %v, want the file alone", entries, err)
	}
}

// TestUpdateKeepsEvidence checks that an update does not rewrite a file if the evidence
// of a verdict differs only in the last digit of a quantile. That digit may depend on
// the processor.
func TestUpdateKeepsEvidence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ci.txt")
	const digits = "low=3.97174 high=4.12201"
	text := exampleText(t)
	if !strings.Contains(text, digits) {
		t.Fatalf("the example does not contain %q", digits)
	}
	text = strings.Replace(text, digits, "low=3.97173 high=4.12202", 1)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	changed, err := UpdateFile(path, dyck(), "again", rules)
	after, readErr := os.ReadFile(path)
	if changed || err != nil || readErr != nil || string(after) != text {
		t.Errorf("changed %v, %v, %v\n%s", changed, err, readErr, cmp.Diff(text, string(after)))
	}
	// Evidence with other fields is rewritten, even if no row has changed.
	want := exampleText(t)
	if err := os.WriteFile(path, []byte(strings.Replace(want, digits, "best=4 of=10 "+digits, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	changed, err = UpdateFile(path, dyck(), "again", rules)
	f, readErr := Read(path)
	if !changed || err != nil || readErr != nil || strings.Contains(string(f.encode()), "best=4") || !strings.Contains(string(f.encode()), digits) {
		t.Errorf("evidence of another kind: changed %v, %v, %v", changed, err, readErr)
	}
}

func TestUpdateRewritesOnlyWhatRan(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ci.txt")
	before := updated(t, path, dyck(), "first run")

	part := dyck()
	part.Rows, part.Trajectories = part.Rows[:6], nil // the seeds of m4, and the first seed of m6
	part.set(t, m4+"/seed=2", "epochs", 4.5)
	after := updated(t, path, part, "another rounding of exp")

	changed := 0
	for i, row := range after.Rows {
		want := before.Rows[i]
		if row.Name == m4+"/seed=2" {
			want.From, want.Values = 2, slices.Clone(want.Values)
			want.Values[0].Value = 4.5
			changed++
		}
		if d := cmp.Diff(want, row); d != "" {
			t.Errorf("row %d (-want +have)\n%s", i, d)
		}
	}
	if changed != 1 {
		t.Errorf("rows changed: have %d, want 1", changed)
	}
	if d := cmp.Diff(before.Trajectories, after.Trajectories); d != "" {
		t.Errorf("trajectories (-before +after)\n%s", d)
	}
	if n := len(after.Provenance); n != 2 || after.Provenance[1].Reason != "another rounding of exp" || after.Provenance[0] != before.Provenance[0] {
		t.Errorf("provenance: have %+v", after.Provenance)
	}

	// An update removes provenance lines to which no row refers any more.
	third := dyck()
	for i := range third.Rows {
		third.Rows[i].Values[0].Value /= 2
	}
	third.Trajectories[0].Points[0].SHA256 = digest("other")
	last := updated(t, path, third, "halves")
	if len(last.Provenance) != 1 || last.Provenance[0].ID != 3 || last.Rows[0].From != 3 {
		t.Errorf("provenance after all rows were replaced: have %+v", last.Provenance)
	}
}

func TestUpdateComplete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ci.txt")
	updated(t, path, dyck(), "first run")
	run := dyck()
	run.Rows, run.Trajectories, run.Complete = run.Rows[:5], nil, true
	run.Judge = Judge{Groups: run.Judge.Groups[:1]}
	f := updated(t, path, run, "only m4 is left")
	if len(f.Rows) != 5 || len(f.Trajectories) != 0 || len(f.Verdicts) != 3 || len(f.Claims) != 0 {
		t.Errorf("have %d rows, %d trajectories, %d verdicts, %d claims, want 5, 0, 3, 0", len(f.Rows), len(f.Trajectories), len(f.Verdicts), len(f.Claims))
	}
}

func TestUpdateTakesPrefixes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ci.txt")
	prefix := dyck()
	prefix.Trajectories[0].Points = prefix.Trajectories[0].Points[:2]
	updated(t, path, prefix, "prefix")
	whole := updated(t, path, dyck(), "whole")
	if n := len(whole.Trajectories[0].Points); n != 5 {
		t.Errorf("whole run over a prefix: have %d points, want 5", n)
	}
	again := updated(t, path, prefix, "prefix again")
	if d := cmp.Diff(whole, again); d != "" {
		t.Errorf("a prefix that agrees, over the whole run (-before +after)\n%s", d)
	}
}

func TestUpdateRefuses(t *testing.T) {
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
		{"other scale", "x", func(r *Run) { r.Scale = "paper" }, "golden file: have dyck/ci"},

		{"looser", "x", func(r *Run) { r.Tolerances[2].Abs = 0.5 }, "tolerance of epochs: have abs=0.5 (equal bits), want no looser than equality (equal bits)"},
		{"any", "epochs-ish", func(r *Run) { r.Tolerances[2].Any = true }, "tolerance of epochs: have any"},
		{"relative for absolute", "x", func(r *Run) { r.Tolerances[2].Rel = 1e-9 }, "tolerance of epochs"},
		{"looser and said so", "loosen epochs: counted in checks now", func(r *Run) { r.Tolerances[2].Abs = 0.5 }, ""},
		{"tighter", "x", func(r *Run) { r.Tolerances[3].Any = false }, ""},
		{"dropped", "x", func(r *Run) { drop(r, "train-min") }, "tolerance of train-min: have none any more"},
		{"dropped and said so", "no train-min any longer", func(r *Run) { drop(r, "train-min") }, ""},

		{"prefix that diverges", "x", func(r *Run) {
			r.Trajectories[0].Points = r.Trajectories[0].Points[:2]
			r.Trajectories[0].Points[1].SHA256 = digest("x")
		}, "have a prefix up to update 10 that differs, want the run to its end"},
		{"stale verdict", "x", func(r *Run) { r.set(t, m4One, "epochs", 3); r.Judge.Groups = r.Judge.Groups[1:] }, "want the group in the run's Judge"},
		{"stale claim", "x", func(r *Run) { r.set(t, m4One, "epochs", 3); r.Judge.Claims = r.Judge.Claims[:2] }, "claim R13: have new rows of paper=resurgence/table=2/row=dyck-m4"},
		{"stale measured claim", "x", func(r *Run) { r.set(t, oneDim+"/seed=1", "test-wcpa-%", 3); r.Judge.Claims = []string{"R07", "R13"} }, "claim R09: have new rows of paper=resurgence/section=6.2/row=dyck-m4-1d"},
		{"claim elsewhere", "x", func(r *Run) { r.set(t, oneDim+"/seed=1", "test-wcpa-%", 3); r.Judge.Claims = []string{"R09"} }, ""},

		{"contract, same results", "x", func(r *Run) { r.Contract = 2 }, ""},
		{"contract, inside the spread", "x", func(r *Run) { r.Contract = 2; r.set(t, m4One, "epochs", 4.078125) }, ""},
		{"contract, other wall time", "x", func(r *Run) { r.Contract = 2; r.set(t, m4One, "train-min", 1e6) }, ""},
		{"contract, outside the spread", "x", func(r *Run) { r.Contract = 2; r.set(t, m4One, "epochs", 40) },
			"epochs: contract version 2: have a mean of 11.2437 over 5 seeds, want one in the spread 4.015625 to 4.078125 of the 5 seeds before"},
		{"contract, no spread", "x", func(r *Run) { r.Contract = 2; r.set(t, m4One, "test-wcpa-%", 99.9) },
			"want one in the spread 100 to 100 of the 5 seeds before"},
		{"contract, one seed", "x", func(r *Run) {
			r.Contract, r.Rows, r.Trajectories = 2, r.Rows[:1], nil
			r.set(t, m4One, "epochs", 4)
		}, "over 1 seeds, want one in the spread 4.015625 to 4.078125"},
		{"same contract, outside the spread", "x", func(r *Run) { r.set(t, m4One, "epochs", 40) }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "ci.txt")
			updated(t, path, dyck(), "first run")
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			run := dyck()
			test.change(run)
			_, err = UpdateFile(path, run, test.reason, rules)
			if test.want == "" {
				if err != nil {
					t.Errorf("have error %v, want none", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error: have %v, want one with the path and %q", err, test.want)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("a refused update wrote the file (%v)", err)
			}
		})
	}
}

// drop removes a unit and its values from a run.
func drop(r *Run, unit string) {
	r.Units = slices.DeleteFunc(r.Units, func(u Unit) bool { return u.Name == unit })
	r.Tolerances = slices.DeleteFunc(r.Tolerances, func(t Tolerance) bool { return t.Unit == unit })
	for i := range r.Rows {
		r.Rows[i].Values = slices.DeleteFunc(r.Rows[i].Values, func(v Value) bool { return v.Unit == unit })
	}
}

// TestUpdateOfDamage checks that an update does not overwrite a file that Read refuses.
func TestUpdateOfDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ci.txt")
	damaged := strings.Replace(exampleText(t), "4.015625 epochs", "NaN epochs", 1)
	if err := os.WriteFile(path, []byte(damaged), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := UpdateFile(path, dyck(), "x", rules); err == nil || !strings.Contains(err.Error(), "ci.txt:26: ") {
		t.Errorf("error: have %v, want one at line 26", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != damaged {
		t.Errorf("the damaged file was changed (%v)", err)
	}
}

// TestWriteRefuses checks that Write does not write a file that Read would refuse,
// and that it leaves no temporary files.
func TestWriteRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ci.txt")
	f := filed(t, dyck())
	if err := Write(path, f); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(plain)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != want.Mode() {
		t.Errorf("mode: have %v (%v), want %v, so that others can read the file if the umask allows it", info, err, want.Mode())
	}
	f.Rows[0].From = 7
	if err := Write(path, f); err == nil || !strings.Contains(err.Error(), "from 7: have no such provenance") {
		t.Errorf("error: have %v, want one about provenance 7", err)
	}
	f.Rows[0].From = 1
	for range 300 { // makes the line too long for Read
		f.Verdicts[0].Evidence += " surplus=1234567"
	}
	if err := Write(path, f); err == nil || !strings.Contains(err.Error(), "want at most 4096") {
		t.Errorf("error: have %v, want one about a long line", err)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("a refused file was written (%v)", err)
	}
	if err := Write(filepath.Join(path, "below-a-file.txt"), filed(t, dyck())); err == nil {
		t.Error("file below a file: have no error, want one")
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("folder: have %v, %v, want the file alone", entries, err)
	}
}

func TestProvenance(t *testing.T) {
	p := filed(t, dyck()).Provenance[0]
	if p.Commit == "unknown" {
		t.Log("no commit: not in a work tree of git")
	} else if !hex(p.Commit) || len(p.Commit) != 12 {
		t.Errorf("commit: have %q, want 12 hex digits", p.Commit)
	}
	if !strings.HasSuffix(p.Machine, "cpu generic") {
		t.Errorf("machine: have %q, want the run's device at its end", p.Machine)
	}
	for in, want := range map[string]string{"a\x00b": "a b", " a\t b, ": "a b", "a\xffb": "a b", "": ""} {
		if have := clean(in); have != want {
			t.Errorf("clean %q: have %q, want %q", in, have, want)
		}
	}
}
