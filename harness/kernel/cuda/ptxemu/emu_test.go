package ptxemu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

const header = ".version 7.0\n.target sm_80\n.address_size 64\n"

// wrap returns a module with one kernel, named k, that consists of the given instructions.
// The kernel has two addresses as parameters and registers of every type.
func wrap(body string) string {
	return header + `.visible .entry k(.param .u64 to, .param .u64 from)
{
	.reg .pred %p<9>;
	.reg .b32 %r<19>;
	.reg .f32 %f<9>;
	.reg .b64 %rd<19>;
	.reg .f64 %fd<9>;
	.shared .align 16 .b8 s[256];
	.shared .align 4 .b8 u[8];
	ld.param.u64 %rd1, [to];
	ld.param.u64 %rd2, [from];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.s64 %rd4, %rd1, %rd3; // this thread's word of the result
	add.s64 %rd5, %rd2, %rd3; // ... of the operand
	cvt.u32.u64 %r2, %rd3;
	mov.u32 %r3, s;
	add.s32 %r4, %r3, %r2; // ... of s
` + body + `
	ret;
}
`
}

func parsed(t testing.TB, text string) *Kernel {
	t.Helper()
	m, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m.Kernel(m.Kernels()[0])
}

func pack(values ...uint64) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// try runs the kernel that wrap makes of the given instructions, and returns its result. The
// operand and the result have 64 words each. At the start, the operand holds 100, 101, ...;
// the first 56 words of the result hold -1, and its other words are undefined.
func try(t *testing.T, body string, grid, block uint32) ([]uint32, error) {
	t.Helper()
	k := parsed(t, wrap(body))
	m := NewMachine()
	m.Limit = 1 << 20
	to, from := m.Alloc(64), m.Alloc(64)
	for i := range uint64(64) {
		if err := m.Write(from+4*i, []uint32{uint32(100 + i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Fill(to, math.MaxUint32, 56); err != nil {
		t.Fatal(err)
	}
	err := m.Launch(k, [3]uint32{grid, 1, 1}, [3]uint32{block, 1, 1}, pack(to, from))
	x := make([]uint32, 64)
	if err := m.Read(x, to); err != nil {
		t.Fatal(err)
	}
	return x, err
}

// TestFaults provokes each fault. In each case the kernel body in the field bad must
// fault. The body in the field good is similar but must not fault.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name        string
		bad, good   string
		grid, block uint32
		says        []string
	}{
		{"load beyond the end", "ld.global.u32 %r5, [%rd2+256];", "ld.global.u32 %r5, [%rd2+252];", 1, 1, []string{"4 bytes at address", "nothing reserved", "thread [0 0 0]", "line 22", "ld.global.u32 %r5, [%rd2+256]"}},
		{"load before the start", "ld.global.u32 %r5, [%rd2+-4];", "ld.global.u32 %r5, [%rd2];", 1, 1, []string{"nothing reserved"}},
		{"half beyond the end", "ld.global.u64 %rd6, [%rd2+256];", "ld.global.u64 %rd6, [%rd2+248];", 1, 1, []string{"8 bytes"}},
		{"null", "mov.u64 %rd6, 0; st.global.u32 [%rd6], %r1;", "st.global.u32 [%rd4], %r1;", 1, 1, []string{"address 0x0 of global memory"}},
		{"one thread of many", "st.global.u32 [%rd4], %r1;", "st.global.u32 [%rd4], %r1;", 1, 0, []string{"thread [64 0 0]"}},
		{"misaligned", "ld.global.u32 %r5, [%rd2+2];", "ld.global.u32 %r5, [%rd2+4];", 1, 1, []string{"not aligned to 4 bytes"}},
		{"misaligned pair", "ld.global.v2.u32 {%r5, %r6}, [%rd2+4];", "ld.global.v2.u32 {%r5, %r6}, [%rd2+8];", 1, 1, []string{"not aligned to 8 bytes"}},
		{"misaligned four", "st.shared.v4.u32 [s+8], {%r1, %r1, %r1, %r1};", "st.shared.v4.u32 [s+16], {%r1, %r1, %r1, %r1};", 1, 1, []string{"not aligned to 16 bytes"}},
		{"shared beyond a variable", "st.shared.u32 [s+256], %r1;", "st.shared.u32 [s+252], %r1;", 1, 1, []string{"lie in no variable"}},
		{"shared before a variable", "st.shared.u32 [u+-4], %r1;", "st.shared.u32 [u+4], %r1;", 1, 1, []string{"lie in no variable"}},
		{"shared nowhere", "mov.u32 %r5, 0; st.shared.u32 [%r5], %r1;", "st.shared.u32 [%r4], %r1;", 1, 1, []string{"address 0x0 of shared memory"}},
		{"shared far away", "mov.u64 %rd6, -4; st.shared.u32 [%rd6], %r1;", "st.shared.u32 [%r4], %r1;", 1, 1, []string{"lie in no variable"}},

		{"register not set", "add.s32 %r5, %r6, 1;", "add.s32 %r5, %r1, 1;", 1, 1, []string{"reads a register that nothing set"}},
		{"register set by others", "setp.ne.u32 %p1, %r1, 3; @%p1 mov.u32 %r6, 1; add.s32 %r5, %r6, 1;", "mov.u32 %r6, 1; add.s32 %r5, %r6, 1;", 1, 8, []string{"thread [3 0 0]"}},
		{"register of the block before", "setp.eq.u32 %p1, %ctaid.x, 0; @%p1 mov.u32 %r6, 1; add.s32 %r5, %r6, 1;", "mov.u32 %r6, %ctaid.x; add.s32 %r5, %r6, 1;", 2, 1, []string{"block [1 0 0]"}},
		{"predicate not set", "@%p1 mov.u32 %r6, 1;", "setp.eq.u32 %p1, %r1, 0; @%p1 mov.u32 %r6, 1;", 1, 1, []string{"a predicate that nothing set"}},
		{"stored register not set", "st.global.u32 [%rd4], %r6;", "st.global.u32 [%rd4], %r1;", 1, 1, []string{"stores a register that nothing set"}},
		{"address not set", "st.global.u32 [%rd6], %r1;", "st.global.u32 [%rd4], %r1;", 1, 1, []string{"reads a register that nothing set"}},
		{"choice not set", "setp.eq.u32 %p1, %r1, 0; selp.b32 %r5, %r1, %r6, %p1;", "setp.eq.u32 %p1, %r1, 0; selp.b32 %r5, %r1, %r2, %p1;", 1, 1, []string{"reads a register"}},
		{"global not written", "ld.global.u32 %r5, [%rd1+224];", "ld.global.u32 %r5, [%rd1+220];", 1, 1, []string{"reads a word that nothing wrote"}},
		{"shared not written", "ld.shared.u32 %r5, [%r4];", "st.shared.u32 [%r4], %r1; ld.shared.u32 %r5, [%r4];", 1, 1, []string{"reads a word that nothing wrote"}},
		{"shared of the block before", "setp.eq.u32 %p1, %ctaid.x, 0; @%p1 st.shared.u32 [%r4], %r1; ld.shared.u32 %r5, [%r4];", "st.shared.u32 [%r4], %r1; ld.shared.u32 %r5, [%r4];", 2, 1, []string{"block [1 0 0]", "nothing wrote"}},

		{"shared read after write", "st.shared.u32 [%r4], %r1; xor.b32 %r5, %r2, 4; add.s32 %r5, %r5, %r3; ld.shared.u32 %r6, [%r5];",
			"st.shared.u32 [%r4], %r1; bar.sync 0; xor.b32 %r5, %r2, 4; add.s32 %r5, %r5, %r3; ld.shared.u32 %r6, [%r5];", 1, 64, []string{"races with thread", "wrote the word after the same barrier"}},
		{"shared write after read", "st.shared.u32 [%r4], %r1; bar.sync 0; xor.b32 %r5, %r2, 4; add.s32 %r5, %r5, %r3; ld.shared.u32 %r6, [%r5]; st.shared.u32 [%r4], %r6;",
			"st.shared.u32 [%r4], %r1; bar.sync 0; xor.b32 %r5, %r2, 4; add.s32 %r5, %r5, %r3; ld.shared.u32 %r6, [%r5]; bar.sync 0; st.shared.u32 [%r4], %r6;", 1, 64, []string{"races with", "read the word after the same barrier"}},
		{"shared write after several reads", "st.shared.u32 [%r4], %r1; bar.sync 0; ld.shared.u32 %r6, [s]; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [%r4], %r6;",
			"st.shared.u32 [%r4], %r1; bar.sync 0; ld.shared.u32 %r6, [s]; bar.sync 0; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [%r4], %r6;", 1, 3, []string{"races with other threads, which read"}},
		{"shared write after write", "st.shared.u32 [s], %r1;", "st.shared.u32 [%r4], %r1;", 1, 2, []string{"races with thread 0, which wrote"}},
		{"shared write of other warps", "st.shared.u32 [s], %r1;", "setp.eq.u32 %p1, %r1, 40; @%p1 st.shared.u32 [s], %r1;", 1, 64, []string{"races"}},
		{"global in a block", "st.global.u32 [%rd1], %r1;", "st.global.u32 [%rd4], %r1;", 1, 2, []string{"races with thread 0"}},
		{"global write of two blocks", "st.global.u32 [%rd4], %r1;", "mov.u32 %r5, %ctaid.x; mul.wide.u32 %rd6, %r5, 4; add.s64 %rd6, %rd6, %rd1; st.global.u32 [%rd6], %r1;", 2, 1, []string{"block [1 0 0]", "races with another block, which wrote"}},
		{"global write, then read", "setp.eq.u32 %p1, %ctaid.x, 0; @%p1 st.global.u32 [%rd4], %r1; ld.global.u32 %r5, [%rd4];", "setp.eq.u32 %p1, %ctaid.x, 0; @%p1 st.global.u32 [%rd4], %r1; ld.global.u32 %r5, [%rd5];", 2, 1, []string{"another block, which wrote"}},
		{"global read, then write", "ld.global.u32 %r5, [%rd4]; setp.eq.u32 %p1, %ctaid.x, 2; @%p1 st.global.u32 [%rd4], %r1;", "ld.global.u32 %r5, [%rd5]; setp.eq.u32 %p1, %ctaid.x, 2; @%p1 st.global.u32 [%rd4], %r1;", 3, 1, []string{"block [2 0 0]", "another block, which reads"}},
		{"global read elsewhere, then by all", "ld.global.u32 %r5, [%rd4]; bar.sync 0; ld.global.u32 %r5, [%rd4]; setp.eq.u32 %p1, %ctaid.x, 1; @%p1 st.global.u32 [%rd4], %r1;",
			"ld.global.u32 %r5, [%rd4]; bar.sync 0; ld.global.u32 %r5, [%rd4]; setp.eq.u32 %p1, %ctaid.x, 2; @%p1 st.global.u32 [%rd4], %r1;", 2, 1, []string{"another block, which reads"}},

		{"some leave before a barrier", "setp.ge.u32 %p1, %r1, 5; @%p1 ret; bar.sync 0;", "bar.sync 0; setp.ge.u32 %p1, %r1, 5; @%p1 ret;", 1, 8, []string{"this one has left the kernel", "thread [5 0 0]"}},
		{"a warp leaves before a barrier", "setp.ge.u32 %p1, %r1, 32; @%p1 ret; bar.sync 0;", "bar.sync 0; setp.ge.u32 %p1, %r1, 32; @%p1 ret;", 1, 64, []string{"this one has left the kernel", "thread [32 0 0]"}},
		{"different barriers", "setp.ge.u32 %p1, %r1, 5; @%p1 bra A; bar.sync 0; bra.uni B;\nA: bar.sync 0;\nB:", "setp.ge.u32 %p1, %r1, 5; @%p1 bra A; mov.u32 %r5, 1; bra.uni B;\nA: mov.u32 %r5, 2;\nB: bar.sync 0;", 1, 8, []string{"waits at line 23"}},
		{"parting by bra.uni", "setp.ge.u32 %p1, %r1, 5; @%p1 bra.uni A; mov.u32 %r5, 1;\nA:", "setp.ge.u32 %p1, %r1, 5; @%p1 bra A; mov.u32 %r5, 1;\nA:", 1, 8, []string{"bra.uni diverges"}},
		{"division by zero", "div.u32 %r5, 7, %r1;", "add.s32 %r5, %r1, 1; rem.u32 %r5, 7, %r5;", 1, 4, []string{"divides by zero", "thread [0 0 0]"}},
		{"a loop without end", "A: add.s32 %r1, %r1, 1; bra.uni A;", "A: add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9000; @%p1 bra A;", 1, 1, []string{"still running after 1048577 instructions"}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			block := c.block
			if block == 0 {
				block = 65
			}
			_, err := try(t, c.bad, c.grid, block)
			var f *Fault
			if !errors.As(err, &f) {
				t.Fatalf("error %v, want a fault", err)
			}
			for _, s := range c.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("fault %q does not say %q", err, s)
				}
			}
			if _, err := try(t, c.good, c.grid, max(1, c.block)); err != nil {
				t.Errorf("without the fault: %v", err)
			}
		})
	}
}

