package formal_test

import (
	"fmt"
	"log"
	"strings"

	"pushdown/corpora/formal"
)

// This example prints strings of a small language. For one of the strings it also prints
// the closing brackets, and the tokens that a language model reads and predicts.
func Example() {
	lang := formal.BoundedDyck{K: 2, M: 3, Min: 4, Max: 11}
	dev, err := lang.Sample(1, formal.Dev, 3)
	if err != nil {
		log.Fatal(err)
	}
	for i := range dev.Len() {
		fmt.Println(lang.Format(dev.Body(i)))
	}
	closings, err := lang.Closings(nil, dev.Body(2))
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range closings {
		fmt.Printf("%s at %d, %d after its opening bracket\n", lang.Token(dev.Body(2)[c.At]), c.At, c.Distance())
	}
	fmt.Println("reads   ", lang.Format(dev.Input(2)))
	fmt.Println("predicts", lang.Format(dev.Target(2)))
	// Output:
	// (a (a (a a) a) a)
	// (b b) (b (a (b b) a) b)
	// (a (a a) a) (b b)
	// a) at 2, 1 after its opening bracket
	// a) at 3, 3 after its opening bracket
	// b) at 5, 1 after its opening bracket
	// reads    START (a (a a) a) (b b)
	// predicts (a (a a) a) (b b) END
}

// This example computes properties of the published corpora without drawing strings. The
// default lengths were inferred from these numbers.
func ExampleChain_Figures() {
	for _, m := range []int{4, 6, 8} {
		chain, err := formal.NewBoundedDyck(2, m).Chain()
		if err != nil {
			log.Fatal(err)
		}
		f := chain.Figures()
		fmt.Printf("m=%d kept %.3f, length %.1f, floor %.4f, depth only %.4f\n", m, f.Acceptance, f.MeanLength, f.Floor, f.DepthOnly)
	}
	// Output:
	// m=4 kept 0.943, length 83.6, floor 2.3880, depth only 2.4509
	// m=6 kept 0.902, length 190.5, floor 2.5221, depth only 2.5574
	// m=8 kept 0.889, length 349.2, floor 2.5945, depth only 2.6166
}

// This example prints strings of patterns as a network reads them. ^ marks the symbols
// that can be predicted, because the symbols before determine them.
func ExamplePattern_Stream() {
	for _, p := range []formal.Pattern{formal.AnB2n, formal.Memorization, formal.Addition} {
		s, err := p.Stream(1, formal.Train, 0, formal.Range{Min: 2, Max: 4})
		if err != nil {
			log.Fatal(err)
		}
		text, marks := "", ""
		for i := range 3 {
			x := s.Next()
			text += p.Format(x.Tokens)
			mark := strings.Repeat(" ", x.From) + strings.Repeat("^", len(x.Tokens)-x.From)
			if i > 0 && p.Counts() {
				mark = "^" + mark[1:]
			}
			marks += mark
		}
		fmt.Println(text)
		fmt.Println(marks)
	}
	// Output:
	// aaabbbbbbaaaabbbbbbbbaaabbbbbb
	//     ^^^^^^    ^^^^^^^^   ^^^^^
	// 22=22222=22212=21
	//    ^^    ^^^   ^^
	// 0+10=01.111+1=0001.11+0=11.
	//      ^^^      ^^^^^     ^^^
}

// This example prints strings to be recognised. For one more string it prints which
// symbols may follow each prefix.
func ExampleRecognition() {
	lang, err := formal.LanguageOf("D2")
	if err != nil {
		log.Fatal(err)
	}
	corpus := formal.Recognition{Language: lang, Parts: []formal.Part{{Name: formal.Train, Strings: 4, MinLength: 4, MaxLength: 8}}, LeastDifficult: 0.5, MostDifficult: 0.5}
	parts, err := corpus.Draw(1)
	if err != nil {
		log.Fatal(err)
	}
	for i := range parts[0].Len() {
		fmt.Println(formal.Text(lang, parts[0].String(i)), parts[0].Valid(i))
	}
	judge := lang.NewOracle()
	text, err := formal.Parse(lang, "([])")
	if err != nil {
		log.Fatal(err)
	}
	for n, s := range text {
		judge.Read(s)
		due, _ := judge.Due()
		fmt.Println("after", formal.Text(lang, text[:n+1]), "comes an opening bracket or", formal.Text(lang, []uint8{due}))
	}
	// Output:
	// ()(). true
	// ][)(. false
	// (((()))). true
	// (]]()))]. false
	// after ( comes an opening bracket or )
	// after ([ comes an opening bracket or ]
	// after ([] comes an opening bracket or )
	// after ([]) comes an opening bracket or .
}
