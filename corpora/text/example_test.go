package text_test

import (
	"fmt"
	"log"

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
