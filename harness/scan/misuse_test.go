package scan

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"pushdown/harness/stepgraph"
)

// refused reports a test error unless err contains every string in says and has the
// form of this package's errors.
func refused(t *testing.T, what string, err error, says ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want one that says %q", what, says)
		return
	}
	if !strings.HasPrefix(err.Error(), "scan: ") || strings.HasSuffix(err.Error(), ".") {
		t.Errorf("%s: error %q is not in the form scan: ...", what, err)
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%s: error %q does not say %q", what, err, s)
		}
	}
}

func TestOptionsAreBounded(t *testing.T) {
	g := training(t, testCells[0])
	good := Options{MaxStrings: 1, MaxRows: 1, MaxSteps: 1}
	for _, c := range []struct {
		change func(o *Options)
		says   string
	}{
		{func(o *Options) { o.MaxStrings = 0 }, "strings is 0, want 1 to 2147483647"},
		{func(o *Options) { o.MaxRows = -1 }, "rows is -1, want 1 to"},
		{func(o *Options) { o.MaxSteps = 0 }, "steps is 0, want 1 to"},
		{func(o *Options) { o.MaxExamples = -1 }, "examples is -1, want 0 to"},
		{func(o *Options) { o.BPTT = -2 }, "BPTT is -2, want 0 to"},
		{func(o *Options) { o.Moments = -1 }, "moments is -1, want 0 to"},
		{func(o *Options) { o.MergeWidth = -1 }, "merge width is -1, want 0 to"},
		{func(o *Options) { o.MaxRows = math.MaxInt32 }, "arena of"},
	} {
		o := good
		c.change(&o)
		vm, err := Compile(g, device(t, testISA(), 1), o)
		if vm != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want an error that says %q", o, err, c.says)
		}
		if _, err := Format(g, o); err == nil && o.MaxRows != math.MaxInt32 {
			t.Errorf("%+v: Format prints a program", o)
		}
	}
	vm := compiled(t, g, device(t, testISA(), 1), good) // no examples at all
	if err := vm.Begin([]int{1}, 0); err != nil {
		t.Fatal(err)
	}
	refused(t, "a batch without tokens", vm.RunAll(), "input token has not been set for this batch")
	if err := vm.SetInts(stepgraph.InputToken, []int32{2}); err != nil {
		t.Fatal(err)
	}
	if err := vm.RunAll(); err != nil {
		t.Fatal(err)
	}
}

