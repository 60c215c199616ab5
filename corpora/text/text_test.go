package text

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/suite"
)

// present returns the folder of the corpora. It skips the test if a file of c is missing.
func present(t *testing.T, c Corpus) (folder string) {
	t.Helper()
	const remedy = "get the files as go run ./ci/corpora says"
	folder, err := Folder()
	if errors.Is(err, fs.ErrNotExist) {
		suite.Skip(t, c.Name, err.Error(), remedy)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range c.Files {
		if _, err := os.Stat(f.Path(folder)); errors.Is(err, fs.ErrNotExist) {
			suite.Skip(t, c.Name, "no file "+f.Path(folder), remedy)
		}
	}
	return folder
}

// counts holds the number of lines and the number of tokens, including End, of each of the
// three parts.
type counts struct{ lines, tokens [3]int }

func countsOf[T Token](x *Text[T]) (c counts) {
	for i, p := range []*Part[T]{x.Train, x.Valid, x.Test} {
		c.lines[i], c.tokens[i] = p.Len(), p.Tokens()
	}
	return c
}

func TestPublishedWordsHaveThePublishedCounts(t *testing.T) {
	for _, c := range []struct {
		corpus     Corpus
		vocabulary int
		want       counts
		unknown    [3]int
	}{
		{PTB(), 10000, counts{[3]int{42068, 3370, 3761}, [3]int{929589, 73760, 82430}}, [3]int{45020, 3485, 4794}},
		{WikiText2(), 33278, counts{[3]int{36718, 3760, 4358}, [3]int{2088628, 217646, 245569}}, [3]int{54625, 11718, 15218}},
	} {
		t.Run(c.corpus.Name, func(t *testing.T) {
			present(t, c.corpus)
			x, err := c.corpus.Words()
			if err != nil {
				t.Fatal(err)
			}
			if x.Len() != c.vocabulary {
				t.Errorf("have a vocabulary of %d, want %d", x.Len(), c.vocabulary)
			}
			if have := countsOf(x); have != c.want {
				t.Errorf("have %+v, want %+v", have, c.want)
			}
			id, ok := x.Token(unknown)
			for i, p := range []*Part[int32]{x.Train, x.Valid, x.Test} {
				n := 0
				for _, token := range p.Stream() {
					if token == int32(id) {
						n++
					}
				}
				if !ok || n != c.unknown[i] {
					t.Errorf("part %d: have %d times <unk>, want %d", i, n, c.unknown[i])
				}
			}
			again, err := c.corpus.Words()
			if err != nil || again != x {
				t.Errorf("have another text (%v), want the one read before", err)
			}
		})
	}
}

func TestPTBCharacters(t *testing.T) {
	present(t, PTB())
	x, err := PTB().Characters()
	if err != nil {
		t.Fatal(err)
	}
	if x.Len() != 50 {
		t.Errorf("have %d characters, want 50", x.Len())
	}
	if have, want := countsOf(x), (counts{[3]int{42068, 3370, 3761}, [3]int{5017482, 393042, 442423}}); have != want {
		t.Errorf("have %+v, want %+v: the bytes of the files without the two spaces around each line", have, want)
	}
	for _, c := range []struct {
		length      int
		kept, whole float64 // per cent of all characters that are kept, and of all sentences that are not cut
	}{{25, 20.9, 3.3}, {50, 40.6, 11.8}, {75, 58.0, 25.2}} {
		kept, whole, all := 0, 0, 0
		for i := range x.Train.Len() {
			body, cut := x.Train.Body(i), x.Train.Cut(i, c.length)
			all += len(body)
			if len(body) <= c.length {
				whole++
				if !slices.Equal(cut, x.Train.String(i)) {
					t.Fatalf("sentence %d: have %v, want it whole", i, cut)
				}
				kept += len(cut) - 2
				continue
			}
			kept += len(cut) - 1
			if len(cut) != c.length+1 || slices.Contains(cut[1:], End) {
				t.Fatalf("sentence %d: have %v, want %d characters and no End after them", i, cut, c.length)
			}
		}
		if have := percent(kept, all); have != c.kept {
			t.Errorf("cut at %d: have %.1f%% of the characters, want %.1f%%", c.length, have, c.kept)
		}
		if have := percent(whole, x.Train.Len()); have != c.whole {
			t.Errorf("cut at %d: have %.1f%% of the sentences whole, want %.1f%%", c.length, have, c.whole)
		}
	}
}

// percent returns a/b in percent, rounded to one decimal.
func percent(a, b int) float64 { return float64((2000*a+b)/(2*b)) / 10 }

func TestSynEvalFilesAreRight(t *testing.T) {
	folder := present(t, SynEval())
	for i, want := range []int{152301, 10825} { // with the header
		data, err := SynEval().Files[i].Read(folder)
		if err != nil {
			t.Fatal(err)
		}
		if n := lineAt(data, len(data)) - 1; n != want {
			t.Errorf("%s: have %d lines, want %d", SynEval().Files[i].Name, n, want)
		}
	}
	if _, err := SynEval().Words(); err == nil {
		t.Error("have a text, want an error: the test set is no text")
	}
}

func TestTiny(t *testing.T) {
	chars, err := Tiny().Characters()
	if err != nil {
		t.Fatal(err)
	}
	if have, want := countsOf(chars), (counts{[3]int{6148, 768, 764}, [3]int{162621, 20201, 20663}}); have != want || chars.Len() != 62 {
		t.Errorf("have %+v and %d characters, want %+v and 62", have, chars.Len(), want)
	}
	if have := chars.Decode(chars.Valid.Stream()[1:]) + chars.Decode(chars.Test.Stream()[1:]) + chars.Decode(chars.Train.Stream()[1:]); have != shakespeare {
		t.Error("have another text, want that of the file")
	}
	words, err := Tiny().Words()
	if err != nil {
		t.Fatal(err)
	}
	if have, want := countsOf(words), (counts{[3]int{6148, 768, 764}, [3]int{35333, 4370, 4501}}); have != want || words.Len() != 2335 {
		t.Errorf("have %+v and %d words, want %+v and 2335", have, words.Len(), want)
	}
}

// own writes three files and returns them as a corpus.
func own(t testing.TB, train, valid, test string) Corpus {
	t.Helper()
	var paths []string
	for i, s := range []string{train, valid, test} {
		path := filepath.Join(t.TempDir(), []string{"train.txt", "valid.txt", "test.txt"}[i])
		if err := os.WriteFile(path, []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return Files(paths[0], paths[1], paths[2])
}

func TestWordsAreNumberedAsTheyOccur(t *testing.T) {
	c := own(t, "  b a\n\na c a\t<unk> \n", "d a\n", "a") // the last line has no line feed
	x, err := c.Words()
	if err != nil {
		t.Fatal(err)
	}
	if have, want := x.types, []string{"<eos>", "b", "a", "c", "<unk>"}; !slices.Equal(have, want) {
		t.Errorf("have the words %q, want %q", have, want)
	}
	if have, want := x.Train.Stream(), []int32{0, 1, 2, 0, 0, 2, 3, 2, 4, 0}; !slices.Equal(have, want) {
		t.Errorf("have %v, want %v", have, want)
	}
	if have, want := x.Valid.String(0), []int32{0, 4, 2, 0}; !slices.Equal(have, want) {
		t.Errorf("have %v, want %v: d is unknown", have, want)
	}
	if have, want := x.Test.Stream(), []int32{0, 2, 0}; !slices.Equal(have, want) {
		t.Errorf("have %v, want %v", have, want)
	}
	s := x.Train
	if len(s.Body(1)) != 0 || !slices.Equal(s.Input(2), []int32{0, 2, 3, 2, 4}) || !slices.Equal(s.Target(2), []int32{2, 3, 2, 4, 0}) {
		t.Errorf("have the input %v and the target %v of sentence 2 and %v in sentence 1", s.Input(2), s.Target(2), s.Body(1))
	}
	if have, want := x.Decode(s.Stream()[1:]), "b a\n\na c a <unk>\n"; have != want {
		t.Errorf("have the text %q, want %q", have, want)
	}
	if have, err := x.Encode("c  x"); err != nil || !slices.Equal(have, []int32{3, 4}) {
		t.Errorf("have %v (%v), want [3 4]", have, err)
	}

	c.MinCount = 2
	if x, err = c.Words(); err != nil {
		t.Fatal(err)
	}
	if have, want := x.types, []string{"<eos>", "<unk>", "a"}; !slices.Equal(have, want) {
		t.Errorf("have the words %q, want %q", have, want)
	}
}

func TestCharactersAreBytes(t *testing.T) {
	c := own(t, " é \nab", "a \n", "b\n")
	x, err := c.Characters()
	if err != nil {
		t.Fatal(err)
	}
	if have, want := x.Train.Stream(), []uint8{0, 1, 2, 3, 1, 0, 4, 5, 0}; !slices.Equal(have, want) {
		t.Errorf("have %v, want %v", have, want)
	}
	if x.Word(2) != "\xc3" || x.Word(End) != "\n" {
		t.Errorf("have %q and %q, want the first byte of é and a line feed", x.Word(2), x.Word(End))
	}
	c.Trim = true
	if x, err = c.Characters(); err != nil {
		t.Fatal(err)
	}
	if have, want := x.Train.Stream(), []uint8{0, 1, 2, 0, 3, 4, 0}; !slices.Equal(have, want) || !slices.Equal(x.Valid.Body(0), []uint8{3}) {
		t.Errorf("have %v and %v, want %v and [3] without the outer spaces", have, x.Valid.Body(0), want)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, c := range []struct {
		train, valid string
		want         string // in the error, after the path
	}{
		{"", "a\n", "train.txt: have an empty file, want a text"},
		{"a\r\n", "a\n", "train.txt:1: have a carriage return, want a line feed alone at the end of a line: tr -d '\\r'"},
		{"a\rb\r", "a\n", "train.txt:1: have a carriage return, want a line feed alone at the end of a line: tr '\\r' '\\n'"},
		{"\ufeffa\n", "a\n", "train.txt:1: have a byte order mark at the beginning, want UTF-8 text without one"},
		{"a\nb\xff\n", "a\n", "train.txt:2: have the byte 0xff, which is not UTF-8 here"},
		{"a\n", "a\nx b\n", `valid.txt:2: have the word "x", want one of the training text, or <unk> in it, as MinCount 2 gives`},
		{"a\na <eos>\n", "a\n", `train.txt:2: have the word "<eos>", want it only as the end of a line`},
	} {
		_, err := own(t, c.train, c.valid, "a\n").Words()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %q: have the error %v, want one with %q", c.train, c.valid, err, c.want)
		}
	}
	if _, err := own(t, "a\n", "a\nx\n", "a\n").Characters(); err == nil || !strings.Contains(err.Error(), `valid.txt:2: have the character "x", want one of the training text`) {
		t.Errorf("have the error %v, want one about x in line 2 of valid.txt", err)
	}
	if _, err := Files(filepath.Join(t.TempDir(), "no"), "b", "c").Words(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("have the error %v, want a missing file", err)
	}
}

func TestPublishedFilesAreChecked(t *testing.T) {
	folder := t.TempDir()
	t.Setenv(FolderVariable, folder)
	c := PTB()
	_, err := c.Words()
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "want a file of 5101618 bytes: go run ./ci/corpora says how to get it") {
		t.Errorf("have the error %v, want one with the size and the command", err)
	}
	if err := os.Mkdir(filepath.Join(folder, "ptb"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, w := range []struct{ text, want string }{
		{"a \n", "ptb.train.txt: have 3 bytes, want the file of 5101618 bytes: go run ./ci/corpora says"},
		{"a\nb\r\n", "have 5 bytes and a carriage return in line 2, which tr -d '\\r' removes, want"},
		{strings.Repeat("a", 5101618), "have SHA-256 "},
	} {
		if err := os.WriteFile(c.Files[0].Path(folder), []byte(w.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Words(); err == nil || !strings.Contains(err.Error(), w.want) {
			t.Errorf("have the error %v, want one with %q", err, w.want)
		}
	}
	t.Setenv(FolderVariable, "corpora")
	if _, err := c.Characters(); err == nil || !strings.Contains(err.Error(), `PUSHDOWN_CORPORA: have "corpora", want an absolute path`) {
		t.Errorf("have the error %v, want an absolute path", err)
	}
	t.Setenv(FolderVariable, "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	t.Setenv("LocalAppData", "")
	if _, err := c.Words(); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "want an absolute path in PUSHDOWN_CORPORA") {
		t.Errorf("have the error %v, want a missing file without a cache folder", err)
	}
	if _, err := Tiny().Words(); err != nil {
		t.Errorf("have the error %v, want the corpus that is part of the program, without a cache folder, too", err)
	}
	t.Setenv("XDG_CACHE_HOME", folder)
	t.Setenv("HOME", folder)
	t.Setenv("LocalAppData", folder)
	if have, err := Folder(); err != nil || !strings.HasPrefix(have, folder) || !strings.HasSuffix(have, filepath.Join("pushdown", "corpora")) {
		t.Errorf("have the folder %s (%v), want pushdown/corpora in the cache folder", have, err)
	}
}
