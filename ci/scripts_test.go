package ci

import (
	"bytes"
	"fmt"
	"go/ast"
	"iter"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pushdown/harness/suite"
)

var (
	// shebang matches the first line of a shell script and finds the interpreter.
	shebang = regexp.MustCompile(`^#!.*\b(sh|bash)\b`)
	// gitCommand matches a line of a shell script that runs git.
	gitCommand = regexp.MustCompile(`(?m)^[^#\n]*(^|[\s;&|(!])git [a-z-]`)
	// scriptHead matches the first lines of code of a script. In the locale of its caller a script
	// may print 1,5 for 1.5, or sort in another order. With the CDPATH of its caller, cd may enter a
	// folder of the same name elsewhere, and prints it.
	scriptHead = regexp.MustCompile(`^(#.*\n|\n)*(set .*\n)?export LC_ALL=C( .*)?\nunset CDPATH( .*)?\n`)
)

// unsetsGit is the line with which a script removes the variables of git, as git.Environ does.
const unsetsGit = "for name in $(compgen -e GIT_); do unset \"$name\"; done"

// scripts returns the shell scripts of a tree with their interpreters.
func (tr *tree) scripts() iter.Seq2[string, string] {
	return func(yield func(name, interpreter string) bool) {
		for _, p := range tr.paths {
			if m := shebang.FindStringSubmatch(tr.texts[p]); m != nil && !yield(p, m[1]) {
				return
			}
		}
	}
}

// openScripts lists the shell scripts that depend on the locale, the CDPATH or the git of the caller.
func openScripts(tr *tree) (wrong []string) {
	for p := range tr.scripts() {
		switch text := tr.texts[p]; {
		case !scriptHead.MatchString(text):
			wrong = append(wrong, p+": want export LC_ALL=C and unset CDPATH first, with no code but one set before")
		case gitCommand.MatchString(text) && !strings.Contains(text, unsetsGit):
			wrong = append(wrong, fmt.Sprintf("%s: have a command of git, want %s before it", p, unsetsGit))
		}
	}
	return wrong
}

// strayGit lists the Go files and Python scripts that name the program git, which only package
// ci/git starts: without the variables with which a hook names its repository.
func strayGit(tr *tree) (wrong []string) {
	for s, text := range all[*ast.BasicLit](tr) {
		if name, _ := strconv.Unquote(text.Value); (name == "git" || name == "git.exe") && s.dir != "ci/git" && s.dir != "ci/git/gittest" && s.path != "ci/scripts_test.go" {
			wrong = append(wrong, tr.at(text.Pos())+": have the program git, want ci/git to start it")
		}
	}
	for _, p := range tr.paths {
		if path.Ext(p) == ".py" && (strings.Contains(tr.texts[p], `"git"`) || strings.Contains(tr.texts[p], `'git'`)) {
			wrong = append(wrong, p+": have the program git, want no Python script to start it")
		}
	}
	return wrong
}

// TestPythonParses checks the syntax of each Python script. Most of them need packages that a machine may not have.
func TestPythonParses(t *testing.T) {
	var files []string
	for _, p := range repoTree(t).paths {
		if path.Ext(p) == ".py" {
			files = append(files, filepath.Join("..", filepath.FromSlash(p)))
		}
	}
	const parse = `import ast, sys
for name in sys.argv[1:]:
    ast.parse(open(name, encoding="utf-8").read(), name)`
	if _, err := exec.LookPath("python3"); err != nil {
		suite.Skip(t, "python", fmt.Sprint("no python3: ", err), "install it, on Debian the package python3")
	}
	if out, err := exec.Command("python3", append([]string{"-c", parse}, files...)...).CombinedOutput(); err != nil || len(files) < 6 {
		t.Errorf("%d scripts: %v\n%s", len(files), err, out)
	}
}

func TestOpenScriptsAreFound(t *testing.T) {
	const head = "export LC_ALL=C\nunset CDPATH # why\n"
	tr := fixture(t,
		"ci/git/git.go", "package git\nvar x = \"git\"\n",
		"a_test.go", "package a\nvar x = exec.Command(`git`, \"status\")\nvar y = \"no git\" + \".git\"\n",
		"a.py", "import subprocess\nsubprocess.run([\"git\", \"status\"])\n",
		"a", "#!/bin/bash\n# Prints.\n\nset -e\n"+head+"# git status\n./git x\n",
		"b", "#!/usr/bin/env bash\nunset CDPATH\nset -e\necho 1\nexport LC_ALL=C\n",
		"c", "#!/bin/sh\nexport LC_ALL=C.UTF-8\nunset CDPATH\n",
		"d", "#!/bin/bash\n"+head+"for x in $(git ls-files); do echo; done\n",
		"e", "#!/bin/bash\n"+head+unsetsGit+"\nif ! git diff; then exit; fi\n",
	)
	wantViolations(t, openScripts(tr), "b: want export", "c: want export", "d: have a command of git")
	wantViolations(t, strayGit(tr), "a_test.go:2: have the program git", "a.py: have the program git")
}

// TestScriptsRefuseArguments checks that each script names an argument that it does not know,
// before it does anything else.
func TestScriptsRefuseArguments(t *testing.T) {
	found := 0
	for name, interpreter := range repoTree(t).scripts() {
		found++
		if name == "ci/cluster/slurm" {
			continue // hands its arguments to a program, which refuses them
		}
		if _, err := exec.LookPath(interpreter); err != nil {
			t.Skip(err)
		}
		for _, arg := range []string{"nonesuch", "--nonesuch"} {
			cmd := exec.Command(interpreter, path.Base(name), arg)
			cmd.Dir = filepath.Join("..", path.Dir(name))
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 2 || !bytes.Contains(out, []byte("nonesuch")) && !bytes.Contains(out, []byte("usage: ")) {
				t.Errorf("%s %s: have %v and %s\nwant status 2 and the argument", name, arg, err, out)
			}
		}
	}
	if found < 6 {
		t.Errorf("have %d scripts, want at least 6", found)
	}
}
