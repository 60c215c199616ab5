package formal

import (
	"fmt"
	"testing"
)

// BenchmarkSample draws the 24,000 strings of a published corpus.
func BenchmarkSample(b *testing.B) {
	for _, m := range []int{4, 6, 8} {
		b.Run(fmt.Sprintf("k=2/m=%d", m), func(b *testing.B) {
			lang := NewBoundedDyck(2, m)
			tokens := 0
			for b.Loop() {
				c, err := lang.Sample(1, Train, 24_000)
				if err != nil {
					b.Fatal(err)
				}
				tokens += c.Tokens()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(tokens), "ns/token")
		})
	}
}
