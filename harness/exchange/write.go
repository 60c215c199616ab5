package exchange

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"pushdown/harness/disk"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
)

// ManifestName is the name of the manifest in the folder of a data set.
const ManifestName = "manifest.json"

// format is the version of the layout and of the predictions.
const format = 2

// A Manifest says what the folder of a data set holds.
type Manifest struct {
	Format      int         `json:"format"`
	Suite       string      `json:"suite"`
	Scale       string      `json:"scale"`
	Row         golden.Name `json:"row"`
	Seed        int         `json:"seed"`     // of the run; all seeds of a row have the same strings
	Settings    any         `json:"settings"` // of the row: its data, its network and its training
	Data        string      `json:"data"`     // digest of the data set
	Contract    int         `json:"contract"`
	Commit      string      `json:"commit"`
	Alphabet    []string    `json:"alphabet"` // none if tokens are written as numbers
	Tokens      int         `json:"tokens"`   // the number of tokens
	Closing     []string    `json:"closing"`
	Splits      []SplitSize `json:"splits"`
	Files       []File      `json:"files"`
	Metrics     []Metric    `json:"metrics"`
	Record      string      `json:"record"`      // what a file of predictions must hold
	Predictions []Field     `json:"predictions"` // the fields of a record that are lists
}

// A SplitSize has the counts and lengths of a split.
type SplitSize struct {
	Name     string `json:"name"`
	Scored   bool   `json:"scored"`   // whether each string must have a record
	Optional bool   `json:"optional"` // whether each string may have one
	About    string `json:"about,omitempty"`
	Strings  int    `json:"strings"`
	Valid    int    `json:"valid"` // strings in the language
	Tokens   int    `json:"tokens"`
	Shortest int    `json:"shortest"` // tokens of the shortest string
	Longest  int    `json:"longest"`
}

// A File is a file of a data set.
type File struct {
	Name   string `json:"name"` // with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Write writes the data set of a row to a folder, which must be new or empty. The manifest is
// written last: a folder without one is incomplete. Its commit is that of m or, if m has none, that of the build.
func (s *Set) Write(folder string, m Manifest) (*Manifest, error) {
	folder = filepath.Clean(folder) // as Join does: in link/../x, the names of the files have no link
	if err := checkEmpty(folder); err != nil {
		return nil, err
	}
	files, err := s.files(func(name string, write func(io.Writer) error) error {
		to := filepath.Join(folder, filepath.FromSlash(name))
		if err := disk.MkdirAll(filepath.Dir(to)); err != nil {
			return err
		}
		return disk.Write(to, func(f disk.File) error { return write(f) })
	})
	if err != nil {
		return nil, err
	}
	m.Format, m.Contract, m.Commit = format, kernel.ContractVersion, cmp.Or(m.Commit, golden.Commit())
	m.Files, m.Data = files, digest(files)
	m.Tokens = max(s.Tokens, len(s.Alphabet))
	m.Alphabet, m.Closing, m.Metrics, m.Predictions = slices.Concat([]string{}, s.Alphabet), slices.Concat([]string{}, s.Closing), s.Metrics, s.Fields
	m.Record = fmt.Sprintf("the first line is {\"data\":%q}; then, in any order, each string of a scored split has a line with a JSON object: "+
		"split, its name; string, the number of the string in main.tok, from 0; and the fields in predictions, which are lists. "+
		"An optional split has records for all of its strings or for none; an optional field is in all records or in none", m.Data)
	if s.Array() {
		m.Record += "; or, in a file .npy of NumPy, an array with one axis of all numbers of all strings, split by split in the order of splits: those that are scored, or the optional ones, too"
	}
	for i := range s.Splits {
		m.Splits = append(m.Splits, s.Splits[i].size())
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	return &m, disk.WriteFile(filepath.Join(folder, ManifestName), append(text, '\n'))
}

// checkEmpty returns an error unless nothing is at the path of a folder, or an empty folder.
func checkEmpty(folder string) error {
	info, err := os.Stat(folder)
	if os.IsNotExist(err) {
		if _, err := os.Lstat(folder); err == nil {
			return fmt.Errorf("%s: have a link to nothing, want a new or an empty folder", folder)
		}
		return nil
	}
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: have a file, want a new or an empty folder", folder)
	}
	list, err := os.ReadDir(folder)
	if err == nil && len(list) > 0 {
		err = fmt.Errorf("%s: have a folder with %s, want a new or an empty one", folder, list[0].Name())
	}
	return err
}

// Digest returns the digest of the data set.
func (s *Set) Digest() (string, error) {
	files, err := s.files(discard)
	return digest(files), err
}

// discard writes a file nowhere.
func discard(_ string, write func(io.Writer) error) error { return write(io.Discard) }

// Check returns an error unless m has the digest of the set and the folder has its files. It looks neither
// at other files nor at what else m says of them.
func (s *Set) Check(folder string, m *Manifest) error {
	files, err := s.files(discard)
	if err != nil {
		return err
	}
	if have, want := m.Data, digest(files); have != want {
		return fmt.Errorf("%s: data: have %s, want %s, the data set of %s here", filepath.Join(folder, ManifestName), have, want, m.Row)
	}
	for _, f := range files {
		name := filepath.Join(folder, filepath.FromSlash(f.Name))
		have, err := sum(name)
		if err != nil {
			return err
		}
		if have != f.SHA256 {
			return fmt.Errorf("%s: have a file with the SHA-256 %s, want %s", name, have, f.SHA256)
		}
	}
	return nil
}

// sum returns the SHA-256 of a file.
func sum(name string) (string, error) {
	f, err := open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// open opens a file of a data set. What is not a regular file may block its readers.
func open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: have %v, want a regular file", name, info.Mode().Type())
	}
	return os.Open(name)
}

