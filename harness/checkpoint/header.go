package checkpoint

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

const (
	// lengthBytes is the size of the length field before the header.
	lengthBytes = 8
	// maxHeader is the limit on the length of the header in the reference implementation of
	// the file format, safetensors.
	maxHeader = 100_000_000
	metaKey   = "__metadata__"
	sumKey    = "sha256"
)

// blankSum stands in the place of the checksum while the checksum is computed.
var blankSum = strings.Repeat("0", 64)

// header is the decoded JSON at the front of a file.
type header struct {
	entries []entry // in the order of their data
	meta    map[string]string
	sum     string // stored checksum
	sumAt   int    // position of its first digit in the header, or -1
	foreign bool   // another program wrote the file; see Import
}

// entry is the header entry of a tensor.
type entry struct {
	name       string
	dtype      dtype
	shape      []int
	count      int   // product of shape
	begin, end int64 // byte range in the data section
	offsetsAt  int   // position of the byte range in the header
}

// part returns the name of the entry for error messages.
func (e *entry) part() string { return fmt.Sprintf("tensor %q", e.name) }

// parseHeader decodes b, which starts at byte lengthBytes of the file. The parameter data
// is the number of bytes after the header.
func parseHeader(file string, b []byte, data int64, foreign bool) (*header, error) {
	p := &parser{file: file, base: lengthBytes, b: b}
	h := &header{meta: make(map[string]string), sumAt: -1, foreign: foreign}
	if len(b) == 0 || b[0] != '{' {
		return nil, p.fail(0, "header", p.have(), "'{'")
	}
	err := p.object("header", func(key string, at int) error {
		if key == metaKey {
			return h.parseMeta(p)
		}
		return h.parseEntry(p, key, at)
	})
	if err != nil {
		return nil, err
	}
	for p.pos < len(b) && b[p.pos] == ' ' {
		p.pos++
	}
	if p.pos < len(b) {
		return nil, p.fail(p.pos, "header", p.have(), "spaces up to its end")
	}
	if h.sumAt < 0 && !foreign {
		return nil, p.fail(0, "header", "no metadata entry "+sumKey, "the checksum of a checkpoint")
	}
	return h, h.checkOrder(p, data)
}

// checkOrder brings the entries of another program's file into the order of their data, and checks the data offsets of all entries.
func (h *header) checkOrder(p *parser, data int64) error {
	if h.foreign {
		slices.SortStableFunc(h.entries, func(a, b entry) int { return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end)) })
	}
	var next int64
	for i := range h.entries {
		e := &h.entries[i]
		if need := e.checkOffsets(next, data); need != "" {
			return p.fail(e.offsetsAt, e.part(), fmt.Sprintf("data_offsets [%d,%d]", e.begin, e.end), need)
		}
		next = e.end
	}
	return nil
}

func (h *header) parseMeta(p *parser) error {
	const part = "metadata"
	return p.object(part, func(key string, _ int) error {
		p.space()
		at := p.pos
		v, err := p.str(part)
		if err != nil {
			return err
		}
		if key != sumKey {
			h.meta[key] = v
			return nil
		}
		if raw := p.b[at+1 : p.pos-1]; len(raw) != len(blankSum) || strings.Trim(v, "0123456789abcdef") != "" {
			return p.fail(at, part, fmt.Sprintf("checksum %.80q", raw), "64 lower-case hexadecimal digits")
		}
		h.sum, h.sumAt = v, at+1
		return nil
	})
}

