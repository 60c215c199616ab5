package checkpoint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/disk"
)

var goodKey = Key{Experiment: strings.Repeat("0f", 32), Contract: "1"}

func TestKeyPath(t *testing.T) {
	root := filepath.Join(t.TempDir(), "not", "there")
	path, err := goodKey.Path(disk.FS{}, root, "seed-1")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(root, "contract-1", goodKey.Experiment, "seed-1.safetensors"); path != want {
		t.Errorf("path %s, want %s", path, want)
	}
	if list := names(t, filepath.Dir(path)); len(list) != 0 {
		t.Errorf("the probe left %v", list)
	}
	if err := Write(path, sample()); err != nil {
		t.Error(err)
	}
	built := goodKey
	built.Build = "abc"
	other, err := built.Path(disk.FS{}, root, "seed-1")
	if err != nil || filepath.Base(filepath.Dir(other)) != goodKey.Experiment+"-abc" {
		t.Errorf("path with a build: %s, %v", other, err)
	}
}

func TestKeyPathErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	key := func(change func(*Key)) Key {
		k := goodKey
		change(&k)
		return k
	}
	for _, c := range []struct {
		name string
		key  Key
		root string
		file string
		want string
	}{
		{"short hash", key(func(k *Key) { k.Experiment = "0f" }), dir, "x", `experiment hash: have "0f", want 64`},
		{"upper case", key(func(k *Key) { k.Experiment = strings.Repeat("0F", 32) }), dir, "x", `experiment hash: have "0F`},
		{"no contract", key(func(k *Key) { k.Contract = "" }), dir, "x", `contract version: have "", want letters`},
		{"contract path", key(func(k *Key) { k.Contract = "../1" }), dir, "x", `contract version: have "../1"`},
		{"contract dots", key(func(k *Key) { k.Contract = ".." }), dir, "x", `contract version: have ".."`},
		{"build", key(func(k *Key) { k.Build = "x/y" }), dir, "x", `build: have "x/y"`},
		{"name", goodKey, dir, "a/b", `file name: have "a/b"`},
		{"root is a file", goodKey, file, "x", `state folder ` + file + `/contract-1/` + goodKey.Experiment + `: have `},
		{"root is a device", goodKey, "/dev/null", "x", `want a folder that can be written (set PUSHDOWN_STATE)`},
	} {
		_, err := c.key.Path(disk.FS{}, c.root, c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v\nwant %s", c.name, err, c.want)
		}
	}
	if list := names(t, dir); len(list) != 1 {
		t.Errorf("refused keys made %v", list)
	}
}

func TestUnwritableFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("permissions do not bind this user; run as another than root")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	_, err := goodKey.Path(disk.FS{}, dir, "x")
	if err == nil || !strings.Contains(err.Error(), "permission denied, want a folder that can be written") {
		t.Errorf("have %v, want permission denied", err)
	}
}

func TestKeyCheck(t *testing.T) {
	built := goodKey
	built.Build = "ab"
	f := &File{Path: "p"}
	if err := goodKey.Check(f); err == nil {
		t.Error("a file without a key passes")
	}
	built.Stamp(f)
	if err := built.Check(f); err != nil {
		t.Error(err)
	}
	if err := goodKey.Check(f); err == nil || err.Error() != `p: metadata "build": have "ab", want "": the state is of another run` {
		t.Errorf("another build: %v", err)
	}
	goodKey.Stamp(f)
	if err := goodKey.Check(f); err != nil {
		t.Errorf("after a second stamp: %v", err)
	}
	next := goodKey
	next.Contract = "2"
	if err := next.Check(f); err == nil || err.Error() != `p: metadata "contract": have "1", want "2": the state is of another run` {
		t.Errorf("another contract: %v", err)
	}
}

func TestRootFromEnv(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("HOME", dir)
	t.Setenv("LocalAppData", dir)
	t.Setenv(StateVariable, "")
	if root, err := RootFromEnv(); err != nil || !strings.HasPrefix(root, dir) || filepath.Base(root) != "pushdown" {
		t.Errorf("default: %q, %v", root, err)
	}
	t.Setenv(StateVariable, filepath.Join(dir, "a", "..", "b"))
	if root, err := RootFromEnv(); err != nil || root != filepath.Join(dir, "b") {
		t.Errorf("set: %q, %v", root, err)
	}
	if list := names(t, dir); len(list) != 0 {
		t.Errorf("RootFromEnv made %v", list)
	}
	t.Setenv(StateVariable, "state")
	if _, err := RootFromEnv(); err == nil || err.Error() != `PUSHDOWN_STATE: have "state", want an absolute path` {
		t.Errorf("relative: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv(StateVariable, file)
	if _, err := RootFromEnv(); err == nil || !strings.Contains(err.Error(), "which is a file, want a folder") {
		t.Errorf("file: %v", err)
	}
}

func TestBuildIDIsStable(t *testing.T) {
	a, err := BuildID()
	if err != nil || len(a) != 16 {
		t.Fatalf("%q, %v", a, err)
	}
	if b, err := BuildID(); a != b || err != nil {
		t.Errorf("second call: %q, %v", b, err)
	}
	k := goodKey
	k.Build = a
	if err := k.validate(); err != nil {
		t.Error(err)
	}
}
