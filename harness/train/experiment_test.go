package train

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gorgonia.org/gorgonia"

	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
)

// TestHashCoversEverything changes every described field of the experiment, one at
// a time, including those of the rule and the plateau. It checks that the hash
// changes each time.
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
			case reflect.Slice: // one element, and then its fields
				f.Set(reflect.MakeSlice(f.Type(), 1, 1))
				seen[hash(e)] = name
				walk(f.Index(0), name+".")
				f.Set(old)
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

// TestHashOfAbout checks that an About that JSON cannot encode is an error.
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

// sumGraph returns a small graph. Its state is a sum with one term for each symbol that
// was read: the embedding of the symbol times a frozen row.
func sumGraph(cfg stepgraph.Config) (*stepgraph.Graph, error) {
	return stepgraph.Build(cfg, func(b *stepgraph.Builder) {
		table := b.Param(stepgraph.Spec{Name: "E", Rows: 3, Cols: 2, Init: stepgraph.Init{Kind: stepgraph.Uniform, A: -0.1, B: 0.25}})
		step := b.Param(stepgraph.Spec{Name: "step", Rows: 1, Cols: 2, Init: stepgraph.Init{Kind: stepgraph.FromValues, Values: []float32{1, 2}}, Frozen: true})
		c := b.State(stepgraph.StateSpec{Name: "c", Width: 2, Init: 0.5})
		next := b.Add(c, b.MulRow(b.Gather(table, b.Token()), step))
		b.SetNext(c, next)
		b.SetLoss(b.CrossEntropy(b.ExampleRows(next), b.Target()))
	})
}

// TestKeysAreFixed checks that every field of an experiment has a JSON key of its own,
// so that renaming a field does not change a hash.
func TestKeysAreFixed(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(typ reflect.Type)
	walk = func(typ reflect.Type) {
		for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			f := typ.Field(i)
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if key == "" && !f.Anonymous {
				t.Errorf("%v: field %s has no key of its own, want a json tag that names one", typ, f.Name)
			}
			if key != "-" {
				walk(f.Type)
			}
		}
	}
	walk(reflect.TypeFor[description]())
	if len(seen) < 11 {
		t.Errorf("%d types looked at, want at least 11", len(seen))
	}
}

