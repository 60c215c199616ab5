package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pushdown/harness/checkpoint"
	"pushdown/harness/suite"
	"pushdown/suites/dyck"
)

// trained trains the rows of table 2 of the paper resurgence at scale smoke, and returns the
// state folder with their results and the names of the result files.
func trained(t *testing.T) (state string, names []string) {
	t.Helper()
	settings := suite.Current()
	old := *settings
	defer func() { *settings = old }()
	state = t.TempDir()
	settings.Scale, settings.Resume, settings.Only, settings.State, settings.Shard = suite.Smoke, true, false, state, suite.Shard{Index: 1, Count: 1}
	if !t.Run("TestWCPA", dyck.Suite.Run) {
		t.FailNow()
	}
	entries, err := os.ReadDir(suite.ResultFolder(state))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if len(names) < 3 {
		t.Fatalf("have the results %q, want at least three", names)
	}
	return state, names
}

// text returns the content of a file.
func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// put copies a result file to a state folder. If change is not nil, it gets the metadata of
// the copy, which is a valid file all the same.
func put(t *testing.T, from, name, state string, change func(text string) string) (file string) {
	t.Helper()
	f, err := checkpoint.Read(filepath.Join(suite.ResultFolder(from), name))
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		f.Meta["result"] = change(f.Meta["result"])
	}
	file = filepath.Join(suite.ResultFolder(state), name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := checkpoint.Write(file, f); err != nil {
		t.Fatal(err)
	}
	return file
}

// merge runs the command on results of suite dyck at scale smoke.
func merge(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = run(&out, &errs, append([]string{"merge", "-suite", "dyck", "-scale", "smoke", "-match", "resurgence/table=2/"}, args...))
	return status, out.String(), errs.String()
}

