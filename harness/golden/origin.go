package golden

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode"
)

// Commit returns the commit that is checked out, or the word unknown. It reads files in
// .git, so after every new commit go test reruns each test that calls Commit. Call Commit
// only when results are written.
func Commit() string {
	const unknown = "unknown"
	dir, err := root()
	if err != nil {
		return unknown
	}
	git := filepath.Join(dir, ".git")
	if text, err := os.ReadFile(git); err == nil { // a linked work tree, where .git is a file
		path, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
		if !ok {
			return unknown
		}
		if git = path; !filepath.IsAbs(path) {
			git = filepath.Join(dir, path)
		}
	}
	store := git // the folder of the refs, which linked work trees share
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

// resolve returns the commit to which a ref points. The ref may be loose or packed.
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

// Here returns the origin of results that this process makes: the commit that is
// checked out, this machine and today's date. device describes the device as in
// Run.Machine. Contract and Reason are left to the caller. Here calls Commit, which reads .git.
func Here(device string) Origin {
	return Origin{Commit: Commit(), Machine: describe(device), Date: today()}
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

// machine returns a description of the machine: system, architecture and device.
func machine(device string) string {
	return clean(runtime.GOOS + "/" + runtime.GOARCH + " " + device)
}

// describe returns a description of the machine as the function machine does, and adds the
// model of the processor if /proc/cpuinfo gives it.
func describe(device string) string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if key, model, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return clean(runtime.GOOS + "/" + runtime.GOARCH + " " + strings.TrimSpace(model) + ", " + device)
		}
	}
	return machine(device)
}

// clean returns text as one line of printable words that are separated by single
// blanks, cut to 200 bytes.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	text = strings.TrimRight(strings.Join(strings.Fields(text), " "), ",")
	return strings.TrimSpace(strings.ToValidUTF8(text[:min(len(text), 200)], ""))
}
