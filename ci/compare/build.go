package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pushdown/harness/suite"
)

// A side holds the test binaries of a commit and the output of their benchmarks.
type side struct {
	binaries []binary
	text     bytes.Buffer
}

// A binary is the test binary of a package.
type binary struct {
	pkg  string // import path
	file string
	dir  string // where go test would run it
}

// release matches the Go versions that GOTOOLCHAIN can name.
var release = regexp.MustCompile(`^go1\.[0-9]+(\.[0-9]+|rc[0-9]+)?$`)

// sameToolchain sets GOTOOLCHAIN so that the Go command builds both sides with the
// toolchain of the module in dir. Otherwise it would build each side with the toolchain
// that the go.mod of that side asks for.
func sameToolchain(ctx context.Context, dir string) error {
	version, err := output(ctx, dir, "go", "env", "GOVERSION")
	if err != nil || !release.MatchString(version) {
		return err // not a release, such as a development version: leave GOTOOLCHAIN alone
	}
	return os.Setenv("GOTOOLCHAIN", version)
}

// build compiles the tests of a side that is checked out in dir. It also writes the first lines of
// the benchmark text: the commit, its time, and the settings that benchmarks do not print.
func (sd *side) build(ctx context.Context, s *settings, dir, commit string) error {
	list, err := output(ctx, dir, "go", append([]string{"list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}"}, s.packages...)...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(list) {
		b := binary{file: dir + "-" + strconv.Itoa(len(sd.binaries)) + ".test"}
		b.pkg, b.dir, _ = strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if _, err := output(ctx, dir, "go", "test", "-c", "-o", b.file, b.pkg); err != nil {
			return fmt.Errorf("the tests of %s do not build: %w", b.pkg, err)
		}
		sd.binaries = append(sd.binaries, b)
	}
	if len(sd.binaries) == 0 {
		return fmt.Errorf("no tests in %s, want a package with benchmarks", strings.Join(s.packages, " "))
	}
	at, err := commitTime(ctx, dir, commit)
	if err != nil {
		return err
	}
	device, err := suite.DeviceName()
	if err != nil {
		return err
	}
	fmt.Fprintf(&sd.text, "commit: %s\ncommit-time: %s\n", commit, at)
	fmt.Fprintf(&sd.text, "device: %s\ncpu: unknown\n", device) // package testing prints the CPU if it knows it
	return sd.writeEnvironment()
}

// commitTime returns the time of a commit.
func commitTime(ctx context.Context, dir, commit string) (string, error) {
	return ask(ctx, dir, "show", "--no-patch", "--format=%cI", commit)
}

// writeEnvironment adds to the benchmark text of a side what benchmarks depend on but do
// not print: the toolchain, the build settings and some environment variables.
func (sd *side) writeEnvironment() error {
	info, err := buildinfo.ReadFile(sd.binaries[0].file)
	if err != nil {
		return err
	}
	fmt.Fprintf(&sd.text, "toolchain: %s\n", info.GoVersion)
	for _, set := range info.Settings {
		if strings.HasPrefix(set.Key, "GO") && set.Key != "GOOS" && set.Key != "GOARCH" || set.Key == "CGO_ENABLED" || set.Key == "-tags" || set.Key == "-race" {
			fmt.Fprintf(&sd.text, "build%s: %s\n", strings.ToLower("-"+strings.TrimPrefix(set.Key, "-")), set.Value)
		}
	}
	environ := os.Environ()
	slices.Sort(environ)
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if value != "" && (strings.HasPrefix(name, "PUSHDOWN_") || slices.Contains([]string{"GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT"}, name)) {
			fmt.Fprintf(&sd.text, "%s: %s\n", strings.ToLower(name), strings.ReplaceAll(value, "\n", " "))
		}
	}
	return nil
}
