package history

import (
	"bytes"
	"path"
	"testing"

	"pushdown/ci/gate/regression"
)

// FuzzParse checks that the text of an entry is that of the same entry, and that its names are
// names of files.
func FuzzParse(f *testing.F) {
	good := text(1, 1000).Data
	for _, more := range []string{"", "pkg: q\nBenchmarkB/x=1 5 7 ns/op\n", "toolchain:\n", "cpu: ../..\n", "Unit x better=lower\n", "BenchmarkB 1 1e-300 ns/op\n"} {
		f.Add(append(bytes.Clone(good), more...))
		f.Add(append([]byte(more), good...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Parse(regression.Text{Name: "x", Data: data})
		if err != nil {
			return
		}
		if e.Path() != path.Clean(e.Path()) || path.Base(e.Path()) != e.Name || path.Base(e.Machine) != e.Machine {
			t.Errorf("have the path %q", e.Path())
		}
		again, err := Parse(regression.Text{Name: "y", Data: e.Data})
		if err != nil {
			t.Fatalf("%v in the text of an entry\n%s", err, e.Data)
		}
		if again.Path() != e.Path() || !bytes.Equal(again.Data, e.Data) {
			t.Errorf("have %s\n%s, want %s\n%s", again.Path(), again.Data, e.Path(), e.Data)
		}
	})
}
