package regression

import (
	"fmt"
	"strings"
	"testing"
)

// FuzzJudge checks what must hold for any two texts: nothing panics, a text does not
// differ from itself, and the verdict is "no loss" only if there are comparisons and
// all of them have enough samples.
func FuzzJudge(f *testing.F) {
	const line = "BenchmarkA-2 1 7 ns/op 3 GFLOP/s 0 allocs/op\n"
	good := header
	for range 16 {
		good += line
	}
	for _, s := range []string{
		"", header, header + line, good, "round: 1\n" + good, good + "FAIL\n", good + "--- FAIL: X", good + "BenchmarkA-2 1 0 ns/op\n",
		good + "pkg: q\n" + line, good + "cpu: other\n" + line, "Unit GFLOP/s better=lower\n" + good, "Unit ns/op better=up assume=exact\n" + good,
		good + "BenchmarkA-2 1 NaN ns/op\n", good + "BenchmarkA-2 1 1e999 ns/op\n", "\x00\xff\nBenchmark\xff 1 2 ns/op\n", "Benchmark 1 1 sec/op 1 ns/op\n",
		"Unit p50-ns/s\nUnit x y\nUnit\n", "a:\nb:\t\nÄ: x\n" + good,
	} {
		f.Add([]byte(s), []byte(good))
		f.Add([]byte(good), []byte(s))
	}
	f.Fuzz(func(t *testing.T, base, head []byte) {
		for _, rep := range []*Report{
			Judge(Text{"base", base}, Text{"head", head}, loss),
			Judge(Text{"base", head}, Text{"head", base}, loss),
		} {
			if !strings.HasSuffix(rep.String(), fmt.Sprintf("(status %d)\n", rep.Status())) {
				t.Errorf("have\n%s", rep)
			}
			if rep.Status() != NoLoss {
				continue
			}
			if len(rep.Rows) == 0 {
				t.Errorf("no loss without rows: %v", rep.Warnings)
			}
			for _, row := range rep.Rows {
				if row.Outcome == Lost || row.Outcome == TooFewSamples || row.Outcome != Gained && row.Have < row.Need {
					t.Errorf("no loss with %+v", row)
				}
			}
		}
		for _, x := range [][]byte{base, head} {
			for _, row := range Judge(Text{"base", x}, Text{"head", x}, loss).Rows {
				if row.Outcome != Same && row.Outcome != TooFewSamples {
					t.Errorf("%q differs from itself: %+v", x, row)
				}
			}
		}
	})
}
