package celltest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
	"pushdown/models"
)

type (
	builder = stepgraph.Builder
	node    = stepgraph.Node
)

// faulty is a recurrent cell of 2 units, h_t = tanh(W x_t + R h_{t-1}), with a fault.
type faulty struct {
	models.RNN
	value func(b *builder, wx, rh *node) *node
}

func (c faulty) Count(in int) int { return 2 * (in + 2) }

func (c faulty) Params(in int) []stepgraph.Spec {
	start := stepgraph.Init{Kind: stepgraph.Normal, B: 0.3}
	return []stepgraph.Spec{{Name: "W", Rows: in, Cols: 2, Init: start}, {Name: "R", Rows: 2, Cols: 2, Init: start}}
}

func (c faulty) Step(b *builder, x *node, state, p []*node) (*node, []*node) {
	h := c.value(b, b.MatMul(x, p[0]), b.MatMul(state[0], p[1]))
	return h, []*node{h}
}

// network returns a language model with a faulty cell.
func network(t *testing.T, value func(b *builder, wx, rh *node) *node) models.Sample {
	t.Helper()
	m, err := models.LanguageModel(faulty{models.RNN{Hidden: 2}, value}, 5, 3)
	if err != nil {
		t.Fatal(err)
	}
	return models.Sample{Name: "faulty", Network: m}
}

// recorder records what a check reports.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper()                      {}
func (r *recorder) Error(args ...any)            { r.said += fmt.Sprintln(args...) }
func (r *recorder) Errorf(f string, args ...any) { r.said += fmt.Sprintf(f, args...) + "\n" }
func (r *recorder) Fatal(args ...any)            { r.Error(args...); runtime.Goexit() }

// reports returns what a check reports.
func reports(t *testing.T, check func(t testing.TB)) string {
	r := &recorder{TB: t}
	done := make(chan bool)
	go func() {
		defer close(done)
		check(r)
	}()
	<-done
	return r.said
}

// TestChecksFindFaults checks what each check reports for a cell with a fault, in the words
// of the cell.
func TestChecksFindFaults(t *testing.T) {
	right := func(b *builder, wx, rh *node) *node { return b.Tanh(b.Add(wx, rh)) }
	calls := 0
	graph := func(t testing.TB, n models.Sample) { checkGraph(t, n) }
	gradient := func(t testing.TB, n models.Sample) { Gradient(t, build(t, n, stepgraph.Config{}), 5, 5, 1) }
	device := processor(t, cpu.Options{ISA: cpu.Best()})
	for _, c := range []struct {
		fault string
		check func(t testing.TB, n models.Sample)
		value func(b *builder, wx, rh *node) *node
		want  []string // none: no report
	}{
		{"none", graph, right, nil},
		{"none", gradient, right, nil},
		{"none", scanned(device, nil), right, nil},
		{"R without influence", graph, func(b *builder, wx, rh *node) *node { return b.Tanh(wx) }, []string{"parameter R [2x2] has no influence on the loss"}},
		{"state without influence", gradient, func(b *builder, wx, rh *node) *node { return b.Tanh(b.Add(wx, b.Sub(rh, rh))) },
			[]string{"parameter R [2x2]: every element of the gradient is 0, want some influence on the loss", "initial state h [3x2]: every element of the gradient is 0"}},
		{"part of the gradient is missing", gradient, func(b *builder, wx, rh *node) *node { return b.Tanh(b.Add(wx, b.Mul(rh, b.StopGrad(rh)))) },
			[]string{"parameter R [2x2]: gradient with respect to the element in row 0, column 0: have ", "by central differences"}},
		{"gradient is bounded", gradient, func(b *builder, wx, rh *node) *node { return b.ClipGrad(b.Tanh(b.Add(wx, rh)), 1e-3) },
			[]string{"parameter W [3x2]: gradient with respect to the element in row 0, column 0: have "}},
		{"builds differ", graph, func(b *builder, wx, rh *node) *node {
			if calls++; calls%2 == 0 {
				return b.Tanh(b.Add(rh, wx))
			}
			return right(b, wx, rh)
		}, []string{"network faulty: a second build has %8   Bx2        step             add %7 %6, want %8   Bx2        step             add %6 %7 as the first"}},
		{"next value of another width", graph, func(b *builder, wx, rh *node) *node { return b.Concat(wx, rh) }, []string{"next value of state h: have concatcols [Bx4] (of matmul [Bx2] and matmul [Bx2]), want [Bx2]"}},
		{"planned run differs", scanned(device, func(b *builder, wx, rh *node) *node { return b.Tanh(b.Add(wx, b.Scale(rh, 1.001))) }), right,
			[]string{"loss [", "the planned run has ", "output logits [", "gradient of parameter R [2x2]: the planned run has "}},
	} {
		n := network(t, c.value)
		have := reports(t, func(t testing.TB) { c.check(t, n) })
		if len(c.want) == 0 && have != "" {
			t.Errorf("fault %s: have the report %s, want none", c.fault, have)
		}
		for _, want := range c.want {
			if !strings.Contains(have, want) {
				t.Errorf("fault %s: have the report %q, want one that says %q", c.fault, have, want)
			}
		}
	}
}

