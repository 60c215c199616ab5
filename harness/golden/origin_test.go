package golden

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var elsewhere = Origin{Commit: "0123456789ab", Machine: "linux/amd64 another, cpu avx2", Date: "2026-01-02"}

// TestReadBack checks that a row and its trajectory are unchanged after they are formatted
// and parsed as a stored result. It also checks that an update of the golden file keeps
// their origin.
func TestReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ci.txt")
	updated(t, path, dyck(), "first run")

	one := dyck()
	one.Rows, one.Judge = one.Rows[:1], Judge{}
	one.Origins = map[Name]Origin{m4One: elsewhere}
	one.set(t, m4One, "epochs", 4)
	one.Trajectories[0].Points[2].SHA256 = digest("x")
	result := one.File()
	text, err := Format(result)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := Parse("result", text)
	if err != nil {
		t.Fatal(err)
	}
	if len(kept.Provenance) != 1 || kept.Provenance[0].Origin() != elsewhere {
		t.Fatalf("provenance of the result: have %+v, want %+v alone", kept.Provenance, elsewhere)
	}
	if d := cmp.Diff(result, kept); d != "" {
		t.Errorf("result (-kept +read)\n%s", d)
	}

	run := dyck()
	run.Rows[0], run.Trajectories[0] = kept.Rows[0], kept.Trajectories[0]
	run.Origins = map[Name]Origin{m4One: kept.Provenance[0].Origin()}
	run.set(t, m4+"/seed=2", "epochs", 5)
	errors, logs := checked(t, path, run, "")
	for _, want := range []string{
		"metric: " + string(m4One) + ": epochs: golden 4.015625, read back 4: better by 0.0156, want equality (equal bits); read back, commit 0123456789ab\n",
		"digest: " + string(m4One) + ": golden " + digest("500") + ", read back " + digest("x") + ": sha256 differs first at update 500; equal up to update 10; read back, commit 0123456789ab\n",
		"seed=2: epochs: golden 4.03125, run 5: worse by 0.969, want equality (equal bits)\n",
	} {
		if !strings.Contains(errors, want) {
			t.Errorf("errors: have %q, want them to contain %q", errors, want)
		}
	}
	for _, want := range []string{"read back, commit 0123456789ab (2026-01-02, linux/amd64 another, cpu avx2): " + string(m4) + " seed 1\n", "golden  ", "run or read back"} {
		if !strings.Contains(logs, want) {
			t.Errorf("logs: have %q, want them to contain %q", logs, want)
		}
	}

	f := updated(t, path, run, "take in a result")
	from := f.Rows[f.rowIndex()[m4One]].From
	if p := f.Provenance[1]; len(f.Provenance) != 3 || p.ID != from || p.Origin() != elsewhere || p.Reason != "take in a result" || p.Contract != 1 {
		t.Errorf("provenance: have %+v, want the second of three to be of the row read back, from %d", f.Provenance, from)
	}
	if have := f.Trajectories[0].From; have != from {
		t.Errorf("trajectory: have it from %d, want %d", have, from)
	}
	if p := f.Provenance[2]; f.Rows[f.rowIndex()[m4+"/seed=2"]].From != p.ID || p.Origin() == elsewhere {
		t.Errorf("row that ran: have it from %+v, want it from the update", p)
	}
	if f = updated(t, path, dyck(), "run again"); f.Rows[f.rowIndex()[m4One]].From == from {
		t.Error("row that ran again, with another result: have the origin of the one read back")
	}

	if errors, logs = checked(t, path, dyck(), ""); errors != "" || strings.Contains(logs, "read back") {
		t.Errorf("everything ran: have errors %q, logs %q", errors, logs)
	}
	run.Origins["test=x/seed=1"] = elsewhere
	if _, err := Compare(f, run, rules); err == nil || !strings.Contains(err.Error(), "origin of test=x/seed=1: have no row") {
		t.Errorf("origin of nothing: have error %v", err)
	}
	delete(run.Origins, "test=x/seed=1")
	run.Origins[m4One] = Origin{Commit: "x"}
	if _, err := UpdateFile(path, run, "x", rules); err == nil || !strings.Contains(err.Error(), `commit: have "x"`) {
		t.Errorf("bad origin: have error %v", err)
	}
}
