package cuda_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cuda"
	"pushdown/harness/kernel/cuda/emulated"
	"pushdown/harness/kernel/kerneltest"
)

// replacing is a driver that replaces one PTX text by another.
type replacing struct {
	*emulated.Driver
	from, to string // Load loads to when it is called with from
}

func (d *replacing) Load(text string, names ...string) ([]cuda.Function, error) {
	if text == d.from {
		text = d.to
	}
	return d.Driver.Load(text, names...)
}

// survives reports whether the tests of op still pass when a faulty PTX text replaces the
// embedded one.
func survives(reference kernel.Device, op kernel.Op, from, to string) (alive bool) {
	defer func() {
		if r := recover(); r != nil {
			_ = r.(*kernel.Failure) // any other panic is an error of the test
			alive = false
		}
	}()
	drv := &replacing{emulated.NewDriver(), from, to}
	drv.Guard = guard
	drv.Machine.Limit = 1e7
	dev := cuda.New(drv)
	defer dev.Close()
	return kerneltest.Check(dev, reference, op) == nil &&
		(op != kernel.MatMul || kerneltest.Check(dev.Whole(), reference, op) == nil)
}

// usersOf returns, for each kernel, the operations that launch it. It also returns the
// names of the kernels, in a fixed order.
func usersOf() (users map[string][]kernel.Op, names []string) {
	users = map[string][]kernel.Op{}
	for op := range kernel.NumOps {
		for _, name := range cuda.KernelsOf(op) {
			if users[name] == nil {
				names = append(names, name)
			}
			users[name] = append(users[name], op)
		}
	}
	return users, names
}

// redundantBarriers holds, for each kernel, the number of barriers whose removal the tests
// cannot detect. Most of them end an addition of the partial sums of threads. Such a
// barrier protects the memory of these sums until it is used again, so it is redundant
// after the last addition of a kernel. One barrier of scatterfirst matters only in blocks
// of more than 64 threads, and the tests have no table wide enough for such blocks.
var redundantBarriers = map[string]int{
	"rowdot": 2, "sumsquares": 1, "sumblocks": 1, "softmax": 2, "softmaxgrad": 2, "crossentropy": 4, "scatterfirst": 1,
}

// TestRemovedBarriersAreFound removes each barrier of each kernel in turn. The tests must
// then fail, unless the barrier is redundant.
func TestRemovedBarriersAreFound(t *testing.T) {
	needLong(t)
	reference := genericCPU(t)
	tried := 0
	users, names := usersOf()
	for _, name := range names {
		text, err := cuda.TextOf(name)
		if err != nil {
			t.Fatal(err)
		}
		lines, inside, alive := strings.Split(text, "\n"), false, 0
		for i, l := range lines {
			if strings.HasPrefix(l, ".visible .entry ") {
				inside = strings.HasPrefix(l, ".visible .entry "+name+"(")
			}
			if !inside || !strings.Contains(l, "bar.sync") {
				continue
			}
			tried++
			without := slices.Clone(lines)
			without[i] = ""
			if !slices.ContainsFunc(users[name], func(op kernel.Op) bool {
				return !survives(reference, op, text, strings.Join(without, "\n"))
			}) {
				alive++
			}
		}
		if alive != redundantBarriers[name] {
			t.Errorf("%s: %d barriers are redundant, want %d", name, alive, redundantBarriers[name])
		}
	}
	if tried < 40 {
		t.Errorf("%d barriers, want those of all kernels", tried)
	}
}

