package exchange

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
)

// Array reports whether predictions for the set may also be an array, see [ReadArray].
func (s *Set) Array() bool { return len(s.Fields) == 1 && !s.Fields[0].Values.tokens() }

// arrayHead matches the header that NumPy writes for an array with one axis of floats. It finds their type and number.
var arrayHead = regexp.MustCompile(`^\{'descr': '(<f[48])', 'fortran_order': (?:False|True), 'shape': \(([0-9]{1,12}),\), \} *\n$`)

// ReadArray reads the predictions for a set from a file in NumPy's format .npy. It has an array with one axis of 32-bit or 64-bit
// floats: the values of the only field for all strings of the scored splits, or of the optional ones, too. Splits have their order in the set,
// which is that of the manifest. An array does not say of which data set it is; only its length must be right.
func ReadArray(from io.Reader, name string, set *Set) (*Predictions, error) {
	if !set.Array() {
		return nil, fmt.Errorf("%s: have an array, want lines of JSON: a record has several lists, or tokens", name)
	}
	p := newPredictions(set)
	c := &p.fields[0]
	r := bufio.NewReader(from)
	c.given = true
	size, have, err := arraySize(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	want, strings := int64(0), int64(0) // of the scored splits
	all := int64(len(c.numbers))
	for _, s := range set.Splits {
		if s.Scored {
			first := p.first[s.Name]
			want, strings = want+int64(c.start[first+s.Strings]-c.start[first]), strings+int64(s.Strings)
		}
	}
	if have != want && have != all {
		text := fmt.Sprint(want)
		if want != all {
			text += fmt.Sprintf(", or %d with those of optional splits", all)
		}
		if have == want-strings || have == all-int64(len(p.seen)) {
			text += "; one is missing for each string: " + c.Definition
		}
		return nil, fmt.Errorf("%s: have %d numbers, want %s", name, have, text)
	}
	for _, s := range set.Splits {
		if s.Scored || s.Optional && have == all {
			if err := p.readArray(r, size, name, s); err != nil {
				return nil, err
			}
		}
	}
	switch _, err := r.ReadByte(); err {
	case io.EOF:
	case nil:
		return nil, fmt.Errorf("%s: have bytes after the last value, want none", name)
	default:
		return nil, fmt.Errorf("%s: after the last value: %w", name, err)
	}
	return p, nil
}

// readArray reads the numbers of a split, of so many bytes each.
func (p *Predictions) readArray(r io.Reader, size int, name string, s Split) error {
	c, first := &p.fields[0], p.first[s.Name]
	want := map[Values]float64{Probabilities: 1, Nats: math.MaxFloat32}[c.Values]
	number := make([]byte, size)
	for i := range s.Strings {
		p.seen[first+i] = true
		values := c.numbers[c.start[first+i]:c.start[first+i+1]]
		for at := range values {
			where := func(err error) error {
				return fmt.Errorf("%s: %s: value %d of string %d of %s: %w", name, c.Name, at, i, s.Name, err)
			}
			if _, err := io.ReadFull(r, number); err != nil {
				return where(err)
			}
			if size == 4 {
				values[at] = float64(math.Float32frombits(binary.LittleEndian.Uint32(number)))
			} else {
				values[at] = math.Float64frombits(binary.LittleEndian.Uint64(number))
			}
			if !(values[at] >= 0 && values[at] <= want) {
				return where(fmt.Errorf("have %v, want %s: %s", values[at], c.Values, c.Definition))
			}
		}
	}
	return nil
}

// arraySize reads the header of an array, and returns the size of a number and how many there are.
func arraySize(r io.Reader) (size int, n int64, err error) {
	var head [10]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || string(head[:6]) != "\x93NUMPY" || head[6] != 1 {
		return 0, 0, fmt.Errorf("have no header of NumPy's format of version 1, want one")
	}
	text := make([]byte, binary.LittleEndian.Uint16(head[8:]))
	if _, err := io.ReadFull(r, text); err != nil {
		return 0, 0, fmt.Errorf("header: %w", err)
	}
	found := arrayHead.FindSubmatch(text)
	if found == nil {
		return 0, 0, fmt.Errorf("have the header %.80q, want an array with one axis of <f4 or <f8", text)
	}
	n, err = strconv.ParseInt(string(found[2]), 10, 64)
	return int(found[1][2] - '0'), n, err
}
