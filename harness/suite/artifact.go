package suite

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Artifact writes an output file of the test, such as a figure, a curve or a table, and
// returns its path. go test keeps the file if it was given the flag -artifacts, and
// then -v shows the folder. name is a relative path with forward slashes. A test may
// use each name only once.
func Artifact(t testing.TB, name string, write func(io.Writer) error) string {
	t.Helper()
	path, err := artifact(t.ArtifactDir(), name, write)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func artifact(dir, name string, write func(io.Writer) error) (path string, err error) {
	local, err := filepath.Localize(name)
	if err != nil || name == "." {
		return "", fmt.Errorf("artifact: have the name %q, want a relative path with forward slashes", name)
	}
	path = filepath.Join(dir, local)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", fmt.Errorf("artifact %s: %w", name, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", fmt.Errorf("artifact %s: %w", name, err)
	}
	err = write(f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return "", fmt.Errorf("artifact %s: %w", name, err)
	}
	return path, nil
}
