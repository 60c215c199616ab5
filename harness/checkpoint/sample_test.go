package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// sample returns a file with every dtype, a scalar, an empty tensor, both zeros,
// subnormals, extreme integers, and names and strings that need escapes.
func sample() *File {
	return &File{
		Tensors: []Tensor{
			{"W", []int{2, 3}, []float32{1, -2.5, math.Float32frombits(1), float32(math.Copysign(0, -1)), math.MaxFloat32, 3}},
			{"b/\"ü\"\n", []int{1}, []float32{0}},
			Scalar("rate", 0.1),
			{"i32", []int{2}, []int32{math.MinInt32, math.MaxInt32}},
			{"i64", []int{2, 1}, []int64{math.MinInt64, math.MaxInt64}},
			Scalar("update", uint64(math.MaxUint64)),
			{"u32", []int{3}, []uint32{0, 1, math.MaxUint32}},
			{"nothing", []int{4, 0}, []float32{}},
		},
		Meta: map[string]string{
			"experiment": "{\"paper\":\"resurgence\"}\n\ttab \\ \x00 \u2028 é",
			"update":     "17",
			"":           "an empty key",
			"zz":         "",
		},
	}
}

// encoded returns the bytes that Write stores for f.
func encoded(t testing.TB, f *File) []byte {
	t.Helper()
	var b bytes.Buffer
	sum, at, err := encode(&b, f)
	if err != nil {
		t.Fatal(err)
	}
	copy(b.Bytes()[at:], sum)
	return b.Bytes()
}

// raw returns a file with the given header and data, which may be invalid.
func raw(header string, data []byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), data...)
}

// seal sets the checksum of a file whose header holds blankSum.
func seal(b []byte) []byte {
	at := bytes.Index(b, []byte(blankSum))
	if at < 0 {
		panic("no blank checksum")
	}
	sum := sha256.Sum256(b)
	hex.Encode(b[at:], sum[:])
	return b
}

// sealed returns a file with the given entries after the metadata and a correct
// checksum.
func sealed(members string, data []byte) []byte {
	if members != "" {
		members = "," + members
	}
	return seal(raw(fmt.Sprintf(`{"__metadata__":{"sha256":"%s"}%s}`, blankSum, members), data))
}

func decodeBytes(name string, b []byte) (*File, error) {
	f, _, err := decode(name, bytes.NewReader(b), int64(len(b)), true, false)
	return f, err
}

// tempPath returns a path for a checkpoint in a new folder.
func tempPath(t testing.TB) string {
	return filepath.Join(t.TempDir(), "state.safetensors")
}

// names returns the names of the files in a folder.
func names(t testing.TB, folder string) []string {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var s []string
	for _, e := range list {
		s = append(s, e.Name())
	}
	return s
}
