package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// inline matches a command of Go in the text of a page.
	inline = regexp.MustCompile("`((?:[A-Z_0-9]+=\\S+ )*go (?:run|test|build|tool) [^`<]+)`")
	// starts matches a line of an indented block that is a command for the shell.
	starts = regexp.MustCompile(`^(?:[A-Z_0-9]+=\S+ )*(?:go|python3|git|cd|mkdir|cp|bash|sbatch|ci/\S+|\.\./\S+) `)
	// remark matches the comment at the end of a command.
	remark = regexp.MustCompile(`\s+# .*$`)
)

// output begins a block that shows the output of a command.
const output = "row  "

// commandsOf returns the commands of a page: the lines of its indented blocks and, if inText is
// set, the commands of Go between backquotes in the text. A block of which only some lines are
// commands is an error.
func commandsOf(text string, inText bool) (list []string, err error) {
	add := func(command string) {
		if !slices.Contains(list, command) {
			list = append(list, command)
		}
	}
	fenced, before := false, ""
	var block []string
	end := func() error {
		commands := 0
		for _, line := range block {
			if starts.MatchString(line + " ") {
				commands++
				add(remark.ReplaceAllString(line, ""))
			}
		}
		if len(block) > 0 && commands != len(block) && (commands > 0 || !strings.HasPrefix(block[0], output)) {
			return fmt.Errorf("have the block that begins with %q, want only commands, or output that begins with %q", block[0], output)
		}
		block = nil
		return nil
	}
	for line := range strings.Lines(text + "\n") {
		line = strings.TrimRight(line, "\n")
		code, indented := strings.CutPrefix(line, "    ")
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced: // Python, which another test runs
		case indented && (before == "" || len(block) > 0):
			block = append(block, code)
		default:
			if err := end(); err != nil {
				return nil, err
			}
			for _, m := range inline.FindAllStringSubmatch(line, -1) {
				if inText {
					add(m[1])
				}
			}
		}
		before = line
	}
	return list, end()
}

// TestEveryCommandHasATrial checks that the table of trials has each command of the pages, in
// their order, and no other.
func TestEveryCommandHasATrial(t *testing.T) {
	root := repositoryRoot(t)
	for _, p := range pagesOfTrials {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p.name)))
		if err != nil {
			t.Fatal(err)
		}
		want, err := commandsOf(string(text), p.name == "README.md") // in the text of ci/README.md they say what was measured
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		var have []string
		for _, x := range p.trials {
			have = append(have, x.command)
			if (x.run != "" || x.left) && x.why == "" || x.left && x.run != "" {
				t.Errorf("%s: %s: have run %q, left %t and why %q, want a reason for what differs from the page", p.name, x.command, x.run, x.left, x.why)
			}
		}
		for _, c := range want {
			if !slices.Contains(have, c) {
				t.Errorf("%s: have the command %q without a trial, want one in trials_test.go", p.name, c)
			}
		}
		for _, c := range have {
			if !slices.Contains(want, c) {
				t.Errorf("%s: have a trial of %q, want the commands of the page only", p.name, c)
			}
		}
		if len(want) == len(have) && !slices.Equal(want, have) {
			t.Errorf("%s: have the trials in the order %q, want that of the page, %q", p.name, have, want)
		}
	}
}

func TestCommandsAreFound(t *testing.T) {
	text := "Text, `go test ./a -run B` and `go test`.\n\n    A=1 go test ./b    # what it does\n    ../c x | y\n\nthe end\n\n    row  paper\n    1    2\n\n* a list\n    go on\n\n```python\nif x:\n\n    go(x)\n```\n"
	have, err := commandsOf(text, true)
	if want := []string{"go test ./a -run B", "A=1 go test ./b", "../c x | y"}; err != nil || !slices.Equal(have, want) {
		t.Errorf("have %q, %v, want %q", have, err, want)
	}
	for _, text := range []string{"\n    go test ./b\n    make all\n", "\n    make all\n", "\n    row  x\n    go test ./b\n"} {
		if have, err := commandsOf(text, true); err == nil {
			t.Errorf("%q: have %q, want an error: a line is neither a command nor output", text, have)
		}
	}
}