// content returns the content of the files in the folder of results, by name.
func content(t *testing.T, state string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	files, err := filepath.Glob(filepath.Join(suite.ResultFolder(state), "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		texts[filepath.Base(file)] = text(t, file)
	}
	return texts
}

// value matches the value of a row in a unit.
func value(unit string) *regexp.Regexp {
	return regexp.MustCompile(`("Unit":"` + unit + `","Value":)[^}]+`)
}

var (
	day      = regexp.MustCompile(`("Date":)"[^"]+"`)
	stopped  = regexp.MustCompile(`("Stopped":)"[^"]+"`)
	hashed   = regexp.MustCompile(`("Experiment":)"[^"]+"`)
	contract = regexp.MustCompile(`("Contract":)\d+`)
)

// to returns a function that replaces what a pattern matches, from its first group on.
func to(pattern *regexp.Regexp, text string) func(string) string {
	return func(s string) string { return pattern.ReplaceAllString(s, "${1}"+text) }
}

// later changes what two trainings of one run do not have in common.
func later(text string) string {
	return to(day, `"2001-02-03"`)(to(value("train-min"), "99")(text))
}

func TestMerge(t *testing.T) {
	all, names := trained(t)
	want := content(t, all)

	t.Run("parts", func(t *testing.T) {
		a, b, out := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "new", "state")
		for i, name := range names {
			put(t, all, name, []string{a, b}[i%2], nil)
		}
		put(t, all, names[0], b, nil) // the same file twice
		// A process that was killed left this file.
		if err := os.WriteFile(filepath.Join(suite.ResultFolder(a), ".x.0123456789abcdef.partial"), []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := merge("-o", out, a, b)
		if status != 0 || !maps.Equal(content(t, out), want) {
			t.Fatalf("status %d, %s%s, and the files %d, want %d equal ones", status, stdout, stderr, len(content(t, out)), len(want))
		}
		if want := fmt.Sprintf("%[1]d of %[1]d results are there, %[1]d were copied", len(names)); !strings.Contains(stdout, want) {
			t.Errorf("output %q, want %q", stdout, want)
		}
		// Again: everything is there.
		if status, stdout, stderr := merge("-o", out); status != 0 || !strings.Contains(stdout, ", 0 were copied") || !maps.Equal(content(t, out), want) {
			t.Errorf("again: status %d, %s%s", status, stdout, stderr)
		}
	})

	t.Run("trained twice", func(t *testing.T) {
		b, out := t.TempDir(), t.TempDir()
		put(t, all, names[1], b, later)
		put(t, all, names[1], out, later)
		kept := content(t, out)[names[1]]
		status, stdout, stderr := merge("-o", out, all, b)
		if status != 0 || !strings.Contains(stdout, "was trained twice with the same result") || content(t, out)[names[1]] != kept || len(content(t, out)) != len(names) {
			t.Errorf("status %d, %s%s, want the file of the output unchanged", status, stdout, stderr)
		}
	})

	// Each case merges a changed result, under another name if rename is not "", with a state folder
	// that has all results.
	const results, zeros = "contract-1/results/", "0000000000000000000000000000000000000000000000000000000000000000"
	for _, c := range []struct {
		name   string
		which  int
		change func(string) string
		rename string
		want   string
	}{
		{"different", 1, to(value("test-ce"), "99"), "", "twice and different"},
		{"contradictory", 1, to(value("valid-ce"), "99"), "", "corrupt: "},
		{"different stop", 1, to(stopped, `"luck"`), "", `: Stopped: have "`},
		{"corrupt", 0, nil, "", "corrupt:"},
		{"contract", 0, nil, "contract-2/results/" + names[0], "here, want it in " + suite.ResultFolder("")},
		{"contract in the file", 0, to(contract, "2"), "", "another contract: have version 2, want 1"},
		{"unknown", 0, to(hashed, `"`+zeros+`"`), results + zeros + ".safetensors", "another experiment"},
		{"hash of another run", 0, to(hashed, `"`+strings.TrimSuffix(names[1], ".safetensors")+`"`), results + names[1], "want one that the suites have"},
		{"name of another run", 0, nil, results + names[1], "want the hash in the name of the file"},
		{"stray", 0, nil, results + names[0] + ".old", "want 64 hexadecimal digits and .safetensors"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
			file := put(t, all, names[c.which], b, c.change)
			if c.rename != "" {
				to := filepath.Join(b, filepath.FromSlash(c.rename))
				if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.Rename(file, to)); err != nil {
					t.Fatal(err)
				}
				file = to
			}
			if c.name == "corrupt" {
				data := []byte(text(t, file))
				data[len(data)-1] ^= 1
				if err := os.WriteFile(file, data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for _, args := range [][]string{{all, b}, {b, all}} {
				status, stdout, stderr := merge(append([]string{"-o", out}, args...)...)
				if status != 1 || !strings.Contains(stderr, c.want) || !strings.Contains(stderr, file) {
					t.Errorf("status %d, %s%s, want 1 and an objection to %s that says %q", status, stdout, stderr, file, c.want)
				}
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("have %s, want nothing written", out)
			}
			// In the output folder it is refused, too, and stays.
			before := content(t, b)
			if status, _, stderr := merge("-o", b, all); status != 1 || !strings.Contains(stderr, c.want) || !maps.Equal(content(t, b), before) {
				t.Errorf("as the output folder: status %d, %s, want 1 and the same files", status, stderr)
			}
		})
	}

	t.Run("forged", func(t *testing.T) {
		b, out := t.TempDir(), t.TempDir()
		for _, c := range []struct {
			change func(string) string
			want   string
		}{
			{to(value("test-ce"), "99"), "as measured now"},
			{to(value("epochs"), "99"), "epochs: have 99, want "},
			{to(stopped, `"luck"`), "have the end by luck, want "},
		} {
			put(t, all, names[1], b, c.change)
			if status, stdout, stderr := merge("-o", out, "-partial", b); status != 1 || !strings.Contains(stderr, "forged: ") || !strings.Contains(stderr, c.want) || len(content(t, out)) > 0 {
				t.Errorf("status %d, %s%s, want 1 and an objection that says %q", status, stdout, stderr, c.want)
			}
		}
	})

	t.Run("missing", func(t *testing.T) {
		b, out := t.TempDir(), t.TempDir()
		put(t, all, names[0], b, nil)
		status, stdout, stderr := merge("-o", out, b)
		want := fmt.Sprintf("; and so for %d more rows, %d results in all\n", len(names)-2, len(names)-1)
		if status != 1 || strings.Count(stderr, "missing: have no result, want 1") != 1 || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 2 || len(content(t, out)) > 0 {
			t.Errorf("status %d, %s%s, want 1 and %q", status, stdout, stderr, want)
		}
		if status, stdout, stderr := merge("-o", out, "-partial", b); status != 0 || !strings.Contains(stdout, "missing: have no result") || len(content(t, out)) != 1 {
			t.Errorf("-partial: status %d, %s%s, want 0, the missing ones named and one copied", status, stdout, stderr)
		}
		empty := t.TempDir()
		if status, _, stderr := merge("-o", filepath.Join(t.TempDir(), "new"), "-partial", empty); status != 1 || !strings.Contains(stderr, "have no result in any folder") {
			t.Errorf("-partial without a result: status %d, %s, want 1", status, stderr)
		}
		if status, stdout, _ := merge("-o", out, empty, all); status != 0 || !strings.Contains(stdout, empty+": has no results") {
			t.Errorf("status %d, %s, want 0 and a note on the folder without results", status, stdout)
		}
	})

	t.Run("another scale", func(t *testing.T) {
		if testing.Short() {
			t.Skip("-short: building the experiments of scale ci takes a second")
		}
		var out, errs bytes.Buffer
		if status := run(&out, &errs, []string{"merge", "-suite", "dyck", "-scale", "ci", "-o", t.TempDir(), all}); status != 1 || !strings.Contains(errs.String(), fmt.Sprintf("; and %d more results: another experiment", len(names)-1)) {
			t.Errorf("status %d, %s, want 1 and an objection to all results", status, &errs)
		}
	})

	t.Run("never overwrites", func(t *testing.T) {
		out := t.TempDir()
		file := put(t, all, names[1], out, to(value("valid-ce"), "99"))
		before := content(t, out)
		from := filepath.Join(suite.ResultFolder(all), names[1])
		if err := copyNew(from, file); err == nil || !strings.Contains(err.Error(), file) || !maps.Equal(content(t, out), before) {
			t.Errorf("error %v, want one that names the file, which does not change", err)
		}
	})
}

func TestArguments(t *testing.T) {
	state := t.TempDir()
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"", 2, "want merge"},
		{"marge -o x", 2, `have the arguments ["marge" "-o" "x"]`},
		{"merge -h", 0, "-partial"},
		{"merge -suit dyck", 2, "-suit"},
		{"merge -suite dyck part1 -o x", 2, `have the arguments ["part1" "-o" "x"] after the flags, want [folder...]; flags come first`},
		{"merge -suite duck -o STATE", 2, `-suite: have "duck", want one of charlm,`},
		{"merge -suite dyck -scale big -o STATE", 2, `-scale: have "big"`},
		{"merge -suite dyck -scale smoke -match ( -o STATE", 2, "-match: error parsing regexp"},
		{"merge -suite dyck -scale smoke -match table=9 -o STATE", 2, "want a pattern that matches runs"},
		{"merge -suite dyck -scale smoke", 2, "-o: have no folder"},
		{"merge -suite dyck -scale smoke -o s/contract-1/results", 2, "want the state folder that it is in"},
		{"merge -suite dyck -scale smoke -o STATE STATE/none", 1, "none"},
	} {
		var out, errs bytes.Buffer
		args := strings.Fields(c.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "STATE", state) // may contain spaces
		}
		if status := run(&out, &errs, args); status != c.status || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%q: status %d, %s, want %d and %q", c.args, status, &errs, c.status, c.want)
		}
	}
}