// TestDivergentLoops runs a loop that contains a branch. The number of iterations is the
// thread's number.
func TestDivergentLoops(t *testing.T) {
	x, err := try(t, `
	mov.u32 %r5, 0;
	mov.u32 %r6, 0;
LOOP:
	setp.ge.u32 %p1, %r6, %r1;
	@%p1 bra DONE;
	and.b32 %r7, %r6, 1;
	setp.eq.u32 %p2, %r7, 0;
	@!%p2 bra ODD;
	add.s32 %r5, %r5, 10;
	bra.uni NEXT;
ODD:
	add.s32 %r5, %r5, 1;
NEXT:
	add.s32 %r6, %r6, 1;
	bra.uni LOOP;
DONE:
	bar.sync 0;
	st.global.u32 [%rd4], %r5;`, 1, 50)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 56 {
		want := uint32((i+1)/2*10 + i/2)
		if i >= 50 {
			want = math.MaxUint32
		}
		if x[i] != want {
			t.Errorf("thread %d: %d, want %d", i, x[i], want)
		}
	}
}

// TestThreadsReconverge checks that, after a divergent branch, all threads of a warp run
// the following code together.
func TestThreadsReconverge(t *testing.T) {
	k := parsed(t, wrap("and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0; @%p1 bra A; mov.u32 %r6, 1; bra.uni B;\nA: mov.u32 %r6, 2;\nB: add.s32 %r6, %r6, 1;"))
	m := NewMachine()
	joins := 0
	for i := range k.code {
		if fn := k.code[i].fn; k.code[i].text == "add.s32 %r6, %r6, 1" {
			k.code[i].fn = func(d, a, b, c *lanes) { joins++; fn(d, a, b, c) }
		}
	}
	if err := m.Launch(k, [3]uint32{1, 1, 1}, [3]uint32{32, 1, 1}, pack(0, 0)); err != nil {
		t.Fatal(err)
	}
	if joins != 1 {
		t.Errorf("code after a branch ran %d times, want once", joins)
	}
}

