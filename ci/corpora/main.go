// Command corpora lists the files of the text corpora, and whether each is right, wrong
// or missing. If a corpus is not complete, the command prints where it is published and
// under which licence. With -fetch it downloads missing and wrong files, if they may be
// downloaded.
//
//	go run ./ci/corpora
//	go run ./ci/corpora -fetch
//	go run ./ci/corpora -dir folder -fetch -from https://example.org/wikitext-2-v1.zip
//
// Without -dir the folder is the value of PUSHDOWN_CORPORA, or else pushdown/corpora in
// the user's cache folder. The command checks the SHA-256 of each file before it gives the file
// its name, so -from may name any address. It does not replace files that are right. After files
// have changed, tests need go test -count=1: go test watches only files of the module, and shows
// cached results.
//
// The exit status is 1 if a file is wrong or could not be fetched, and 2 for wrong
// arguments. If files are only missing, it is 0.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"pushdown/corpora/text"
	"pushdown/harness/argument"
	"pushdown/harness/disk"
)

func main() { os.Exit(run(os.Stdout, os.Stderr, os.Args[1:], text.Published())) }

// run runs the command for a list of corpora, and returns the exit status.
func run(stdout, stderr io.Writer, args []string, corpora []text.Corpus) int {
	flags := flag.NewFlagSet("corpora", flag.ContinueOnError)
	flags.SetOutput(stderr)
	folder := flags.String("dir", "", "the `folder` of the corpora; default: PUSHDOWN_CORPORA, or a folder in the user's cache")
	download := flags.Bool("fetch", false, "download missing and wrong files that may be downloaded")
	from := flags.String("from", "", "another `address` of the zip archive to download")
	if status, ok := argument.Parse(flags, args); !ok {
		return status
	}
	if *from != "" && !*download {
		fmt.Fprintln(stderr, "corpora: have -from without -fetch, want both")
		return 2
	}
	if *folder == "" {
		var err error
		if *folder, err = text.Folder(); err != nil {
			fmt.Fprintln(stderr, "corpora:", err)
			return 2
		}
	}
	fmt.Fprintf(stdout, "%s\n", *folder)
	status := 0
	for _, c := range corpora {
		if *from != "" && c.Zip != "" {
			c.Zip = *from
		}
		files := faulty(c, *folder)
		if *download && c.Zip != "" && len(files) > 0 {
			if err := fetch(stdout, disk.FS{}, c, *folder, files); err != nil {
				fmt.Fprintf(stderr, "corpora: %s: %v\n", c.Name, err)
				status = 1
			}
		}
		if !list(stdout, c, *folder) {
			status = 1
		}
	}
	tiny := text.Tiny()
	fmt.Fprintf(stdout, "\n%s: %s\n  %s; %s\n", tiny.Name, tiny.Title, tiny.Source, tiny.Licence)
	fmt.Fprint(stdout, "\nafter these files have changed: go test -count=1, because go test does not watch them, and shows cached results\n")
	return status
}

// faulty returns the files of a corpus that are missing or wrong.
func faulty(c text.Corpus, folder string) []text.File {
	return slices.DeleteFunc(slices.Clone(c.Files), func(f text.File) bool {
		_, err := f.Read(folder)
		return err == nil
	})
}

// list prints the state of each file of a corpus. If a file is missing or wrong, it also
// prints how to get the corpus. It returns false if a file is wrong or unreadable, and true
// even if files are missing.
func list(w io.Writer, c text.Corpus, folder string) bool {
	fmt.Fprintf(w, "\n%s: %s\n", c.Name, c.Title)
	lacks, right := false, true
	for _, f := range c.Files {
		state := "there and right"
		data, err := os.ReadFile(f.Path(folder))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			state, lacks = fmt.Sprintf("missing: want %d bytes, SHA-256 %s", f.Size, f.SHA256), true
		case err != nil:
			state, lacks, right = fmt.Sprintf("unreadable: %v", err), true, false
		default:
			if err := f.Check(data); err != nil {
				state, lacks, right = fmt.Sprintf("wrong: %v", err), true, false
			}
		}
		fmt.Fprintf(w, "  %s  %s\n", f.Name, state)
	}
	if lacks {
		fmt.Fprintf(w, "  licence: %s\n  how to get it: %s\n", c.Licence, c.Source)
	}
	return right
}
