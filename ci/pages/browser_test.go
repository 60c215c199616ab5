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
		t.Skip("-short: opens pages in a browser: go test ./ci/pages -run Browser")
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
// reports pages that are wider than the frame and pictures without content.
const driver = `<!DOCTYPE html><title>driver</title><body><script>
const pages = %s, faults = [];
(async () => {
	for (const name of pages) {
		const frame = document.createElement("iframe");
		frame.width = 360; frame.height = 800; frame.src = "/site/" + name;
		const loaded = new Promise(done => frame.onload = done);
		document.body.append(frame);
		await loaded;
		const doc = frame.contentDocument;
		for (const image of doc.images) {
			image.loading = "eager";
			try { await image.decode(); } catch (e) { faults.push(name + ": picture " + image.src + ": " + e); }
		}
		const wide = Math.max(doc.documentElement.scrollWidth, doc.body.scrollWidth);
		if (wide > 360) faults.push(name + ": width " + wide + ", want at most 360");
		frame.remove();
	}
	await fetch("/done", {method: "POST", body: JSON.stringify({pages: pages.length, faults: faults})});
})();
</script>`

// A browsed is what the driver reports.
type browsed struct {
	Pages  int
	Faults []string
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
	folder, err := os.MkdirTemp("", "pages-browser-*") // Chromium may still write into it when it is killed
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
		if dir := path.Dir(name); dir == "rows" || dir == "pairs" {
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
	if b.Pages != len(names) {
		t.Errorf("have %d pages, want %d", b.Pages, len(names))
	}
}

// TestBrowserFindsFaults checks that browse finds each kind of fault.
func TestBrowserFindsFaults(t *testing.T) {
	chromium := browser(t)
	s := site{
		"good.html": []byte(`<!DOCTYPE html><p>x</p>`), "wide.html": []byte(`<!DOCTYPE html><div style="width: 500px">x</div>`),
		"picture.html": []byte(`<!DOCTYPE html><img src="none.svg" alt="">`), "script.html": []byte(`<!DOCTYPE html><script>undefined.x</script>`),
	}
	all := strings.Join(browse(t, chromium, s, []string{"good.html", "wide.html", "picture.html", "script.html"}).Faults, "\n")
	wants(t, all, "wide.html: width 5", "picture.html: picture http", "Uncaught TypeError")
	if strings.Contains(all, "good.html") {
		t.Errorf("have a fault of a good page in\n%s", all)
	}
}
