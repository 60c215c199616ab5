package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pushdown/ci/git/gittest"
)

// links matches the target of a link or a picture in Markdown.
var links = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// notInFragment matches the characters of a heading that GitHub leaves out of the
// fragment by which a link refers to the heading.
var notInFragment = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// TestNoLinkIsBroken checks that each link between pages and files of the repository
// leads to an existing file, and to an existing heading if it names one. It does not
// check links to other sites.
func TestNoLinkIsBroken(t *testing.T) {
	root := repositoryRoot(t)
	followed, broken := follow(t, root)
	for _, b := range broken {
		t.Error(b)
	}
	if followed < 10 {
		t.Errorf("have %d links in the repository, want 10 or more: the pages link to each other", followed)
	}
}

func TestFollowFindsBrokenLinks(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"a.md": "[b](b.md) [heading](b.md#a-heading-2) [own](#top) [web](https://example.org/x)\n# Top\n",
		"b.md": "## A heading: (2)\n[no file](c.md) ![no picture](d.svg) [no heading](a.md#bottom)\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	followed, broken := follow(t, root)
	if followed != 6 || len(broken) != 3 {
		t.Errorf("have %d links with %q broken, want 6 with those to c.md, d.svg and a.md#bottom", followed, broken)
	}
}

// keys matches the names that a computer needs: a part of the name of a row, the key of a printed
// number, a unit.
var keys = regexp.MustCompile(`\b(paper|table|row|task)=|\[[a-z-]+:[0-9A-Z]+:|\b(test|valid|train)-[a-z]|[a-z]-%`)

// TestPagesAreInWords checks that the pages of results and their figures, and the claims of the site,
// name rows, numbers and units in words, except in commands.
func TestPagesAreInWords(t *testing.T) {
	root := repositoryRoot(t)
	list, err := filepath.Glob(filepath.Join(root, "golden", "*", "README.md"))
	if err != nil || len(list) < 5 {
		t.Fatalf("have %d pages of suites, %v, want at least 5", len(list), err)
	}
	figures, err := filepath.Glob(filepath.Join(root, "golden", "*", "figures", "*.svg"))
	if err != nil || len(figures) < 5 {
		t.Fatalf("have %d figures, %v, want at least 5", len(figures), err)
	}
	code := regexp.MustCompile("`[^`]*`|<[^>]*>")
	for _, page := range append(append(list, figures...), filepath.Join(root, "golden", "README.md"), filepath.Join(root, "golden", "CLAIMS.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if key := keys.FindString(code.ReplaceAllString(line, "")); key != "" {
				t.Errorf("%s: have %q in %q, want words", page, key, line)
			}
		}
	}
	_, files := ofRepository(t)
	claims := string(files["claims.html"])
	if key := keys.FindString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(claims, "")); key != "" || !strings.Contains(claims, " runs of <a href=\"") {
		t.Errorf("claims.html: have %q, want words, with links to rows whose runs are missing or too few", key)
	}
	for _, key := range []string{"no runs of paper=resurgence/table=2", "[resurgence:2:dyck-m4:wcpa_percent:test]", "a mean of test-ce", "lengths-% within"} {
		if !keys.MatchString(key) {
			t.Errorf("%q: have no key in it, want one", key)
		}
	}
}

// follow checks the links in all pages of the repository at root, except links to other sites. It
// returns the number of links checked and descriptions of the broken ones.
func follow(t *testing.T, root string) (followed int, broken []string) {
	t.Helper()
	names, err := gittest.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if path.Ext(name) != ".md" {
			continue
		}
		page := filepath.Join(root, filepath.FromSlash(name))
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range links.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			followed++
			name, fragment, _ := strings.Cut(m[1], "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(name))
			}
			if _, err := os.Stat(target); err != nil || fragment != "" && !hasHeading(t, target, fragment) {
				broken = append(broken, page+": have the link "+m[1]+", want one to a file or a heading that is there")
			}
		}
	}
	return followed, broken
}

// hasHeading reports whether a page has a heading to which links with the given fragment
// lead on GitHub.
func hasHeading(t *testing.T, page, fragment string) bool {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if ok && strings.HasPrefix(line, "#") && fragment == strings.ReplaceAll(notInFragment.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), ""), " ", "-") {
			return true
		}
	}
	return false
}
