package ci

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// order is the table of allowed imports, lowest package first. A line names a package, and
// then what the package may import: packages of this module, which must be in lines above,
// and other modules. Tests of the package may import everything that the package imports,
// directly or indirectly, and also go-cmp and the entries after "tests".
//
// A new package needs a new line. A new import is a design decision: do not add one
// only to make a build pass.
const order = `
golden/papers

harness/argument
harness/disk
harness/disk/disktest  harness/disk
harness/golden         harness/disk golang.org/x/perf; tests harness/argument harness/disk/disktest
harness/traces         harness/golden
harness/verdict        golden/papers harness/golden gonum.org/v1/gonum
harness/numeric;       tests harness/argument
harness/rng            harness/numeric
harness/metric         harness/numeric; tests harness/rng
harness/checkpoint     harness/disk; tests harness/disk/disktest
harness/kernel         harness/numeric
harness/stepgraph      harness/kernel harness/rng github.com/chewxy/hm gorgonia.org/gorgonia gorgonia.org/tensor
harness/kernel/kerneltest harness/kernel harness/rng harness/stepgraph gorgonia.org/gorgonia gorgonia.org/tensor
harness/kernel/cpu/simd harness/kernel harness/numeric harness/rng golang.org/x/sys; tests harness/argument
harness/kernel/cpu     harness/kernel harness/kernel/cpu/simd golang.org/x/sys; tests harness/argument harness/kernel/kerneltest harness/numeric harness/rng
harness/kernel/cuda    harness/kernel; tests harness/kernel/cpu harness/kernel/cuda/emulated harness/kernel/kerneltest
harness/kernel/cuda/ptxemu harness/numeric
harness/kernel/cuda/emulated harness/kernel/cuda harness/kernel/cuda/ptxemu
harness/kernel/cuda/libcuda harness/kernel/cuda github.com/ebitengine/purego; tests harness/argument harness/kernel/cpu harness/kernel/cuda/emulated harness/kernel/kerneltest
harness/scan           harness/kernel harness/stepgraph gorgonia.org/gorgonia; tests harness/argument harness/kernel/cpu harness/numeric gorgonia.org/tensor
harness/plot           harness/numeric gonum.org/v1/plot
harness/optim          harness/kernel harness/scan; tests harness/checkpoint harness/kernel/cpu harness/numeric
harness/train          harness/golden harness/checkpoint harness/disk harness/kernel harness/metric harness/optim harness/rng harness/scan harness/stepgraph; tests harness/disk/disktest harness/kernel/cpu
harness/batch          harness/rng harness/train
harness/attention      harness/metric harness/numeric harness/rng harness/train
harness/suite          harness/argument harness/checkpoint harness/disk harness/golden harness/kernel harness/kernel/cpu harness/kernel/cuda harness/kernel/cuda/emulated harness/kernel/cuda/libcuda harness/metric harness/plot harness/stepgraph harness/traces harness/train harness/verdict; tests harness/disk/disktest
harness/exchange       golden/papers harness/disk harness/golden harness/kernel harness/suite
harness/suite/suitetest golden/papers harness/checkpoint harness/disk harness/exchange harness/golden harness/kernel harness/plot harness/suite harness/traces harness/train harness/verdict github.com/google/go-cmp; tests harness/optim harness/stepgraph

models                 harness/stepgraph; tests harness/argument harness/batch harness/kernel/cpu harness/metric harness/optim harness/scan harness/train models/celltest
models/celltest        harness/kernel harness/kernel/cpu harness/kernel/cuda/emulated harness/optim harness/scan harness/stepgraph models gorgonia.org/tensor
models/celltest/mgu    harness/stepgraph; tests harness/batch harness/kernel/cpu harness/optim harness/train models models/celltest
models/ngram           harness/metric harness/numeric; tests harness/rng
corpora/formal         harness/numeric harness/rng; tests harness/metric
corpora/text           harness/disk; tests harness/disk/disktest harness/suite

suites/dyck            corpora/formal harness/attention harness/batch harness/exchange harness/golden harness/kernel harness/metric harness/numeric harness/optim harness/plot harness/suite harness/traces harness/train harness/verdict models; tests harness/checkpoint harness/kernel/cpu harness/suite/suitetest
suites/recognition     corpora/formal harness/batch harness/exchange harness/golden harness/kernel harness/metric harness/optim harness/plot harness/stepgraph harness/suite harness/traces harness/train harness/verdict models; tests golden/papers harness/kernel/cpu harness/numeric harness/suite/suitetest
suites/patterns        corpora/formal harness/exchange harness/golden harness/kernel harness/metric harness/optim harness/plot harness/stepgraph harness/suite harness/traces harness/train harness/verdict models; tests harness/checkpoint harness/kernel/cpu harness/suite/suitetest
suites/lm              corpora/text harness/batch harness/exchange harness/golden harness/kernel harness/metric harness/optim harness/suite harness/train harness/verdict models; tests harness/suite/suitetest
suites/charlm          harness/suite suites/lm; tests harness/suite/suitetest harness/train
suites/wordlm          corpora/text harness/exchange harness/golden harness/kernel harness/optim harness/suite harness/train harness/verdict models models/ngram suites/lm; tests harness/rng harness/suite/suitetest
suites/wikitext        corpora/text harness/attention harness/exchange harness/golden harness/kernel harness/metric harness/optim harness/plot harness/suite harness/traces harness/train harness/verdict models suites/lm; tests github.com/google/go-cmp harness/suite/suitetest
suites/syneval         corpora/text harness/batch harness/exchange harness/golden harness/kernel harness/metric harness/suite harness/train harness/verdict models suites/lm suites/wikitext; tests harness/suite/suitetest
suites/throughput      harness/kernel harness/optim harness/rng harness/scan harness/stepgraph harness/train models; tests harness/argument
suites                 harness/suite harness/verdict suites/charlm suites/dyck suites/patterns suites/recognition suites/syneval suites/wikitext suites/wordlm

.                      tests corpora/formal harness/exchange harness/golden harness/suite harness/kernel harness/kernel/cpu harness/train suites suites/dyck suites/throughput
ci/git
ci/git/gittest         ci/git harness/suite github.com/google/go-cmp

ci                     tests ci/git/gittest harness/golden harness/suite go.yaml.in/yaml/v3
ci/cluster             harness/argument harness/disk harness/golden harness/kernel harness/suite suites; tests harness/checkpoint suites/dyck
ci/mutants             tests harness/suite
ci/export              ci/git harness/argument harness/exchange harness/golden harness/suite suites
ci/score               ci/git harness/argument harness/disk harness/exchange harness/golden harness/kernel harness/suite harness/verdict suites; tests harness/suite/suitetest harness/train
ci/corpora             corpora/text harness/argument harness/disk; tests harness/disk/disktest
ci/fuzz                harness/argument harness/disk
ci/runs                harness/argument harness/checkpoint harness/golden harness/suite harness/train; tests harness/kernel/cpu harness/optim harness/stepgraph
ci/gate/trial          harness/numeric
ci/gate/regression     ci/gate/trial golang.org/x/perf
ci/pages               ci/gate/regression ci/git golden/papers harness/argument harness/disk harness/exchange harness/golden harness/numeric harness/plot harness/suite harness/traces harness/verdict suites suites/throughput golang.org/x/perf; tests ci/git/gittest harness/checkpoint harness/disk/disktest harness/train
ci/gate/history        ci/gate/regression ci/git golang.org/x/perf; tests ci/git/gittest
ci/gate                ci/gate/history ci/gate/regression harness/argument; tests ci/git/gittest
ci/compare             ci/gate/history ci/gate/regression ci/gate/trial ci/git harness/argument harness/suite golang.org/x/perf; tests ci/git/gittest
`

