package suite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestArtifact(t *testing.T) {
	path := Artifact(t, "curves/loss.csv", func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "update,loss")
		return err
	})
	if want := filepath.Join(t.ArtifactDir(), "curves", "loss.csv"); path != want {
		t.Errorf("path %s, want %s", path, want)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "update,loss\n" {
		t.Errorf("content %q, %v", b, err)
	}
}

func TestArtifactErrors(t *testing.T) {
	dir := t.TempDir()
	nothing := func(io.Writer) error { return nil }
	if _, err := artifact(dir, "once", nothing); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left")
	for _, c := range []struct {
		name  string
		write func(io.Writer) error
		want  string
	}{
		{"", nothing, `have the name "", want a relative path`},
		{".", nothing, `have the name ".", want a relative path`},
		{"/etc/x", nothing, `have the name "/etc/x", want a relative path`},
		{"../x", nothing, `have the name "../x", want a relative path`},
		{"a/../../x", nothing, `want a relative path`},
		{"once", nothing, `artifact once: open `},
		{"once/x", nothing, `artifact once/x: mkdir `},
		{"full", func(io.Writer) error { return full }, `artifact full: no space left`},
	} {
		if _, err := artifact(dir, c.name, c.write); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: have %v, want %s", c.name, err, c.want)
		}
	}
}
