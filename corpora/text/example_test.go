package text_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"pushdown/corpora/text"
)

// This example reads the small text, which needs no download.
func Example() {
	chars, err := text.Tiny().Characters()
	if err != nil {
		log.Fatal(err)
	}
	const i = 1
	fmt.Println(chars.Len(), "characters,", chars.Valid.Len(), "sentences")
	fmt.Printf("reads    %q\n", chars.Decode(chars.Valid.Input(i)))
	fmt.Printf("predicts %q\n", chars.Decode(chars.Valid.Target(i)))
	fmt.Printf("cut      %q\n", chars.Decode(chars.Valid.Cut(i, 9)))
	// Output:
	// 62 characters, 768 sentences
	// reads    "\nBefore we proceed any further, hear me speak."
	// predicts "Before we proceed any further, hear me speak.\n"
	// cut      "\nBefore we"
}

// This example reads three files of your own, with a sentence in each line. A word of the
// validation or test text must occur in the training text, or the training text must have the
// word <unk>, which then stands for it. To train on such a text, copy the example ownText of
// package suites/lm.
func ExampleFiles() {
	folder, err := os.MkdirTemp("", "own")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			log.Fatal(err)
		}
		return path
	}
	own, err := text.Files(
		write("train.txt", "the cat sleeps\nthe <unk> runs\n"), write("valid.txt", "the dog runs\n"), write("test.txt", "the cat runs\n"),
	).Words()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(own.Len(), "words,", own.Train.Tokens(), "tokens to train on")
	fmt.Printf("%q\n", own.Decode(own.Valid.Input(0)))
	// Output:
	// 6 words, 8 tokens to train on
	// "\nthe <unk> runs"
}
