package suite

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// FuzzValues parses an arbitrary text with each of the functions that parse an environment
// variable, except the one for paths. If a function accepts the text, the parsed value must
// stand for exactly that text. The error for a rejected text must name the variable.
func FuzzValues(f *testing.F) {
	for _, s := range []string{"", "1/1", "2/8", "08/9", "1/10000", "9223372036854775808/1", "256", "-0", "+1", "paper", "0", "1", "gpu,ptb", "ptb,,", "a\nb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		verdict := func(variable string, err error, ok bool) {
			if err != nil && !strings.HasPrefix(err.Error(), variable+": have ") {
				t.Errorf("%s=%q: error without a name: %v", variable, s, err)
			}
			if err == nil && s != "" && !ok {
				t.Errorf("%s=%q: accepted as something else", variable, s)
			}
		}
		shard, err := parseShard(s)
		verdict("PUSHDOWN_SHARD", err, shard.String() == s && shard.Index >= 1 && shard.Index <= shard.Count)
		threads, err := parseThreads(s)
		verdict("PUSHDOWN_THREADS", err, strconv.Itoa(threads) == s && threads >= 1)
		scale, err := parseScale(s, false)
		verdict("PUSHDOWN_SCALE", err, string(scale) == s)
		resume, only, err := parseResume(s, CI)
		verdict("PUSHDOWN_RESUME", err, resume == (s == "1" || s == "only") && only == (s == "only"))
		require, err := parseRequire(s)
		words := strings.Split(s, ",")
		slices.Sort(words)
		verdict("PUSHDOWN_REQUIRE", err, slices.Equal(words, require))
		device, err := parseDevice(s)
		verdict("PUSHDOWN_DEVICE", err, device == s)
	})
}
