package rng

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFrozen compares the output of every method with testdata/frozen.txt. No flag
// rewrites the file, because other numbers mean another version of the numeric contract
// and change every golden digest of the project.
func TestFrozen(t *testing.T) {
	path := filepath.Join("testdata", "frozen.txt")
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := frozen()
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// frozen prints the results of each method at a fixed set of coordinates. It prints
// floats in hexadecimal and in decimal.
func frozen() string {
	var out strings.Builder
	coordinates := []At{
		{}, {Unit: 1}, {Row: 1}, {T: 1}, {Update: 1}, {1, 2, 3, 4},
		{Unit: math.MaxUint32}, {math.MaxUint32, math.MaxUint32, math.MaxUint32, math.MaxUint32},
	}
	for _, id := range []struct {
		seed uint64
		name string
	}{{1, "init/W_o"}, {1, "init/b_o"}, {2, "init/W_o"}, {1 << 40, ""}} {
		s := New(id.seed, id.name)
		fmt.Fprintf(&out, "stream seed=%d name=%q key=%08x,%08x\n", id.seed, id.name, s.k0, s.k1)
		for _, at := range coordinates {
			fmt.Fprintf(&out, "at %v\n", at)
			fmt.Fprintf(&out, "  Block       %08x\n", s.Block(at))
			fmt.Fprintf(&out, "  Uint32      %08x\n", s.Uint32(at))
			for _, r := range [][2]float32{{0, 1}, {-0.1, 0.1}, {-3, 5}} {
				u := s.Uniform(at, r[0], r[1])
				fmt.Fprintf(&out, "  Uniform     %v %x %v\n", r, u, u)
			}
			f := s.Float64(at)
			fmt.Fprintf(&out, "  Float64     %x %v\n", f, f)
			z := s.Normal(at)
			fmt.Fprintf(&out, "  Normal      %x %v\n", z, z)
			fmt.Fprintf(&out, "  Bernoulli   1/4 %t, 1/2 %t, 3/4 %t\n", s.Bernoulli(at, 0.25), s.Bernoulli(at, 0.5), s.Bernoulli(at, 0.75))
			if at.T == 0 {
				// IntN rejects half of all words for n = 2^31+1, and a quarter for n =
				// 3*2^30.
				fmt.Fprintf(&out, "  IntN        1:%d 2:%d 10:%d 2^31+1:%d 3*2^30:%d 2^32-1:%d\n", s.IntN(at, 1), s.IntN(at, 2), s.IntN(at, 10),
					s.IntN(at, 1<<31+1), s.IntN(at, 3<<30), s.IntN(at, math.MaxUint32))
			}
		}
		for _, n := range []int{1, 5, 24} {
			for update := range uint32(2) {
				order := make([]int32, n)
				s.Perm(order, update)
				fmt.Fprintf(&out, "Perm        n=%d update=%d %v\n", n, update, order)
			}
		}
		for _, start := range [][2]uint32{{0, 0}, {0, 1}, {7, 0}} {
			q := s.Seq(start[0], start[1])
			fmt.Fprintf(&out, "Seq         string=%d attempt=%d", start[0], start[1])
			for range 9 {
				fmt.Fprintf(&out, " %08x", q.Uint32())
			}
			fmt.Fprintf(&out, " Float64 %x IntN(6)", q.Float64())
			for range 9 {
				fmt.Fprintf(&out, " %d", q.IntN(6))
			}
			fmt.Fprintf(&out, " IntN(2^31+1) %d\n", q.IntN(1<<31+1))
		}
	}
	return out.String()
}
