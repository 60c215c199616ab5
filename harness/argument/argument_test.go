package argument

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
)

var reason = flag.String("reason", "", "a `text` that only this test gives")

// childVariable is an environment variable that is set in the process that
// TestMainRefusesArguments starts.
const childVariable = "ARGUMENT_TEST_CHILD"

func TestMain(m *testing.M) { Main(m) }

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args, names string // separated by commas
		status      int
		want        string // what is printed; "" if the command goes on
	}{
		{"", "", 0, ""},
		{"-text,a b,-n,3", "", 0, ""},
		{"x", "", 2, `test: have the argument "x" after the flags, want none`},
		{"-w,x", "", 2, `test: have the argument "x" after the flags, want none`},
		{"-n,3,x", "", 2, `test: have the argument "x" after the flags, want none`},
		{"-text,the,LSTM,changed,-n,3", "", 2, `test: have the arguments ["LSTM" "changed" "-n" "3"] after the flags, want none; flags come first; a value of several words has quotes: -text "the LSTM changed"`},
		{"-text=the,LSTM", "", 2, `test: have the argument "LSTM" after the flags, want none; a value of several words has quotes: -text "the LSTM"`},
		{"--,-text", "", 2, `test: have the argument "-text" after the flags, want none; flags come first`},
		{"", "commit", 2, `test: have no arguments after the flags, want commit`},
		{"HEAD", "commit", 0, ""},
		{"HEAD,-n,3", "commit", 2, `test: have the arguments ["HEAD" "-n" "3"] after the flags, want commit; flags come first`},
		{"a", "base,head", 2, `test: have the argument "a" after the flags, want base head`},
		{"a,b,c", "base,head", 2, `test: have the arguments ["a" "b" "c"] after the flags, want base head`},
		{"a", "remote,file...", 2, `test: have the argument "a" after the flags, want remote file...`},
		{"a,b,c", "remote,file...", 0, ""},
		{"a,b,c,-n", "remote,file...", 2, `test: have the arguments ["a" "b" "c" "-n"] after the flags, want remote file...; flags come first`},
		{"", "[folder...]", 0, ""},
		{"a,-,b", "[folder...]", 0, ""},
		{"-h", "", 0, "Usage of test:"},
		{"-x", "", 2, "flag provided but not defined: -x"},
	} {
		var out bytes.Buffer
		flags := flag.NewFlagSet("test", flag.ContinueOnError)
		flags.SetOutput(&out)
		flags.Bool("w", false, "")
		flags.Int("n", 0, "")
		flags.String("text", "", "")
		status, ok := Parse(flags, split(c.args), split(c.names)...)
		have, _, _ := strings.Cut(out.String(), "\n")
		if status != c.status || ok != (c.want == "") || have != c.want {
			t.Errorf("%s: have status %d, %v and %q, want %d and %q", c.args, status, ok, have, c.status, c.want)
		}
	}
}

// split splits a list that commas separate.
func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// TestMainRefusesArguments checks that a test binary runs no test if an argument remains. The
// test runs its own binary in another process.
func TestMainRefusesArguments(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		t.Fatalf("have the reason %q and a run, want neither", *reason)
	}
	cmd := exec.Command(os.Args[0], "-reason", "the", "LSTM", "changed", "-test.run", "^TestMainRefusesArguments$")
	cmd.Env = append(os.Environ(), childVariable+"=1")
	out, _ := cmd.CombinedOutput()
	const want = `pushdown: have the arguments ["LSTM" "changed" "-test.run" "^TestMainRefusesArguments$"] after the flags, want none; flags come first; a value of several words has quotes: -reason "the LSTM changed"` + "\n"
	if status := cmd.ProcessState.ExitCode(); status != 2 || string(out) != want {
		t.Errorf("have status %d and %s\nwant 2 and %s", status, out, want)
	}
}
