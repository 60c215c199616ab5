package cpu

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// wantError fails the test unless err is an error whose text contains all of the given
// strings.
func wantError(t *testing.T, err error, says ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one that says %q", says)
		return
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not say %q", err, s)
		}
	}
}

func TestNewRefusesBadOptions(t *testing.T) {
	for _, c := range []struct {
		opts Options
		says []string
	}{
		{Options{Threads: -1}, []string{"cpu: threads: have -1", "want 1 to 256"}},
		{Options{Threads: 257}, []string{"cpu: threads: have 257", "want 1 to 256"}},
		{Options{ISA: -1}, []string{"instruction set: have -1", "want one of generic"}},
		{Options{ISA: ISA(len(AllISAs()))}, []string{"instruction set: have 4", "want one of generic"}},
	} {
		d, err := New(c.opts)
		wantError(t, err, c.says...)
		if d != nil {
			t.Errorf("%+v: a device beside the error", c.opts)
		}
	}
}

func TestDeviceNames(t *testing.T) {
	for _, isa := range Available() {
		for threads, want := range map[int]string{0: "cpu/" + isa.String(), 1: "cpu/" + isa.String(), 3: "cpu/" + isa.String() + "/threads=3"} {
			d, err := New(Options{ISA: isa, Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			if d.String() != want || d.ISA() != isa {
				t.Errorf("device of %v and %d threads is %v with %v, want %s", isa, threads, d, d.ISA(), want)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestISAFromEnv(t *testing.T) {
	t.Setenv("PUSHDOWN_ISA", "")
	if isa, err := ISAFromEnv(); err != nil || isa != Best() {
		t.Errorf("without a choice: %v, %v, want %v", isa, err, Best())
	}
	for _, i := range AllISAs() {
		t.Setenv("PUSHDOWN_ISA", i.String())
		isa, err := ISAFromEnv()
		if slices.Contains(Available(), i) {
			if err != nil || isa != i {
				t.Errorf("PUSHDOWN_ISA=%v: %v, %v", i, isa, err)
			}
		} else {
			wantError(t, err, "PUSHDOWN_ISA: have "+i.String(), "want one of generic")
		}
	}
	for _, name := range []string{"AVX2", "avx", "avx2 ", "sse", "best"} {
		t.Setenv("PUSHDOWN_ISA", name)
		_, err := ISAFromEnv()
		wantError(t, err, "PUSHDOWN_ISA: have "+strconv.Quote(name), "want one of generic")
	}
}

func TestArenasAreAligned(t *testing.T) {
	d, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, words := range []int{1, 15, 1000, 1 << 20} {
		a, err := d.NewArena(words)
		if err != nil {
			t.Fatal(err)
		}
		if at := uintptr(unsafe.Pointer(a.(*arena).f32(0))); at%64 != 0 {
			t.Errorf("an arena of %d words starts at %#x, want a multiple of 64", words, at)
		}
		for range 2 { // closing a second time has no effect
			if err := a.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	for _, words := range []int{-1, mostWords() + 1, math.MaxInt/4 + 1, math.MaxInt} {
		_, err := d.NewArena(words)
		wantError(t, err, "cpu: arena of", "want 0 to")
	}
}
