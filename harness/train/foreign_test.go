package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"pushdown/harness/checkpoint"
	"pushdown/harness/kernel/cpu"
)

// TestForeignState checks that Run refuses a damaged checkpoint and a checkpoint of
// another run, and leaves the file unchanged. The error names the run, the file and
// the remedy. The remedy, deleting the file, starts the run again.
func TestForeignState(t *testing.T) {
	e := shortProblem()
	want, list := checkpoints(t, e)
	good := list[12]
	edit := func(change func(f *checkpoint.File)) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			put(t, path, good)
			f, err := checkpoint.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			change(f)
			if err := checkpoint.Write(path, f); err != nil {
				t.Fatal(err)
			}
		}
	}
	raw := func(change func(text []byte) []byte) func(t *testing.T, path string) {
		return func(t *testing.T, path string) { put(t, path, change(bytes.Clone(good))) }
	}
	tensor := func(f *checkpoint.File, name string) *checkpoint.Tensor {
		for i := range f.Tensors {
			if f.Tensors[i].Name == name {
				return &f.Tensors[i]
			}
		}
		t.Fatalf("no tensor %s", name)
		return nil
	}
	progress := func(old, new string) func(t *testing.T, path string) {
		return edit(func(f *checkpoint.File) {
			if !strings.Contains(f.Meta[metaProgress], old) {
				t.Fatalf("progress is %s, without %s", f.Meta[metaProgress], old)
			}
			f.Meta[metaProgress] = strings.Replace(f.Meta[metaProgress], old, new, 1)
		})
	}
	for _, c := range []struct {
		name string
		says string
		file func(t *testing.T, path string)
	}{
		{"empty", "offset 0", raw(func([]byte) []byte { return nil })},
		{"half", "offset", raw(func(x []byte) []byte { return x[:len(x)/2] })},
		{"last byte missing", "offset", raw(func(x []byte) []byte { return x[:len(x)-1] })},
		{"a byte more", "offset", raw(func(x []byte) []byte { return append(x, 0) })},
		{"bit in the length", "offset", raw(func(x []byte) []byte { x[1] ^= 4; return x })},
		{"bit in the header", "offset", raw(func(x []byte) []byte { x[100] ^= 1; return x })},
		{"bit in the data", "checksum", raw(func(x []byte) []byte { x[len(x)-70] ^= 1; return x })},
		{"not a number", "NaN", raw(func(x []byte) []byte { copy(x[len(x)-4:], "\x00\x00\xc0\x7f"); return sealed(x) })},
		{"another experiment", "of another run", edit(func(f *checkpoint.File) { f.Meta[checkpoint.MetaExperiment] = strings.Repeat("0", 64) })},
		{"another contract", "of another run", edit(func(f *checkpoint.File) { f.Meta[checkpoint.MetaContract] = "0" })},
		{"another build", "of another run", edit(func(f *checkpoint.File) { f.Meta[checkpoint.MetaBuild] = "0123" })},
		{"no key", "of another run", edit(func(f *checkpoint.File) { delete(f.Meta, checkpoint.MetaExperiment) })},
		{"other shape", `tensor "param/W_x": have F32 [6 3], want F32 [3 6]`, edit(func(f *checkpoint.File) { tensor(f, "param/W_x").Shape = []int{hidden, embedded} })},
		{"other type", `tensor "best/b": have I32 [1 6], want F32 [1 6]`, edit(func(f *checkpoint.File) { tensor(f, "best/b").Data = make([]int32, hidden) })},
		{"no moments", `tensor "moment2/E": have none`, edit(func(f *checkpoint.File) { tensor(f, "moment2/E").Name = "moment3/E" })},
		{"no progress", `metadata "progress": have none`, edit(func(f *checkpoint.File) { delete(f.Meta, metaProgress) })},
		{"progress is no JSON", `metadata "progress"`, progress("{", "[")},
		{"progress stops", `metadata "progress"`, edit(func(f *checkpoint.File) { f.Meta[metaProgress] = f.Meta[metaProgress][:50] })},
		{"nothing in progress", "optim: state", edit(func(f *checkpoint.File) { f.Meta[metaProgress] = "{}" })},
		{"negative updates", "optim: state", progress(`"Updates":13`, `"Updates":-13`)},
		{"negative time", "want at least 0 of each", progress(`"Took":`, `"Took":-`)},
		{"too many updates", "have 400 updates done, want fewer than 400", progress(`"Updates":13`, `"Updates":400`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := state(t)
			c.file(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			updates := 0
			res, err := Run(e, Options{Device: device(t, cpu.Best()), State: path, Resume: true, SaveEvery: every, Progress: func(Progress) { updates++ }})
			if err == nil || res != nil || updates > 0 {
				t.Fatalf("error %v after %d updates, want one before any", err, updates)
			}
			for _, says := range []string{"train: tiny: ", path, c.says, "; to train this run from the start, delete that file: no other run uses it"} {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("error %q, want one that says %q", err, says)
				}
			}
			if n := strings.Count(err.Error(), path); n != 1 {
				t.Errorf("error %q names the file %d times, want once", err, n)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("Run changes the file (%v)", err)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if diff := differ(want, run(t, e, Options{State: path, Resume: true})); diff != "" {
				t.Errorf("after the file is deleted (-want +have):\n%s", diff)
			}
		})
	}
}

// sealed corrects the checksum in the bytes of a file.
func sealed(text []byte) []byte {
	const key = `"sha256":"`
	at := bytes.Index(text, []byte(key)) + len(key)
	copy(text[at:], strings.Repeat("0", 64))
	sum := sha256.Sum256(text)
	hex.Encode(text[at:], sum[:])
	return text
}

// TestOtherExperiment checks that a run refuses the checkpoint of a run that differs
// only in its seed.
func TestOtherExperiment(t *testing.T) {
	_, list := checkpoints(t, shortProblem())
	path := state(t)
	put(t, path, list[3])
	e := shortProblem()
	e.Seed++
	if _, err := Run(e, Options{Device: device(t, cpu.Best()), State: path, Resume: true}); err == nil || !strings.Contains(err.Error(), "the state is of another run") {
		t.Errorf("error %v, want one that says the state is of another run", err)
	}
}
