package checkpoint

import "testing"

// BenchmarkCheckpoint writes, reads and digests 32 MB of parameters. Writing includes
// syncing the file and the folder.
func BenchmarkCheckpoint(b *testing.B) {
	const n = 8 << 20
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(i)
	}
	f := &File{Tensors: []Tensor{{"w", []int{n}, data}}}
	path := tempPath(b)
	if err := Write(path, f); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"write", func() error { return Write(path, f) }},
		{"read", func() error { _, err := Read(path); return err }},
		{"verify", func() error { _, err := Verify(path); return err }},
		{"digest", func() error { Digest([]string{"w"}, [][]int{{n}}, [][]float32{data}); return nil }},
	} {
		b.Run("op="+c.name, func(b *testing.B) {
			b.SetBytes(4 * n)
			b.ReportAllocs()
			for b.Loop() {
				if err := c.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
