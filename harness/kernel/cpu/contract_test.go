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

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/kerneltest"
)

var freeze = flag.Bool("freeze", false, "write the digests of a new version of the numeric contract")

// TestContractIsFrozen: the bits of a version of the contract never change. An
// operation may be added to it; -freeze writes its line, and the whole file of a
// new version, but overwrites nothing.
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
		known := map[string]string{} // looked up only
		for line := range strings.Lines(want) {
			known[strings.Fields(line)[0]] = line
		}
		var b strings.Builder
		for line := range strings.Lines(got) {
			if old := known[strings.Fields(line)[0]]; old != "" {
				line = old
			}
			b.WriteString(line)
		}
		want = b.String()
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
