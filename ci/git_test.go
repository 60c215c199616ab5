package ci

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// gitCommand matches a line of a shell script that runs git.
var gitCommand = regexp.MustCompile(`^[^#]*(^|[\s;&|(!])git [a-z-]`)

// unsetsGit is the line with which a script removes the variables of git, as git.Environ does.
const unsetsGit = "for name in $(compgen -e GIT_); do unset \"$name\"; done"

// strayGit lists the places that start git with the environment of the caller: Go files and
// Python scripts with the name of the program, except in package ci/git, and shell scripts that
// run it without removing its variables. A workflow is no script: nothing sets them there.
func strayGit(tr *tree) []string {
	var wrong []string
	for _, s := range tr.sources {
		if s.path == "ci/git_test.go" || s.dir == "ci/git" || s.dir == "ci/git/gittest" {
			continue
		}
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if name, err := strconv.Unquote(text.Value); err == nil && (name == "git" || name == "git.exe") {
					wrong = append(wrong, fmt.Sprintf("%s: have the program git, want ci/git to start it", tr.at(n.Pos())))
				}
			}
			return true
		})
	}
	for _, p := range tr.paths {
		text, err := fs.ReadFile(tr.fsys, p)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		first, _, _ := strings.Cut(string(text), "\n")
		switch script := strings.HasPrefix(first, "#!"); {
		case path.Ext(p) == ".py" || script && strings.Contains(first, "python"):
			if strings.Contains(string(text), `"git"`) || strings.Contains(string(text), `'git'`) {
				wrong = append(wrong, p+": have the program git, want no Python script to start it")
			}
		case script && strings.Contains(first, "sh") && !strings.Contains(string(text), unsetsGit):
			n := 0
			for line := range strings.Lines(string(text)) {
				if n++; gitCommand.MatchString(line) {
					wrong = append(wrong, fmt.Sprintf("%s:%d: have a command of git, want %s before it", p, n, unsetsGit))
				}
			}
		}
	}
	return wrong
}

func TestGitStartsInOnePlace(t *testing.T) {
	reportAll(t, exempt(strayGit(repoTree(t)), map[string]string{"harness/suite/skip.go": "the name of a need"}))
}

func TestStrayGitIsFound(t *testing.T) {
	wantViolations(t, strayGit(fixture(t,
		"ci/git/git.go", "package git\nvar x = \"git\"\n",
		"ci/a.go", "package ci\nimport \"os/exec\"\nvar x = exec.Command(`git`, \"status\")\nvar y = \"no git\" + \".git\"\n",
		"a/a_test.go", "package a\nvar x = []string{\"-x\", \"git\"}\n",
		"run", "#!/usr/bin/env bash\n# git status\nfor x in $(git ls-files); do echo ./git x; done\nif ! git diff; then echo .git x; fi\n",
		"good", "#!/usr/bin/env bash\n"+unsetsGit+"\ngit status\n",
		"b.py", "import subprocess\nsubprocess.run([\"git\", \"status\"])\n",
		"page.md", "    git status\n",
	)),
		"a/a_test.go:2: have the program git", "ci/a.go:3: have the program git",
		"b.py: have the program git", "run:3: have a command of git", "run:4: have a command of git",
	)
}
