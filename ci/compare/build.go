package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"pushdown/harness/suite"
)

// A side holds the test binaries of a commit and the output of their benchmarks.
type side struct {
	name      string
	toolchain string
	binaries  []binary
	text      bytes.Buffer
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

// build compiles the tests of side i. It also writes the first lines of the benchmark text of
// the side: the commit, its time, and the settings that benchmarks do not print.
func build(ctx context.Context, s *settings, temp string, i int, commit string) (*side, error) {
	sd := &side{name: names[i]}
	dir := folder(temp, i)
	list, err := output(ctx, dir, "go", append([]string{"list", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{len .TestGoFiles}}{{len .XTestGoFiles}}"}, s.packages...)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sd.name, err)
	}
	for n, line := range strings.Split(list, "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 || fields[2] == "00" {
			continue
		}
		b := binary{pkg: fields[0], dir: fields[1], file: filepath.Join(temp, names[i]+"-"+strconv.Itoa(n)+".test")}
		if _, err := output(ctx, dir, "go", "test", "-c", "-o", b.file, b.pkg); err != nil {
			return nil, fmt.Errorf("%s: the tests of %s do not build: %w", sd.name, b.pkg, err)
		}
		sd.binaries = append(sd.binaries, b)
	}
	if len(sd.binaries) == 0 {
		return nil, fmt.Errorf("%s: no tests in %s, want a package with benchmarks", sd.name, strings.Join(s.packages, " "))
	}
	at, err := commitTime(ctx, dir, commit)
	if err != nil {
		return nil, fmt.Errorf("%s: time of the commit: %w", sd.name, err)
	}
	device, err := suite.DeviceName()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&sd.text, "commit: %s\ncommit-time: %s\n", commit, at.UTC().Format(time.RFC3339))
	fmt.Fprintf(&sd.text, "device: %s\ncpu: unknown\n", device) // package testing prints the CPU if it knows it
	return sd, sd.writeEnvironment()
}

// commitTime returns the time of a commit.
func commitTime(ctx context.Context, dir, commit string) (time.Time, error) {
	date, err := ask(ctx, dir, "show", "--no-patch", "--format=%ct", commit)
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(date, 10, 64)
	return time.Unix(seconds, 0), err
}

// writeEnvironment adds to the benchmark text of a side what benchmarks depend on but do
// not print: the toolchain, the build settings and some environment variables.
func (sd *side) writeEnvironment() error {
	info, err := buildinfo.ReadFile(sd.binaries[0].file)
	if err != nil {
		return err
	}
	sd.toolchain = info.GoVersion
	fmt.Fprintf(&sd.text, "toolchain: %s\n", sd.toolchain)
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
