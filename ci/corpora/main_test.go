package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pushdown/corpora/text"
)

// contents holds the text of each file of the test corpus.
var contents = []string{strings.Repeat("a b c\n", 2000), "a\n", "b\n"}

// corpus returns the test corpus, whose archive is published at the given address.
func corpus(address string) text.Corpus {
	c := text.Corpus{Name: "x", Title: "a corpus", Licence: "none", Source: "-fetch", Zip: address}
	for i, s := range contents {
		c.Files = append(c.Files, text.File{Name: fmt.Sprintf("x/%d.txt", i), Size: int64(len(s)), SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(s)))})
	}
	return c
}

// archive returns a zip archive of files with the given texts. It does not compress them,
// so that the archive is long enough for a test to interrupt its download.
func archive(t *testing.T, files []string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, s := range files {
		f, err := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("folder/%d.txt", i), Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A server serves an archive.
type server struct {
	data     []byte
	stop     bool // abort the response in the middle
	hang     bool // send nothing from the middle on, until the client closes the connection
	endless  bool // go on until the client closes the connection
	requests int
	sent     int // bytes of an endless response
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests++
	switch {
	case r.URL.Path != "/x.zip":
		http.NotFound(w, r)
	case s.stop || s.hang:
		w.Header().Set("Content-Length", fmt.Sprint(len(s.data)))
		w.Write(s.data[:len(s.data)/2])
		w.(http.Flusher).Flush()
		if s.hang {
			<-r.Context().Done()
		}
		panic(http.ErrAbortHandler)
	case s.endless:
		for err := error(nil); err == nil && s.sent < 1<<30; s.sent += 1 << 20 {
			_, err = w.Write(make([]byte, 1<<20))
		}
	default:
		w.Write(s.data)
	}
}

// command runs the program in a folder and returns its output. It checks that the exit
// status is the given one.
func command(t *testing.T, status int, folder string, c text.Corpus, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if have := run(&out, &out, append([]string{"-dir", folder}, args...), []text.Corpus{c}); have != status {
		t.Errorf("%q: have status %d, want %d:\n%s", args, have, status, out.String())
	}
	return out.String()
}

// contains reports a test error for each string in the list parts that does not occur in the
// text of the parameter have.
func contains(t *testing.T, have string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(have, p) {
			t.Errorf("have\n%s\nwant it to contain %q", have, p)
		}
	}
}

// holds checks that a folder contains the files of the test corpus, in its subfolder x, and
// no other files.
func holds(t *testing.T, folder string) {
	t.Helper()
	for i, want := range contents {
		if have, err := os.ReadFile(filepath.Join(folder, "x", fmt.Sprintf("%d.txt", i))); err != nil || string(have) != want {
			t.Errorf("file %d: have %d bytes (%v), want %d", i, len(have), err, len(want))
		}
	}
	names, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil || len(names) != len(contents) {
		t.Errorf("have %q (%v), want %d files", names, err, len(contents))
	}
}

func TestList(t *testing.T) {
	folder, c := t.TempDir(), corpus("")
	contains(t, command(t, 0, folder, c), folder+"\n", "x: a corpus\n", "x/0.txt  missing: want 12000 bytes, SHA-256 ", "licence: none", "how to get it: -fetch", "tiny: ", "after these files have changed: go test -count=1")
	if err := os.Mkdir(filepath.Join(folder, "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i, s := range []string{contents[0], "x\n", "a\r\n"} {
		if err := os.WriteFile(c.Files[i].Path(folder), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	contains(t, command(t, 1, folder, c, "-fetch"), // without an address there is nothing to fetch
		"x/0.txt  there and right\n", "x/1.txt  wrong: have SHA-256 ", ", want the file with "+c.Files[1].SHA256,
		"x/2.txt  wrong: have 3 bytes and a carriage return in line 1, which tr -d '\\r' removes, want the file of 2 bytes\n")
	contains(t, command(t, 2, folder, c, "x"), `have the argument "x" after the flags, want none`)
	contains(t, command(t, 2, folder, c, "-from", "x"), "have -from without -fetch, want both")
	for _, c := range text.Published() {
		contains(t, command(t, 0, folder, c), c.Name+": "+c.Title, c.Files[0].SHA256, c.Licence, c.Source)
	}
}

// TestFetch fetches a wrong and a missing file. Right files must stay.
func TestFetch(t *testing.T) {
	server := &server{data: archive(t, contents)}
	s := httptest.NewServer(server)
	defer s.Close()
	folder, c := t.TempDir(), corpus("http://127.0.0.1:0/no.zip")
	right := c.Files[0].Path(folder)
	if err := os.Mkdir(filepath.Dir(right), 0o777); err != nil {
		t.Fatal(err)
	}
	for i, s := range []string{contents[0], "wrong"} {
		if err := os.WriteFile(c.Files[i].Path(folder), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.Stat(right)
	if err != nil {
		t.Fatal(err)
	}
	command(t, 0, folder, c, "-fetch", "-from", s.URL+"/x.zip")
	holds(t, folder)
	if after, err := os.Stat(right); err != nil || !os.SameFile(before, after) {
		t.Errorf("have another file %s (%v), want the one before", right, err)
	}
	command(t, 0, folder, c, "-fetch", "-from", s.URL+"/x.zip") // the files are right, so this makes no request
	if server.requests != 1 {
		t.Errorf("have %d requests, want 1", server.requests)
	}
}

func TestFetchRefuses(t *testing.T) {
	defer func(d time.Duration) { longest = d }(longest)
	longest = time.Second
	right := archive(t, contents)
	for _, c := range []struct {
		name, path string
		server     server
		want       string
	}{
		{"a missing archive", "/y.zip", server{}, "have the status 404 Not Found, want 200: -from takes another address"},
		{"half an archive", "/x.zip", server{data: right, stop: true}, fmt.Sprintf("have %d bytes (unexpected EOF), want all", len(right)/2)},
		{"half an archive, from a server that hangs", "/x.zip", server{data: right, hang: true}, "(context deadline exceeded"},
		{"another file", "/x.zip", server{data: archive(t, []string{contents[0], "x\n", contents[2]})}, "1.txt: have SHA-256 "},
		{"a longer file", "/x.zip", server{data: archive(t, []string{contents[0] + "more", "", ""})}, "0.txt: have 12001 bytes, want the file of 12000 bytes"},
		{"an archive without a file", "/x.zip", server{data: archive(t, contents[:2])}, "have no 2.txt, want it in the archive"},
		{"an endless archive", "/x.zip", server{endless: true}, "have more than 77540 bytes, want an archive with the files of the corpus alone"},
		{"no archive", "/x.zip", server{data: []byte("<html>")}, "have no zip archive (zip: not a valid zip file), want one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := httptest.NewServer(&c.server)
			defer s.Close()
			folder := t.TempDir()
			contains(t, command(t, 1, folder, corpus(s.URL+c.path), "-fetch"), c.want, "2.txt  missing")
			s.Close()
			if most := 64 << 20; c.server.sent > most {
				t.Errorf("have a response of %d bytes sent, want at most %d of an endless one", c.server.sent, most)
			}
			names, err := filepath.Glob(filepath.Join(folder, "x", "*"))
			for _, name := range names {
				if filepath.Ext(name) != ".txt" {
					t.Errorf("have %s (%v), want no temporary file", name, err)
				}
			}
		})
	}
}
