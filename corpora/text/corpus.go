package text

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"pushdown/harness/disk"
)

// A Corpus describes a corpus: its files and how to read them. The methods Words and
// Characters read the files of a text. PTB and the other functions return a new copy,
// which the caller may change.
type Corpus struct {
	Name  string // such as ptb; also the name of the folder of the files, and the name for PUSHDOWN_REQUIRE
	Title string
	// Files are the training, the validation and the test text, in this order. The
	// syntactic test set has other files.
	Files []File
	// Trim removes spaces at both ends of each line in texts by character.
	Trim bool
	// MinCount is how often a word must occur in the training text. Rarer words become
	// <unk>. MinCount does not affect texts by character.
	MinCount int

	Licence string
	Source  string // where the files are published and how to get them
	Zip     string // address of a zip archive with the files; empty if nothing is to be downloaded

	disk disk.FS // has the files
}

// A File is a file of a corpus.
type File struct {
	Name   string // path below the folder of the corpora, with slashes; for a user's own file, its path
	Size   int64  // in bytes
	SHA256 string // in hexadecimal; empty if size and hash are not checked
	text   string // the content, if it is part of the program
}

// PTB returns the Penn Treebank as preprocessed by Mikolov.
func PTB() Corpus {
	return Corpus{
		Name: "ptb", Title: "Penn Treebank, as preprocessed by Mikolov", Trim: true,
		Files: []File{
			{Name: "ptb/ptb.train.txt", Size: 5101618, SHA256: "fcea919f6cf83f35d4d00c6cbf08040d13d4155226340912e2fef9c9c4102cbf"},
			{Name: "ptb/ptb.valid.txt", Size: 399782, SHA256: "c9fe6985fe0d4ccb578183407d7668fc6066c20700cb4cf87d8ff1cc34df1bf2"},
			{Name: "ptb/ptb.test.txt", Size: 449945, SHA256: "dd65dff31e70846b2a6030a87482edcd5d199130cdcfa1f3dccbb033728deee0"},
		},
		Licence: "the text is that of LDC99T42 and needs a licence of the Linguistic Data Consortium, https://catalog.ldc.upenn.edu/LDC99T42",
		Source: "if you have the licence, take the three files from the folder data of " +
			"http://www.fit.vutbr.cz/~imikolov/rnnlm/simple-examples.tgz; they are not downloaded for you",
	}
}

// WikiText2 returns WikiText-2 by word, with rare words replaced by <unk>.
func WikiText2() Corpus {
	return Corpus{
		Name: "wikitext-2", Title: "WikiText-2, by word", Trim: true,
		Files: []File{
			{Name: "wikitext-2/wiki.train.tokens", Size: 10797148, SHA256: "9e9fa1ad55b1c2c95b08e37dd8e653f638fac2c6de904b79e813611eefbc985f"},
			{Name: "wikitext-2/wiki.valid.tokens", Size: 1121681, SHA256: "f0737ed31fc1329026e95cb8b98e19c2a182c39c240ab909dc31abf2f8af58e8"},
			{Name: "wikitext-2/wiki.test.tokens", Size: 1256449, SHA256: "d790b833ef8cf03a90db7bf1271b7520b83c45ce07ba3c1a9699df81e239eca0"},
		},
		Licence: "text of Wikipedia, Creative Commons Attribution-ShareAlike 3.0",
		Source: "go run ./ci/corpora -fetch downloads the files from the archive of one of the authors, " +
			"https://wikitext.smerity.com/wikitext-2-v1.zip",
		Zip: "https://wikitext.smerity.com/wikitext-2-v1.zip",
	}
}

