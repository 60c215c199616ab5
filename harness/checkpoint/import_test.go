package checkpoint

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// imported returns the content of a file that another program wrote.
func imported(b []byte) (*File, error) {
	f, _, err := decode("x", bytes.NewReader(b), int64(len(b)), true, true)
	return f, err
}

// entryOf returns a header entry.
func entryOf(name, dtype, shape, offsets string) string {
	return strings.Replace(f32(name, shape, offsets), "F32", dtype, 1)
}

// TestImport reads a file without a checksum, whose header lists the tensors in another order than that of the data.
func TestImport(t *testing.T) {
	header := `{` + entryOf("b", "BF16", "2", "14,18") + `,"__metadata__":{"format":"pt"},` + entryOf("h", "F16", "1,3", "8,14") + `,` + entryOf("d", "F64", "", "0,8") + `}  `
	data := []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0x3c, 1, 0, 0, 0xc0, 0x80, 0x3f, 0, 0xc0}
	name := tempPath(t)
	if err := os.WriteFile(name, raw(header, data), 0o666); err != nil {
		t.Fatal(err)
	}
	have, err := Import(name)
	if err != nil {
		t.Fatal(err)
	}
	want := &File{Path: name, Meta: map[string]string{"format": "pt"}, Tensors: []Tensor{
		{"d", []int{}, []float64{1}}, {"h", []int{1, 3}, []float32{1, 0x1p-24, -2}}, {"b", []int{2}, []float32{1, -2}},
	}}
	for i := range have.Tensors {
		if have.Tensors[i].Shape == nil {
			have.Tensors[i].Shape = []int{}
		}
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
	if _, err := Read(name); err == nil {
		t.Error("Read accepted a file without a checksum")
	}
	damaged := encoded(t, sample())
	if _, err := imported(damaged); err != nil {
		t.Errorf("a checkpoint: %v", err)
	}
	damaged[len(damaged)-1] ^= 1
	if _, err := imported(damaged); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("have %v, want an error for a damaged checkpoint", err)
	}
}

func TestImportRefuses(t *testing.T) {
	for want, file := range map[string][]byte{
		`tensor "a": have dtype "I16", want one of F32, F64, I32, I64, U32, U64, F16, BF16`: raw("{"+entryOf("a", "I16", "1", "0,2")+"}", make([]byte, 2)),
		`tensor "a": have dtype "F8_E4M3", want one of`:                                     raw("{"+entryOf("a", "F8_E4M3", "1", "0,1")+"}", make([]byte, 1)),
		`tensor "a": have dtype "BOOL", want one of`:                                        raw("{"+entryOf("a", "BOOL", "1", "0,1")+"}", make([]byte, 1)),
		`tensor "b": have data_offsets [0,4], want begin 4`:                                 raw("{"+f32("a", "1", "0,4")+","+f32("b", "1", "0,4")+"}", make([]byte, 4)),
		`tensor "a": have data_offsets [4,8], want begin 0`:                                 raw("{"+f32("a", "1", "4,8")+"}", make([]byte, 8)),
		`tensor "a": have data_offsets [0,4], want 2 bytes for F16 [1]`:                     raw("{"+entryOf("a", "F16", "1", "0,4")+"}", make([]byte, 4)),
		`have 1 bytes after the last tensor, want none`:                                     raw("{"+f32("a", "1", "0,4")+"}", make([]byte, 5)),
		`tensor "a": have +Inf at [1], want finite values`:                                  raw("{"+entryOf("a", "F16", "2", "0,4")+"}", []byte{0, 0, 0, 0x7c}),
		`tensor "a": have NaN at [0], want finite values`:                                   raw("{"+entryOf("a", "BF16", "1", "0,2")+"}", []byte{0xc0, 0x7f}),
	} {
		if f, err := imported(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("have %v, %v, want an error with %s", f, err, want)
		}
	}
}

// TestHalf compares all finite half-precision numbers with their definition.
func TestHalf(t *testing.T) {
	for b := range 1 << 16 {
		exponent, fraction, sign := b>>10&31, float64(b&1023), 1.0
		want := math.Ldexp(fraction, -24)
		if exponent > 0 {
			want = math.Ldexp(1024+fraction, exponent-25)
		}
		if b >= 1<<15 {
			sign = -1
		}
		have := half(uint16(b))
		if exponent == 31 {
			if have-have == 0 {
				t.Fatalf("%#04x: have %v, want an infinity or NaN", b, have)
			}
		} else if math.Float64bits(float64(have)) != math.Float64bits(math.Copysign(want, sign)) {
			t.Fatalf("%#04x: have %v, want %v", b, have, math.Copysign(want, sign))
		}
	}
}

// FuzzImport imports arbitrary files. An accepted file must survive writing and reading.
func FuzzImport(f *testing.F) {
	f.Add(encoded(f, sample()))
	f.Add(raw("{"+entryOf("b", "F16", "2", "4,8")+","+f32("a", "1", "0,4")+"}", []byte{0, 0, 0, 0, 0, 0x3c, 1, 0x80}))
	f.Add(raw("{"+entryOf("b", "BF16", "2", "0,4")+"}", []byte{0, 0x3f, 0xff, 0x7f}))
	f.Fuzz(func(t *testing.T, b []byte) {
		have, err := imported(b)
		if err != nil {
			return
		}
		size := 0
		for _, tensor := range have.Tensors {
			d, _ := dtypeOf(tensor.Data)
			size += length(tensor.Data) * d.size
		}
		if size > 2*len(b) {
			t.Fatalf("a file of %d bytes gives %d bytes of tensors", len(b), size)
		}
		again, err := decodeBytes("x", encoded(t, have))
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		byName := func(list []Tensor) map[string]Tensor {
			m := make(map[string]Tensor)
			for _, tensor := range list {
				m[tensor.Name] = tensor
			}
			return m
		}
		if diff := cmp.Diff(byName(have.Tensors), byName(again.Tensors)); diff != "" {
			t.Fatalf("tensors changed (-read +again):\n%s", diff)
		}
	})
}
