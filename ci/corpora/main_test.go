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

// A server serves an archive and records the Range headers of the requests.
type server struct {
	data   []byte
	stop   int      // abort the first response after this many bytes, unless 0
	hang   bool     // do not abort it, but send nothing more until the client closes the connection
	whole  bool     // ignore the Range header
	start  bool     // respond to each request for a part with the first byte alone
	ranges []string // the Range header of each request
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.ranges = append(s.ranges, r.Header.Get("Range"))
	switch {
	case r.URL.Path != "/x.zip":
		http.NotFound(w, r)
	case s.stop > 0 && len(s.ranges) == 1:
		w.Header().Set("Content-Length", fmt.Sprint(len(s.data)))
		w.Write(s.data[:s.stop])
		w.(http.Flusher).Flush()
		if s.hang {
			<-r.Context().Done()
		}
		panic(http.ErrAbortHandler)
	case s.start && r.Header.Get("Range") != "":
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-0/%d", len(s.data)))
		w.WriteHeader(http.StatusPartialContent)
		w.Write(s.data[:1])
	case s.whole:
		w.Write(s.data)
	default:
		http.ServeContent(w, r, "x.zip", time.Time{}, bytes.NewReader(s.data))
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
// no other files. So there must be no partial download, either.
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
	if parts, _ := filepath.Glob(filepath.Join(folder, "*.part")); len(parts) > 0 {
		t.Errorf("have %q, want no partial download", parts)
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

func TestFetch(t *testing.T) {
	data := archive(t, contents)
	stop := len(data) / 2
	for _, c := range []struct {
		name   string
		server server
		part   []byte   // partial download from before the test, if any
		broken string   // error of the first download, if it fails
		ranges []string // expected Range headers of all requests
	}{
		{"at once", server{}, nil, "", []string{""}},
		{"in two parts", server{stop: stop}, nil, "unexpected EOF", []string{"", fmt.Sprintf("bytes=%d-", stop)}},
		{"in two parts from a server that stops sending", server{stop: stop, hang: true}, nil, "no byte for 1s", []string{"", fmt.Sprintf("bytes=%d-", stop)}},
		{"twice from a server without Range", server{stop: stop, whole: true}, nil, "unexpected EOF", []string{"", fmt.Sprintf("bytes=%d-", stop)}},
		{"twice from a server that sends another part", server{stop: stop, start: true}, nil, "unexpected EOF", []string{"", fmt.Sprintf("bytes=%d-", stop), ""}},
		{"complete before", server{}, data, "", []string{fmt.Sprintf("bytes=%d-", len(data)), ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.server.hang {
				defer func(d time.Duration) { stall = d }(stall)
				stall = time.Second
			}
			c.server.data = data
			s := httptest.NewServer(&c.server)
			defer s.Close()
			folder, x := t.TempDir(), corpus(s.URL+"/x.zip")
			part := filepath.Join(folder, "x.zip.part")
			if c.part != nil {
				if err := os.WriteFile(part, c.part, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if c.broken != "" {
				contains(t, command(t, 1, folder, x, "-fetch"), fmt.Sprintf("have %d bytes (%s), want all: the next -fetch continues there", stop, c.broken), "x/0.txt  missing")
				if info, err := os.Stat(part); err != nil || info.Size() != int64(stop) {
					t.Fatalf("have %v (%v), want a partial download of %d bytes", info, err, stop)
				}
			}
			contains(t, command(t, 0, folder, x, "-fetch"), "x/0.txt  there and right")
			holds(t, folder)
			command(t, 0, folder, x, "-fetch") // the files are right, so this makes no request
			if have := fmt.Sprintf("%q", c.server.ranges); have != fmt.Sprintf("%q", c.ranges) {
				t.Errorf("have requests with the ranges %s, want %q", have, c.ranges)
			}
		})
	}
}

func TestFetchKeepsRightFiles(t *testing.T) {
	s := httptest.NewServer(&server{data: archive(t, contents)})
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
}

func TestFetchRefuses(t *testing.T) {
	for _, c := range []struct {
		name, path string
		files      []string
		raw        []byte // if not nil, the server sends this instead of an archive of files
		want       string
	}{
		{"a missing archive", "/y.zip", contents, nil, "have the status 404 Not Found, want 200 or a part of the file: -from takes another address"},
		{"another file", "/x.zip", []string{contents[0], "x\n", contents[2]}, nil, "1.txt: have SHA-256 "},
		{"a longer file", "/x.zip", []string{contents[0] + "more", "", ""}, nil, "0.txt: have 12001 bytes, want the file of 12000 bytes"},
		{"an archive without a file", "/x.zip", contents[:2], nil, "have no 2.txt, want it in the archive"},
		{"no archive", "/x.zip", nil, []byte("<html>"), "have no zip archive (zip: not a valid zip file), want one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := c.raw
			if data == nil {
				data = archive(t, c.files)
			}
			s := httptest.NewServer(&server{data: data})
			defer s.Close()
			folder := t.TempDir()
			contains(t, command(t, 1, folder, corpus(s.URL+c.path), "-fetch"), c.want, "2.txt  missing")
			names, err := filepath.Glob(filepath.Join(folder, "x", "*"))
			for _, name := range names {
				if filepath.Ext(name) != ".txt" {
					t.Errorf("have %s (%v), want no temporary file", name, err)
				}
			}
			if _, err := os.Stat(filepath.Join(folder, "x.zip.part")); err == nil {
				t.Error("have a partial download, want a wrong archive deleted")
			}
		})
	}
}