// parseEntry reads the entry of one tensor.
func (h *header) parseEntry(p *parser, name string, at int) error {
	e := entry{name: name}
	part := e.part()
	if name == "" {
		return p.fail(at, part, "an empty name", "a name")
	}
	var offsets []int64
	var haveShape bool
	var shapeAt int
	p.space()
	start := p.pos
	err := p.object(part, func(key string, keyAt int) error {
		p.space()
		valueAt := p.pos
		switch key {
		case "dtype":
			s, err := p.str(part)
			if err != nil {
				return err
			}
			var ok bool
			list, need := dtypes, dtypeNames
			if h.foreign {
				list, need = slices.Concat(dtypes, short), need+", F16, BF16"
			}
			if e.dtype, ok = dtypeNamed(list, s); !ok {
				return p.fail(valueAt, part, fmt.Sprintf("dtype %q", s), need)
			}
			return nil
		case "shape":
			list, err := p.numbers(part+": shape", maxAxes)
			if err != nil {
				return err
			}
			e.shape, haveShape, shapeAt = toInts(list), true, valueAt
			return nil
		case "data_offsets":
			var err error
			e.offsetsAt = valueAt
			offsets, err = p.numbers(part+": data_offsets", 2)
			return err
		}
		return p.fail(keyAt, part, fmt.Sprintf("key %q", key), "dtype, shape and data_offsets")
	})
	if err != nil {
		return err
	}
	if e.dtype.size == 0 || !haveShape || len(offsets) != 2 {
		return p.fail(start, part, "an incomplete description", "dtype, shape and two data_offsets")
	}
	if e.count, err = elements(e.shape); err != nil {
		return p.fail(shapeAt, part, fmt.Sprint("shape ", e.shape), strings.TrimPrefix(err.Error(), "have "))
	}
	e.begin, e.end = offsets[0], offsets[1]
	h.entries = append(h.entries, e)
	return nil
}

// checkOffsets checks the data offsets of e, which must begin at next. It returns the requirement that they
// violate, for an error message, or "" if they are valid.
func (e *entry) checkOffsets(next, data int64) (need string) {
	size := int64(e.count) * int64(e.dtype.size)
	switch {
	case e.begin != next:
		return fmt.Sprintf("begin %d, where the tensor before ends", next)
	case e.end < e.begin || e.end-e.begin != size:
		return fmt.Sprintf("%d bytes for %s %v", size, e.dtype.name, e.shape)
	case e.end > data:
		return fmt.Sprintf("an end within the %d bytes of data that the file has", data)
	}
	return ""
}

// toInts converts lengths of axes to int. It replaces a length that is too large by
// one that the function elements rejects.
func toInts(list []int64) []int {
	ints := make([]int, len(list))
	for i, n := range list {
		ints[i] = int(min(n, maxLength+1))
	}
	return ints
}

// appendHeader appends the length field and the header to b. The entries are in the
// order of the given tensors, and the checksum is blankSum. appendHeader returns the
// position of the checksum in the file.
func appendHeader(b []byte, tensors []Tensor, meta map[string]string) (_ []byte, sumAt int) {
	b = append(b, make([]byte, lengthBytes)...)
	b = append(b, '{')
	b = appendString(b, metaKey)
	b = append(b, ":{"...)
	for i, key := range metaKeys(meta) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, key), ':')
		if key == sumKey {
			sumAt = len(b) + 1
			b = appendString(b, blankSum)
			continue
		}
		b = appendString(b, meta[key])
	}
	b = append(b, '}')
	var begin int64
	for _, t := range tensors {
		d, _ := dtypeOf(t.Data)
		end := begin + int64(length(t.Data))*int64(d.size)
		b = append(appendString(append(b, ','), t.Name), `:{"dtype":"`...)
		b = append(append(b, d.name...), `","shape":[`...)
		for i, n := range t.Shape {
			if i > 0 {
				b = append(b, ',')
			}
			b = fmt.Append(b, n)
		}
		b = fmt.Appendf(b, `],"data_offsets":[%d,%d]}`, begin, end)
		begin = end
	}
	b = append(b, '}')
	for len(b)%lengthBytes != 0 {
		b = append(b, ' ')
	}
	binary.LittleEndian.PutUint64(b, uint64(len(b)-lengthBytes))
	return b, sumAt
}
