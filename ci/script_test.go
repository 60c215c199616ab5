package ci

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

// shebang matches the first line of a script for a POSIX shell or bash.
var shebang = regexp.MustCompile(`^#!.*\b(ba)?sh\b`)

// localeScripts returns the shell scripts of a tree, and those among them that do not set the
// locale in the first two lines of code. A script that runs in the locale of its caller may
// print 1,5 for 1.5, or sort in another order.
func localeScripts(tr *tree) (scripts, wrong []string) {
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
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && len(code) < 2 {
				code = append(code, line)
			}
		}
		if head := strings.Join(code, "\n"); !strings.Contains("\n"+head+"\n", "\nexport LC_ALL=C\n") {
			wrong = append(wrong, fmt.Sprintf("%s: have the first lines %q, want export LC_ALL=C among them", p, code))
		}
	}
	return scripts, wrong
}

func TestScriptsSetTheLocale(t *testing.T) {
	scripts, wrong := localeScripts(repoTree(t))
	wantViolations(t, wrong)
	if len(scripts) < 5 {
		t.Errorf("have the scripts %q, want at least five", scripts)
	}
}

func TestScriptsWithoutLocaleAreFound(t *testing.T) {
	scripts, wrong := localeScripts(fixture(t,
		"a", "#!/bin/bash\n# Prints.\n\nset -e\nexport LC_ALL=C\n",
		"b", "#!/usr/bin/env bash\nset -e\necho 1\nexport LC_ALL=C\n",
		"c.sh", "# export LC_ALL=C\nexport LC_ALL=C.UTF-8\n",
		"d.py", "#!/usr/bin/python3\n",
		"e", "#!/bin/sh\n",
		"f.txt", "export\n",
	))
	if have := strings.Join(scripts, " "); have != "a b c.sh e" {
		t.Errorf("have the scripts %s, want a b c.sh e", have)
	}
	wantViolations(t, wrong, "b: have", "c.sh: have", "e: have")
}