// TestInputsMustBeSet checks that a batch runs only if its inputs have been set since Begin.
// Only a run-time scalar keeps its value from batch to batch.
func TestInputsMustBeSet(t *testing.T) {
	g := training(t, testCells[1])
	p := newProblem(g, ragged, 5)
	vm := compiled(t, g, device(t, testISA(), 1), bounds(p, 0))
	begin(t, vm, p)
	for _, name := range []string{stepgraph.InputToken, stepgraph.InputCoord, stepgraph.InputExampleRows, stepgraph.InputTarget} {
		if err := vm.SetInts(name, p.ints[name]); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, "a batch without its scalar", vm.RunAll(), "input temperature has not been set")
	if err := vm.SetFloats("temperature", []float32{1}); err != nil {
		t.Fatal(err)
	}
	if err := vm.RunAll(); err != nil {
		t.Fatal(err)
	}
	if err := vm.RunAll(); err != nil { // the same batch again
		t.Fatal(err)
	}
	begin(t, vm, p)
	for _, name := range []string{stepgraph.InputToken, stepgraph.InputCoord, stepgraph.InputExampleRows, stepgraph.InputTarget} {
		refused(t, "a batch without "+name, vm.RunAll(), "has not been set for this batch")
		if err := vm.SetInts(name, p.ints[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := vm.RunAll(); err != nil {
		t.Fatal(err)
	}
	begin(t, vm, p)
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "has not been set for this batch") {
			t.Errorf("Forward without inputs ends as %v", r)
		}
	}()
	vm.Forward()
}

// TestSumOverStepsInsideStep checks that Compile and Format reject a forward step that
// uses a sum over all steps.
func TestSumOverStepsInsideStep(t *testing.T) {
	g, err := stepgraph.Build(stepgraph.Config{}, func(b *stepgraph.Builder) {
		x := b.Gather(b.Param(param("E", vocabulary, 4)), b.Token())
		b.SetOutput("y", b.AddRow(x, b.Apply(stepgraph.Op{Kind: stepgraph.ColSum}, x)))
	})
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{MaxStrings: 1, MaxRows: 1, MaxSteps: 1}
	_, err = Compile(g, device(t, testISA(), 1), opts)
	refused(t, "Compile", err, "colsum: have a sum over the steps inside the step")
	_, err = Format(g, opts)
	refused(t, "Format", err, "colsum: have a sum over the steps inside the step")
}

// frozen is an LSTM with a frozen parameter and with a stack as an output.
func frozen(b *stepgraph.Builder, x *node) *node {
	s := b.State(stepgraph.StateSpec{Name: "s", Width: 3, Stacks: 1})
	spec := param("F", 4, 4)
	spec.Frozen = true
	y := b.Mul(b.MulOne(lstm(b, b.MatMul(x, b.Param(spec))), b.Scalar("temperature")), b.Dropout("d", 0.5, b.Concat(x, b.Slice(x, 0, 2, 1))))
	next := b.Push(s, b.Slice(y, 0, 1, 1), b.Slice(y, 1, 1, 1), b.ToStackMajor(b.Slice(y, 2, 1, 1), 1), 1, 0)
	b.SetNext(s, next)
	b.SetOutput("stack", next)
	b.SetOutput("y", y)
	return y
}

// TestRefusedCallsChangeNothing checks that every rejected call returns an error
// with the cause, and changes neither the arena nor results.
func TestRefusedCallsChangeNothing(t *testing.T) {
	g := training(t, testCell{"frozen", 6, frozen})
	p := newProblem(g, ragged, 5)
	opts := bounds(p, 1)
	vm := compiled(t, g, device(t, testISA(), 1), opts)

	refused(t, "RunAll before Begin", vm.RunAll(), "no batch: Begin has not been called")
	refused(t, "Continue before Begin", vm.Continue(ragged, 0), "starts with 5 strings, the last one ended with no")

	begin(t, vm, p)
	refused(t, "Continue before Forward", vm.Continue([]int{1}, 0), "the last batch of 8 steps has not been run")

	want := outcome(t, vm, p)
	memory := func() []int32 {
		x := make([]int32, vm.Arena().Len())
		vm.Arena().ReadInts(0, x)
		return x
	}
	before := memory()
	ints := func(name string, change func(x []int32)) func() error {
		x := slices.Clone(p.ints[name])
		change(x)
		return func() error { return vm.SetInts(name, x) }
	}
	rows := make([]float32, vm.Rows()*6)
	for _, c := range []struct {
		what string
		call func() error
		says []string
	}{
		{"no steps", func() error { return vm.Begin(nil, 0) }, []string{"batch of 0 steps, want 1 to 8"}},
		{"too many steps", func() error { return vm.Begin(make([]int, 9), 0) }, []string{"batch of 9 steps, want 1 to 8"}},
		{"examples below 0", func() error { return vm.Begin([]int{1}, -1) }, []string{"batch of -1 examples, want 0 to"}},
		{"too many examples", func() error { return vm.Begin([]int{1}, opts.MaxExamples+1) }, []string{"batch of", "want 0 to"}},
		{"no strings", func() error { return vm.Begin([]int{2, 0}, 0) }, []string{"0 strings active at step 1, want 1 to 5"}},
		{"too many strings", func() error { return vm.Begin([]int{6}, 0) }, []string{"6 strings active at step 0, want 1 to 5"}},
		{"rising strings", func() error { return vm.Begin([]int{2, 3}, 0) }, []string{"3 strings active at step 1", "no more than before"}},
		{"too many rows", func() error { return vm.Begin([]int{5, 5, 5, 5, 5, 5}, 0) }, []string{"batch of 30 rows, want at most 27"}},
		{"continuing with more strings", func() error { return vm.Continue([]int{2}, 0) }, []string{"starts with 2 strings, the last one ended with 1"}},
		{"continuing with no steps", func() error { return vm.Continue(nil, 0) }, []string{"starts with no strings"}},
		{"continuing with rising strings", func() error { return vm.Continue([]int{1, 2}, 0) }, []string{"2 strings active at step 1"}},

		{"ints of no input", func() error { return vm.SetInts("x", nil) }, []string{"no whole-number input x, want one of [token"}},
		{"ints of a number", func() error { return vm.SetInts("temperature", []int32{1}) }, []string{"no whole-number input temperature"}},
		{"too few ints", func() error { return vm.SetInts(stepgraph.InputToken, make([]int32, 3)) }, []string{"input token has 3 values, want 27"}},
		{"a token too high", ints(stepgraph.InputToken, func(x []int32) { x[7] = vocabulary }), []string{"input token: number 7 is 5, want 0 to 4"}},
		{"a token below 0", ints(stepgraph.InputToken, func(x []int32) { x[26] = -1 }), []string{"input token: number 26 is -1, want 0 to 4"}},
		{"a target too high", ints(stepgraph.InputTarget, func(x []int32) { x[0] = classes }), []string{"input target: number 0 is 3, want 0 to 2"}},
		{"a pick too high", ints(stepgraph.InputExampleRows, func(x []int32) { x[1] = 27 }), []string{"input pick: number 1 is 27, want 0 to 26"}},
		{"a pick twice", ints(stepgraph.InputExampleRows, func(x []int32) { x[4] = x[2] }), []string{"input pick: number 4 is", "occurs before"}},
		{"floats of no input", func() error { return vm.SetFloats("x", nil) }, []string{"no numeric input x, want one of [temperature]"}},
		{"floats of ints", func() error { return vm.SetFloats(stepgraph.InputToken, nil) }, []string{"no numeric input token"}},
		{"the seed", func() error { return vm.SetFloats(stepgraph.InputSeed, make([]float32, p.examples)) }, []string{"input seed is set by Forward"}},
		{"too many floats", func() error { return vm.SetFloats("temperature", make([]float32, 2)) }, []string{"input temperature has 2 values, want 1"}},
		{"NaN", func() error { return vm.SetFloats("temperature", []float32{float32(math.NaN())}) }, []string{"input temperature: value 0 is NaN, want a finite number"}},
		{"an infinity", func() error { return vm.SetFloats("temperature", []float32{float32(math.Inf(-1))}) }, []string{"value 0 is -Inf, want a finite number"}},

		{"no output", func() error { return vm.Output("x", nil) }, []string{"no output x, want one of [prob stack y]"}},
		{"a short output", func() error { return vm.Output("y", rows[1:]) }, []string{"output y has 162 values, have room for 161"}},
		{"a long output", func() error { return vm.Output("prob", make([]float32, p.examples*classes+1)) }, []string{"output prob has", "have room for"}},
		{"a stack as output", func() error { return vm.Output("stack", rows) }, []string{"output stack is not stored as separate rows"}},

		{"no parameter", func() error { return vm.SetParam("x", nil) }, []string{"no parameter x, want one of [", " W_x "}},
		{"too few numbers", func() error { return vm.SetParam("W_x", make([]float32, 95)) }, []string{"parameter W_x has 95 values, want 96"}},
		{"no parameter to read", func() error { _, err := vm.Param("x"); return err }, []string{"no parameter x"}},
		{"no parameter with a gradient", func() error { _, err := vm.Grad("x"); return err }, []string{"no parameter x"}},
		{"a gradient of a frozen parameter", func() error { _, err := vm.Grad("F"); return err }, []string{"parameter F has no gradient"}},
		{"no region", func() error { _, _, err := vm.Region("x"); return err }, []string{"no parameter x"}},
	} {
		refused(t, c.what, c.call(), c.says...)
		if !slices.Equal(memory(), before) {
			t.Fatalf("%s: the refused call changes memory", c.what)
		}
	}
	if vm.Rows() != 27 || !slices.Equal(results(t, vm, p), want) {
		t.Error("refused calls change results")
	}
	if err := vm.RunAll(); err != nil || !slices.Equal(results(t, vm, p), want) {
		t.Errorf("after refused calls the batch has other results: %v", err)
	}
	if err := vm.Output("y", rows); err != nil {
		t.Error(err)
	}
	if r, trained, err := vm.Region("F"); err != nil || trained || r.Rows != 4 || r.Cols != 4 {
		t.Errorf("region of a frozen parameter: %+v, %v, %v", r, trained, err)
	}
}

// TestNumbersWrittenInPlace checks that SetInts checks whole numbers that are
// already in the arena.
func TestNumbersWrittenInPlace(t *testing.T) {
	g := training(t, testCells[0])
	p := newProblem(g, ragged, 5)
	vm := compiled(t, g, device(t, testISA(), 1), bounds(p, 0))
	want := outcome(t, vm, p)
	token := vm.Ints(stepgraph.InputToken)
	if token == nil {
		t.Skip("the device has no memory that the host can write to")
	}
	if len(token) != 27 || !slices.Equal(token, p.ints[stepgraph.InputToken]) {
		t.Fatalf("tokens in place are %v, want %v", token, p.ints[stepgraph.InputToken])
	}
	if n := len(vm.Ints(stepgraph.InputExampleRows)); n != p.examples {
		t.Errorf("room for %d picks, want %d", n, p.examples)
	}
	if vm.Ints(stepgraph.InputSeed) != nil || vm.Ints("x") != nil {
		t.Error("Ints returns memory for an input that holds no whole numbers")
	}
	old := token[3]
	token[3] = vocabulary
	refused(t, "a token in place", vm.SetInts(stepgraph.InputToken, token), "number 3 is 5, want 0 to 4")
	token[3] = (old + 1) % vocabulary
	if err := vm.SetInts(stepgraph.InputToken, token); err != nil {
		t.Fatal(err)
	}
	vm.Forward()
	if vm.Backward(); slices.Equal(results(t, vm, p), want) {
		t.Error("a token changed in place changes nothing")
	}
}

// TestGorgoniaRunsTheScan checks that a VM works as a [gorgonia.VM].
func TestGorgoniaRunsTheScan(t *testing.T) {
	g := training(t, testCells[0])
	p := newProblem(g, ragged, 5)
	want := outcome(t, compiled(t, g, device(t, testISA(), 1), bounds(p, 0)), p)
	vm, err := Compile(g, device(t, testISA(), 1), bounds(p, 0))
	if err != nil {
		t.Fatal(err)
	}
	var m gorgonia.VM = vm
	if err := m.RunAll(); err == nil {
		t.Error("a machine without a batch runs")
	}
	for range 2 {
		p.load(t, begin(t, vm, p))
		if err := m.RunAll(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(results(t, vm, p), want) {
			t.Error("RunAll through gorgonia.VM has other results")
		}
		m.Reset()
		if err := m.RunAll(); err == nil {
			t.Error("a machine that was reset runs")
		}
		if vm.Rows() != 0 {
			t.Errorf("a machine that was reset has %d rows", vm.Rows())
		}
		refused(t, "Continue after Reset", vm.Continue([]int{1}, 0), "cannot continue")
	}
	p.load(t, begin(t, vm, p))
	vm.Forward()
	vm.Reset()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("Backward runs after Reset, want a panic")
			}
		}()
		vm.Backward()
	}()
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
