// Package exchange hands the strings of a row to others and scores what their models predict for
// them. Commands ci/export and ci/score use it.
//
// # Data
//
// [Set.Write] writes a folder with files in the formats of FLaRe (Butoi et al., "Training neural
// networks as recognizers of formal languages", ICLR 2025). It has
// manifest.json, which [Manifest] describes, and a folder for each split, such as test:
//
//	main.tok            a string a line, its tokens separated by one space, without marks of start and end;
//	                    in a text corpus a string is a line of the corpus, and tokens are numbers
//	labels.txt          only for recognition: 1 for a string in the language, else 0, a line each
//	next-symbols.jsonl  only for recognition: for each string in the language, what may follow each of
//	                    its n+1 prefixes, the empty one first: [{"s":"( )","e":false},...] with the tokens, and
//	                    whether the string may end
//	num-edits.txt       only for recognition: for each string outside of the language, the number of symbols
//	                    in which a difficult string differs from one in the language; empty for others
//
//	words.txt           only of the syntactic test set: its sentences, whose words main.tok has as numbers
//
// The words of the Penn Treebank and of WikiText-2 are in no file, because they must not be handed on. Package
// text says which number a word has, for those who have the corpus. Do not publish a folder of a text either: how often
// a number occurs tells its character or word. The training strings of an algorithmic pattern are those
// of all epochs, in the order in which they are read, or of the first epochs if there are very many. Otherwise the order in which our networks
// read training strings is no part of the data. Where training lines are cut, the field about of the split says so.
//
// The bytes of these files depend on the row alone. The digest of a data set, the field data of the
// manifest, is the SHA-256 of a line for each file, in the order of the manifest and as the program
// sha256sum writes it. The manifest also has the commit, which does not enter the digest.
//
// # Predictions
//
// A file of predictions has a JSON object a line. The first names the data set by its digest. Each
// of the others is a record of one string. Strings are numbered from 0 in each split, and
// records may have any order:
//
//	{"data":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}
//	{"split":"test","string":0,"closers":[0.99,0.8],"nats":[0.01,0.22]}
//
// The other fields of a record are lists. The manifest says which there are, what they hold and how
// many values; see [Field]. Losses are in nats: one in bits has to be multiplied by the natural logarithm of 2. Each string of a scored split has
// a record. A split marked optional has records for all of its strings or for none, and a field marked optional is in all records or in none;
// metrics that follow from what is not there are not measured. So valid-ppl wants predictions for the validation strings. [Read] refuses anything
// else. Where a record has one list of numbers, the predictions may also be an array of NumPy; see [ReadArray].
//
// # For suites
//
// A row whose strings can be exported has the method of [Row]. The field Measure of a [Set] must use the code
// that measures our own networks.
package exchange
