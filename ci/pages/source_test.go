package main

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
)

func TestLargerScalesTakePrecedence(t *testing.T) {
	read := func(scale string) *golden.File {
		f := exampleFile(t)
		f.Scale = scale
		return f
	}
	paper, ci := read("paper"), read("ci")
	group := paper.Rows[0].Name.Group()
	paper.Rows = slices.DeleteFunc(paper.Rows, func(r golden.Row) bool { return r.Name.Group() == group })
	rest := missing(ci, []*golden.File{paper})
	if have := rest.Groups(); len(have) != 1 || have[0] != group {
		t.Errorf("groups %v, want %v alone", have, group)
	}
	if all := missing(ci, []*golden.File{{}}); len(rest.Trajectories) != 0 || len(all.Trajectories) != len(ci.Trajectories) {
		t.Errorf("%d trajectories, and %d beside an empty file, want none and all %d", len(rest.Trajectories), len(all.Trajectories), len(ci.Trajectories))
	}
	if diff := cmp.Diff(ci.Units, rest.Units); diff != "" {
		t.Errorf("units (-want +have):\n%s", diff)
	}
}

func TestReadRefuses(t *testing.T) {
	goldens := func(more ...string) fstest.MapFS {
		fsys := fstest.MapFS{"golden/dyck/ci.txt": {Data: []byte(exampleText(t))}, "golden/dyck/smoke.txt": {Data: []byte("not looked at\n")}}
		for pair := range slices.Chunk(more, 2) {
			fsys[pair[0]] = &fstest.MapFile{Data: []byte(pair[1])}
		}
		return fsys
	}
	for want, fsys := range map[string]fstest.MapFS{
		"":                             goldens(),
		"have no golden file":          {},
		"golden/dyck/paper-scale.txt:": goldens("golden/dyck/paper-scale.txt", "suite: dyck\nbroken\n"),
		"golden/other: have no suite":  goldens("golden/other/ci.txt", strings.Replace(exampleText(t), "suite: dyck", "suite: other", 1)),
		"golden/dyck/figures/x.svg: have no caption": goldens("golden/dyck/figures/x.svg", "<svg/>"),
	} {
		suites, err := readSources(fsys)
		if want == "" && (err != nil || len(suites) != 1) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("have %v, %v, want an error with %q", suites, err, want)
		}
	}
}

func TestRowCommand(t *testing.T) {
	want := `PUSHDOWN_SCALE=paper go test ./suites/dyck -run '^TestUnfrozen$/^paper=resurgence$/^section=6\.2$/^row=dyck-m4-2d$/^seed=' -v -timeout 0`
	if have := declared()["paper"]["paper=resurgence/section=6.2/row=dyck-m4-2d"].Command; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}