// goCmp may be imported by every test.
const goCmp = "github.com/google/go-cmp"

// layers are the top-level folders, lowest layer first. A package must not import from
// a later layer, or from another folder of the same layer.
var layers = [][]string{{"golden"}, {"harness"}, {"models", "corpora"}, {"suites"}, {"."}, {"ci"}}

// sharedBySuites lists the only packages of suites that other suites may import: lm, which has
// no tables of its own, and wikitext, whose networks syneval scores.
var sharedBySuites = []string{"suites/lm", "suites/wikitext"}

// A line is one line of the table: the entries that a package may import, and those
// that only its tests may import.
type line struct {
	pkg            string
	imports, tests []string
}

// table parses the table of imports.
func table(text string) (list []line) {
	for row := range strings.Lines(text) {
		imports, tests, _ := strings.Cut(strings.ReplaceAll(row, ";", ""), " tests ")
		words := strings.Fields(imports)
		if len(words) > 0 {
			list = append(list, line{words[0], words[1:], strings.Fields(tests)})
		}
	}
	return list
}

// layer returns the index of the layer that a package is in, and the top-level folder of the
// package. The index is -1 if the package is in no layer.
func layer(pkg string) (int, string) {
	folder, _, _ := strings.Cut(pkg, "/")
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, folder) }), folder
}

// outside reports whether an entry of the table, or an import path, names another module.
func outside(entry string) bool {
	first, _, _ := strings.Cut(entry, "/")
	return strings.Contains(first, ".") && entry != "."
}

// tableViolations lists the entries of the table that contradict the order of the layers
// or the order of the lines.
func tableViolations(list []line) (wrong []string) {
	var seen []string
	for _, l := range list {
		mine, folder := layer(l.pkg)
		add := func(in, want string) {
			wrong = append(wrong, fmt.Sprintf("table: %s imports %s, want %s", l.pkg, in, want))
		}
		if mine < 0 {
			add("packages", fmt.Sprintf("it in a layer, one of %v", layers))
		}
		for i, in := range slices.Concat(l.imports, l.tests) {
			if outside(in) {
				continue
			}
			theirs, other := layer(in)
			switch {
			case theirs > mine:
				add(in, "none of a later layer")
			case theirs == mine && other != folder:
				add(in, fmt.Sprintf("no imports between %s and %s", folder, other))
			case folder == "suites" && other == "suites" && l.pkg != folder && !slices.Contains(sharedBySuites, in):
				add(in, "no imports between suites")
			case in == "ci":
				add(in, "no package to import it")
			case i < len(l.imports) && !slices.Contains(seen, in):
				add(in, "it in a line above")
			}
		}
		seen = append(seen, l.pkg)
	}
	return wrong
}

