package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/checkpoint"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// store writes a result to a state folder, as a finished run does.
func store(t *testing.T, root, file string, f *golden.File, name golden.Name, weight float32) {
	t.Helper()
	params := &train.Params{Names: []string{"w"}, Shapes: [][]int{{1, 1}}, Data: [][]float32{{weight}}}
	text, err := json.Marshal(&suite.Result{
		Experiment: file, Scale: f.Scale, Row: golden.Row{Name: name, Values: f.Rows[0].Values}, Stopped: "plateau",
		Trajectory: golden.Trajectory{Name: name, Points: []golden.Point{{At: golden.End, SHA256: params.Digest()}}},
		Origin:     golden.Origin{Commit: "0123456789ab", Machine: "m", Date: "2026-01-31", Contract: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	folder := suite.ResultFolder(root)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := checkpoint.Write(filepath.Join(folder, file+".safetensors"), &checkpoint.File{
		Meta:    map[string]string{"result": string(text)},
		Tensors: []checkpoint.Tensor{{Name: "param/w", Shape: []int{1, 1}, Data: params.Data[0]}},
	}); err != nil {
		t.Fatal(err)
	}
}

// TestState checks what the pages say of runs in a state folder: one that the golden file has
// with other parameters, one that it does not have, and one of another row.
func TestState(t *testing.T) {
	root, state := planted(t), t.TempDir()
	f, err := golden.Read(filepath.Join(root, "golden", "dyck", "ci.txt"))
	if err != nil {
		t.Fatal(err)
	}
	const group = golden.Name("paper=resurgence/table=2/row=dyck-m4")
	store(t, state, "a", f, group.WithSeed(1), 1)
	store(t, state, "b", f, group.WithSeed(77), 2)
	store(t, state, "c", f, group+"/task=new/seed=1", 3)
	r, err := load(&options{root: root, state: state})
	if err != nil {
		t.Fatal(err)
	}
	files, err := r.build()
	if err != nil {
		t.Fatal(err)
	}
	docs := documents(files)
	if _, list := broken(files, docs); len(list) > 0 {
		t.Errorf("have broken links %q, want none", list)
	}
	text := docs["rows/"+slug(group)+".html"].text("main")
	wants(t, text, "In the state folder", "has other parameters", "not there yet", "77", "plateau")
	text = docs["index.html"].text("main")
	wants(t, text, "The state folder has 3 finished runs", "resurgence, table 2, dyck-m4: 1 run", "resurgence, table 2, dyck-m4, new: 1 run")
	d := filepath.Join(suite.ResultFolder(state), "d.safetensors")
	if err := os.Link(filepath.Join(suite.ResultFolder(state), "a.safetensors"), d); err != nil {
		t.Fatal(err)
	}
	if _, err := load(&options{root: root, state: state}); err == nil || !strings.Contains(err.Error(), "a file of the name a.safetensors") {
		t.Errorf("a result under another name: have %v, want an error", err)
	}
	if err := errors.Join(os.Remove(d), os.WriteFile(d, []byte("x"), 0o666)); err != nil {
		t.Fatal(err)
	}
	if _, err := load(&options{root: root, state: state}); err == nil || !strings.Contains(err.Error(), "d.safetensors") {
		t.Errorf("have %v, want an error that names the bad file", err)
	}
}

// TestStateOfTheSameRun checks a run that the golden file has with the same parameters.
func TestStateOfTheSameRun(t *testing.T) {
	const name = golden.Name("paper=resurgence/table=2/row=dyck-m4/seed=1")
	trajectory := golden.Trajectory{Name: name, Points: []golden.Point{{At: golden.End, SHA256: "a"}}}
	x := &row{Name: name.Group(), File: &golden.File{Scale: "ci"}, runs: map[int]golden.Trajectory{1: trajectory}}
	s := &state{byName: map[golden.Name][]*suite.Result{x.Name: {{Scale: "ci", Row: golden.Row{Name: name}, Trajectory: trajectory}, {Scale: "paper", Row: golden.Row{Name: name}}}}}
	if list := (&report{State: s}).Stored(x); len(list) != 1 || list[0].Golden != "has the same parameters" {
		t.Errorf("have %+v, want the run at scale ci, with the same parameters", list)
	}
}
