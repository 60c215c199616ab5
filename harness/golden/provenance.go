package golden

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
)

// commit returns the commit that is checked out, or unknown. It is asked for
// by updates only: a test that read .git in every run would never be cached.
func commit() string {
	const unknown = "unknown"
	dir, err := root()
	if err != nil {
		return unknown
	}
	git := filepath.Join(dir, ".git")
	if text, err := os.ReadFile(git); err == nil { // a work tree of another folder
		path, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
		if !ok {
			return unknown
		}
		if git = path; !filepath.IsAbs(path) {
			git = filepath.Join(dir, path)
		}
	}
	store := git // where refs are, shared between work trees
	if text, err := os.ReadFile(filepath.Join(git, "commondir")); err == nil {
		if store = strings.TrimSpace(string(text)); !filepath.IsAbs(store) {
			store = filepath.Join(git, store)
		}
	}
	head, err := os.ReadFile(filepath.Join(git, "HEAD"))
	if err != nil {
		return unknown
	}
	id := strings.TrimSpace(string(head))
	if ref, ok := strings.CutPrefix(id, "ref: "); ok {
		id = resolve(store, ref)
	}
	if !hex(id) || len(id) < 40 || len(id) > 64 {
		return unknown
	}
	return id[:12]
}

// resolve looks a ref up among the loose and the packed ones.
func resolve(store, ref string) string {
	if text, err := os.ReadFile(filepath.Join(store, filepath.FromSlash(ref))); err == nil {
		return strings.TrimSpace(string(text))
	}
	packed, _ := os.ReadFile(filepath.Join(store, "packed-refs"))
	for line := range strings.Lines(string(packed)) {
		if id, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref {
			return id
		}
	}
	return ""
}

// machine describes the kind of machine from what costs nothing to know.
func machine(device string) string {
	return clean(runtime.GOOS + "/" + runtime.GOARCH + " " + device)
}

// describe adds the processor's model, where the system tells it.
func describe(device string) string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if key, model, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return clean(runtime.GOOS + "/" + runtime.GOARCH + " " + strings.TrimSpace(model) + ", " + device)
		}
	}
	return machine(device)
}

// clean makes one line of printable words.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	text = strings.TrimRight(strings.Join(strings.Fields(text), " "), ",")
	return text[:min(len(text), 200)]
}
