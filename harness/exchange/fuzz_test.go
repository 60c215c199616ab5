package exchange

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"pushdown/harness/golden"
)

// FuzzReadArray reads arbitrary arrays. What is accepted must be in range.
func FuzzReadArray(f *testing.F) {
	f.Add(npy("<f8", "(3,)", 0.0, 1.5, 2.0))
	f.Add(npy("<f4", "(3,)", float32(0), float32(1.5), float32(2)))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := ReadArray(bytes.NewReader(text), "p", losses())
		if err != nil {
			return
		}
		for _, x := range p.fields[0].numbers {
			if !(x >= 0 && x <= math.MaxFloat32) {
				t.Errorf("accepted the nats %v", x)
			}
		}
	})
}

// FuzzManifest reads arbitrary manifests. What is accepted must name a row, and must survive writing and reading.
func FuzzManifest(f *testing.F) {
	m := Manifest{Format: format, Suite: "dyck", Scale: "paper", Row: "paper=a/table=1/row=b", Seed: 3, Settings: map[string]any{"m": 4}}
	text, err := json.Marshal(m)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseManifest(text)
		if err != nil {
			return
		}
		if _, err := golden.ParseName(string(m.Row.WithSeed(m.Seed))); err != nil {
			t.Errorf("accepted the row %q: %v", m.Row, err)
		}
		again, err := json.Marshal(m)
		if err == nil {
			_, err = parseManifest(again)
		}
		if err != nil {
			t.Errorf("what was read cannot be written: %v", err)
		}
	})
}

// BenchmarkRead reads 100 MB of predictions, as one file.
func BenchmarkRead(b *testing.B) {
	const strings, tokens = 10_000, 2_000
	text := make([]int32, tokens)
	set := &Set{Tokens: 2, Splits: []Split{{Name: "test", Scored: true, Strings: strings, Text: func(int) []int32 { return text }}}, Fields: losses().Fields}
	line := bytes.Repeat([]byte("0.12,"), tokens)
	var file bytes.Buffer
	file.WriteString(`{"data":"abc"}` + "\n")
	for i := range strings {
		record, _ := json.Marshal(map[string]any{"split": "test", "string": i, "nats": json.RawMessage("[" + string(line[:len(line)-1]) + "]")})
		file.Write(append(record, '\n'))
	}
	b.SetBytes(int64(file.Len()))
	for b.Loop() {
		if _, err := Read(bytes.NewReader(file.Bytes()), "p", set, "abc"); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzRead reads arbitrary predictions. What is accepted must be JSON, complete and in range.
func FuzzRead(f *testing.F) {
	f.Add([]byte(records))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := read(string(text))
		if err != nil {
			return
		}
		lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
		for _, line := range lines {
			if !json.Valid(line) {
				t.Errorf("accepted %q, which is no JSON", line)
			}
		}
		if len(lines) != 2 {
			t.Errorf("accepted %d records, want 2", len(lines))
		}
		for i := range 2 {
			for _, y := range p.Numbers("yhat", "test", i) {
				if !(y >= 0 && y <= 1) {
					t.Errorf("accepted the probability %v", y)
				}
			}
			for _, x := range p.Numbers("nats", "test", i) {
				if !(x >= 0 && x <= math.MaxFloat32) {
					t.Errorf("accepted the nats %v", x)
				}
			}
			for _, s := range p.Tokens("first", "test", i) {
				if s != -1 && s != 1 {
					t.Errorf("accepted the token %d as closing", s)
				}
			}
		}
	})
}
