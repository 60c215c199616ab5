package ci

import (
	"bytes"
	"fmt"
	"go/ast"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// calls counts the calls in a node of functions pkg.name. If pkg is "", it counts those of a
// function or method of that name.
func calls(n ast.Node, pkg string, names ...string) (count int) {
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch f := call.Fun.(type) {
		case *ast.Ident:
			if pkg == "" && slices.Contains(names, f.Name) {
				count++
			}
		case *ast.SelectorExpr:
			if x, ok := f.X.(*ast.Ident); slices.Contains(names, f.Sel.Name) && (pkg == "" || ok && x.Name == pkg) {
				count++
			}
		}
		return true
	})
	return count
}

// unreadArguments lists what would silently ignore an argument after its flags: functions
// that parse flags without package argument, commands that do not parse their arguments, and
// packages of tests that have flags and no TestMain that refuses.
func unreadArguments(tr *tree) []string {
	var wrong []string
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	commands, flagged := map[string]bool{}, map[string]string{} // by folder: whether a command parses; a file with flags of tests
	refuses := map[string]bool{}                                // folders whose TestMain refuses
	for _, s := range tr.sources {
		if s.nested() || s.pkg() == module+"/harness/argument" {
			continue
		}
		if n := calls(s.syntax, "flag", "Parse"); n > 0 {
			add("%s: calls flag.Parse, want package argument", s.path)
		}
		if s.syntax.Name.Name == "main" && !s.test {
			commands[s.dir] = commands[s.dir] || calls(s.syntax, "argument", "Parse") > 0
		}
		if s.test && (calls(s.syntax, "flag", "Bool", "Int", "String", "Duration", "Float64", "Func", "Var") > 0 || calls(s.syntax, "golden", "Flag") > 0) {
			flagged[s.dir] = s.path
		}
		for _, d := range s.syntax.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if f.Name.Name == "TestMain" && calls(f, "", "Main") > 0 {
				refuses[s.dir] = true
			}
			if !s.test && calls(f, "flag", "NewFlagSet") != calls(f, "argument", "Parse") {
				add("%s: %s makes flags, want argument.Parse to parse them", tr.at(f.Pos()), f.Name.Name)
			}
		}
	}
	for dir, parses := range commands {
		if !parses {
			add("%s: the command does not parse its arguments, want argument.Parse", dir)
		}
	}
	for dir, file := range flagged {
		if !refuses[dir] {
			add("%s: tests have flags, want a TestMain that calls argument.Main or suite.Main", file)
		}
	}
	slices.Sort(wrong)
	return wrong
}

func TestArgumentsAreRead(t *testing.T) { reportAll(t, unreadArguments(repoTree(t))) }

func TestUnreadArgumentsAreFound(t *testing.T) {
	wantViolations(t, unreadArguments(fixture(t,
		"a/main.go", "package main\n\nfunc main() {}\n",
		"b/main.go", "package main\n\nfunc main() { flag.Parse() }\n",
		"c/main.go", "package main\n\nfunc main() { argument.Parse(flag.NewFlagSet(``, 0), nil) }\n",
		"c/more.go", "package main\n\nfunc more() { f := flag.NewFlagSet(``, 0); f.Parse(nil) }\n",
		"d/d_test.go", "package d\n\nvar update = flag.Bool(``, false, ``)\n",
		"e/e_test.go", "package e\n\nvar update = flag.Bool(``, false, ``)\n",
		"e/main_test.go", "package e\n\nfunc TestMain(m *testing.M) { argument.Main(m) }\n",
		"f/f_test.go", "package f\n\nvar _ = golden.Flag()\n\nfunc TestMain(m *testing.M) { os.Exit(m.Run()) }\n",
		"g/_asm/main.go", "package main\n\nfunc main() { flag.Parse() }\n",
	)),
		"a: the command does not parse", "b/main.go: calls flag.Parse", "b: the command does not parse",
		"c/more.go:3: more makes flags", "d/d_test.go: tests have flags", "f/f_test.go: tests have flags")
}

// passesArguments lists the scripts that hand their arguments to a program, which refuses
// them.
var passesArguments = []string{"ci/cluster/slurm"}

// TestScriptsRefuseArguments checks that each script names an argument that it does not know,
// before it does anything else.
func TestScriptsRefuseArguments(t *testing.T) {
	tr, found := repoTree(t), 0
	for _, name := range tr.paths {
		text, err := os.ReadFile(path.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := bytes.Cut(text, []byte("\n"))
		if !bytes.HasPrefix(first, []byte("#!")) || slices.Contains(passesArguments, name) {
			continue
		}
		found++
		words := strings.Fields(strings.ReplaceAll(string(first), "/", " ")) // such as bin, env, bash
		shell, err := exec.LookPath(words[len(words)-1])
		if err != nil {
			t.Skipf("have no %s, want it for the scripts", words[len(words)-1])
		}
		for _, arg := range []string{"nonesuch", "--nonesuch"} {
			cmd := exec.Command(shell, path.Base(name), arg)
			cmd.Dir = path.Join("..", path.Dir(name))
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 2 || !bytes.Contains(out, []byte("nonesuch")) && !bytes.Contains(out, []byte("usage: ")) {
				t.Errorf("%s %s: have %v and %s\nwant status 2 and the argument", name, arg, err, out)
			}
		}
	}
	if found < 5 {
		t.Errorf("have %d scripts, want at least 5", found)
	}
}
