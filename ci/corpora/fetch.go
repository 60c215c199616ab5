package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"pushdown/corpora/text"
	"pushdown/harness/disk"
)

// client limits the time until the header of a response arrives, but not the time of
// the download; see steady.
var client = func() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = 30 * time.Second
	t.DisableCompression = true // so that the size of a file is the number of bytes received
	return &http.Client{Transport: t}
}()

// fetch downloads the archive of a corpus and extracts the given files from it. If the
// download is interrupted, the next call continues it.
func fetch(w io.Writer, fsys disk.FS, c text.Corpus, folder string, files []text.File) error {
	part := filepath.Join(folder, c.Name+".zip.part")
	if err := fsys.MkdirAll(filepath.Join(folder, c.Name)); err != nil {
		return err
	}
	if err := download(w, fsys, c.Zip, part); err != nil {
		return fmt.Errorf("downloading %s: %w", c.Zip, err)
	}
	err := extract(fsys, part, folder, files)
	if err != nil {
		err = fmt.Errorf("%s: %w; the archive is deleted", c.Zip, err)
	}
	return errors.Join(err, fsys.Remove(part)) // even if it is wrong: the next run must not continue a complete archive
}

// download downloads the content of an address to a file. If the file has the first
// bytes of an earlier download, download requests only the rest and appends it. If the
// server does not send exactly the rest, download downloads everything again.
func download(w io.Writer, fsys disk.FS, address, file string) error {
	have := int64(0)
	if info, err := os.Stat(file); err == nil {
		have = info.Size()
	}
	response, err := get(address, have)
	if err == nil && have > 0 && !continues(response, have) {
		response.Body.Close()
		have = 0
		response, err = get(address, 0)
	}
	if err != nil {
		return err
	}
	defer response.Body.Close()
	mode := os.O_APPEND
	switch {
	case response.StatusCode == http.StatusOK:
		mode, have = os.O_TRUNC, 0
	case response.StatusCode != http.StatusPartialContent || have == 0:
		return fmt.Errorf("have the status %s, want 200 or a part of the file: -from takes another address", response.Status)
	}
	f, err := fsys.OpenFile(file, os.O_CREATE|os.O_WRONLY|mode, 0o666)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "downloading %s, from byte %d on\n", address, have)
	n, err := io.Copy(f, steady{response.Body})
	if err != nil {
		err = fmt.Errorf("have %d bytes (%w), want all: the next -fetch continues there", have+n, err)
	}
	return errors.Join(err, f.Close())
}

// stall is the longest time without a byte after which a download ends.
var stall = 30 * time.Second

// A steady body returns an error if a Read gets no byte within the time stall, and closes the
// body.
type steady struct{ io.ReadCloser }

func (b steady) Read(p []byte) (int, error) {
	timer := time.AfterFunc(stall, func() { b.Close() })
	n, err := b.ReadCloser.Read(p)
	if !timer.Stop() && err != nil && err != io.EOF {
		err = fmt.Errorf("no byte for %v", stall)
	}
	return n, err
}

// continues reports whether download can go on with the response to a request for all bytes
// from the given index on. It returns false if the content has no such bytes, or if the
// server sends a part that starts elsewhere. It returns true for any other response, because
// download itself handles the whole content and reports errors.
func continues(r *http.Response, from int64) bool {
	if r.StatusCode != http.StatusPartialContent {
		return r.StatusCode != http.StatusRequestedRangeNotSatisfiable
	}
	var have int64
	_, err := fmt.Sscanf(r.Header.Get("Content-Range"), "bytes %d-", &have)
	return err == nil && have == from
}

// get requests the content of an address. The argument from is the number of bytes to leave
// out at the beginning.
func get(address string, from int64) (*http.Response, error) {
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "pushdown-corpora") // some servers refuse the default one
	if from > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	return client.Do(request)
}

// extract extracts the given files from the archive to the folder. It finds each file in
// the archive by the last part of the name.
func extract(fsys disk.FS, archive, folder string, files []text.File) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return fmt.Errorf("have no zip archive (%w), want one", err)
	}
	defer z.Close()
	for _, f := range files {
		name := path.Base(f.Name)
		i := slices.IndexFunc(z.File, func(m *zip.File) bool { return path.Base(m.Name) == name })
		if i < 0 {
			return fmt.Errorf("have no %s, want it in the archive", name)
		}
		data, err := member(z.File[i], f.Size)
		if err == nil {
			err = f.Check(data)
		}
		if err == nil {
			err = fsys.WriteFile(f.Path(folder), data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// member returns the content of a file of an archive, but reads at most size+1 bytes. The
// extra byte shows the caller that a file is longer than it should be.
func member(m *zip.File, size int64) ([]byte, error) {
	r, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, size+1))
}
