package ptxemu

import (
	"os"
	"testing"
)

// FuzzParse parses an arbitrary text and, if it is valid, runs its kernels. A launch may
// fault, but it must end.
func FuzzParse(f *testing.F) {
	f.Add(wrap(""))
	f.Add(wrap("@!%p1 bra A; ld.global.v2.f32 {%f1, %f2}, [%rd4+-8];\nA: bar.sync 0;"))
	f.Add(wrap("fma.rn.f32 %f1, 0f3F800000, %f1, %f2; setp.ltu.f32 %p1, %f1, %f2; selp.f32 %f1, %f1, %f2, %p1;"))
	f.Add(wrap("A: st.shared.v4.u32 [s+16], {%r1, %r1, %r1, 5}; /* x */ bra.uni A; // y"))
	f.Add(header + ".visible .entry k()\n.maxntid 64, 2\n{\n.pragma \"nounroll\";\nret;\n}")
	text, err := os.ReadFile("testdata/sum.ptx")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Fuzz(func(t *testing.T, text string) {
		module, err := Parse(text)
		if err != nil {
			return
		}
		m := NewMachine()
		m.Limit = 1000
		at := m.Alloc(64)
		for _, name := range module.Kernels() {
			k := module.Kernel(name)
			params := make([]byte, k.ParamBytes)
			for i := 0; i+8 <= len(params); i += 8 {
				copy(params[i:], pack(at))
			}
			_ = m.Launch(k, [3]uint32{2, 1, 1}, [3]uint32{1, 1, 1}, params) // may return a fault
		}
	})
}
