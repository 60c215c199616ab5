package recognition

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/models"
)

// TestExchange trains small networks, writes what they predict for the strings of all parts in
// the format of package exchange, and scores it. The values must be exactly those that Measure
// returns.
func TestExchange(t *testing.T) {
	dev := suite.Open(t)
	for i, n := range []Network{LSTM, DiffStkRNN, StackRNN} {
		e := printed(tables[i].table, []string{"D2", "D6", "palindrome-mapped-unmarked"}[i], n).batched().Smoke()
		x := suitetest.Must(e.Build(1))(t)
		res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t)
		measured := suitetest.Must(e.Measure(dev, x, res))(t)
		set := suitetest.Must(e.Exchange())(t)
		lang, parts := suitetest.Must2(e.strings())(t)
		var records strings.Builder
		for _, part := range parts {
			build := e.build(formal.Symbols(lang), longest(parts[0]), longest(parts...))
			suitetest.Must(train.Evaluate(build, dev, NewStrings(lang, part, 1), 1, res.Params, func(o *train.BatchOutput) error {
				logits := suitetest.Must(o.Output(models.OutputLogits, formal.Symbols(lang)))(t)
				yhat := suitetest.Must(o.Output(models.OutputValid, 1))(t)
				first := make([]string, len(part.Body(o.Index)))
				for t := range first {
					best := float32(0)
					for s, token := range set.Alphabet {
						if x := logits[t*formal.Symbols(lang)+s]; slices.Contains(set.Closing, token) && (first[t] == "" || x > best) {
							first[t], best = token, x
						}
					}
				}
				fmt.Fprintf(&records, `{"split":%q,"string":%d,"yhat":%s,"first":%s}`+"\n", part.Part.Name, o.Index, text(t, yhat), text(t, first))
				return nil
			}))(t)
		}
		suitetest.CheckScore(t, set, records.String(), measured.Value, string(n))
	}
}

func text(t *testing.T, list any) []byte { return suitetest.Must(json.Marshal(list))(t) }

// TestLabels compares what is exported about a few strings with what was worked out by hand.
func TestLabels(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"D2", "([])", "([ true,()[ false,([] false,()[ false,([ true,"},
		{"palindrome", "abcba", "abc false,abc false,abc false,b false,a false, true,"},
		{"palindrome-mapped-unmarked", "abBA", "ab true,abA false,abB false,A false, true,"},
	} {
		lang := suitetest.Must(formal.LanguageOf(c.language))(t)
		part := suitetest.Must(formal.LabelStrings(lang, formal.Test, c.text))(t)
		have := ""
		nextSymbols(lang, part)(0, func(symbols []int32, end bool) {
			list := make([]uint8, len(symbols))
			for i, s := range symbols {
				list[i] = uint8(s)
			}
			have += fmt.Sprintf("%s %t,", formal.Text(lang, list), end)
		})
		suitetest.Equal(t, c.want, have, "%s: what may follow the prefixes of %s", c.language, c.text)
	}
	parts := suitetest.Must(printed("1", "D2", LSTM).Smoke().Exchange())(t).Splits
	count := map[int]int{}
	for _, s := range parts {
		for i := range s.Strings {
			if !s.Labels.Valid(i) {
				count[s.Labels.Edits(i)]++
			}
		}
	}
	if len(count) != 3 || count[0] < count[1] || count[1] == 0 || count[3] == 0 {
		t.Errorf("have the numbers of edits %v, want 0 for most, 1 and 3", count)
	}
}
