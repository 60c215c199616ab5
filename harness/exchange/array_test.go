package exchange

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// losses returns a set of two strings with one number for each of their three tokens.
func losses() *Set {
	texts := [][]uint8{{0, 1}, {1}}
	return &Set{Tokens: 2,
		Splits: []Split{{Name: "test", Scored: true, Strings: 2, Text: Text(func(i int) []uint8 { return texts[i] })}},
		Fields: []Field{{Name: "nats", Values: Nats, Definition: "losses", Count: func(s *Split, i int) int { return len(s.Text(i)) }}},
	}
}

// TestReadArrayOfOptionalSplit reads the numbers of two splits, or of the one that must have some.
func TestReadArrayOfOptionalSplit(t *testing.T) {
	set := losses()
	valid := set.Splits[0]
	valid.Name, valid.Scored, valid.Optional = "valid", false, true
	set.Splits = append([]Split{valid}, set.Splits...)
	for _, c := range []struct {
		text []byte
		want string
	}{
		{npy("<f8", "(3,)", 0.0, 1.5, 2.0), "false [0 0] true [0 1.5]"},
		{npy("<f8", "(6,)", 4.0, 5.0, 6.0, 0.0, 1.5, 2.0), "true [4 5] true [0 1.5]"},
		{npy("<f8", "(5,)", 4.0, 5.0, 6.0, 0.0, 1.5), "p: have 5 numbers, want 3, or 6 with those of optional splits"},
	} {
		have := ""
		if p, err := ReadArray(strings.NewReader(string(c.text)), "p", set); err != nil {
			have = err.Error()
		} else {
			have = fmt.Sprint(p.has("valid"), p.Numbers("nats", "valid", 0), p.has("test"), p.Numbers("nats", "test", 0))
		}
		if have != c.want {
			t.Errorf("have %s, want %s", have, c.want)
		}
	}
}

// npy returns the bytes that NumPy writes for an array.
func npy(descr, shape string, numbers ...any) []byte {
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	head += strings.Repeat(" ", 127-10-len(head)) + "\n"
	b := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head)))
	b = append(b, head...)
	for _, x := range numbers {
		b, _ = binary.Append(b, binary.LittleEndian, x)
	}
	return b
}

func TestReadArray(t *testing.T) {
	for _, b := range [][]byte{npy("<f8", "(3,)", 0.0, 1.5, 2.0), npy("<f4", "(3,)", float32(0), float32(1.5), float32(2))} {
		p, err := ReadArray(strings.NewReader(string(b)), "p", losses())
		if err != nil {
			t.Fatal(err)
		}
		if have, want := fmt.Sprint(p.Numbers("nats", "test", 0), p.Numbers("nats", "test", 1)), "[0 1.5] [2]"; have != want {
			t.Errorf("have %s, want %s", have, want)
		}
	}
	good := string(npy("<f8", "(3,)", 0.0, 1.5, 2.0))
	for _, c := range []struct{ text, want string }{
		{"", "p: have no header of NumPy's format"},
		{"\x93NUMPY\x02" + good[7:], "p: have no header of NumPy's format"},
		{good[:20], "p: header: unexpected EOF"},
		{string(npy("<f8", "(3, 1)", 0.0, 1.5, 2.0)), "p: have the header"},
		{string(npy("<i8", "(3,)", 0.0, 1.5, 2.0)), "p: have the header"},
		{string(npy(">f8", "(3,)", 0.0, 1.5, 2.0)), "p: have the header"},
		{string(npy("|O", "(3,)")), "p: have the header"},
		{string(npy("<f8", "(999999999999,)")), "p: have 999999999999 numbers, want 3"},
		{string(npy("<f8", "(4,)", 0.0, 1.5, 2.0, 3.0)), "p: have 4 numbers, want 3"},
		{string(npy("<f8", "(1,)", 0.0)), "p: have 1 numbers, want 3; one is missing for each string: losses"},
		{good[:len(good)-1], "p: nats: value 0 of string 1 of test: unexpected EOF"},
		{good + "\x00", "p: have bytes after the last value"},
		{string(npy("<f8", "(3,)", 0.0, 1.5, -2.0)), "p: nats: value 0 of string 1 of test: have -2, want finite numbers of 0 or more"},
		{string(npy("<f8", "(3,)", 0.0, math.NaN(), 2.0)), "p: nats: value 1 of string 0 of test: have NaN, want finite numbers"},
		{string(npy("<f4", "(3,)", float32(math.Inf(1)), float32(0), float32(0))), "p: nats: value 0 of string 0 of test: have +Inf"},
	} {
		if _, err := ReadArray(strings.NewReader(c.text), "p", losses()); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.40q: have error %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := ReadArray(strings.NewReader(good), "p", brackets()); err == nil || !strings.HasPrefix(err.Error(), "p: have an array, want lines of JSON") {
		t.Errorf("a set with several fields: have error %v, want lines of JSON", err)
	}
}
