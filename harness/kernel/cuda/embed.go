package cuda

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:generate sh -c "cd ptx && sh build.sh"
//go:generate sh -c "cd ptxemu/testdata && sh ../../ptx/build.sh"
//go:generate sh -c "cd libcuda/testdata && sh ../../ptx/build.sh"

//go:embed ptx/*.ptx
var shipped embed.FS

// moduleOf returns the embedded PTX text that defines the kernel with the given name. It
// also returns the names of all kernels in that text.
func moduleOf(name string) (text string, names []string, err error) {
	files, err := shipped.ReadDir("ptx")
	if err != nil {
		return "", nil, err
	}
	for _, f := range files {
		b, err := shipped.ReadFile(path.Join("ptx", f.Name()))
		if err != nil {
			return "", nil, err
		}
		if names = entries(string(b)); slices.Contains(names, name) {
			return string(b), names, nil
		}
	}
	return "", nil, fmt.Errorf("no kernel %s in the PTX of this build", name)
}

// entries returns the names of the kernels in a PTX text.
func entries(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, ".visible .entry "); ok {
			name, _, _ := strings.Cut(rest, "(")
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