// mutations are faulty changes of the CUDA sources. The tests of op must detect them.
var mutations = []struct {
	file, from, to string
	op             kernel.Op
}{
	{"matmul.cu", "only ? acc[i][j]", "only ? 0.0f + acc[i][j]", kernel.MatMul},                          // starts at +0, not at the first chunk
	{"matmul.cu", "sums[(i * TN + j) * threads] + acc[i][j];", "acc[i][j];", kernel.MatMul},              // keeps the last chunk only
	{"matmul.cu", "k < K - k0; k++", "k < BK; k++", kernel.MatMul},                                       // adds zeros beyond the edge of k
	{"matmul.cu", "inside && k0 + BK <= K", "inside", kernel.MatMul},                                     // loads beyond the edge of k
	{"matmul.cu", "inside && k0 + BK <= K", "k0 + BK <= K", kernel.MatMul},                               // loads beyond the last row
	{"matmul.cu", "put(half ^ 1);", "put(half);", kernel.MatMul},                                         // overwrites what other threads still read
	{"matmul.cu", "sum += from[(long)z * M * N];", "sum = from[(long)z * M * N] + 0.0f;", kernel.MatMul}, // keeps the last chunk only
	{"matmul.cu", "sum = *p + sum;", "sum = sum + 0.0f;", kernel.MatMul},                                 // sets instead of adds
	{"device.h", "chunk = 256", "chunk = 128", kernel.ColSum},                                            // another chunk size
	{"device.h", "chunk = 256", "chunk = 512", kernel.ColDot},
	{"device.h", "leaf = 4096", "leaf = 8192", kernel.RowDot},                                                                                          // another block size
	{"device.h", "if (t < half) p[t] += p[t + half];", "const float v = t < half ? p[2 * t] + p[2 * t + 1] : 0; BARRIER(); p[t] = v;", kernel.Softmax}, // folds neighbours, not halves
	{"device.h", "if (i < n) v[i] += term(i);", "v[i] += term(i);", kernel.SoftmaxGrad},                                                                // reads beyond a short row
	{"element.h", "power(half) * power(n - half)", "power(n)", kernel.Softmax},                                                                         // makes subnormal powers
	{"softmax.cu", "if (i == to) e = e - 1.0f;", "", kernel.CrossEntropyGrad},
	{"index.cu", "r / chunk != last", "last < 0", kernel.ScatterAdd}, // one chunk only
	{"stack.cu", "d < D - w ? *at(s, d + w, lds, c) : empty", "d <= D - w ? *at(s, d + w, lds, c) : empty", kernel.Stack},
	{"stack.cu", "float t = pop[c] * down;\n    t = FMA(push[c], up, t);", "float t = push[c] * up;\n    t = FMA(pop[c], down, t);", kernel.Stack}, // another order
	{"update.cu", "FMA(b2, v[i], less2 * g * g)", "FMA(b2, v[i], less2 * (g * g))", kernel.Adam},
	{"chance.cu", "k1 += 0xBB67AE85", "k1 += 0xBB67AE84", kernel.Dropout},
	{"chance.cu", "mean + sd * normal(word.w[i])", "FMA(sd, normal(word.w[i]), mean)", kernel.Noise},
}

// TestMutatedKernelsAreFound compiles the kernels with one mutation at a time and checks
// that the tests then fail.
func TestMutatedKernelsAreFound(t *testing.T) {
	needLong(t)
	needClang(t)
	reference := genericCPU(t)
	for _, m := range mutations {
		caught := false
		for _, name := range cuda.KernelsOf(m.op) {
			text, err := cuda.TextOf(name)
			if err != nil {
				t.Fatal(err)
			}
			if caught = !survives(reference, m.op, text, compileMutated(t, m.file, m.from, m.to, name)); caught {
				break
			}
		}
		if !caught {
			t.Errorf("%s with %q instead of %q: the tests of %v pass", m.file, m.to, m.from, m.op)
		}
	}
}

// mutated returns a device that runs a faulty version of the kernel with the given name.
// The version comes from compileMutated.
func mutated(t *testing.T, file, from, to, name string) *cuda.Device {
	t.Helper()
	text, err := cuda.TextOf(name)
	if err != nil {
		t.Fatal(err)
	}
	return cuda.New(&replacing{emulated.NewDriver(), text, compileMutated(t, file, from, to, name)})
}

// compileMutated replaces one text in a source file by another and compiles the sources
// again. It returns the new PTX text that defines the kernel with the given name.
func compileMutated(t *testing.T, file, from, to, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("ptx")); err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(source), from) {
		t.Fatalf("%s: no %q to replace", file, from)
	}
	if err := os.WriteFile(filepath.Join(dir, file), []byte(strings.ReplaceAll(string(source), from, to)), 0o666); err != nil {
		t.Fatal(err)
	}
	return compiled(t, dir, fileOf(t, name))
}