// mostManifest is the size of the largest manifest that is read.
const mostManifest = 1 << 20

// ReadManifest reads the manifest in a folder.
func ReadManifest(folder string) (*Manifest, error) {
	name := filepath.Join(folder, ManifestName)
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostManifest+1))
	if err != nil {
		return nil, err
	}
	if len(text) > mostManifest {
		return nil, fmt.Errorf("%s: have more than %d bytes, want a manifest", name, mostManifest)
	}
	m, err := parseManifest(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// parseManifest returns the manifest with the given text.
func parseManifest(text []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	if m.Format != format {
		return nil, fmt.Errorf("format: have %d, want %d", m.Format, format)
	}
	if _, err := golden.ParseName(string(m.Row.WithSeed(m.Seed))); err != nil {
		return nil, fmt.Errorf("row: %w", err)
	}
	return &m, nil
}

// files writes the files of all splits. The function create gets a name and a function that writes
// the text.
func (s *Set) files(create func(name string, write func(io.Writer) error) error) (list []File, err error) {
	for i := range s.Splits {
		split := &s.Splits[i]
		for _, kind := range split.kinds() {
			f := File{Name: path.Join(split.Name, kind.name)}
			err := create(f.Name, func(to io.Writer) error {
				h := sha256.New()
				w := bufio.NewWriterSize(io.MultiWriter(h, to), 1<<16)
				var line []byte
				for i := range split.Strings {
					line = kind.line(s, split, line[:0], i)
					if _, err := w.Write(line); err != nil {
						return err
					}
					f.Bytes += int64(len(line))
				}
				if err := w.Flush(); err != nil {
					return err
				}
				f.SHA256 = hex.EncodeToString(h.Sum(nil))
				return nil
			})
			if err != nil {
				return nil, err
			}
			list = append(list, f)
		}
	}
	return list, nil
}

// digest returns the digest of a data set.
func digest(files []File) string {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s  %s\n", f.SHA256, f.Name)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A kind is a kind of file of a split. The function line appends the line of string i, or nothing if
// the string has none.
type kind struct {
	name string
	line func(s *Set, split *Split, dst []byte, i int) []byte
}

// kinds returns the kinds of files of the split.
func (p *Split) kinds() []kind {
	list := []kind{{"main.tok", mainLine}}
	if p.Labels != nil {
		list = append(list, kind{"labels.txt", labelLine}, kind{"next-symbols.jsonl", nextLine}, kind{"num-edits.txt", editsLine})
	}
	for _, l := range p.More {
		list = append(list, kind{l.Name, func(_ *Set, _ *Split, dst []byte, i int) []byte { return append(l.Line(dst, i), '\n') }})
	}
	return list
}

func mainLine(s *Set, split *Split, dst []byte, i int) []byte {
	return append(s.tokens(dst, split.Text(i)), '\n')
}

// tokens appends the names of tokens, separated by one space.
func (s *Set) tokens(dst []byte, list []int32) []byte {
	if s.Alphabet == nil {
		return AppendTokens(dst, list)
	}
	for i, t := range list {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, s.Alphabet[t]...)
	}
	return dst
}

// AppendTokens appends the numbers of tokens, separated by one space.
func AppendTokens(dst []byte, list []int32) []byte {
	for i, t := range list {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendInt(dst, int64(t), 10)
	}
	return dst
}

func labelLine(_ *Set, split *Split, dst []byte, i int) []byte {
	if split.Labels.Valid(i) {
		return append(dst, "1\n"...)
	}
	return append(dst, "0\n"...)
}

func editsLine(_ *Set, split *Split, dst []byte, i int) []byte {
	if split.Labels.Valid(i) {
		return dst
	}
	if n := split.Labels.Edits(i); n > 0 {
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, '\n')
}

func nextLine(s *Set, split *Split, dst []byte, i int) []byte {
	if !split.Labels.Valid(i) {
		return dst
	}
	dst = append(dst, '[')
	first := true
	split.Labels.Next(i, func(tokens []int32, end bool) {
		slices.SortFunc(tokens, func(a, b int32) int { return cmp.Compare(s.Alphabet[a], s.Alphabet[b]) })
		if !first {
			dst = append(dst, ',')
		}
		first = false
		// No token has a character that JSON escapes; see the test of the alphabets.
		dst = append(s.tokens(append(dst, `{"s":"`...), tokens), `","e":`...)
		dst = append(strconv.AppendBool(dst, end), '}')
	})
	return append(dst, ']', '\n')
}

func (p *Split) size() SplitSize {
	size := SplitSize{Name: p.Name, Scored: p.Scored, Optional: p.Optional, About: p.About, Strings: p.Strings}
	for i := range p.Strings {
		n := len(p.Text(i))
		if size.Tokens += n; i == 0 {
			size.Shortest = n
		}
		size.Shortest, size.Longest = min(size.Shortest, n), max(size.Longest, n)
		if p.Labels == nil || p.Labels.Valid(i) {
			size.Valid++
		}
	}
	return size
}
