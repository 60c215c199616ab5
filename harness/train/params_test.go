package train

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/rng"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
)

// initialised returns a VM with one parameter of each kind of initial values, and the
// error of Initialise with seed 3. The function change may change the initial values of a
// parameter after the graph is built, which would refuse a wrong kind.
func initialised(t *testing.T, change func(i *stepgraph.Init)) (*scan.VM, error) {
	t.Helper()
	g, err := stepgraph.Build(stepgraph.Config{}, func(b *stepgraph.Builder) {
		table := b.Param(stepgraph.Spec{Name: "normal", Rows: symbols, Cols: 3, Init: stepgraph.Init{Kind: stepgraph.Normal, A: 0.1, B: 2}})
		y := b.ExampleRows(b.Gather(table, b.Token()))
		w := b.Param(stepgraph.Spec{Name: "uniform", Rows: 3, Cols: 2, Init: stepgraph.Init{Kind: stepgraph.Uniform, A: -0.3, B: 0.1}})
		constant := b.Param(stepgraph.Spec{Name: "constant", Rows: 1, Cols: 2, Init: stepgraph.Init{A: 0.1}})
		given := b.Param(stepgraph.Spec{Name: "given", Rows: 1, Cols: 2, Frozen: true, Init: stepgraph.Init{Kind: stepgraph.FromValues, Values: []float32{7, -8}}})
		b.SetLoss(b.CrossEntropy(b.AddRow(b.Affine(y, w, constant), given), b.Target()))
	})
	if err != nil {
		t.Fatal(err)
	}
	change(&g.Param("normal").Init)
	vm, err := scan.Compile(g, device(t, cpu.Generic), scan.Options{MaxStrings: 1, MaxRows: 1, MaxSteps: 1, MaxExamples: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { vm.Close() })
	return vm, Initialise(vm, 3)
}

// TestInitialise checks that each element is drawn at its own coordinates in the stream
// named after its parameter. The digest in the test pins all trained values.
func TestInitialise(t *testing.T) {
	vm, err := initialised(t, func(*stepgraph.Init) {})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]float32{"given": {7, -8}, "constant": {0.1, 0.1}}
	for r := range symbols {
		for c := range 3 {
			at := rng.At{Unit: uint32(c), Row: uint32(r)}
			want["normal"] = append(want["normal"], 0.1+float32(2*rng.New(3, "init/normal").Normal(at)))
		}
	}
	for r := range 3 {
		for c := range 2 {
			want["uniform"] = append(want["uniform"], rng.New(3, "init/uniform").Uniform(rng.At{Unit: uint32(c), Row: uint32(r)}, -0.3, 0.1))
		}
	}
	for name, x := range want {
		have, err := vm.Param(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(x, have); diff != "" {
			t.Errorf("%s (-want +have):\n%s", name, diff)
		}
	}
	p := newParams(vm)
	p.read(vm, vm.Layout().Params)
	if diff := cmp.Diff([]string{"constant", "normal", "uniform"}, p.Names); diff != "" {
		t.Errorf("trained parameters (-want +have):\n%s", diff)
	}
	if p.Count() != 2+symbols*3+3*2 {
		t.Errorf("%d trained numbers, want %d", p.Count(), 2+symbols*3+3*2)
	}
	const digest = "adff70061541c2d0f715c70ad4278fe7f80b88a3bf12576f7b521c817da97d8d"
	if p.Digest() != digest {
		t.Errorf("digest %s, want %s", p.Digest(), digest)
	}
}

func TestInitialiseRefuses(t *testing.T) {
	if _, err := initialised(t, func(i *stepgraph.Init) { i.Kind = 99 }); err == nil || !strings.Contains(err.Error(), "parameter normal has an unknown kind of initial values, 99") {
		t.Errorf("error %v, want one that names parameter and kind", err)
	}
}

// TestCopies writes parameters to the memory of a VM and reads them back. They must be the
// same, and no other word of the memory may change.
func TestCopies(t *testing.T) {
	r, err := newRunner(problem(), Options{Device: device(t, cpu.Best())})
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	l := r.vm.Layout()
	before := make([]float32, r.vm.Arena().Len())
	r.vm.Arena().Read(0, before)
	p, n := newParams(r.vm), float32(0)
	inside := map[int]float32{}
	for i, x := range p.Data {
		for j := range x {
			n++
			x[j] = n
			inside[l.Moments[1]+l.Trainable[i].At+j] = n
		}
	}
	p.write(r.vm, l.Moments[1])
	after := make([]float32, len(before))
	r.vm.Arena().Read(0, after)
	for at, x := range after {
		want, ok := inside[at]
		if !ok {
			want = before[at]
		}
		if math.Float32bits(x) != math.Float32bits(want) {
			t.Fatalf("word %d is %v, want %v", at, x, want)
		}
	}
	q := newParams(r.vm)
	q.read(r.vm, l.Moments[1])
	if diff := cmp.Diff(p, q); diff != "" {
		t.Errorf("read back (-written +read):\n%s", diff)
	}
}
