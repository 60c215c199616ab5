package ci

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shebang matches the first line of a script for a POSIX shell or bash.
var shebang = regexp.MustCompile(`^#!.*\b(ba)?sh\b`)

// scriptHead has the lines that every script has among its first three lines of code. In the locale
// of its caller a script may print 1,5 for 1.5, or sort in another order. With the CDPATH of its
// caller, cd may enter a folder of the same name elsewhere, and prints it.
var scriptHead = []string{"export LC_ALL=C", "unset CDPATH"}

// headlessScripts returns the shell scripts of a tree, and those among them without scriptHead.
func headlessScripts(tr *tree) (scripts, wrong []string) {
	for _, p := range tr.paths {
		b, err := fs.ReadFile(tr.fsys, p)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		if path.Ext(p) != ".sh" && !shebang.Match(b) {
			continue
		}
		scripts = append(scripts, p)
		var code []string
		for line := range strings.Lines(string(b)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && len(code) < 3 {
				line, _, _ = strings.Cut(line, " #")
				code = append(code, line)
			}
		}
		for _, want := range scriptHead {
			if !slices.Contains(code, want) {
				wrong = append(wrong, fmt.Sprintf("%s: have the first lines %q, want %s among them", p, code, want))
			}
		}
	}
	return scripts, wrong
}

func TestScriptsShutOutTheCaller(t *testing.T) {
	scripts, wrong := headlessScripts(repoTree(t))
	wantViolations(t, wrong)
	if len(scripts) < 5 {
		t.Errorf("have the scripts %q, want at least five", scripts)
	}
}

func TestScriptsThatDoNotAreFound(t *testing.T) {
	scripts, wrong := headlessScripts(fixture(t,
		"a", "#!/bin/bash\n# Prints.\n\nset -e\nexport LC_ALL=C\nunset CDPATH # why\n",
		"b", "#!/usr/bin/env bash\nunset CDPATH\nset -e\necho 1\nexport LC_ALL=C\n",
		"c.sh", "# export LC_ALL=C\nexport LC_ALL=C.UTF-8\nunset CDPATH\n",
		"d.py", "#!/usr/bin/python3\n",
		"e", "#!/bin/sh\nexport LC_ALL=C\n",
		"f.txt", "export\n",
	))
	if have := strings.Join(scripts, " "); have != "a b c.sh e" {
		t.Errorf("have the scripts %s, want a b c.sh e", have)
	}
	wantViolations(t, wrong, "b: have", "c.sh: have", "e: have")
}
