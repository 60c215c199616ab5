package simd

import (
	"fmt"
	"math"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/rng"
)

// dropRates are rates around multiples of 2^-24 and rates that models use.
var dropRates = []float32{0, 0.1, 0.25, 0.5, 0.8, 1 - 0x1p-24, 0x1p-24, 0x1.8p-24, 0x1p-25, 0x1p-149, 0x1.fffffep-2, 0x1.000002p-2}

func TestDropoutMatchesFormula(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		for i, rate := range dropRates {
			for _, n := range testLengths(127, 128, 129, 600) {
				r := newRand(n, i)
				in := kernel.Instr{I: [3]int{int(r.Uint32()), int(r.Uint32())}, F: [2]float32{rate}}
				at := rng.At{Row: r.Uint32(), T: r.Uint32(), Update: r.Uint32()}
				keep := float32(1 / (1 - float64(rate)))
				stream := rng.FromKey([2]uint32{uint32(in.I[0]), uint32(in.I[1])})
				x := newVector(n, testDraws[i%len(testDraws)].make(r))
				want := func(_, j int) float32 {
					at.Unit = uint32(j / 4)
					if rng.Unit(stream.Block(at)[j%4]) >= rate {
						return x.at(0, j) * keep
					}
					return 0
				}
				var site Site
				site.Drop(&in)
				site.At([]int32{int32(at.Row), int32(at.T), int32(at.Update)})
				label := fmt.Sprintf("dropout of %d at rate %v", n, rate)
				dst := newVector(n, nil)
				randomFor(isa).Dropout(dst.ptr(), x.ptr(), n, &site)
				dst.want(t, label, want)
				dst = x.clone()
				randomFor(isa).Dropout(dst.ptr(), dst.ptr(), n, &site)
				dst.want(t, label+" in place", want)
			}
		}
	})
}

// TestDropoutBoundIsExact checks random words near Least, the least word that keeps an
// element. A word must be at least Least exactly when package rng turns it into a random
// number that is at least the rate.
func TestDropoutBoundIsExact(t *testing.T) {
	for _, rate := range dropRates {
		var site Site
		site.Drop(&kernel.Instr{F: [2]float32{rate}})
		for _, d := range []int64{-257, -256, -255, -1, 0, 1, 255, 256} {
			word := int64(site.Least) + d
			if word < 0 || word > math.MaxUint32 {
				continue
			}
			if have, want := word >= int64(site.Least), rng.Unit(uint32(word)) >= rate; have != want {
				t.Errorf("rate %v: word %#x is kept: %v, want %v", rate, word, have, want)
			}
		}
	}
}

// TestNoiseMatchesFormula takes the random words and the normal numbers from package rng.
func TestNoiseMatchesFormula(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		for i, sd := range []float32{0.05, 1, 0, -0.25, 1e38, 1e-44, float32(math.Inf(1)), float32(math.NaN())} {
			for _, n := range testLengths(127, 128, 129, 600) {
				r := newRand(n, i)
				in := kernel.Instr{I: [3]int{int(r.Uint32()), int(r.Uint32())}, F: [2]float32{float32(i%3) / 4, sd}}
				at := rng.At{Row: r.Uint32(), T: r.Uint32(), Update: r.Uint32()}
				stream := rng.FromKey([2]uint32{uint32(in.I[0]), uint32(in.I[1])})
				x := newVector(n, testDraws[i%len(testDraws)].make(r))
				want := func(_, j int) float32 {
					at.Unit = uint32(j / 4)
					return x.at(0, j) + (in.F[0] + float32(sd*rng.StandardNormal(stream.Block(at)[j%4])))
				}
				var site Site
				site.Disturb(&in)
				site.At([]int32{int32(at.Row), int32(at.T), int32(at.Update)})
				label := fmt.Sprintf("noise of %d with deviation %v", n, sd)
				dst := newVector(n, nil)
				randomFor(isa).Noise(dst.ptr(), x.ptr(), n, &site)
				dst.want(t, label, want)
				dst = x.clone()
				randomFor(isa).Noise(dst.ptr(), dst.ptr(), n, &site)
				dst.want(t, label+" in place", want)
			}
		}
	})
}

func BenchmarkDropout(b *testing.B) {
	for _, isa := range Available() {
		for _, n := range []int{12, 600} {
			x := make([]float32, n)
			var site Site
			site.Drop(&kernel.Instr{F: [2]float32{0.5}})
			k := randomFor(isa)
			b.Run(fmt.Sprintf("isa=%v/n=%d", isa, n), func(b *testing.B) {
				for b.Loop() {
					k.Dropout(&x[0], &x[0], n, &site)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/element")
			})
		}
	}
}
