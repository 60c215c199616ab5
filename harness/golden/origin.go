package golden

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
	"unicode"
)

// Unknown is the commit of a program whose build has no stamp.
const Unknown = "unknown"

// Unstamped is the error text for an update with results of such a program.
const Unstamped = "have results of a build without a stamp, want those that go test -buildvcs=true makes in a git repository, or the flag -commit with the commit that they were built from"

const (
	// changed follows a commit if the tree had changes when the program was built.
	changed = "+changed"
	// unconfirmed follows a commit that the flag -commit names and no stamp confirms.
	unconfirmed = "+unconfirmed"
)

// named is the commit that the flag -commit names, with the mark.
var named string

// Commit returns the commit that this program was built from, which the go command stamps into it
// with -buildvcs=true. If the tree had changes then, "+changed" follows. Without a stamp, Commit
// returns the value of the flag -commit (see Flag), followed by "+unconfirmed", or Unknown.
func Commit() string {
	info, _ := debug.ReadBuildInfo()
	return cmp.Or(stamp(info), named, Unknown)
}

// stamp returns the commit in the stamp of a build, or "" if there is none.
func stamp(info *debug.BuildInfo) (commit string) {
	if info == nil {
		return ""
	}
	suffix := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && hex(s.Value) && len(s.Value) >= 40:
			commit = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value != "false":
			suffix = changed
		}
	}
	if commit != "" {
		commit += suffix
	}
	return commit
}

// checkCommit returns an error unless commit can be the commit of an origin.
func checkCommit(commit string) error {
	id := strings.TrimSuffix(strings.TrimSuffix(commit, unconfirmed), changed)
	if commit != Unknown && (!hex(id) || len(id) < 7 || len(id) > 64) {
		return fmt.Errorf("commit: have %q, want 7 to 64 hex digits, then %s for a changed tree and %s if no stamp confirms it, or unknown", abbreviate(commit), changed, unconfirmed)
	}
	return nil
}

// Here returns the origin of results that this process makes: the commit that it was built
// from, this machine and today's date. device describes the device as in
// Run.Machine. Contract and Reason are left to the caller.
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
