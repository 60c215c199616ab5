package verdict

import "testing"

// TestSplitMix compares the outputs for seed 1234567 with published ones. It checks
// that pick is uniform and that two groups have different streams.
func TestSplitMix(t *testing.T) {
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if have := splitMix(1234567, uint64(i)); have != want {
			t.Errorf("output %d: have %d, want %d", i, have, want)
		}
	}
	const n, draws = 7, 70_000
	var count [n]int
	r := newResampler("test=pick")
	for d := range draws {
		count[r.pick(d, d%3, n)]++
	}
	for i, c := range count {
		if c < 9_600 || 10_400 < c { // 10,000 within 4.3 standard deviations
			t.Errorf("index %d: have %d picks of %d, want about %d", i, c, draws, draws/n)
		}
	}
	if a, b := newResampler("test=a"), newResampler("test=b"); a == b {
		t.Error("two groups have one stream, want two")
	}
}
