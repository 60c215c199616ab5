package ci

import (
	"bytes"
	"fmt"
	"go/format"
	"testing"
)

// unformatted lists the Go files that are not as gofmt writes them, those of
// nested modules included.
func unformatted(tr *tree) []string {
	var wrong []string
	for _, s := range tr.sources {
		want, err := format.Source(s.text)
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %v", s.path, err))
			continue
		}
		if bytes.Equal(want, s.text) {
			continue
		}
		line := 1
		for i, b := range s.text {
			if i >= len(want) || b != want[i] {
				break
			}
			if b == '\n' {
				line++
			}
		}
		wrong = append(wrong, fmt.Sprintf("%s:%d: not as gofmt writes it: run gofmt -w %s", s.path, line, s.path))
	}
	return wrong
}

func TestFilesAreFormatted(t *testing.T) { hold(t, unformatted(ours(t))) }

func TestUnformattedFilesAreFound(t *testing.T) {
	tr := made(t,
		"a.go", "package a\n\nvar x = 1\n",
		"b.go", "package b\n\nvar  x = 1\n",
		"_asm/c.go", "package c\nvar x = 1",
	)
	finds(t, unformatted(tr), "_asm/c.go:2: not as gofmt", "b.go:3: not as gofmt")
}
