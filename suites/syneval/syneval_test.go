package syneval

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pushdown/corpora/text"
	"pushdown/golden/papers"
	"pushdown/harness/batch"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/harness/verdict"
	"pushdown/models"
	"pushdown/suites/lm"
	"pushdown/suites/wikitext"
)

func TestMain(m *testing.M) { Suite.Main(m) }

func TestTable3(t *testing.T) { Suite.Run(t) }

func TestSuite(t *testing.T) { suitetest.Run(t, &Suite, nil) }

// TestCategories counts the pairs of each category in the whole test set. The numbers are
// those of its publication.
func TestCategories(t *testing.T) {
	list, err := items(false)
	var missing *suite.Missing
	if errors.As(err, &missing) {
		suite.Skip(t, missing.Need, missing.Reason, missing.Remedy)
	}
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"agreement-simple": 140, "agreement-complement": 1680, "agreement-short-vp": 840, "agreement-long-vp": 400,
		"agreement-preposition": 22400, "agreement-subject-relative": 11200,
		"agreement-across-relative": 22400, "agreement-across-relative-no-that": 22400, "agreement-in-relative": 22400, "agreement-in-relative-no-that": 22400,
		"reflexive-simple": 280, "reflexive-complement": 3360, "reflexive-across-relative": 22400,
		"simple-gi": 264, "simple-iu": 264, "simple-gu": 264, "cross-gi": 10560, "cross-iu": 10560, "cross-gu": 10560,
	}
	if len(Categories()) != len(want) {
		t.Errorf("have %d categories, want %d", len(Categories()), len(want))
	}
	for _, c := range Categories() {
		n := 0
		for _, x := range list {
			if c.of(x) {
				n++
			}
		}
		if n != want[c.Name] {
			t.Errorf("%s: have %d pairs, want %d", c.Name, n, want[c.Name])
		}
	}
	if !slices.ContainsFunc(list, func(x Item) bool { return slices.Contains(x.Sentences, example) }) {
		t.Errorf("the test set does not have %q", example)
	}
	if have := strings.Fields(example)[verb-1]; have != "like" {
		t.Errorf("word %d of the example is %q, want like", verb, have)
	}
}

// TestLabels checks that the page of results has a label for each category: the paper's, or one of
// the table's shape for the categories that the paper does not print.
func TestLabels(t *testing.T) {
	shapes := papers.Shapes()
	shape := shapes[slices.IndexFunc(shapes, func(s papers.Shape) bool { return s.Paper == "second-order-lstm" && s.Table == "3" })]
	labels := map[string]bool{}
	for _, name := range names() {
		printed := slices.ContainsFunc(papers.Published().Numbers, func(c papers.Number) bool {
			return c.Paper == shape.Paper && c.Table == shape.Table && c.Row == name
		})
		label := shape.Unprinted[name]
		if printed == (label != "") {
			t.Errorf("%s: printed %t, label %q, want a label just for categories that are not printed", name, printed, label)
		}
		if label != "" {
			labels[label] = true
		}
	}
	if len(labels) != len(shape.Unprinted) {
		t.Errorf("have %d different labels of categories, want %d: others are of no category or are equal", len(labels), len(shape.Unprinted))
	}
}

