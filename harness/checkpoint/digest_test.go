package checkpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"testing"
)

// TestDigestIsTheStatedStream compares the digests with the SHA-256 of streams that
// are written by hand from the comments of Digest and StateDigest.
func TestDigestIsTheStatedStream(t *testing.T) {
	const stream = "\x01\x00\x00\x00B" + "\x00\x00\x00\x00" + "\x00\x00\x00\x80" + // B, a scalar -0
		"\x04\x00\x00\x00a/ü" + "\x02\x00\x00\x00" + "\x01\x00\x00\x00\x02\x00\x00\x00" + "\x00\x00\x80\x3f\x00\x00\xc0\x7f" +
		"\x02\x00\x00\x00ab" + "\x01\x00\x00\x00" + "\x00\x00\x00\x00"
	negativeZero := float32(math.Copysign(0, -1))
	got := Digest([]string{"ab", "a/ü", "B"}, [][]int{{0}, {1, 2}, {}},
		[][]float32{{}, {1, float32(math.NaN())}, {negativeZero}})
	if want := sha256Hex(stream); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
	state := &File{
		Tensors: []Tensor{Scalar("update", uint64(5)), {"m", []int{1}, []float32{2}}},
		Meta:    map[string]string{"phase": "fit", "best": "0x1p-3"},
	}
	got = StateDigest([]string{"ab", "a/ü", "B"}, [][]int{{0}, {1, 2}, {}},
		[][]float32{{}, {1, float32(math.NaN())}, {negativeZero}}, state)
	want := sha256Hex(stream + "\xff\xff\xff\xff" +
		"\x01\x00\x00\x00m\x03\x00\x00\x00F32" + "\x01\x00\x00\x00\x01\x00\x00\x00" + "\x00\x00\x00\x40" +
		"\x06\x00\x00\x00update\x03\x00\x00\x00U64" + "\x00\x00\x00\x00" + "\x05\x00\x00\x00\x00\x00\x00\x00" + "\xff\xff\xff\xff" +
		"\x04\x00\x00\x00best\x06\x00\x00\x000x1p-3" + "\x05\x00\x00\x00phase\x03\x00\x00\x00fit")
	if got != want {
		t.Errorf("state digest %s, want %s", got, want)
	}
}

func sha256Hex(stream string) string {
	sum := sha256.Sum256([]byte(stream))
	return hex.EncodeToString(sum[:])
}

func TestDigestTellsApart(t *testing.T) {
	zero, one := []float32{0}, []float32{1}
	nan := func(bits uint32) []float32 { return []float32{math.Float32frombits(bits)} }
	seen := map[string]string{}
	for name, d := range map[string]string{
		"nothing":        Digest(nil, nil, nil),
		"a":              Digest([]string{"a"}, [][]int{{1}}, [][]float32{zero}),
		"name":           Digest([]string{"b"}, [][]int{{1}}, [][]float32{zero}),
		"rank":           Digest([]string{"a"}, [][]int{{1, 1}}, [][]float32{zero}),
		"scalar":         Digest([]string{"a"}, [][]int{{}}, [][]float32{zero}),
		"value":          Digest([]string{"a"}, [][]int{{1}}, [][]float32{one}),
		"sign of zero":   Digest([]string{"a"}, [][]int{{1}}, [][]float32{{float32(math.Copysign(0, -1))}}),
		"NaN":            Digest([]string{"a"}, [][]int{{1}}, [][]float32{nan(0x7fc00000)}),
		"infinity":       Digest([]string{"a"}, [][]int{{1}}, [][]float32{nan(0x7f800000)}),
		"two":            Digest([]string{"a", "b"}, [][]int{{1}, {1}}, [][]float32{zero, one}),
		"two, exchanged": Digest([]string{"a", "b"}, [][]int{{1}, {1}}, [][]float32{one, zero}),
		"shape":          Digest([]string{"a"}, [][]int{{2, 3}}, [][]float32{make([]float32, 6)}),
		"shape turned":   Digest([]string{"a"}, [][]int{{3, 2}}, [][]float32{make([]float32, 6)}),
		"no state":       StateDigest(nil, nil, nil, &File{}),
		"string":         StateDigest(nil, nil, nil, &File{Meta: map[string]string{"a": "bc"}}),
		"string moved":   StateDigest(nil, nil, nil, &File{Meta: map[string]string{"ab": "c"}}),
		"counter":        StateDigest(nil, nil, nil, &File{Tensors: []Tensor{Scalar("a", int32(0))}}),
		"counter's type": StateDigest(nil, nil, nil, &File{Tensors: []Tensor{Scalar("a", uint32(0))}}),
	} {
		if len(d) != 64 {
			t.Errorf("%s: digest %q is not 64 digits", name, d)
		}
		if other, ok := seen[d]; ok {
			t.Errorf("%s and %s have one digest", name, other)
		}
		seen[d] = name
	}
	a := Digest([]string{"b", "a"}, [][]int{{1}, {1}}, [][]float32{one, zero})
	if seen[a] != "two" {
		t.Error("the order in which parameters are given counts")
	}
	for _, bits := range []uint32{0x7fc00001, 0xffc00000, 0x7f800001} {
		data := nan(bits)
		if d := Digest([]string{"a"}, [][]int{{1}}, [][]float32{data}); seen[d] != "NaN" {
			t.Errorf("the NaN %#x has a digest of its own", bits)
		}
		if math.Float32bits(data[0]) != bits {
			t.Errorf("Digest changed its input")
		}
	}
}

func TestDigestOfLongData(t *testing.T) {
	data := make([]float32, bufferBytes)
	for i := range data {
		data[i] = float32(i)
	}
	var s strings.Builder
	s.WriteString("\x01\x00\x00\x00w\x01\x00\x00\x00\x00\x00\x01\x00")
	for _, v := range data {
		u := math.Float32bits(v)
		s.Write([]byte{byte(u), byte(u >> 8), byte(u >> 16), byte(u >> 24)})
	}
	if got := Digest([]string{"w"}, [][]int{{bufferBytes}}, [][]float32{data}); got != sha256Hex(s.String()) {
		t.Error("data longer than the buffer are hashed wrongly")
	}
}

func TestDigestPanicsOnMisuse(t *testing.T) {
	x := []float32{1}
	for want, f := range map[string]func(){
		"checkpoint: 1 shapes and 1 data of 2 parameters":           func() { Digest([]string{"a", "b"}, [][]int{{1}}, [][]float32{x}) },
		`checkpoint: parameter "a" occurs twice`:                    func() { Digest([]string{"a", "a"}, [][]int{{1}, {1}}, [][]float32{x, x}) },
		`checkpoint: length of "a" is 1, want 2 for shape [2]`:      func() { Digest([]string{"a"}, [][]int{{2}}, [][]float32{x}) },
		`checkpoint: "a": have length -1 of axis 0, want 0 to 2147`: func() { Digest([]string{"a"}, [][]int{{-1}}, [][]float32{x}) },
		`checkpoint: state "s" occurs twice`: func() {
			StateDigest(nil, nil, nil, &File{Tensors: []Tensor{Scalar("s", 1.0), Scalar("s", 1.0)}})
		},
		`checkpoint: state "s" has data of type []int, want one of`: func() {
			StateDigest(nil, nil, nil, &File{Tensors: []Tensor{{"s", nil, []int{1}}}})
		},
	} {
		func() {
			defer func() {
				if r, _ := recover().(string); !strings.HasPrefix(r, want) {
					t.Errorf("panic %q, want %q", r, want)
				}
			}()
			f()
		}()
	}
}
