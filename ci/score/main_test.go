package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"pushdown/harness/exchange"
	"pushdown/harness/suite"
	"pushdown/suites"
)

// written writes the strings of a row at scale smoke to a new folder, and returns the folder.
func written(t *testing.T, name, row string) string {
	t.Helper()
	return writtenAt(t, suite.Smoke, name, row)
}

func writtenAt(t *testing.T, scale suite.Scale, name, row string) string {
	t.Helper()
	_, x, err := exchange.Find(suites.All, name, scale, row)
	if err != nil {
		t.Fatal(err)
	}
	set, err := x.Exchange()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "data")
	if _, err := set.Write(folder, exchange.Manifest{Suite: name, Scale: string(scale), Row: x.ID().Group(), Seed: 1, Settings: x}); err != nil {
		t.Fatal(err)
	}
	return folder
}

// scoreOf runs the command.
func scoreOf(folder string, files ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = run(&out, &err, append([]string{"-data", folder}, files...))
	return status, out.String(), err.String()
}

// python runs Python in the folder ci/exchange with the given arguments.
func python(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	if err := exec.Command("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 8))").Run(); err != nil {
		suite.Skip(t, "python", fmt.Sprintf("no python3 of version 3.8 or later (%v)", err), "install it, on Debian the package python3")
	}
	command := exec.Command("python3", append([]string{"-B", "-W", "ignore"}, args...)...)
	command.Dir = filepath.Join("..", "exchange")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("python3 %q: %v\n%s", args, err, out)
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

// TestPerfectStack scores the predictions of a perfect stack in Python. It gets everything right.
func TestPerfectStack(t *testing.T) {
	for _, c := range []struct {
		suite, row string
		want       []string // the beginnings of lines, and values of theirs
	}{
		{"dyck", "dyck-m4", []string{"test-wcpa-% 100 (n=2)", "test-ce 0 (n=2)"}},
		{"dyck", "m6-baseline", []string{"test-wcpa-% 100 (n=2)", "test-wcpa20-% 100 (n=2)", "test-ppl 3 (n=2)"}},
		{"recognition", "table=1/row=lstm", []string{
			"test-acc-% 100 (n=2)", "test-acc-f-% 100 (n=2)", "test-acc-c-% 100 (n=2)", "long120-acc-% 100 (n=2)", "long160-acc-% 100 (n=2)"}},
		{"recognition", "table=3/row=lstm", []string{"test-acc-% 100 (n=2)", "test-acc-f-% 100 (n=2)", "test-acc-c-% 100 (n=2)"}},
	} {
		folder := written(t, c.suite, c.row)
		file := filepath.Join(t.TempDir(), "predictions.jsonl")
		python(t, "pushdown.py", folder, file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := scoreOf(folder, file, file); status != 1 || !strings.Contains(stderr, "have the same bytes as "+file) {
			t.Errorf("%s: the same file twice: status %d and %q, want 1 and an error", c.row, status, stderr)
		}
		if c.suite == "dyck" {
			perfect, numbers := string(text), regexp.MustCompile(`("nats": ?\[)[^]]*`)
			huge := numbers.ReplaceAllStringFunc(perfect, func(list string) string {
				return numbers.FindStringSubmatch(list)[1] + strings.Repeat("800,", strings.Count(list, ",")) + "800"
			})
			want, text := ": the losses are too large", regexp.MustCompile(`("closers": ?\[)[^]]*`).ReplaceAllStringFunc(huge, func(list string) string { return strings.ReplaceAll(strings.ReplaceAll(list, "1.0", "0"), "1", "0") })
			if c.row == "dyck-m4" { // whose only loss is a mean of nats
				want, text = "closing bracket 0: have a probability of 1 by nats and of 0.5 in closers", regexp.MustCompile(`("closers": ?\[)1(\.0)?`).ReplaceAllString(perfect, "${1}0.5")
			}
			bad := file + ".bad"
			if err := os.WriteFile(bad, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if status, _, stderr := scoreOf(folder, bad); status != 1 || !strings.Contains(stderr, want) {
				t.Errorf("%s: status %d and %q, want 1 and %q", c.row, status, stderr, want)
			}
		}
		other := file + ".other"
		if err := os.WriteFile(other, append([]byte(" "), text...), 0o666); err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := scoreOf(folder, file, other)
		if status != 0 {
			t.Errorf("%s: status %d: %s", c.row, status, stderr)
			continue
		}
		for _, want := range c.want {
			unit, end, _ := strings.Cut(want, " ")
			found := false
			for line := range strings.Lines(stdout) {
				found = found || strings.HasPrefix(line, unit+" ") && strings.Contains(line, "  "+end+" ")
			}
			if !found {
				t.Errorf("%s: no line of %s with %s in\n%s", c.row, unit, end, stdout)
			}
		}
	}
}

// TestKeeps keeps the result of a perfect stack, and refuses to keep what says too little.
func TestKeeps(t *testing.T) {
	folder, out := writtenAt(t, suite.Paper, "dyck", "dyck-m4"), t.TempDir()
	file := filepath.Join(out, "predictions.jsonl")
	python(t, "pushdown.py", folder, file)
	for name, text := range map[string]string{"go.mod": "module pushdown\n", "ci/model.py": "", exchange.ExternalFolder + "/there.json": ""} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(out, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(out)
	named := func(name string) string { return filepath.Join(filepath.FromSlash(exchange.ExternalFolder), name) }
	kept := named("stack.json")
	keep := func(args ...string) (status int, stderr string) {
		var out, err bytes.Buffer
		status = run(&out, &err, append(append([]string{"-data", folder}, args...), file))
		return status, err.String()
	}
	complete := []string{"-who", "A. Nonymous", "-framework", "Python", "-link", "ci/model.py"}
	for want, args := range map[string][]string{
		"have -who, -framework or -link without -o": complete,
		"who: have \"\", want a name":               {"-o", kept, "-link", "https://example.org"},
		"name: have \"Stack.json\"":                 append([]string{"-o", named("Stack.json")}, complete...),
		"have such a file":                          append([]string{"-o", named("there.json")}, complete...),
		"have a file elsewhere":                     append([]string{"-o", "stack.json"}, complete...),
		`-link: have "no/such.py", want https://`:   {"-o", kept, "-who", "A", "-framework", "B", "-link", "no/such.py"},
	} {
		if status, stderr := keep(args...); status == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%q: status %d and %q, want %q", args, status, stderr, want)
		}
	}
	if status, stderr := keep(append([]string{"-o", kept}, complete...)...); status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	if status, stdout, _ := scoreOf(folder, "-check", kept, file); status != 0 || !strings.HasSuffix(stdout, "\nthe same as "+kept+"\n") {
		t.Errorf("-check: status %d and %q, want 0 and that it is the same", status, stdout)
	}
	text, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	list, err := exchange.ReadExternals(fstest.MapFS{exchange.ExternalFolder + "/stack.json": {Data: text}, "ci/model.py": {}}, suites.All)
	if err != nil {
		t.Fatal(err)
	}
	sum := list["stack"].Runs[0].Predictions
	for _, c := range []struct{ old, new, want string }{
		{`"test-wcpa-%": 100`, `"test-wcpa-%": 99.5`, "run 1: test-wcpa-%: have 100, want 99.5"},
		{`"test-wcpa-%": 100`, `"valid-ppl": 2`, `run 1: have values of ["test-ce" "test-wcpa-%"], want ["test-ce" "valid-ppl"]`},
		{sum, strings.Repeat("0", len(sum)), "run 1: have predictions with the SHA-256 sum " + sum + ", want 000"},
	} {
		other := named("other.json")
		if err := os.WriteFile(other, bytes.Replace(text, []byte(c.old), []byte(c.new), 1), 0o666); err != nil {
			t.Fatal(err)
		}
		if status, stderr := keep("-check", other); status != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("-check of another result: status %d and %q, want 1 and %q", status, stderr, c.want)
		}
	}
	if v := list["stack"].Runs[0].Values; v["test-wcpa-%"] != 100 || v["test-ce"] != 0 || len(v) != 2 {
		t.Errorf("have %v, want a WCPA of 100 and no loss", v)
	}
	predictions, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if have, want := list["stack"].Runs[0].Predictions, fmt.Sprintf("%x", sha256.Sum256(predictions)); have != want {
		t.Errorf("have predictions %s, want %s", have, want)
	}
}

// TestKeptResults checks that each result kept in the repository is of the data set that its row has here.
func TestKeptResults(t *testing.T) {
	kept, err := exchange.ReadExternals(os.DirFS("../.."), suites.All)
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range kept {
		_, row, err := exchange.Find(suites.All, e.Suite, suite.Paper, string(e.Row))
		if err != nil {
			t.Fatal(err)
		}
		set, err := row.Exchange()
		if err != nil {
			t.Fatal(err)
		}
		if have, err := set.Digest(); err != nil || have != e.Data {
			t.Errorf("%s: have the data set %s, %v, want %s", name, have, err, e.Data)
		}
	}
}

// reader reads a data set for recognition in Python. It prints a line for each split, and checks that
// each symbol of a string in the language is one that may follow.
const reader = `
import os, sys, pushdown
data = pushdown.Data(sys.argv[1])
for split in data.splits():
    strings, labels = list(data.strings(split)), list(data.labels(split))
    valid = [s for s, label in zip(strings, labels) if label]
    for s, allowed in zip(valid, data.next_symbols(split)):
        assert len(allowed) == len(s) + 1 and allowed[-1][1]
        assert all(token in may for token, (may, end) in zip(s, allowed))
    print(split, split in data.scored(), len(strings), len(valid), sum(map(len, strings)))
os.remove(os.path.join(sys.argv[1], "test", "main.tok"))
open(os.path.join(sys.argv[1], "test", "main.tok"), "w").close()
try:
    pushdown.Data(sys.argv[1])
except ValueError as error:
    print(error)
`

// TestPythonReads compares what Python reads with the manifest.
func TestPythonReads(t *testing.T) {
	folder := written(t, "recognition", "table=1/row=lstm")
	m, err := exchange.ReadManifest(folder)
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, s := range m.Splits {
		scored := "False"
		if s.Scored {
			scored = "True"
		}
		want += fmt.Sprintf("%s %s %d %d %d\n", s.Name, scored, s.Strings, s.Valid, s.Tokens)
	}
	want += "test/main.tok: have SHA-256 "
	if have := python(t, "-c", reader, folder); !strings.HasPrefix(have, want) {
		t.Errorf("have %s, want %s", have, want)
	}
}

// TestRefuses damages a data set and predictions, and gives wrong arguments.
func TestRefuses(t *testing.T) {
	folder := written(t, "dyck", "dyck-m4")
	none, empty := filepath.Join(folder, "none"), filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		folder, file string
		status       int
		want         string
	}{
		{"", empty, 2, "score: -data: have no folder, want one that command export has written"},
		{none, empty, 1, "manifest.json"},
		{folder, none, 1, "none: "},
		{folder, empty, 1, `have no line, want {"data":"`},
	} {
		if status, _, stderr := scoreOf(c.folder, c.file); status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("%s %s: status %d and %q, want %d and %q", c.folder, c.file, status, stderr, c.status, c.want)
		}
	}
	if status, _, stderr := scoreOf(folder); status != 2 || !strings.Contains(stderr, "have no arguments after the flags, want file...") {
		t.Errorf("no file: status %d and %q, want 2 and what is missing", status, stderr)
	}
	manifest := filepath.Join(folder, exchange.ManifestName)
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"data": "`, `"data": "0`, "data: have 0"},
		{`"scale": "smoke"`, `"scale": "ci"`, "data: have "},
		{`"row": "paper=resurgence/table=2/row=dyck-m4"`, `"row": "paper=resurgence/table=2/row=dyck-m5"`, "want a row such as"},
		{`"suite": "dyck"`, `"suite": "patterns"`, "want a row such as"},
	} {
		if strings.Count(string(text), c.old) != 1 {
			t.Fatalf("%q is not once in %s", c.old, manifest)
		}
		if err := os.WriteFile(manifest, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := scoreOf(folder, empty); status != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d and %q, want 1 and %q", c.new, status, stderr, c.want)
		}
	}
}
