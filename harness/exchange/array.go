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
// floats: the values of the only field for all strings of the scored splits, in their order. An array does not say
// of which data set it is; only its length must be right.
func ReadArray(from io.Reader, name string, set *Set) (*Predictions, error) {
	if !set.Array() {
		return nil, fmt.Errorf("%s: have an array, want lines of JSON: the values of a record are no list of numbers", name)
	}
	p := newPredictions(set)
	c := &p.fields[0]
	r := bufio.NewReader(from)
	size, err := arraySize(r, len(c.numbers))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	want := map[Values]float64{Probabilities: 1, Nats: math.MaxFloat32}[c.Values]
	number := make([]byte, size)
	for at := range c.numbers {
		if _, err := io.ReadFull(r, number); err != nil {
			return nil, fmt.Errorf("%s: value %d: %w", name, at, err)
		}
		x := 0.0
		if size == 4 {
			x = float64(math.Float32frombits(binary.LittleEndian.Uint32(number)))
		} else {
			x = math.Float64frombits(binary.LittleEndian.Uint64(number))
		}
		if !(x >= 0 && x <= want) {
			string := 0
			for c.start[string+1] <= at {
				string++
			}
			split, i := p.where(string)
			return nil, fmt.Errorf("%s: %s: value %d of string %d of %s: have %v, want %s: %s", name, c.Name, at-c.start[string], i, split, x, c.Values, c.Definition)
		}
		c.numbers[at] = x
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

// arraySize reads the header of an array that must have n numbers, and returns the size of a number.
func arraySize(r io.Reader, n int) (int, error) {
	var head [10]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || string(head[:6]) != "\x93NUMPY" || head[6] != 1 {
		return 0, fmt.Errorf("have no header of NumPy's format of version 1, want one")
	}
	text := make([]byte, binary.LittleEndian.Uint16(head[8:]))
	if _, err := io.ReadFull(r, text); err != nil {
		return 0, fmt.Errorf("header: %w", err)
	}
	found := arrayHead.FindSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("have the header %.80q, want an array with one axis of <f4 or <f8", text)
	}
	if have, err := strconv.Atoi(string(found[2])); err != nil || have != n {
		return 0, fmt.Errorf("have %s numbers, want %d", found[2], n)
	}
	return int(found[1][2] - '0'), nil
}
