package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteThenReadGivesTheSameContent(t *testing.T) {
	path := tempPath(t)
	want := sample()
	if err := Write(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	byName := func(a, b Tensor) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(got.Tensors, byName)
	slices.SortFunc(want.Tensors, byName)
	want.Path = path
	for i := range want.Tensors {
		if want.Tensors[i].Shape == nil {
			want.Tensors[i].Shape = []int{}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("content changed (-want +got):\n%s", diff)
	}
	w, err := Get[float32](got, "W", 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	if math.Float32bits(w[3]) != 1<<31 {
		t.Errorf("negative zero came back as %#x", math.Float32bits(w[3]))
	}
	if err := Write(path, got); err != nil {
		t.Errorf("writing what was read: %v", err)
	}
	sum, err := Verify(path)
	if err != nil || len(sum) != 64 {
		t.Errorf("Verify: %q, %v", sum, err)
	}
}

// TestBytes checks the bytes of a file. Its checksum was computed with sha256sum.
func TestBytes(t *testing.T) {
	f := &File{
		Tensors: []Tensor{
			{"b", []int{1}, []float32{2}},
			Scalar("step", int64(3)),
			{"a", []int{1, 2}, []float32{1, -1}},
		},
		Meta: map[string]string{"z": "tab\t", "a": "\""},
	}
	const header = `{"__metadata__":{"a":"\"","sha256":"4d5e417d636a02bf84ece3bdcb72907ba7f68b058c1b0de44f6992fdd718a589","z":"tab\u0009"},` +
		`"step":{"dtype":"I64","shape":[],"data_offsets":[0,8]},` +
		`"a":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]},` +
		`"b":{"dtype":"F32","shape":[1],"data_offsets":[16,20]}}   `
	const data = "\x03\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x80\x3f\x00\x00\x80\xbf" + "\x00\x00\x00\x40"
	want := string(raw(header, nil)) + data
	got := string(encoded(t, f))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("bytes (-want +got):\n%s", diff)
	}
}

// TestHeaderIsJSON parses the header of a file with encoding/json.
func TestHeaderIsJSON(t *testing.T) {
	f := sample()
	b := encoded(t, f)
	n := binary.LittleEndian.Uint64(b)
	if n%8 != 0 {
		t.Errorf("length of the header is %d, want a multiple of 8", n)
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(b[8:8+n], &got); err != nil {
		t.Fatal(err)
	}
	var meta map[string]string
	if err := json.Unmarshal(got["__metadata__"], &meta); err != nil {
		t.Fatal(err)
	}
	delete(meta, "sha256")
	if diff := cmp.Diff(f.Meta, meta); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	for _, tensor := range f.Tensors {
		var e struct {
			Dtype   string `json:"dtype"`
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}
		if err := json.Unmarshal(got[tensor.Name], &e); err != nil {
			t.Fatalf("%q: %v", tensor.Name, err)
		}
		data := b[8+n:][e.Offsets[0]:e.Offsets[1]]
		want, err := binary.Append(nil, binary.LittleEndian, tensor.Data)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, want) {
			t.Errorf("%q: data are % x, want % x", tensor.Name, data, want)
		}
		if d, _ := dtypeOf(tensor.Data); e.Offsets[0]%d.size != 0 || e.Dtype != d.name {
			t.Errorf("%q: %s at %d is not aligned, or not %s", tensor.Name, e.Dtype, e.Offsets[0], d.name)
		}
	}
}

func TestBytesDependOnContentAlone(t *testing.T) {
	want := encoded(t, sample())
	for i := range 20 {
		f := sample()
		if i%2 == 0 {
			slices.Reverse(f.Tensors)
		}
		if !bytes.Equal(encoded(t, f), want) {
			t.Fatal("another order of tensors or another run gives other bytes")
		}
	}
}

func TestDataLongerThanTheBuffer(t *testing.T) {
	for _, n := range []int{bufferBytes/8 - 1, bufferBytes / 8, bufferBytes/8 + 1, bufferBytes, bufferBytes + 3} {
		f64 := make([]float64, n)
		u32 := make([]uint32, n)
		for i := range n {
			f64[i], u32[i] = float64(i)+0.5, uint32(i)*2654435761
		}
		f := &File{Tensors: []Tensor{{"f", []int{n}, f64}, {"u", []int{1, n}, u32}}}
		got, err := decodeBytes("x", encoded(t, f))
		if err != nil {
			t.Fatal(err)
		}
		f.Path = "x"
		f.Meta = map[string]string{}
		if !cmp.Equal(f, got) {
			t.Errorf("%d elements came back changed", n)
		}
	}
}

func TestGetNamesWhatDiffers(t *testing.T) {
	f := sample()
	f.Path = "run.safetensors"
	for _, c := range []struct{ have, want string }{
		{errText(Get[float32](f, "V", 2, 3)), `run.safetensors: tensor "V": have none of this name, want F32 [2 3]`},
		{errText(Get[float64](f, "W", 2, 3)), `run.safetensors: tensor "W": have F32 [2 3], want F64 [2 3]`},
		{errText(Get[float32](f, "W", 3, 2)), `run.safetensors: tensor "W": have F32 [2 3], want F32 [3 2]`},
		{errText(Get[uint64](f, "i64")), `run.safetensors: tensor "i64": have I64 [2 1], want U64 []`},
		{errText(f.GetMeta("none")), `run.safetensors: metadata "none": have none of this key`},
		{errText(Get[int64](&File{}, "e")), `checkpoint: tensor "e": have none of this name, want I64 []`},
	} {
		if c.have != c.want {
			t.Errorf("have %s\nwant %s", c.have, c.want)
		}
	}
	if v, err := Get[uint64](f, "update"); err != nil || v[0] != math.MaxUint64 {
		t.Errorf("update: %d, %v", v, err)
	}
	if v, err := f.GetMeta("update"); v != "17" || err != nil {
		t.Errorf("metadata update: %q, %v", v, err)
	}
}

func errText[T any](_ T, err error) string {
	if err == nil {
		return "no error"
	}
	return err.Error()
}

func TestWriteRefusesBadContentAndKeepsTheOldFile(t *testing.T) {
	path := tempPath(t)
	if err := Write(path, sample()); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	for _, c := range []struct {
		name string
		file File
		want string
	}{
		{"nan", File{Tensors: []Tensor{{"w", []int{2, 2}, []float32{0, 0, nan, 0}}}}, `tensor "w": have NaN at [1 0], want finite values`},
		{"inf", File{Tensors: []Tensor{{"w", nil, []float64{math.Inf(-1)}}}}, `tensor "w": have -Inf at [], want finite values`},
		{"length", File{Tensors: []Tensor{{"w", []int{2, 2}, []float32{0}}}}, `tensor "w": have 1 elements, want 4 for shape [2 2]`},
		{"negative", File{Tensors: []Tensor{{"w", []int{-2, -2}, make([]float32, 4)}}}, `tensor "w": have length -2 of axis 0, want 0 to 2147483647`},
		{"product", File{Tensors: []Tensor{{"w", []int{1 << 30, 1 << 30, 1 << 30}, []float32{}}}}, `tensor "w": have shape [1073741824 1073741824 1073741824], want a size below`},
		{"axes", File{Tensors: []Tensor{{"w", make([]int, 17), []float32{}}}}, `tensor "w": have 17 axes, want <= 16`},
		{"type", File{Tensors: []Tensor{{"w", nil, []int{1}}}}, `tensor "w": have data of type []int, want one of F32`},
		{"nil", File{Tensors: []Tensor{{"w", nil, nil}}}, `tensor "w": have data of type <nil>, want one of F32`},
		{"twice", File{Tensors: []Tensor{Scalar("w", 1.0), Scalar("w", 1.0)}}, `tensor "w": have the name twice`},
		{"no name", File{Tensors: []Tensor{Scalar("", 1.0)}}, `tensor "": have this name`},
		{"reserved", File{Tensors: []Tensor{Scalar("__metadata__", 1.0)}}, `tensor "__metadata__": have this name`},
		{"utf-8", File{Tensors: []Tensor{Scalar("\xff", 1.0)}}, `tensor "\xff": have this name, want valid UTF-8`},
		{"sum", File{Meta: map[string]string{"sha256": ""}}, `metadata "sha256": have a value, want none`},
		{"meta", File{Meta: map[string]string{"k": "\xff"}}, `metadata "k": have invalid UTF-8`},
	} {
		err := Write(path, &c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v\nwant %s", c.name, err, c.want)
		}
	}
	now, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(old, now) {
		t.Error("the old file changed")
	}
}