// scanned returns a check of the planned run on the device. If other is not nil, the run is
// that of another cell than the unrolled graph.
func scanned(device kernel.Device, other func(b *builder, wx, rh *node) *node) func(t testing.TB, n models.Sample) {
	return func(t testing.TB, n models.Sample) {
		builds := 0
		Scan(t, device, func() *stepgraph.Graph {
			if builds++; builds > 1 && other != nil {
				m := *n.Network.(*models.Model)
				m.Cell = faulty{models.RNN{Hidden: 2}, other}
				return build(t, &m, stepgraph.Config{})
			}
			return build(t, n, stepgraph.Config{})
		}, NewProblem(build(t, n, stepgraph.Config{}), 5, 5, 1))
	}
}

// TestDevicesThatDiffer checks that two devices with different results are reported.
func TestDevicesThatDiffer(t *testing.T) {
	calls := 0
	n := network(t, func(b *builder, wx, rh *node) *node {
		if calls++; calls > 2 { // the first build draws the parameters, and the second trains on the first device
			rh = b.Scale(rh, 1.001)
		}
		return b.Tanh(b.Add(wx, rh))
	})
	devices := openDevices(t)
	if have := len(devices); have != len(cpu.Available())+2 {
		t.Errorf("%d devices, want each instruction set, several threads and the interpreter of GPU kernels", have)
	}
	if have := reports(t, func(t testing.TB) { checkDevices(t, n, devices[:2]) }); !strings.Contains(have, "digest after training on ") {
		t.Errorf("have the report %q, want one of the digests", have)
	}
}

// TestCheckRunsAllChecks checks which subtests of Check fail for a cell without a fault, for
// one whose gradient is wrong, and for one that differs on the last device. Check runs in
// another process, where it may fail.
func TestCheckRunsAllChecks(t *testing.T) {
	const variable = "CELLTEST_FAULTS"
	if os.Getenv(variable) != "" {
		calls, last := 0, 0
		check := func(name string, value func(b *builder, wx, rh *node) *node) {
			calls = 0
			t.Run(name, func(t *testing.T) {
				Check(t, faulty{models.RNN{Hidden: 2}, func(b *builder, wx, rh *node) *node { calls++; return value(b, wx, rh) }})
			})
		}
		check("right", func(b *builder, wx, rh *node) *node { return b.Tanh(b.Add(wx, rh)) })
		last = calls
		check("gradient", func(b *builder, wx, rh *node) *node { return b.Tanh(b.Add(wx, b.Mul(rh, b.StopGrad(rh)))) })
		check("device", func(b *builder, wx, rh *node) *node {
			if calls == last {
				rh = b.Scale(rh, 1.001)
			}
			return b.Tanh(b.Add(wx, rh))
		})
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.short")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, _ := cmd.CombinedOutput() // it fails
	want := map[string]string{}
	for _, cell := range []string{"right", "gradient", "device"} {
		for _, network := range []string{"language-model", "layers"} {
			for _, check := range []string{"graph", "gradient", "scan/training=true", "devices"} {
				verdict := "PASS"
				if cell == "gradient" && check == "gradient" || cell == "device" && network == "layers" && check == "devices" {
					verdict = "FAIL"
				}
				want[cell+"/"+network+"/"+check] = verdict
			}
		}
	}
	have := map[string]string{}
	for _, m := range regexp.MustCompile(`--- (\w+): `+t.Name()+`/(\w+/[\w-]+/(scan/)?[\w=]+) `).FindAllStringSubmatch(string(out), -1) {
		have[m[2]] = m[1]
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("subtests (-want +have):\n%s%s", diff, out)
	}
}
