// Package argument reads the arguments of commands and of test binaries, and refuses those
// that nobody asked for. Package flag stops at the first argument that is not a flag. In
//
//	go test ./suites/dyck -update the LSTM changed -run WCPA
//
// the reason would be "the", and -run would be lost.
package argument

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Parse parses the arguments of a command. The names are those of the arguments that must
// follow the flags, such as base and head. The last may be "file...", for one or more, or
// "[file...]", for any number.
//
// Parse reports whether the command can go on. If not, Parse has printed the reason to the
// output of flags, and status is the exit status: 0 after -h, 2 for wrong arguments.
func Parse(flags *flag.FlagSet, args []string, names ...string) (status int, ok bool) {
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0, false
	case err != nil: // flags has printed it
		return 2, false
	}
	if err := check(flags, args, names); err != nil {
		fmt.Fprintf(flags.Output(), "%s: %v\n", flags.Name(), err)
		return 2, false
	}
	return 0, true
}

// Main is the TestMain of a package whose tests have flags of their own. It parses the flags,
// runs the tests and exits; the status is 2 if an argument remains.
func Main(m *testing.M) {
	if err := Tests(); err != nil {
		fmt.Fprintf(os.Stderr, "pushdown: %v\n", err)
		os.Exit(2)
	}
	os.Exit(m.Run())
}

// Tests parses the flags of a test binary. It returns an error if an argument remains.
func Tests() error {
	if !flag.Parsed() {
		flag.Parse()
	}
	return check(flag.CommandLine, os.Args[1:], nil)
}

// check returns an error if the arguments that remain after the flags are not as named, or if
// one of them is a flag.
func check(flags *flag.FlagSet, args, names []string) error {
	rest := flags.Args()
	least, most := len(names), len(names)
	if n := len(names); n > 0 && strings.Contains(names[n-1], "...") {
		most = len(args)
		if strings.HasPrefix(names[n-1], "[") {
			least--
		}
	}
	lost := slices.ContainsFunc(rest, isFlag)
	if least <= len(rest) && len(rest) <= most && !lost {
		return nil
	}
	have, want := "no arguments", "none"
	if len(rest) > 0 {
		have = fmt.Sprintf("the arguments %q", rest)
	}
	if len(rest) == 1 {
		have = fmt.Sprintf("the argument %q", rest[0])
	}
	if len(names) > 0 {
		want = strings.Join(names, " ")
	}
	text := fmt.Sprintf("have %s after the flags, want %s", have, want)
	if lost {
		text += "; flags come first"
	}
	if form := quoted(flags, args, rest); form != "" {
		text += "; a value of several words has quotes: " + form
	}
	return errors.New(text)
}

// isFlag reports whether an argument looks like a flag.
func isFlag(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

// quoted returns the last flag before the rest of the arguments, with a value in quotes to
// which the rest belongs. It returns "" if the flag does not take such a value.
func quoted(flags *flag.FlagSet, args, rest []string) string {
	before := args[:len(args)-len(rest)]
	if len(before) == 0 || len(rest) == 0 || isFlag(rest[0]) {
		return ""
	}
	name, value, ok := strings.Cut(before[len(before)-1], "=")
	if !ok || !isFlag(name) {
		if len(before) < 2 || isFlag(name) {
			return ""
		}
		name, value = before[len(before)-2], before[len(before)-1]
	}
	if i := slices.IndexFunc(rest, isFlag); i >= 0 {
		rest = rest[:i]
	}
	value = strings.Join(append([]string{value}, rest...), " ")
	f := flags.Lookup(strings.TrimLeft(name, "-"))
	if f == nil || f.Value.Set(value) != nil || f.Value.String() != value { // such as that of a number
		return ""
	}
	return fmt.Sprintf("%s %q", name, value)
}
