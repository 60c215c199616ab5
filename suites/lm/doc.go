// Package lm has what the suites of language models share: the row [Sentences], which reads
// sentences or a stream, by words or by characters; streams in columns ([Columns]); and the
// texts that rows can read. Suites wordlm and charlm list rows of Sentences. Suite wikitext
// has rows of its own, which read columns.
//
// # Sentences
//
// A training example is one sentence, which is one line of the corpus. The model starts
// from its initial state, reads the end mark of the line before and the words or characters,
// and predicts the words or characters and the end mark. A sentence can be cut after a
// number of tokens; a sentence that is cut has no end mark to predict. In a row without ends the
// model reads no end mark, and predicts neither the first token nor the end mark.
//
// The score is the mean cross-entropy per predicted token. Parameters
// are counted with the embedding and the read-out. Sentences that do not fill a batch at the
// end of an epoch are left out of that epoch.
package lm
