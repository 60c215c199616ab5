package checkpoint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
)

// decode reads a file of the given size from r and checks all of it. If the parameter keep
// is false, the tensors have no data. If foreign is set, another program may have written the file; see [Import].
// The name is used in error messages.
func decode(name string, r io.Reader, size int64, keep, foreign bool) (f *File, sum string, err error) {
	d := &decoder{name: name, r: r, hash: sha256.New(), foreign: foreign}
	h, err := d.header(size)
	if err != nil {
		return nil, "", err
	}
	f = &File{Path: name, Meta: h.meta}
	buf := make([]byte, min(bufferBytes, max(size-d.pos, lengthBytes)))
	var bad error // the first non-finite element; reported only if the checksum is right
	for i := range h.entries {
		e := &h.entries[i]
		t := Tensor{Name: e.name, Shape: e.shape}
		faulty, err := d.tensor(e, &t, buf, keep)
		if err != nil {
			return nil, "", err
		}
		if bad == nil {
			bad = faulty
		}
		f.Tensors = append(f.Tensors, t)
	}
	if have := hex.EncodeToString(d.hash.Sum(nil)); h.sumAt >= 0 && have != h.sum {
		return nil, "", &FormatError{name, lengthBytes + int64(h.sumAt), "checksum", have + " over the file's bytes", h.sum + " as stored"}
	}
	if bad != nil {
		return nil, "", bad
	}
	return f, h.sum, nil
}

// decoder is the state of one call of decode.
type decoder struct {
	name    string
	r       io.Reader
	pos     int64     // bytes read
	hash    hash.Hash // hash of these bytes, with the checksum blanked
	foreign bool      // see Import
}

// fill reads len(b) bytes.
func (d *decoder) fill(b []byte, part string) error {
	n, err := io.ReadFull(d.r, b)
	d.pos += int64(n)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return d.fail(d.pos, part, "the end of the file", fmt.Sprintf("%d more bytes", len(b)-n))
	}
	if err != nil {
		return fmt.Errorf("%s: offset %d: %s: %w", d.name, d.pos, part, err)
	}
	return nil
}

func (d *decoder) fail(pos int64, part, have, need string) error {
	return &FormatError{d.name, pos, part, have, need}
}

// header reads and checks everything before the data.
func (d *decoder) header(size int64) (*header, error) {
	if size < lengthBytes {
		return nil, d.fail(size, "length of the header", fmt.Sprintf("a file of %d bytes", size), fmt.Sprintf(">= %d", lengthBytes))
	}
	var length [lengthBytes]byte
	if err := d.fill(length[:], "length of the header"); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader {
		return nil, d.fail(0, "length of the header", fmt.Sprint(n), fmt.Sprintf("<= %d", maxHeader))
	}
	if left := size - lengthBytes; int64(n) > left {
		return nil, d.fail(size, "header", fmt.Sprintf("%d bytes up to the end of the file", left), fmt.Sprint(n))
	}
	b := make([]byte, n)
	if err := d.fill(b, "header"); err != nil {
		return nil, err
	}
	h, err := parseHeader(d.name, b, size-d.pos, d.foreign)
	if err != nil {
		return nil, err
	}
	var end int64
	if k := len(h.entries); k > 0 {
		end = h.entries[k-1].end
	}
	if d.pos+end != size {
		return nil, d.fail(d.pos+end, "data", fmt.Sprintf("%d bytes after the last tensor", size-d.pos-end), "none")
	}
	d.hash.Write(length[:])
	if h.sumAt >= 0 {
		copy(b[h.sumAt:], blankSum)
	}
	d.hash.Write(b)
	return h, nil
}

// tensor reads the data of e, and stores it in t if the parameter keep is set. The first
// error is for a non-finite element. The caller returns it only if the checksum is right;
// otherwise the file is damaged, and the wrong checksum is the error to report.
func (d *decoder) tensor(e *entry, t *Tensor, buf []byte, keep bool) (faulty, err error) {
	step := len(buf) / e.dtype.size
	n := min(step, e.count)
	if keep {
		n = e.count
	}
	data := e.dtype.alloc(n)
	for i := 0; i < e.count; i += step {
		k := min(step, e.count-i)
		b := buf[:k*e.dtype.size]
		at := d.pos
		if err := d.fill(b, e.part()); err != nil {
			return nil, err
		}
		d.hash.Write(b)
		chunk := part(data, 0, k)
		if keep {
			chunk = part(data, i, i+k)
		}
		if e.dtype.widen != nil {
			for j := range chunk.([]float32) {
				chunk.([]float32)[j] = e.dtype.widen(binary.LittleEndian.Uint16(b[2*j:]))
			}
		} else if _, err := binary.Decode(b, binary.LittleEndian, chunk); err != nil {
			return nil, err
		}
		if j := nonFinite(chunk); j >= 0 && faulty == nil {
			faulty = d.fail(at+int64(j*e.dtype.size), e.part(), describe(chunk, j, e.shape, i+j), "finite values")
		}
	}
	if keep {
		t.Data = data
	}
	return faulty, nil
}