// TestIndicesOfThreads runs a three-dimensional grid of three-dimensional blocks.
func TestIndicesOfThreads(t *testing.T) {
	m := NewMachine()
	grid, block := [3]uint32{2, 3, 2}, [3]uint32{4, 3, 5}
	n := 60 * 12
	to := m.Alloc(n)
	k := parsed(t, wrap(`
	mov.u32 %r5, %ctaid.z; mad.lo.s32 %r5, %r5, %nctaid.y, %ctaid.y; mad.lo.s32 %r5, %r5, %nctaid.x, %ctaid.x;
	mad.lo.s32 %r5, %r5, %ntid.z, %tid.z; mad.lo.s32 %r5, %r5, %ntid.y, %tid.y; mad.lo.s32 %r5, %r5, %ntid.x, %tid.x;
	mul.wide.u32 %rd6, %r5, 4; add.s64 %rd6, %rd6, %rd1; st.global.u32 [%rd6], %r5;`))
	if err := m.Launch(k, grid, block, pack(to, to)); err != nil {
		t.Fatal(err)
	}
	x := make([]uint32, n)
	if err := m.Read(x, to); err != nil {
		t.Fatal(err)
	}
	for i, v := range x {
		if v != uint32(i) {
			t.Fatalf("word %d is %d", i, v)
		}
	}
}