// reaches returns everything that pkg imports, directly or indirectly.
func reaches(list []line, pkg string) (all []string) {
	for _, l := range list {
		if l.pkg == pkg {
			for _, in := range l.imports {
				all = append(append(all, in), reaches(list, in)...)
			}
		}
	}
	return all
}

// strayImports returns the violations of the table of imports: contradictions within the
// table, packages without a line, imports that the table does not allow or that have a dot for a
// name, and entries that the package of the line does not import. It does not look for unused entries after
// "tests".
func strayImports(tr *tree, text string) []string {
	list := table(text)
	wrong := tableViolations(list)
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	used := map[string]bool{} // "package import", without tests
	for _, s := range tr.sources {
		if s.ignored {
			continue
		}
		i := slices.IndexFunc(list, func(l line) bool { return l.pkg == s.dir })
		if i < 0 {
			add("%s: package %s has no line in the table of imports in ci/imports_test.go, want one", s.path, s.dir)
			continue
		}
		may, who := list[i].imports, s.dir
		if s.test {
			may, who = slices.Concat(reaches(list, s.dir), list[i].tests, []string{s.dir, goCmp}), "a test of "+s.dir
		}
		for _, spec := range s.syntax.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			entry, known := allowing(may, name)
			if !known || spec.Name != nil && spec.Name.Name == "." {
				add("%s: %s imports %s, which the table in ci/imports_test.go does not allow", tr.at(spec.Pos()), who, name)
			}
			used[who+" "+entry] = true
		}
	}
	for _, l := range list {
		for _, in := range l.imports {
			if !used[l.pkg+" "+in] {
				add("table: %s does not import %s: remove the entry", l.pkg, in)
			}
		}
	}
	return wrong
}

// banned are packages that no package of this module may import.
var banned = []string{"C", "plugin", "math/rand", "golang.org/x/exp/rand"}

// allowing reports whether a package may be imported, given the table entries of the package
// that imports it. It also returns the entry that allows the import, or "" for the standard
// library.
func allowing(may []string, name string) (entry string, ok bool) {
	ours := name == module || strings.HasPrefix(name, module+"/")
	switch {
	case slices.Contains(banned, name):
		return "", false
	case !ours && !outside(name):
		return "", true // the standard library
	}
	for _, m := range may {
		if path.Join(module, m) == name || outside(m) && (name == m || strings.HasPrefix(name, m+"/")) {
			return m, true
		}
	}
	return "", false
}

func TestStrayImportsAreFound(t *testing.T) {
	tr := fixture(t,
		"golden/a.go", "package golden\nimport \"os\"\nimport \"pushdown/harness/rng\"\n",
		"harness/rng/a.go", "package rng\nimport \"math/rand\"\nimport \"example.org/x\"\n",
		"harness/rng/a_test.go", "package rng\nimport \"github.com/google/go-cmp/cmp\"\nimport \"pushdown/models\"\n",
		"harness/rng/_asm/main.go", "package main\nimport \"example.org/x\"\n",
		"models/a.go", "package models\nimport . \"math\"\nimport \"pushdown/golden\"\n",
		"models/a_test.go", "package models_test\nimport \"pushdown/models\"\nimport \"pushdown/golden\"\nimport \"pushdown/ci\"\n",
		"suites/dyck/a.go", "package dyck\n",
	)
	wantViolations(t, strayImports(tr, "golden\nharness/rng golden\nmodels golden\n"),
		"golden/a.go:3: golden imports pushdown/harness/rng",
		"harness/rng/a.go:2: harness/rng imports math/rand",
		"harness/rng/a.go:3: harness/rng imports example.org/x",
		"harness/rng/a_test.go:3: a test of harness/rng imports pushdown/models",
		"models/a.go:2: models imports math",
		"models/a_test.go:4: a test of models imports pushdown/ci",
		"suites/dyck/a.go: package suites/dyck has no line",
		"table: harness/rng does not import golden: remove",
	)
	wantViolations(t, tableViolations(table("golden harness/rng\nharness/a harness/b\nharness/b\nmodels; tests corpora suites/dyck\nsuites/dyck\nsuites/recall suites/dyck\nci\nci/runs ci\nother\n")),
		"table: golden imports harness/rng, want none of a later layer",
		"table: harness/a imports harness/b, want it in a line above",
		"table: models imports corpora, want no imports between models and corpora",
		"table: models imports suites/dyck, want none of a later layer",
		"table: suites/recall imports suites/dyck, want no imports between suites",
		"table: ci/runs imports ci, want no package to import it",
		"table: other imports packages, want it in a layer",
	)
}