// SynEval returns the syntactic test set of Marvin and Linzen, with the templates of
// the paper. It has no training text: read its Files instead of calling Words.
func SynEval() Corpus {
	return Corpus{
		Name: "lm-syneval", Title: "syntactic test set of Marvin and Linzen, templates of the paper",
		Files: []File{
			{Name: "lm-syneval/syneval.emnlp2018.agreement.tsv", Size: 20359361, SHA256: "2c3be45fc7651be00ce177009adb3df889ff0e46813ca4d9c81eae15eeb3b23b"},
			{Name: "lm-syneval/syneval.emnlp2018.npi.tsv", Size: 2129661, SHA256: "d7fccc6ac1674d57bda5dccf9d88dd760097569199369a6f8c98b10f41507b67"},
		},
		Licence: "MIT, (c) 2018 Rebecca Marvin",
		Source: "published as Python pickles, EMNLP2018/templates/*.pickle of https://github.com/BeckyMarvin/LM_syneval, and so not downloaded; " +
			"convert them to tables separated by tabs, with the columns test (the pickle's name), condition, grammatical, intrusive (only in npi.tsv), ungrammatical, " +
			"a line for each tuple, tests and conditions in byte order, tuples in their order",
	}
}

// Published returns the corpora that are not part of the repository.
func Published() []Corpus { return []Corpus{PTB(), WikiText2(), SynEval()} }

// Files returns the corpus of a user's own three files, given by their paths. The files
// must be UTF-8 with a line feed alone at the end of each line.
func Files(train, valid, test string) Corpus {
	return Corpus{Name: "own", Files: []File{{Name: train}, {Name: valid}, {Name: test}}}
}

// FolderVariable is the environment variable that names the folder of the corpora.
const FolderVariable = "PUSHDOWN_CORPORA"

// Folder returns the folder of the published corpora: the value of PUSHDOWN_CORPORA,
// which must be an absolute path, or pushdown/corpora in the user's cache folder if the
// variable is not set. The folder need not exist. If there is no cache folder, the error
// is an [fs.ErrNotExist].
func Folder() (string, error) {
	if folder := os.Getenv(FolderVariable); folder != "" {
		if !filepath.IsAbs(folder) {
			return "", fmt.Errorf("%s: have %q, want an absolute path", FolderVariable, folder)
		}
		return filepath.Clean(folder), nil
	}
	cache, err := disk.CacheFolder(FolderVariable)
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "corpora"), nil
}

// Path returns the path of the file. folder is the folder of the corpora.
func (f File) Path(folder string) string { return filepath.Join(folder, filepath.FromSlash(f.Name)) }

// Read reads the file and checks its size and SHA-256. folder is the folder of the
// corpora. If the file is missing, the error wraps [fs.ErrNotExist].
func (f File) Read(folder string) ([]byte, error) { return f.read(disk.FS{}, folder) }

func (f File) read(fsys disk.FS, folder string) ([]byte, error) {
	if f.text != "" {
		return []byte(f.text), nil
	}
	data, err := fsys.ReadFile(f.Path(folder))
	switch {
	case err != nil && f.SHA256 == "":
		return nil, fmt.Errorf("have no text (%w), want a file of UTF-8 text with a sentence in each line", err)
	case err != nil:
		return nil, fmt.Errorf("have no text (%w), want a file of %d bytes: go run ./ci/corpora says how to get it", err, f.Size)
	}
	if f.SHA256 == "" {
		return data, nil
	}
	if err := f.Check(data); err != nil {
		return nil, fmt.Errorf("%s: %w: go run ./ci/corpora says how to get it", f.Path(folder), err)
	}
	return data, nil
}

// Check returns an error unless data has the size and the SHA-256 of the file. The
// caller must add the name of the file to the error.
func (f File) Check(data []byte) error {
	if n := int64(len(data)); n != f.Size {
		why := ""
		if i := bytes.IndexByte(data, '\r'); i >= 0 {
			why = fmt.Sprintf(" and a carriage return in line %d, which tr -d '\\r' removes", lineAt(data, i))
		}
		return fmt.Errorf("have %d bytes%s, want the file of %d bytes", n, why, f.Size)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != f.SHA256 {
		return fmt.Errorf("have SHA-256 %s, want the file with %s", sum, f.SHA256)
	}
	return nil
}