// TestValuesPassThroughMemory stores and loads values of every width.
func TestValuesPassThroughMemory(t *testing.T) {
	x, err := try(t, `
	ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd2];
	st.shared.v4.u32 [s+32], {%r8, %r7, %r6, %r5};
	ld.shared.v2.u64 {%rd6, %rd7}, [s+32];
	st.global.v2.u64 [%rd1], {%rd7, %rd6};
	ld.shared.f32 %f1, [s+36];
	st.global.f32 [%rd1+16], %f1;
	mov.u32 %r9, -2;
	st.global.u32 [%rd1+20], %r9;
	ld.global.s32 %rd8, [%rd1+20];
	ld.global.u32 %rd9, [%rd1+20];
	st.global.u64 [%rd1+24], %rd8;
	st.global.u64 [%rd1+32], %rd9;
	mov.u64 %rd10, u;
	st.shared.u32 [%rd10+4], 77;
	ld.shared.u32 %r10, [u+4];
	st.global.u32 [%rd1+40], %r10;
	mov.f64 %fd1, 0d3FF8000000000000;
	st.global.f64 [%rd1+48], %fd1;
	mov.f32 %f2, 0f3FC00000;
	st.global.f32 [%rd1+56], %f2;`, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []uint32{101, 100, 103, 102, 102, math.MaxUint32 - 1, math.MaxUint32 - 1, math.MaxUint32, math.MaxUint32 - 1, 0, 77, math.MaxUint32, 0, 0x3ff80000, 0x3fc00000}
	if got := fmt.Sprint(x[:len(want)]); got != fmt.Sprint(want) {
		t.Errorf("memory holds %v, want %v", got, want)
	}
}

// TestLaunchesAreChecked checks the errors of launches that no GPU accepts.
func TestLaunchesAreChecked(t *testing.T) {
	k := parsed(t, strings.Replace(wrap(""), "\n{", "\n.maxntid 64, 2, 1\n.minnctapersm 2\n{", 1))
	m := NewMachine()
	to := m.Alloc(1)
	for _, c := range []struct {
		grid, block [3]uint32
		params      []byte
		says        string
	}{
		{[3]uint32{1, 1, 0}, [3]uint32{1, 1, 1}, pack(to, to), "want at least 1 along each axis"},
		{[3]uint32{1, 1 << 16, 1}, [3]uint32{1, 1, 1}, pack(to, to), "want at least 1 along each axis"},
		{[3]uint32{1, 1, 1}, [3]uint32{0, 1, 1}, pack(to, to), "want at least 1 along each axis"},
		{[3]uint32{1, 1, 1}, [3]uint32{1, 1, 65}, pack(to, to), "want at least 1 along each axis"},
		{[3]uint32{1, 1, 1}, [3]uint32{43, 3, 1}, pack(to, to), "blocks of 129 threads, want at most 128"},
		{[3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, pack(to), "8 bytes of parameters, want 16"},
	} {
		err := m.Launch(k, c.grid, c.block, c.params)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("grid %v, blocks %v: error %v, want one that says %q", c.grid, c.block, err, c.says)
		}
	}
	if err := m.Launch(k, [3]uint32{1, 1, 1}, [3]uint32{64, 2, 1}, pack(to, to)); err != nil {
		t.Error(err)
	}
	wide := parsed(t, wrap(""))
	if err := m.Launch(wide, [3]uint32{1, 1, 1}, [3]uint32{1024, 2, 1}, pack(to, to)); err == nil || !strings.Contains(err.Error(), "2048 threads, want at most 1024") {
		t.Errorf("a block of 2048 threads: %v", err)
	}
}

// TestMemoryIsReserved checks that the host can access only reserved global memory.
func TestMemoryIsReserved(t *testing.T) {
	m := NewMachine()
	a, b := m.Alloc(3), m.Alloc(5)
	if a%alignment != 0 || b%alignment != 0 || b < a+12 {
		t.Errorf("addresses %#x and %#x", a, b)
	}
	if err := m.Write(b+8, []uint32{1, 2, 3}); err != nil {
		t.Error(err)
	}
	x := make([]uint32, 2)
	if err := m.Read(x, b+12); err != nil || x[0] != 2 || x[1] != 3 {
		t.Errorf("read %v, %v", x, err)
	}
	for name, err := range map[string]error{ // the order does not matter
		"write beyond":       m.Write(b+12, []uint32{1, 2, 3}),
		"write misaligned":   m.Write(b+2, []uint32{1}),
		"read beyond":        m.Read(make([]uint32, 4), a),
		"fill before":        m.Fill(a-4, 0, 2),
		"free of the middle": m.Free(a + 4),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := m.Free(a); err != nil {
		t.Error(err)
	}
	if err := m.Fill(a, 0, 1); err == nil {
		t.Error("freed memory can be written")
	}
	if err := m.Read(nil, 0); err != nil {
		t.Error(err)
	}
}

// TestTimesRestart checks that a launch resets the machine's times, which number the
// intervals between barriers, before they overflow.
func TestTimesRestart(t *testing.T) {
	k := parsed(t, wrap("st.shared.u32 [%r4], %r1; bar.sync 0; ld.shared.u32 %r5, [s]; st.global.u32 [%rd4], %r5;"))
	m := NewMachine()
	to := m.Alloc(64)
	for range 3 {
		m.now = math.MaxUint32/2 + 1
		if err := m.Launch(k, [3]uint32{1, 1, 1}, [3]uint32{64, 1, 1}, pack(to, to)); err != nil {
			t.Fatal(err)
		}
		if m.now > 100 {
			t.Fatalf("time is %d after a restart, want at most 100", m.now)
		}
	}
}

// TestLaunchesAllocateNothing checks that the second launch of a kernel makes no
// allocations.
func TestLaunchesAllocateNothing(t *testing.T) {
	k := parsed(t, wrap("setp.ge.u32 %p1, %r1, 5; @%p1 bra A; st.shared.u32 [%r4], %r1;\nA: bar.sync 0; ld.shared.u32 %r5, [s]; st.global.u32 [%rd4], %r5;"))
	m := NewMachine()
	to := m.Alloc(64)
	params := pack(to, to)
	if n := testing.AllocsPerRun(3, func() {
		if err := m.Launch(k, [3]uint32{1, 1, 1}, [3]uint32{64, 1, 1}, params); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("a launch makes %v allocations", n)
	}
}
