package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"pushdown/harness/suite"
)

// browser returns the path of Chromium. It skips the test if there is none.
func browser(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: opens pages in a browser: go test ./ci/report -run Browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if file, err := exec.LookPath(name); err == nil {
			return file
		}
	}
	suite.Skip(t, "chromium", "there is no chromium in PATH", "apt-get install chromium")
	return ""
}

// driver is a page that opens each page in a frame, which is as wide as a narrow screen. It
// reports pages that are wider than the frame, pictures without content, style sheets that
// are missing and links that lead nowhere.
const driver = `<!DOCTYPE html><title>driver</title><body><script>
const pages = %s, faults = [], links = new Map();
const open = name => new Promise(done => {
	const frame = document.createElement("iframe");
	frame.width = 360; frame.height = 800;
	frame.onload = () => done(frame);
	frame.src = "/site/" + name;
	document.body.append(frame);
});
(async () => {
	for (const name of pages) {
		const frame = await open(name), doc = frame.contentDocument;
		for (const image of doc.images) {
			image.loading = "eager";
			try { await image.decode(); } catch (e) { faults.push(name + ": picture " + image.src + ": " + e); }
		}
		const wide = Math.max(doc.documentElement.scrollWidth, doc.body.scrollWidth);
		if (wide > 360) faults.push(name + ": width " + wide + ", want at most 360");
		if (doc.styleSheets.length != 1 || doc.styleSheets[0].cssRules.length == 0) faults.push(name + ": have no style sheet, want one");
		for (const a of doc.links) links.set(a.href.split("#")[0], name);
		frame.remove();
	}
	for (const [link, name] of links) {
		const answer = await fetch(link, {method: "HEAD"}).catch(e => e);
		if (!answer.ok) faults.push(name + ": link " + link + " is broken");
	}
	await fetch("/done", {method: "POST", body: JSON.stringify({pages: pages.length, links: links.size, faults: faults})});
})();
</script>`

// A browsed is what the driver reports.
type browsed struct {
	Pages, Links int
	Faults       []string
}

// browse opens pages of a site in Chromium.
func browse(t *testing.T, chromium string, s site, names []string) browsed {
	t.Helper()
	done := make(chan browsed, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("/driver", func(w http.ResponseWriter, _ *http.Request) {
		list, err := json.Marshal(names)
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, driver, list)
	})
	mux.HandleFunc("/site/", func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/site/")
		text, ok := s[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		w.Write(text)
	})
	mux.HandleFunc("/done", func(w http.ResponseWriter, r *http.Request) {
		var b browsed
		text, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(text, &b)
		}
		if err != nil {
			b.Faults = append(b.Faults, err.Error())
		}
		done <- b
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	folder, err := os.MkdirTemp("", "report-browser-*") // Chromium may still write into it when it is killed
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--enable-logging=stderr", "--user-data-dir="+folder, server.URL+"/driver")
	var log bytes.Buffer
	cmd.Stderr = &log
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var b browsed
	select {
	case b = <-done:
		cancel()
		<-ended
	case err := <-ended:
		t.Fatalf("%s ended: %v\n%s", chromium, err, &log)
	}
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, ":CONSOLE") && !strings.Contains(line, "favicon.ico") { // the driver has no icon
			b.Faults = append(b.Faults, "console: "+strings.TrimSpace(line))
		}
	}
	return b
}

// TestBrowser opens pages of the site of this repository, all of them if the long checks are
// selected.
func TestBrowser(t *testing.T) {
	chromium := browser(t)
	_, s := ofRepository(t)
	var names []string
	rows := 0
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if path.Ext(name) != ".html" {
			continue
		}
		if strings.HasPrefix(name, "rows/") {
			if rows++; rows%40 != 1 && !suite.Long() {
				continue
			}
		}
		names = append(names, name)
	}
	b := browse(t, chromium, s, names)
	for _, f := range b.Faults {
		t.Error(f)
	}
	if b.Pages != len(names) || b.Links < 300 {
		t.Errorf("have %d pages and %d links, want %d and at least 300", b.Pages, b.Links, len(names))
	}
}

// TestBrowserFindsFaults checks that browse finds each kind of fault.
func TestBrowserFindsFaults(t *testing.T) {
	chromium := browser(t)
	page := func(body string) []byte {
		return []byte(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>x</title><link rel="stylesheet" href="style.css"></head><body>` + body + `</body></html>`)
	}
	s := site{
		"style.css": []byte("p { margin: 0; }\n"), "good.html": page(`<p>x</p><a href="good.html#x">x</a>`), "wide.html": page(`<div style="width: 500px">x</div>`),
		"link.html": page(`<a href="none.html">x</a>`), "picture.html": page(`<img src="none.svg" alt="">`), "script.html": page(`<script>undefined.x</script>`),
		"plain.html": []byte("<!DOCTYPE html><p>x</p>"),
	}
	b := browse(t, chromium, s, []string{"good.html", "wide.html", "link.html", "picture.html", "script.html", "plain.html"})
	all := strings.Join(b.Faults, "\n")
	for _, want := range []string{"wide.html: width 5", "link.html: link http", "picture.html: picture http", "Uncaught TypeError", "plain.html: have no style sheet"} {
		if !strings.Contains(all, want) {
			t.Errorf("have no fault %q in\n%s", want, all)
		}
	}
	if strings.Contains(all, "good.html") {
		t.Errorf("have a fault of a good page in\n%s", all)
	}
}
