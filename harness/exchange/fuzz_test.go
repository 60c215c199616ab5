package exchange

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
)

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
