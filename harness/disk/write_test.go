package disk

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWriteRemovesTheTemporaryFilesOfTheDead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state.safetensors")
	keep := []string{
		".state.safetensors.partial",                  // no random part
		".state.safetensors.0123456789ABCDEF.partial", // upper-case digits
		"state.safetensors.0123456789abcdef.partial",  // not hidden
		"other",
	}
	for _, name := range append(keep, ".state.safetensors.0123456789abcdef.partial", ".other.fedcba9876543210.partial") {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("left behind"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".folder.0123456789abcdef.partial"), 0o755); err != nil {
		t.Fatal(err)
	}
	living, err := createTemp(dir, "living")
	if err != nil {
		t.Fatal(err)
	}
	defer living.Close()
	if err := WriteFile(path, nil); err != nil {
		t.Fatal(err)
	}
	want := append(keep, ".folder.0123456789abcdef.partial", filepath.Base(living.Name()), "state.safetensors")
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, e := range list {
		got[e.Name()] = true
	}
	for _, name := range want {
		if !got[name] {
			t.Errorf("%s is gone", name)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("left over: %v", got)
	}
}