// TestSample checks that the sample has five items of each test.
func TestSample(t *testing.T) {
	list, err := items(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Categories() {
		for _, test := range c.Tests {
			n := 0
			for _, x := range list {
				if x.Test == test {
					n++
				}
			}
			if n != 5 {
				t.Errorf("the sample has %d items of %s, want 5", n, test)
			}
		}
	}
}

// TestParse checks what is accepted and which errors bad files have.
func TestParse(t *testing.T) {
	const head = "test\tcondition\tgrammatical\tungrammatical\n"
	list, err := Parse("a", []byte(head+"simple_agrmt\tplur\tthe \"author\" laughs\tthe author laugh\n"))
	if err != nil || len(list) != 1 || list[0].Sentences[0] != `the "author" laughs` {
		t.Errorf("have %q and error %v, want one item", list, err)
	}
	for _, c := range []struct{ text, want string }{
		{"", "have 0 lines, want a header and items"},
		{head, "have 1 lines, want a header and items"},
		{head + "simple_agrmt\tplur\tthe author laughs\tthe author laughs\n", "want a sentence unlike those before it"},
		{head + "simple_agrmt\tplur\tthe author laughs\tthe author\n", "with as many words"},
		{head + "simple_agrmt\tplur\tthe author\xff\tthe author\n", "not UTF-8"},
		{"test\tcondition\tgood\tbad\n", "want \"test\\tcondition\\tgrammatical\\tungrammatical\""},
		{"test\n", "have the header"},
		{head + "simple_agrmt\tplur\tthe author laughs\n", "a:2: have 3 fields separated by tabs, want 4"},
		{head + "\n", "a:2: have 1 fields"},
		{head + "simple_agrmt\tplur\tthe author laughs\t\n", "a:2: have the ungrammatical \"\""},
		{head + "simple_agrmt\tplur\tthe  author laughs\tthe author laugh\n", "a:2: have the grammatical"},
		{head + "simple_agrmt\tplur\tthe author laughs\tthe author laugh\nsimple\tplur\ta\tb\n", "a:3: have the test \"simple\""},
		{head + "simple_npi_anim\tpast\tno author\tmost author\n", "with 2 sentences"},
		{head + "simple_agrmt\tplur\tthe author laughs\tthe author laugh\r\n", `a:2: have the ungrammatical "the author laugh\r"`},
	} {
		if _, err := Parse("a", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: have error %v, want one that says %q", c.text, err, c.want)
		}
	}
}

// FuzzParse parses arbitrary files. The items of an accepted file, written again, must give
// the same file.
func FuzzParse(f *testing.F) {
	f.Add("test\tcondition\tgrammatical\tungrammatical\nsimple_agrmt\tplur\tthe author laughs\tthe author laugh\n")
	f.Add("test\tcondition\tgrammatical\tintrusive\tungrammatical\nnpi_across_anim\tpast\ta\tb\tc\n")
	f.Add("test\tcondition\tgrammatical\tungrammatical\nsimple_agrmt\t\"a\"\tb\tc")
	f.Fuzz(func(t *testing.T, file string) {
		list, err := Parse("fuzz", []byte(file))
		if err != nil {
			return
		}
		kinds := pairs
		if strings.Contains(file, "\tintrusive\t") {
			kinds = triples
		}
		lines := []string{strings.Join(append([]string{"test", "condition"}, kinds...), "\t")}
		for _, x := range list {
			lines = append(lines, strings.Join(append([]string{x.Test, x.Condition}, x.Sentences...), "\t"))
		}
		if have, want := strings.Join(lines, "\n"), strings.TrimSuffix(file, "\n"); have != want {
			t.Errorf("have %q, want %q", have, want)
		}
	})
}

// scorer returns a scorer by the small attention model of five cells.
func scorer(t *testing.T) Scorer {
	t.Helper()
	n := networks(true)[2]
	of := suitetest.Must(lm.Words(n.row.Corpus))(t)
	return Scorer{of.Vocabulary, suitetest.Must(n.row.Network(of.Len(), true))(t), suitetest.Must(n.params(1))(t)}
}

// TestLosses compares losses with the logarithms of the model's probabilities, which a graph
// with outputs computes for one sentence. The losses of a sentence must not depend on others.
func TestLosses(t *testing.T) {
	s := scorer(t)
	dev := suite.Open(t)
	list := []string{"the king will be", "no", "he that is a noble man will be the king of us all", "the zebra will be"}
	words := strings.Fields("my lord will be zebra")
	for i := range 600 { // more than two batches, with sentences that begin like others or are equal
		x := words[i%5]
		for n := i / 5; n > 0; n /= 5 {
			x += " " + words[n%5]
		}
		list = append(list, x, strings.Repeat("no ", i%3)+x)
	}
	if len(list) < 2*atATime {
		t.Fatalf("have %d sentences, want more than two batches of %d", len(list), atATime)
	}
	all := suitetest.Must(s.Losses(dev, list))(t)
	whole := *s.Model
	whole.Readout.LossOnly = false
	probs := s
	probs.Model = &whole
	for i, x := range list {
		if i >= 6 && i%50 != 0 {
			continue
		}
		alone := suitetest.Must(s.Losses(dev, []string{x}))(t)
		if !slices.Equal(alone[0], all[i]) {
			t.Errorf("%q: have losses %v among others, want %v as alone", x, all[i], alone[0])
		}
		want := suitetest.Must(probs.probabilities(dev, x))(t)
		if len(want) != len(strings.Fields(x))+1 {
			t.Errorf("%q: have %d probabilities, want one of each word and the full stop", x, len(want))
		}
		for j, p := range want {
			if d := float64(all[i][j]) + math.Log(p); math.Abs(d) > 1e-5 {
				t.Errorf("%q: loss of word %d is %v, want %v", x, j+1, all[i][j], -math.Log(p))
			}
		}
	}
	if have, err := s.Losses(dev, nil); have != nil || err != nil {
		t.Errorf("no sentences: have losses %v (%v), want none", have, err)
	}
	sums := suitetest.Must(s.Sums(dev, append(list, list...)))(t)
	for i, x := range list {
		sum := 0.0
		for _, v := range all[i] {
			sum += float64(v)
		}
		if sums[x] != sum {
			t.Errorf("%q: have the sum %v, want %v", x, sums[x], sum)
		}
	}
	none := s
	none.Vocabulary = &text.Vocabulary{}
	if _, err := none.Losses(dev, []string{"the king"}); err == nil || !strings.Contains(err.Error(), `sentence "the king": the vocabulary has neither "the" nor <unk>`) {
		t.Errorf("without <unk>: have error %v, want one that names the sentence and the word", err)
	}
	if s.Known("the zebra will be") || !s.Known("the king will be") {
		t.Error("zebra should be the only word that the vocabulary lacks")
	}
	if have, want := all[3], suitetest.Must(s.Losses(dev, []string{"the <unk> will be"}))(t)[0]; !slices.Equal(have, want) {
		t.Errorf("an unknown word has losses %v, want %v as <unk>", have, want)
	}
}

// TestInterpreter scores a few sentences with the GPU's kernels, which an interpreter executes on
// the CPU. The losses must equal those that the CPU computes.
func TestInterpreter(t *testing.T) {
	dev, gpu := suite.Open(t), suite.OpenEmulated(t, false)
	step := 5 // takes an item of each test, since the sample has five of each
	if testing.Short() {
		step = 50
	}
	sentences := []string{example}
	list := suitetest.Must(items(true))(t)
	for i := 0; i < len(list); i += step {
		sentences = append(sentences, list[i].Sentences...)
	}
	for _, n := range networks(true) {
		s := suitetest.Must(n.scorer(1))(t)
		want, have := suitetest.Must(s.Losses(dev, sentences))(t), suitetest.Must(s.Losses(gpu, sentences))(t)
		suitetest.Equal(t, want, have, "%s: losses by the interpreter", n.name)
	}
}

// probabilities returns the probabilities of the words of a sentence and of the full stop. The
// model of s must have outputs.
func (s Scorer) probabilities(dev kernel.Device, sentence string) (list []float64, err error) {
	tokens, err := s.tokens(sentence)
	if err != nil {
		return nil, err
	}
	d := batch.Dataset[int32]{
		Text: func(int) []int32 { return tokens }, List: []batch.Prefix{{Len: int32(len(tokens) - 1)}}, Fill: batch.PredictNext[int32],
	}
	_, err = train.Evaluate(s.Model.Build, dev, d.Set(1), 1, s.Params, func(o *train.BatchOutput) error {
		n := s.Vocabulary.Len()
		probs, err := o.Output(models.OutputProb, n)
		for i, token := range tokens[1:] {
			list = append(list, float64(probs[i*n+int(token)]))
		}
		return err
	})
	return list, err
}

// TestCount checks which pairs count as right and as known.
func TestCount(t *testing.T) {
	s := scorer(t)
	c := Categories()[len(Categories())-5] // simple-iu
	list := []Item{
		{"simple_npi_anim", "past", []string{"no king", "the king", "my king"}},
		{"simple_npi_inanim", "past", []string{"no lord", "the lord", "my lord"}},
		{"simple_npi_anim", "past", []string{"no zebra", "the zebra", "my zebra"}},
		{"simple_npi_anim", "past", []string{"no man", "the man", "zebra man"}},
		{"npi_across_anim", "past", []string{"a", "b", "c"}},
	}
	all, known := s.count(c, list, map[string]float64{"the king": 1, "my king": 2, "the lord": 3, "my lord": 3, "the zebra": 1, "my zebra": 2, "the man": 1, "zebra man": 2})
	if want := (metric.Share{Correct: 3, Cases: 4}); all.Share != want {
		t.Errorf("have %v of all pairs, want %v: a tie counts as wrong", all, want)
	}
	if want := (metric.Share{Correct: 1, Cases: 2}); known.Share != want {
		t.Errorf("have %v of known pairs, want %v", known, want)
	}
}

// TestNetworks checks which networks are scored at each scale, and that scale paper reads the
// results of the seed that it names.
func TestNetworks(t *testing.T) {
	rows := map[string]string{"baseline": "wt2-baseline", "attention": "wt2-attention5", "attention2": "wt2-attention2"}
	for i, n := range networks(false) {
		if want := wikitext.Table2()[i]; n.row != want || n.small || rows[n.name] != want.Row.Row {
			t.Errorf("scale paper: have %+v, want the row %s by its name", n, want.Row.Row)
		}
	}
	for _, r := range wikitext.Suite.Rows(suite.Paper) {
		if r.ID().Task == "" && r.Seeds != seeds {
			t.Errorf("%s has %d seeds, want %d", r.ID().Group(), r.Seeds, seeds)
		}
	}
	settings := suite.Current()
	old := *settings
	defer func() { *settings = old }()
	settings.State = t.TempDir()
	dev := suite.Open(t)
	for _, c := range Suite.At(suite.Paper)[0].Computed {
		want, row := seeds, rows[c.ID.Row]
		if strings.HasSuffix(c.ID.Task, verdict.FirstEpoch) {
			want, row = 1, row+"/task="+verdict.FirstEpoch
		}
		if c.Seeds != want || !c.Long {
			t.Errorf("%s has %d seeds, want %d", c.ID.Group(), c.Seeds, want)
		}
		_, _, err := c.Compute(dev, 2)
		var m *suite.Missing
		if !errors.As(err, &m) {
			t.Fatalf("%s: have error %v, want one that says what is missing", c.ID.Group(), err)
		}
		if m.Need == "wikitext-2" {
			suite.Skip(t, m.Need, m.Reason, m.Remedy)
		}
		if !strings.Contains(err.Error(), row+"/seed=2") {
			t.Errorf("%s: have error %v, want one that misses the result of %s, seed 2", c.ID.Group(), err, row)
		}
	}
}

// placed is a row at another place.
type placed struct {
	wikitext.Model
	at suite.RowID
}

func (p placed) ID() suite.RowID { return p.at }

// TestClaims checks the claims that the suite measures, on invented runs of three seeds.
func TestClaims(t *testing.T) {
	var rows []suite.Row
	for _, c := range Suite.At(suite.Paper)[0].Computed {
		if !strings.HasSuffix(c.ID.Task, verdict.FirstEpoch) {
			rows = append(rows, placed{at: c.ID})
		}
	}
	decide := func(claim string, differences []float64) verdict.Outcome {
		found := suitetest.Claims(t, &Suite, suite.Seeds(3, rows...), func(r suite.Row, _ int, unit string) (float64, bool) {
			at := slices.Index(append(names(), exampleTask), r.ID().Task)
			value := 50.0
			if r.ID().Row == "attention" && (r.ID().Task != exampleTask || unit == wordUnit(verb)) {
				value += differences[at]
			}
			return value, strings.HasPrefix(unit, "test-word") == (r.ID().Task == exampleTask)
		})
		return found[claim]
	}
	good := []float64{0, .9, -.9, 0, 0, 0, 0, 0, 0, 0, 0, 2, -2, 5, -5, 5.1, -20, 8, 35, -0.1}
	if have := decide("S12", good); have != verdict.Holds {
		t.Errorf("S12: have %s, want %s", have, verdict.Holds)
	}
	if have := decide("S14", good); have != verdict.Holds {
		t.Errorf("S14: have %s, want %s", have, verdict.Holds)
	}
	for at, bad := range map[int]float64{0: 1, 2: -1, 11: 1.9, 14: -5.1, 15: 4, 17: 1.9, 18: 0.5} {
		list := slices.Clone(good)
		list[at] = bad
		if have := decide("S12", list); have != verdict.Fails {
			t.Errorf("S12 with difference %v in category %d: have %s, want %s", bad, at+1, have, verdict.Fails)
		}
	}
	if have := decide("S14", append(good[:19:19], 0)); have != verdict.Fails {
		t.Errorf("S14 of equal losses: have %s, want %s", have, verdict.Fails)
	}
}
