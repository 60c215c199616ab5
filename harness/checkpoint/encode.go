package checkpoint

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"
)

// bufferBytes is the number of bytes converted at once. It is a multiple of every
// element size.
const bufferBytes = 1 << 16

// encode writes f to w with zeros in the place of the checksum. It returns the checksum and
// the file offset of these zeros.
func encode(w io.Writer, f *File) (sum string, sumAt int64, err error) {
	if err := f.validate(); err != nil {
		return "", 0, err
	}
	tensors := slices.Clone(f.Tensors)
	slices.SortFunc(tensors, func(a, b Tensor) int {
		da, _ := dtypeOf(a.Data)
		db, _ := dtypeOf(b.Data)
		return cmp.Or(cmp.Compare(db.size, da.size), cmp.Compare(a.Name, b.Name))
	})
	head, at := appendHeader(nil, tensors, f.Meta)
	if len(head)-lengthBytes > maxHeader {
		return "", 0, f.errorf("header: have %d bytes of names and metadata, want <= %d", len(head)-lengthBytes, maxHeader)
	}
	hash := sha256.New()
	both := io.MultiWriter(hash, w)
	if _, err := both.Write(head); err != nil {
		return "", 0, err
	}
	buf := make([]byte, bufferBytes)
	for _, t := range tensors {
		if err := writeData(both, buf, t.Data); err != nil {
			return "", 0, err
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), int64(at), nil
}

// writeData writes the elements of data in little-endian order.
func writeData(w io.Writer, buf []byte, data any) error {
	d, _ := dtypeOf(data)
	step := len(buf) / d.size
	for i, n := 0, length(data); i < n; i += step {
		k, err := binary.Encode(buf, binary.LittleEndian, part(data, i, min(i+step, n)))
		if err != nil {
			return err
		}
		if _, err := w.Write(buf[:k]); err != nil {
			return err
		}
	}
	return nil
}

// validate returns an error if f is not a file that Read could return.
func (f *File) validate() error {
	seen := make(map[string]bool)
	for _, t := range f.Tensors {
		switch {
		case t.Name == "" || t.Name == metaKey || !utf8.ValidString(t.Name):
			return f.errorf("tensor %q: have this name, want valid UTF-8, not empty and not %s", t.Name, metaKey)
		case seen[t.Name]:
			return f.errorf("tensor %q: have the name twice, want distinct names", t.Name)
		}
		seen[t.Name] = true
		d, ok := dtypeOf(t.Data)
		if !ok {
			return f.errorf("tensor %q: have data of type %s, want %s", t.Name, d.name, dtypeNames)
		}
		n, err := elements(t.Shape)
		if err != nil {
			return f.errorf("tensor %q: %w", t.Name, err)
		}
		if n != length(t.Data) {
			return f.errorf("tensor %q: have %d elements, want %d for shape %v", t.Name, length(t.Data), n, t.Shape)
		}
		if i := nonFinite(t.Data); i >= 0 {
			return f.errorf("tensor %q: have %s, want finite values", t.Name, describe(t.Data, i, t.Shape, i))
		}
	}
	if _, ok := f.Meta[sumKey]; ok {
		return f.errorf("metadata %q: have a value, want none: the checksum is kept there", sumKey)
	}
	for _, key := range slices.Sorted(maps.Keys(f.Meta)) {
		if !utf8.ValidString(key) || !utf8.ValidString(f.Meta[key]) {
			return f.errorf("metadata %q: have invalid UTF-8, want valid UTF-8", key)
		}
	}
	return nil
}

// metaKeys returns the keys of meta and the key of the checksum, sorted.
func metaKeys(meta map[string]string) []string {
	return slices.Sorted(func(yield func(string) bool) {
		for key := range meta { // Sorted makes the order irrelevant
			if !yield(key) {
				return
			}
		}
		yield(sumKey)
	})
}

// appendString appends s as a JSON string and escapes only what JSON requires.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
