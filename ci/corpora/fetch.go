package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"time"

	"pushdown/corpora/text"
	"pushdown/harness/disk"
)

// longest is the longest time that a download may take. The archives have a few megabytes.
var longest = 10 * time.Minute

// headers is more than a zip archive with the files of a corpus has besides them.
const headers = 1 << 16

// fetch downloads the archive of a corpus and writes the given files of it. It finds each file in
// the archive by the last part of the name.
func fetch(w io.Writer, fsys disk.FS, c text.Corpus, folder string, files []text.File) error {
	fmt.Fprintf(w, "downloading %s\n", c.Zip)
	most := int64(headers)
	for _, f := range c.Files {
		most += f.Size
	}
	archive, err := download(c.Zip, most)
	if err != nil {
		return fmt.Errorf("downloading %s: %w", c.Zip, err)
	}
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return fmt.Errorf("%s: have no zip archive (%w), want one", c.Zip, err)
	}
	if err := fsys.MkdirAll(filepath.Join(folder, c.Name)); err != nil {
		return err
	}
	for _, f := range files {
		name := path.Base(f.Name)
		i := slices.IndexFunc(z.File, func(m *zip.File) bool { return path.Base(m.Name) == name })
		if i < 0 {
			return fmt.Errorf("%s: have no %s, want it in the archive", c.Zip, name)
		}
		data, err := member(z.File[i], f.Size)
		if err == nil {
			err = f.Check(data)
		}
		if err == nil {
			err = fsys.WriteFile(f.Path(folder), data)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", c.Zip, name, err)
		}
	}
	return nil
}

// download returns the content of an address. It reads at most a byte more than the given number.
func download(address string, most int64) ([]byte, error) {
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "pushdown-corpora") // some servers refuse the default one
	response, err := (&http.Client{Timeout: longest}).Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("have the status %s, want 200: -from takes another address", response.Status)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	if err != nil {
		return nil, fmt.Errorf("have %d bytes (%w), want all", len(data), err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("have more than %d bytes, want an archive with the files of the corpus alone", most)
	}
	return data, nil
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
