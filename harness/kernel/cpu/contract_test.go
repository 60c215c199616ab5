package cpu

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/argument"
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/kerneltest"
)

var freeze = flag.Bool("freeze", false, "write the digests of a new version of the numeric contract")

func TestMain(m *testing.M) { argument.Main(m) }

// TestContractIsFrozen checks that the operations give the digests in the file of the
// current contract version. With the flag -freeze, it first adds lines for new
// operations to the file, or writes the file of a new version. It never changes an
// existing line.
func TestContractIsFrozen(t *testing.T) {
	path := filepath.Join("..", "kerneltest", "testdata", fmt.Sprintf("contract-%d.txt", kernel.ContractVersion))
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	d, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	got, err := kerneltest.Digests(d)
	if err != nil {
		t.Fatal(err)
	}
	want := string(text)
	if *freeze {
		if want, err = frozen(want, got); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("operations give other bits than %s (-frozen +now); a change of bits needs a new kernel.ContractVersion with its reason on the contract page, a new operation -freeze:\n%s", path, diff)
	}
}

// frozen returns the new text of a digest file, given its old text (the parameter file) and
// the present digests in the same format (the parameter now). An operation that is in the
// old text keeps its old line, and new operations are added. It is an error if an operation
// of the old text has no present digest.
func frozen(file, now string) (string, error) {
	known := map[string]string{}
	for line := range strings.Lines(file) {
		known[subject(line)] = line
	}
	var b strings.Builder
	for line := range strings.Lines(now) {
		if old, ok := known[subject(line)]; ok {
			delete(known, subject(line))
			line = old
		}
		b.WriteString(line)
	}
	for line := range strings.Lines(file) {
		if _, ok := known[subject(line)]; ok {
			return "", fmt.Errorf("%s is gone: a contract without it needs a new kernel.ContractVersion", subject(line))
		}
	}
	return b.String(), nil
}

// subject returns a line of a digest file without its last word, the digest.
func subject(line string) string {
	words := strings.Fields(line)
	return strings.Join(words[:max(0, len(words)-1)], " ")
}

func TestFreezeOnlyAdds(t *testing.T) {
	const file = "contract 1\nadd 11\nmatmul 22\n"
	for _, c := range []struct{ name, now, want, err string }{
		{"the same", file, file, ""},
		{"a new operation", "contract 1\nadd 11\nneg 33\nmatmul 22\nmatmul again 44\n", "contract 1\nadd 11\nneg 33\nmatmul 22\nmatmul again 44\n", ""},
		{"other bits", "contract 1\nadd 55\nmatmul 22\n", file, ""},
		{"an operation removed", "contract 1\nmatmul 22\n", "", "add is gone"},
		{"an operation renamed", "contract 1\nplus 11\nmatmul 22\n", "", "add is gone"},
	} {
		have, err := frozen(file, c.now)
		if have != c.want || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: have %q and error %v, want %q and error %q", c.name, have, err, c.want, c.err)
		}
	}
	if have, err := frozen("", file); err != nil || have != file {
		t.Errorf("a new version: have %q and error %v, want %q", have, err, file)
	}
}
