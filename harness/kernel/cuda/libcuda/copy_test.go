//go:build linux && (amd64 || arm64) && !purego

package libcuda

import (
	"errors"
	"slices"
	"testing"

	"pushdown/harness/kernel/cuda"
)

// TestCopies uploads from the same slice many times, in total more words than the pinned
// memory holds. It then reads all words back. The test runs once with pinned memory and once
// with a driver that has none.
func TestCopies(t *testing.T) {
	for _, flags := range [][]string{{"-DMOST=(1<<28)"}, {"-DMOST=(1<<28)", "-DUNPINNED"}} {
		d, err := open([]string{standIn(t, flags...)})
		if err != nil {
			t.Fatal(err)
		}
		if have, want := d.pinned.base != 0, len(flags) == 1; have != want {
			t.Fatalf("%v: have pinned memory: %v, want %v", flags, have, want)
		}
		const most = pinnedUp/4 + 100 // words
		p, err := d.Alloc(40 * most)
		if err != nil {
			t.Fatal(err)
		}
		x, at := make([]uint32, most), 0
		var want []uint32
		for i, n := range []int{1, 7, 1000, pinnedUp / 16, pinnedUp / 8, pinnedUp / 8, 3, most, pinnedUp/4 - 1, pinnedUp / 4, 5, pinnedDown / 4, 1} {
			for j := range n {
				x[j] = uint32(i*most + j)
			}
			if err := d.Upload(p+4*cuda.Pointer(at), x[:n]); err != nil {
				t.Fatal(err)
			}
			want = append(want, x[:n]...)
			at += n
			if i%5 == 4 { // a download empties the queue of uploads
				got := make([]uint32, n)
				if err := d.Download(got, p+4*cuda.Pointer(at-n)); err != nil || !slices.Equal(got, x[:n]) {
					t.Fatalf("%v: upload %d of %d words: downloaded other words (%v)", flags, i, n, err)
				}
			}
			clear(x)
		}
		for _, n := range []int{1, pinnedDown/4 - 1, pinnedDown / 4, pinnedDown/4 + 1, len(want)} {
			got := make([]uint32, n)
			if err := d.Download(got, p); err != nil || !slices.Equal(got, want[:n]) {
				t.Errorf("%v: %d words: downloaded other words than were uploaded (%v)", flags, n, err)
			}
		}
		if err := errors.Join(d.Free(p), d.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestGraphsRepeatLaunches records three launches in a graph and launches the graph twice.
func TestGraphsRepeatLaunches(t *testing.T) {
	d := opened(t)
	fns, err := d.Load("adds other", "adds", "other")
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.Alloc(4)
	if err != nil {
		t.Fatal(err)
	}
	one := [3]uint32{1, 1, 1}
	launch := func(at, x uint32) error {
		return d.Launch(fns[0], one, [3]uint32{2, 1, 1}, params(p+4*cuda.Pointer(at), x))
	}
	holds := func(want ...uint32) {
		t.Helper()
		got := make([]uint32, 4)
		if err := d.Download(got, p); err != nil || !slices.Equal(got, want) {
			t.Errorf("memory holds %v, want %v (%v)", got, want, err)
		}
	}
	if err := errors.Join(d.Clear(p, 4), d.BeginRecord(), launch(0, 1), launch(1, 10), launch(2, 100)); err != nil {
		t.Fatal(err)
	}
	wantError(t, d.BeginRecord(), "a graph is being recorded")
	holds(0, 0, 0, 0)
	g, err := d.EndRecord()
	if err != nil {
		t.Fatal(err)
	}
	holds(0, 0, 0, 0)
	if err := errors.Join(d.LaunchGraph(g), launch(0, 1000), d.LaunchGraph(g)); err != nil {
		t.Fatal(err)
	}
	holds(1002, 1022, 220, 200)
	if err := d.BeginRecord(); err != nil {
		t.Fatal(err)
	}
	wantError(t, d.Launch(fns[1], one, one, params(p, 5)), "cuGraphAddKernelNode: CUDA_ERROR_ILLEGAL_ADDRESS (700)")
	empty, err := d.EndRecord()
	if err := errors.Join(err, d.LaunchGraph(empty), d.DestroyGraph(empty), d.DestroyGraph(g), launch(3, 1)); err != nil {
		t.Error(err)
	}
	holds(1002, 1022, 220, 201)
	if err := errors.Join(d.Free(p), d.Close()); err != nil {
		t.Error(err)
	}
	old, err := open([]string{standIn(t, "-DNOGRAPHS")})
	if err != nil {
		t.Fatal(err)
	}
	if err := old.BeginRecord(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a driver without graphs records: %v", err)
	}
	if err := old.Close(); err != nil {
		t.Error(err)
	}
}
