package cuda_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPTXIsCurrent compiles the sources and compares with what is committed.
func TestPTXIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiling takes some seconds; to run it: go test ./harness/kernel/cuda -run Current")
	}
	needClang(t)
	for _, dir := range []string{"ptx", "ptxemu/testdata"} {
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS("ptx")); err != nil { // the script and the headers
			t.Fatal(err)
		}
		sources, err := filepath.Glob(filepath.Join(dir, "*.cu"))
		if err != nil || len(sources) == 0 {
			t.Fatalf("%s: no sources (%v)", dir, err)
		}
		for _, path := range sources {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(path)
			if err := os.WriteFile(filepath.Join(copied, name), source, 0o666); err != nil {
				t.Fatal(err)
			}
			committed := strings.TrimSuffix(path, ".cu") + ".ptx"
			want, err := os.ReadFile(committed)
			if err != nil {
				t.Fatal(err)
			}
			if compiled(t, copied, name) != string(want) {
				t.Errorf("%s: not what clang-19 makes of %s: run go generate ./harness/kernel/cuda", committed, name)
			}
		}
	}
}

// needClang skips a test on machines without the compiler of the kernels, or fails
// it where PUSHDOWN_REQUIRE names clang.
func needClang(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("clang-19"); err != nil {
		const text = "clang-19, which compiles the kernels, is not installed; to run it: apt-get install clang-19"
		if slices.Contains(strings.Split(os.Getenv("PUSHDOWN_REQUIRE"), ","), "clang") {
			t.Fatal("PUSHDOWN_REQUIRE has clang: " + text)
		}
		t.Skip(text)
	}
}

// compiled returns the PTX of a source in a folder with the script that compiles.
func compiled(t *testing.T, dir, name string) string {
	t.Helper()
	cmd := exec.Command("sh", "build.sh", name)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, strings.TrimSuffix(name, ".cu")+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fileOf returns the source of a kernel.
func fileOf(t *testing.T, kernel string) string {
	t.Helper()
	files, err := filepath.Glob("ptx/*.ptx")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), ".entry "+kernel+"(") {
			return strings.TrimSuffix(filepath.Base(f), ".ptx") + ".cu"
		}
	}
	t.Fatalf("no source of %s", kernel)
	return ""
}