// TestHashIsFrozen checks the hash of an experiment with a value in every described field.
// Files on disk are named after hashes, so hashes must not change by accident.
func TestHashIsFrozen(t *testing.T) {
	e := &Experiment{
		Name: "paper=a/table=1/row=b/seed=1", About: map[string]int{"m": 4, "k": 2}, Seed: 1,
		Build: sumGraph, Train: newSource(8, 1), Valid: set{0, 1, 2}, ExtraSets: []ExtraSet{{Set: set{3}, Observe: losses}},
		Online:     Online{Window: 5, Every: 2, Epochs: 3, LimitToPredicted: true, BestIfDiverged: true},
		Rule:       optim.Rule{Method: optim.Adam, LR: 0.01, Beta1: 0.8, Beta2: 0.99, Eps: 1e-9, ClipNorm: 1, Clip: 2},
		Plateau:    optim.Plateau{Gain: 0.1, Patience: 2, Factor: 0.5, Floor: 1e-4, Stop: 7, StopBelow: 1e-5, Return: true, From: 3, MinLR: 1e-3, ReturnBelow: 0.25},
		CheckEvery: 500, MaxUpdates: 30000, BPTT: 6, GradScale: 9, PerString: true, Best: true,
		Scalars: []Scalar{{Name: "temperature", Inverse: true, Start: 2, Factor: 0.9, Every: 11}},
	}
	g, err := e.Build(stepgraph.Config{})
	if err != nil {
		t.Fatal(err)
	}
	const graph = `%0   3x2        static           E
%1   1x2        static           step
%2   Bx2        step             c
%3   Bx1        step             token
%4   Bx2        step             gather %0 %3
%5   Bx2        step             mulrow %4 %1
%6   Bx2        step             add %2 %5
%7   Ex1        example          pick
%8   Ex2        example          gatherrows %6 %7
%9   Ex1        example          target
%10  Ex1        example          crossentropy %8 %9
next c %6
loss %10
`
	if diff := cmp.Diff(graph, printed(g)); diff != "" {
		t.Errorf("printed graph (-want +have):\n%s", diff)
	}
	text, err := e.description()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"name":"paper=a/table=1/row=b/seed=1","about":{"k":2,"m":4},` +
		`"online":{"window":5,"every":2,"epochs":3,"earned":true,"best_if_diverged":true},"seed":1,` +
		`"rule":{"method":"adam","lr":0.01,"beta1":0.8,"beta2":0.99,"eps":1e-9,"clip_norm":1,"clip":2},` +
		`"plateau":{"gain":0.1,"patience":2,"factor":0.5,"floor":0.0001,"stop":7,"below":0.00001,"return":true,"from":3,"least":0.001,"return_below":0.25},` +
		`"check_every":500,"max_updates":30000,"bptt":6,"grad_scale":9,"per_string":true,"best":true,` +
		`"scalars":[{"name":"temperature","inverse":true,"start":2,"factor":0.9,"every":11}],"contract":1,` +
		`"model":{"params":[{"name":"E","rows":3,"cols":2,"init":"uniform -0.1 0.25"},` +
		`{"name":"step","rows":1,"cols":2,"init":"given ` + hashOf("\x00\x00\x80\x3f\x00\x00\x00\x40") + `","frozen":true}],` +
		`"states":[{"name":"c","width":2,"stacks":0,"init":0.5,"no_grad":false}],` +
		`"training":"` + hashOf(graph) + `","eval":"` + hashOf(graph) + `"},` +
		`"data":{"per_epoch":8,"train":{"strings":4,"rows":24,"steps":6,"examples":24},"valid":{"strings":4,"rows":24,"steps":6,"examples":24},"batches":3,` +
		`"extra_sets":[{"bounds":{"strings":4,"rows":24,"steps":6,"examples":24},"batches":1}]}}`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("description (-want +have):\n%s", diff)
	}
	const hash = "01aca2f01fe652060181d04568b5490af2c7c850be38bd24ca3f335f7d706dfa"
	if have, err := e.Hash(); err != nil || have != hash {
		t.Errorf("hash %s, %v; want %s", have, err, hash)
	}
}

// resized is a set or a source whose Bounds returns other sizes.
type resized struct {
	*source
	set
	bounds Bounds
}

func (r resized) Bounds() Bounds            { return r.bounds }
func (r resized) Fill(update int, b *Batch) { r.source.Fill(update, b) }

// TestHashSeesTheModel checks that every change of an initial value, of the graph
// or of the sizes of batches changes the hash, although no field of the experiment
// describes it.
func TestHashSeesTheModel(t *testing.T) {
	changed := func(change func(g *stepgraph.Graph)) func(e *Experiment) {
		return func(e *Experiment) {
			e.Build = func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
				g, err := sumGraph(cfg)
				if err == nil {
					change(g)
				}
				return g, err
			}
		}
	}
	larger := bounds
	larger.Rows++
	given := stepgraph.Init{Kind: stepgraph.FromValues, Values: []float32{1, 2}}
	seen := map[string]string{}
	for _, c := range []struct {
		what   string
		change func(e *Experiment)
	}{
		{"nothing", func(e *Experiment) {}},
		{"bound of a uniform", changed(func(g *stepgraph.Graph) { g.Param("E").Init.B = math.Nextafter(0.25, 1) })},
		{"kind of initial values", changed(func(g *stepgraph.Graph) { g.Param("E").Init.Kind = stepgraph.Normal })},
		{"constant", changed(func(g *stepgraph.Graph) { g.Param("E").Init = stepgraph.Init{A: 2} })},
		{"given value", changed(func(g *stepgraph.Graph) { g.Param("step").Init.Values = []float32{1, math.Nextafter32(2, 3)} })},
		{"given here", changed(func(g *stepgraph.Graph) { g.Param("E").Init = given })},
		{"frozen", changed(func(g *stepgraph.Graph) { g.Param("step").Frozen = false })},
		{"initial state", changed(func(g *stepgraph.Graph) { g.States[0].Init = 0 })},
		{"state without gradient", changed(func(g *stepgraph.Graph) { g.States[0].NoGrad = true })},
		{"next state", changed(func(g *stepgraph.Graph) { g.States[0].Out = g.States[0].In })},
		{"loss", changed(func(g *stepgraph.Graph) { g.Loss = g.Nodes()[len(g.Nodes())-2] })},
		{"output", changed(func(g *stepgraph.Graph) { g.Outputs = map[string]*gorgonia.Node{"x": g.Nodes()[3]} })},
		{"other output", changed(func(g *stepgraph.Graph) { g.Outputs = map[string]*gorgonia.Node{"x": g.Nodes()[4]} })},
		{"evaluation alone", func(e *Experiment) {
			e.Build = func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
				g, err := sumGraph(cfg)
				if err == nil && !cfg.Training {
					g.Outputs = map[string]*gorgonia.Node{"x": g.Nodes()[3]}
				}
				return g, err
			}
		}},
		{"another graph", func(e *Experiment) { e.Build = build }},
		{"an epoch", func(e *Experiment) { e.Train = newSource(9, 1) }},
		{"batches of training", func(e *Experiment) { e.Train = resized{newSource(8, 1), nil, larger} }},
		{"batches of validation", func(e *Experiment) { e.Valid = resized{nil, set{0, 1, 2}, larger} }},
		{"number of batches", func(e *Experiment) { e.Valid = set{0, 1} }},
	} {
		e := problem()
		e.Build = sumGraph
		c.change(e)
		h, err := e.Hash()
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[h]; ok {
			t.Errorf("a change of %s gives the hash of a change of %s", c.what, other)
		}
		seen[h] = c.what
	}
	sorry := errors.New("no such cell")
	e := problem()
	e.Build = func(stepgraph.Config) (*stepgraph.Graph, error) { return nil, sorry }
	if _, err := e.Hash(); !errors.Is(err, sorry) {
		t.Errorf("error %v, want %v", err, sorry)
	}
	changed(func(g *stepgraph.Graph) { g.Param("E").Init.Kind = 9 })(e)
	if _, err := e.Hash(); err == nil || err.Error() != "train: describing tiny: parameter E: an unknown kind of initial values, 9" {
		t.Errorf("error %v, want one that names the parameter and the kind", err)
	}
}
