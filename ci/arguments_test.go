package ci

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// unreadArguments lists what would silently ignore an argument after its flags: calls of
// flag.Parse, folders that make flags or a command and do not parse the arguments with package
// argument, and packages whose tests have flags and no TestMain that refuses arguments.
func unreadArguments(tr *tree) (wrong []string) {
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	flags, parses, tests, mains := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{} // by folder
	for _, s := range tr.sources {
		if s.syntax.Name.Name == "main" && !s.test && !s.ignored {
			flags[s.dir] = max(flags[s.dir], 0) // a command
		}
	}
	for s, sel := range all[*ast.SelectorExpr](tr) {
		if s.ignored || s.dir == "harness/argument" {
			continue
		}
		switch name := path.Base(s.imported(sel)); {
		case name == "flag.Parse":
			add("%s: have flag.Parse, want package argument", tr.at(sel.Pos()))
		case s.test && slices.Contains([]string{"golden.Flag", "flag.Bool", "flag.Int", "flag.String", "flag.Duration", "flag.Float64", "flag.Func", "flag.Var"}, name):
			tests[s.dir]++
		case !s.test && name == "flag.NewFlagSet":
			flags[s.dir]++
		case !s.test && name == "argument.Parse":
			parses[s.dir]++
		}
	}
	for s, call := range all[*ast.CallExpr](tr) {
		if f := types.ExprString(call.Fun); f == "Main" || strings.HasSuffix(f, ".Main") { // of argument, suite or suitetest
			mains[s.dir]++
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(flags)) {
		if parses[dir] != max(1, flags[dir]) {
			add("%s: have %d times argument.Parse, want it for the command and for each of %d sets of flags", dir, parses[dir], flags[dir])
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(tests)) {
		if mains[dir] == 0 {
			add("%s: tests have flags, want a TestMain that calls argument.Main or suite.Main", dir)
		}
	}
	return wrong
}

func TestUnreadArgumentsAreFound(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"flag\"\n\t\"pushdown/harness/argument\"\n)\n\n"
	wantViolations(t, unreadArguments(fixture(t,
		"a/main.go", "package main\n\nfunc main() {}\n",
		"b/main.go", head+"func main() { flag.Parse() }\n",
		"c/main.go", head+"func main() { argument.Parse(flag.NewFlagSet(``, 0), nil) }\n",
		"d/main.go", head+"func main() { argument.Parse(flag.NewFlagSet(``, 0), nil) }\n\nvar f = flag.NewFlagSet(``, 0)\n",
		"e/e_test.go", head+"var update = flag.Bool(``, false, ``)\n",
		"f/f_test.go", head+"var update = flag.Bool(``, false, ``)\n\nfunc TestMain(m *testing.M) { argument.Main(m) }\n",
	)),
		"b/main.go:8: have flag.Parse", "a: have 0 times argument.Parse", "b: have 0 times", "d: have 1 times argument.Parse", "e: tests have flags")
}
