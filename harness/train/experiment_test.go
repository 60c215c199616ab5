package train

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pushdown/harness/optim"
)

// TestHashCoversEverything changes each field that describes the experiment, one
// at a time, down to those of the rule and the plateau.
func TestHashCoversEverything(t *testing.T) {
	hash := func(e *Experiment) string {
		h, err := e.Hash()
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	e := problem()
	seen := map[string]string{hash(e): "nothing"}
	if hash(problem()) != hash(e) {
		t.Error("the hash of one experiment differs from call to call")
	}
	fields := 0
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		for i := range v.NumField() {
			f, field := v.Field(i), v.Type().Field(i)
			name := path + field.Name
			if field.Tag.Get("json") == "-" {
				continue
			}
			old := reflect.ValueOf(f.Interface())
			switch f.Kind() {
			case reflect.Struct:
				walk(f, name+".")
				continue
			case reflect.String:
				f.SetString(f.String() + "x")
			case reflect.Bool:
				f.SetBool(!f.Bool())
			case reflect.Int:
				f.SetInt(f.Int() + 1)
			case reflect.Uint64:
				f.SetUint(f.Uint() + 1)
			case reflect.Float64:
				f.SetFloat(math.Nextafter(f.Float(), 2))
			case reflect.Interface:
				f.Set(reflect.ValueOf("another"))
			default:
				t.Fatalf("field %s is a %v, which this test cannot change", name, f.Kind())
			}
			fields++
			h := hash(e)
			if other, ok := seen[h]; ok {
				t.Errorf("a change of %s gives the hash of a change of %s", name, other)
			}
			seen[h] = name
			f.Set(old)
		}
	}
	walk(reflect.ValueOf(e).Elem(), "")
	if fields < 20 || hash(e) != hash(problem()) {
		t.Errorf("%d fields changed and changed back, want at least 20", fields)
	}
}

// TestHashOfAbout: what cannot be written down is an error.
func TestHashOfAbout(t *testing.T) {
	for _, about := range []any{math.NaN(), func() {}, map[string]any{"x": math.Inf(1)}} {
		e := problem()
		e.About = about
		if _, err := e.Hash(); err == nil || !strings.Contains(err.Error(), "describing tiny") {
			t.Errorf("about %T: error %v, want one that says what cannot be described", about, err)
		}
		if _, err := e.StatePath(t.TempDir()); err == nil {
			t.Errorf("about %T: there is a path for its state", about)
		}
	}
}

// TestHashIsFrozen: the hash names state on disk, so it changes on purpose only.
func TestHashIsFrozen(t *testing.T) {
	e := &Experiment{
		Name: "paper=a/table=1/row=b/seed=1", About: map[string]int{"m": 4, "k": 2}, Seed: 1,
		Rule: optim.Rule{Method: optim.Adam, LR: 0.01}, Plateau: optim.Plateau{Below: 1e-5}, CheckEvery: 500, MaxUpdates: 30000,
	}
	text, err := e.description()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"Name":"paper=a/table=1/row=b/seed=1","About":{"k":2,"m":4},"Seed":1,` +
		`"Rule":{"Method":"adam","LR":0.01,"Beta1":0,"Beta2":0,"Eps":0,"ClipNorm":0,"Clip":0},` +
		`"Plateau":{"Gain":0,"Patience":0,"Factor":0,"Floor":0,"Stop":0,"Below":0.00001,"Return":false},` +
		`"CheckEvery":500,"MaxUpdates":30000,"BPTT":0,"GradScale":0,"Best":false,"Contract":1}`
	if string(text) != want {
		t.Errorf("description\n%s, want\n%s", text, want)
	}
}
