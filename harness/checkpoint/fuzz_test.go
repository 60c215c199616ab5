package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzDecode decodes arbitrary files, once unchanged and once with a corrected
// checksum, so that the checks after the checksum are reached. An accepted file must
// survive writing and reading. The error for a rejected file must name a position
// inside the file.
func FuzzDecode(f *testing.F) {
	f.Add(encoded(f, sample()))
	f.Add(encoded(f, &File{}))
	f.Add(sealed(f32("a", "1", "0,4")+","+f32("b", "1", "0,4"), make([]byte, 4)))
	f.Add(sealed(f32("a", "65536,65536,65536,65536", "0,0"), nil))
	f.Add(sealed(f32("a", "1", "0,4"), []byte{0, 0, 0xc0, 0x7f}))
	f.Fuzz(func(t *testing.T, b []byte) {
		check(t, b)
		if len(b) > lengthBytes {
			check(t, repaired(b))
		}
	})
}

// FuzzHeader decodes files that are valid except for the entries of their tensors
// and the number of data bytes, which are arbitrary.
func FuzzHeader(f *testing.F) {
	f.Add(f32("a", "1", "0,4"), 4)
	f.Add(f32("a", "2,0", "0,0")+","+f32("b", "", "0,4"), 4)
	f.Add(`"\ud83d\ude00":{"shape":[1],"data_offsets":[0,8],"dtype":"I64"}`, 8)
	f.Fuzz(func(t *testing.T, members string, data int) {
		if data < 0 || data > 1<<12 || strings.Contains(members, blankSum) {
			return
		}
		check(t, sealed(members, make([]byte, data)))
	})
}

// repaired returns b with a correct checksum, if it contains a checksum.
func repaired(b []byte) []byte {
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(len(b)-lengthBytes) {
		return b
	}
	h, err := parseHeader("x", b[lengthBytes:lengthBytes+n], int64(len(b))-lengthBytes-int64(n), false)
	if err != nil {
		return b
	}
	b = bytes.Clone(b)
	copy(b[lengthBytes+h.sumAt:], blankSum)
	copy(b[lengthBytes+h.sumAt:], sha256Hex(string(b)))
	return b
}

func check(t *testing.T, b []byte) {
	t.Helper()
	got, err := decodeBytes("x", b)
	_, _, scanErr := decode("x", bytes.NewReader(b), int64(len(b)), false, false)
	if (err == nil) != (scanErr == nil) {
		t.Fatalf("reading: %v, but scanning: %v", err, scanErr)
	}
	if err != nil {
		var fault *FormatError
		if !errors.As(err, &fault) {
			t.Fatalf("error is a %T: %v", err, err)
		}
		if fault.Offset < 0 || fault.Offset > int64(len(b)) || fault.Have == "" || fault.Need == "" {
			t.Fatalf("error without a place or a reason: %+v", fault)
		}
		return
	}
	var size int
	for _, tensor := range got.Tensors {
		d, ok := dtypeOf(tensor.Data)
		if !ok {
			t.Fatalf("tensor %q: data of type %s", tensor.Name, d.name)
		}
		size += length(tensor.Data) * d.size
	}
	if size > len(b) {
		t.Fatalf("a file of %d bytes gives %d bytes of tensors", len(b), size)
	}
	again, err := decodeBytes("x", encoded(t, got))
	if err != nil {
		t.Fatalf("what was read cannot be written: %v", err)
	}
	byName := func(f *File) map[string]Tensor {
		m := make(map[string]Tensor)
		for _, tensor := range f.Tensors {
			m[tensor.Name] = tensor
		}
		return m
	}
	if diff := cmp.Diff(byName(got), byName(again)); diff != "" {
		t.Fatalf("tensors changed (-read +again):\n%s", diff)
	}
	if diff := cmp.Diff(got.Meta, again.Meta); diff != "" {
		t.Fatalf("metadata changed (-read +again):\n%s", diff)
	}
}
