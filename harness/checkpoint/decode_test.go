package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// f32 returns the header entry of a float32 tensor.
func f32(name, shape, offsets string) string {
	return fmt.Sprintf(`"%s":{"dtype":"F32","shape":[%s],"data_offsets":[%s]}`, name, shape, offsets)
}

func TestDecodeNamesTheFault(t *testing.T) {
	const meta = `{"__metadata__":{"sha256":"0000000000000000000000000000000000000000000000000000000000000000"}`
	four := make([]byte, 4)
	for _, c := range []struct {
		name string
		file []byte
		want string // after "x: "
	}{
		{"empty", nil, `offset 0: length of the header: have a file of 0 bytes, want >= 8`},
		{"seven bytes", make([]byte, 7), `offset 7: length of the header: have a file of 7 bytes, want >= 8`},
		{"no header", make([]byte, 8), `offset 8: header: have the end of the header, want '{'`},
		{"length above the limit", []byte("\xff\xff\xff\xff\xff\xff\xff\xff{}"), `offset 0: length of the header: have 18446744073709551615, want <= 100000000`},
		{"length beyond the file", []byte("\x00\x10\x00\x00\x00\x00\x00\x00{}"), `offset 10: header: have 2 bytes up to the end of the file, want 4096`},
		{"not an object", raw(`[]`, nil), `offset 8: header: have '[', want '{'`},
		{"space first", raw(` {}`, nil), `offset 8: header: have ' ', want '{'`},
		{"open", raw(`{`, nil), `offset 9: header: have the end of the header, want '"'`},
		{"two values", raw(meta+`}{}`, nil), `offset 102: header: have '{', want spaces up to its end`},
		{"other padding", raw(meta+"}\n", nil), `offset 102: header: have '\n', want spaces up to its end`},
		{"comma at the end", raw(meta+`,}`, nil), `offset 102: header: have '}', want '"'`},
		{"no comma", raw(meta+` "a"`, nil), `offset 102: header: have '"', want ',' or '}'`},
		{"no colon", raw(`{"a" 1`, nil), `offset 13: header: have '1', want ':'`},
		{"no checksum", raw(`{}`, nil), `offset 8: header: have no metadata entry sha256, want the checksum of a checkpoint`},
		{"short checksum", raw(`{"__metadata__":{"sha256":"00"}}`, nil), `offset 34: metadata: have checksum "00", want 64 lower-case hexadecimal digits`},
		{"upper-case checksum", raw(`{"__metadata__":{"sha256":"`+strings.Repeat("A", 64)+`"}}`, nil), `want 64 lower-case hexadecimal digits`},
		{"escaped checksum", raw(`{"__metadata__":{"sha256":"`+strings.Repeat("0", 63)+`\u0030"}}`, nil), `want 64 lower-case hexadecimal digits`},
		{"wrong checksum", raw(meta+"}", nil), `over the file's bytes, want 0000000000`},
		{"metadata number", raw(`{"__metadata__":{"a":1}}`, nil), `offset 29: metadata: have '1', want '"'`},
		{"metadata null", raw(`{"__metadata__":null}`, nil), `offset 24: metadata: have 'n', want '{'`},
		{"metadata nested", raw(`{"__metadata__":{"a":{"b":"c"}}}`, nil), `offset 29: metadata: have '{', want '"'`},
		{"metadata twice", raw(meta+`,"__metadata__":{}}`, nil), `offset 102: header: have key "__metadata__" a second time, want distinct keys`},
		{"metadata key twice", raw(`{"__metadata__":{"a":"","a":""}}`, nil), `offset 32: metadata: have key "a" a second time, want distinct keys`},
		{"key twice by an escape", raw(`{"__metadata__":{"a":"","\u0061":""}}`, nil), `have key "a" a second time`},
		{"tensor twice", sealed(f32("a", "1", "0,4")+","+f32("a", "1", "4,8"), make([]byte, 8)), `header: have key "a" a second time, want distinct keys`},
		{"field twice", sealed(`"a":{"dtype":"F32","dtype":"F32"}`, nil), `tensor "a": have key "dtype" a second time`},
		{"unknown field", sealed(`"a":{"type":"F32"}`, nil), `tensor "a": have key "type", want dtype, shape and data_offsets`},
		{"missing field", sealed(`"a":{"dtype":"F32","shape":[]}`, nil), `tensor "a": have an incomplete description, want dtype, shape and two data_offsets`},
		{"no shape", sealed(`"a":{"dtype":"F32","data_offsets":[0,4]}`, four), `tensor "a": have an incomplete description`},
		{"one offset", sealed(f32("a", "1", "0"), four), `tensor "a": have an incomplete description`},
		{"three offsets", sealed(f32("a", "1", "0,4,4"), four), `tensor "a": data_offsets: have more than 2 numbers, want <= 2`},
		{"empty name", sealed(f32("", "1", "0,4"), four), `tensor "": have an empty name, want a name`},
		{"tensor is a string", sealed(`"a":"b"`, nil), `tensor "a": have '"', want '{'`},
		{"unknown dtype", sealed(`"a":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}`, four), `tensor "a": have dtype "BF16", want one of F32, F64, I32, I64, U32, U64`},
		{"dtype number", sealed(`"a":{"dtype":32}`, nil), `tensor "a": have '3', want '"'`},
		{"negative length", sealed(f32("a", "-1", "0,4"), four), `tensor "a": shape: have '-', want an integer from 0 to 2^63-1`},
		{"fractional length", sealed(f32("a", "1.0", "0,4"), four), `tensor "a": shape: have '.', want ',' or ']'`},
		{"exponent", sealed(f32("a", "1e0", "0,4"), four), `tensor "a": shape: have 'e', want ',' or ']'`},
		{"leading zero", sealed(f32("a", "01", "0,4"), four), `tensor "a": shape: have 01, want an integer from 0 to 2^63-1 without leading zeros`},
		{"2^63", sealed(f32("a", "9223372036854775808", "0,4"), four), `tensor "a": shape: have 9223372036854775808..., want an integer`},
		{"2^64+1", sealed(f32("a", "18446744073709551617", "0,4"), four), `tensor "a": shape: have 18446744073709551617..., want an integer`},
		{"long axis", sealed(f32("a", "4294967297", "0,4"), four), `want 0 to 2147483647`},
		{"product overflows to 1", sealed(f32("a", "2147483647,2147483647,2147483647,2147483647", "0,4"), four), `want a size below`},
		{"product overflows to 0", sealed(f32("a", "65536,65536,65536,65536", "0,0"), nil), `want a size below`},
		{"axes", sealed(f32("a", strings.Repeat("1,", 16)+"1", "0,4"), four), `tensor "a": shape: have more than 16 numbers, want <= 16`},
		{"nested shape", sealed(f32("a", "[1]", "0,4"), four), `tensor "a": shape: have '[', want an integer`},
		{"gap at the start", sealed(f32("a", "1", "4,8"), make([]byte, 8)), `tensor "a": have data_offsets [4,8], want begin 0, where the tensor before ends`},
		{"gap", sealed(f32("a", "1", "0,4")+","+f32("b", "1", "8,12"), make([]byte, 12)), `tensor "b": have data_offsets [8,12], want begin 4, where the tensor before ends`},
		{"overlap", sealed(f32("a", "1", "0,4")+","+f32("b", "1", "0,4"), four), `tensor "b": have data_offsets [0,4], want begin 4, where the tensor before ends`},
		{"out of order", sealed(f32("a", "1", "4,8")+","+f32("b", "1", "0,4"), make([]byte, 8)), `tensor "a": have data_offsets [4,8], want begin 0`},
		{"end before begin", sealed(f32("a", "1", "0,4")+","+f32("b", "0", "4,0"), four), `tensor "b": have data_offsets [4,0], want 0 bytes for F32 [0]`},
		{"too few bytes", sealed(f32("a", "2", "0,4"), four), `tensor "a": have data_offsets [0,4], want 8 bytes for F32 [2]`},
		{"beyond the file", sealed(f32("a", "2", "0,8"), four), `tensor "a": have data_offsets [0,8], want an end within the 4 bytes of data that the file has`},
		{"trailing byte", sealed(f32("a", "1", "0,4"), make([]byte, 5)), `data: have 1 bytes after the last tensor, want none`},
		{"data without tensors", sealed("", four), `offset 102: data: have 4 bytes after the last tensor, want none`},
		{"nan", sealed(f32("a", "2,1", "0,8"), []byte{0, 0, 0, 0, 0, 0, 0xc0, 0x7f}), `offset 161: tensor "a": have NaN at [1 0], want finite values`},
		{"infinity", sealed(`"a":{"dtype":"F64","shape":[],"data_offsets":[0,8]}`, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0xff}), `tensor "a": have -Inf at [], want finite values`},
		{"control character", raw("{\"a\n", nil), `offset 11: header: have control character 0x0a in a string, want an escape`},
		{"unknown escape", raw(`{"\q`, nil), `offset 10: header: have "\\q", want a JSON escape`},
		{"short escape", raw(`{"\u00`, nil), `offset 10: header: have "\\u00", want a JSON escape`},
		{"wrong digit", raw(`{"\u00g0"`, nil), `offset 10: header: have "\\u00g0", want a JSON escape`},
		{"lone high surrogate", raw(`{"\ud800"`, nil), `have "\\ud800", want a JSON escape`},
		{"lone low surrogate", raw(`{"\udc00\ud800"`, nil), `have "\\udc00", want a JSON escape`},
		{"invalid UTF-8", raw("{\"\xff\"", nil), `offset 10: header: have a string with invalid UTF-8, want valid UTF-8`},
		{"open string", raw(`{"a`, nil), `offset 11: header: have the end of the header, want the end of the string`},
		{"backslash at the end", raw(`{"\`, nil), `want a JSON escape`},
		{"deep", raw(strings.Repeat(`{"a":`, 1<<20), nil), `tensor "a": have key "a", want dtype, shape and data_offsets`},
		{"deep brackets", raw(`{"a":{"shape":`+strings.Repeat(`[`, 1<<20), nil), `tensor "a": shape: have '[', want an integer`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := decodeBytes("x", c.file)
			if err == nil {
				t.Fatalf("accepted as %+v, want an error with %s", f, c.want)
			}
			var fault *FormatError
			if !errors.As(err, &fault) {
				t.Fatalf("error is a %T, want a *FormatError: %v", err, err)
			}
			if fault.Offset < 0 || fault.Offset > int64(len(c.file)) {
				t.Errorf("offset %d is outside of the file of %d bytes", fault.Offset, len(c.file))
			}
			if msg := err.Error(); !strings.HasPrefix(msg, "x: offset ") || !strings.Contains(msg, c.want) {
				t.Errorf("have %s\nwant x: ... %s", msg, c.want)
			}
		})
	}
}

func TestDecodeAcceptsEscapesAndWhiteSpace(t *testing.T) {
	header := `{ "__metadata__" :` + "\n\t{\"sha256\": \"" + blankSum + `" , "\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00": "v" } }  `
	f, err := decodeBytes("x", seal(raw(header, nil)))
	if err != nil {
		t.Fatal(err)
	}
	const key = "\"\\/\b\f\n\r\té😀"
	if f.Meta[key] != "v" || len(f.Meta) != 1 {
		t.Errorf("metadata is %q, want only %q", f.Meta, key)
	}
}

// TestEveryFlippedBitIsFound checks that flipping any bit of a file is an error.
func TestEveryFlippedBitIsFound(t *testing.T) {
	good := encoded(t, sample())
	for i := range good {
		for bit := range 8 {
			b := bytes.Clone(good)
			b[i] ^= 1 << bit
			if _, err := decodeBytes("x", b); err == nil {
				t.Errorf("bit %d of byte %d flipped: accepted", bit, i)
			}
		}
	}
}

// TestEveryTruncationIsFound cuts a file at each length, and extends it by a byte.
// Each cut file is decoded twice: with its own length as the size, and with the
// original size, as if the file had shrunk while it was read.
func TestEveryTruncationIsFound(t *testing.T) {
	good := encoded(t, sample())
	for n := range good {
		if _, err := decodeBytes("x", good[:n]); err == nil {
			t.Errorf("the first %d of %d bytes: accepted", n, len(good))
		}
		_, _, err := decode("x", bytes.NewReader(good[:n]), int64(len(good)), true, false)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("offset %d: ", n)) {
			t.Errorf("file shrinking to %d bytes: %v", n, err)
		}
	}
	if _, err := decodeBytes("x", append(bytes.Clone(good), 0)); err == nil {
		t.Error("one byte more: accepted")
	}
}

// TestHostileHeadersTakeNoMemory decodes small files that claim to be large, and
// bounds the memory used.
func TestHostileHeadersTakeNoMemory(t *testing.T) {
	const limit = 64 << 10
	for name, b := range map[string][]byte{
		"header":  append([]byte{0xff, 0xe0, 0xf5, 0x05, 0, 0, 0, 0}, `{"__metadata__":{`...),
		"tensor":  sealed(f32("a", "2147483647,2", "0,17179869176"), nil),
		"offsets": sealed(f32("a", "0", "0,9223372036854775807"), nil),
		"empty":   sealed(f32("a", "2147483647,0,2147483647", "0,0"), nil),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		decodeBytes("x", b)
		runtime.ReadMemStats(&after)
		if d := after.TotalAlloc - before.TotalAlloc; d > limit {
			t.Errorf("%s: a file of %d bytes took %d bytes, want <= %d", name, len(b), d, limit)
		}
	}
}

func TestReadErrors(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing")
	if _, err := Read(missing); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), missing) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Read(dir); err == nil || err.Error() != dir+": have a folder, want a regular file" {
		t.Errorf("folder: %v", err)
	}
	damaged := filepath.Join(dir, "damaged")
	b := encoded(t, sample())
	b[len(b)-1] ^= 1
	if err := os.WriteFile(damaged, b, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func() error{
		"Read":   func() error { _, err := Read(damaged); return err },
		"Verify": func() error { _, err := Verify(damaged); return err },
	} {
		if err := f(); err == nil || !strings.HasPrefix(err.Error(), damaged+": offset ") || !strings.Contains(err.Error(), "checksum: have ") {
			t.Errorf("%s of a damaged file: %v", name, err)
		}
	}
	if now, err := os.ReadFile(damaged); err != nil || !bytes.Equal(now, b) {
		t.Error("reading changed the damaged file")
	}
	_, _, err := decode("x", io.MultiReader(bytes.NewReader(b[:20]), failing{}), int64(len(b)), true, false)
	if !errors.Is(err, errDisk) || !strings.HasPrefix(err.Error(), "x: offset 20: header: ") {
		t.Errorf("failing disk: %v", err)
	}
}

var errDisk = errors.New("input/output error")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errDisk }
