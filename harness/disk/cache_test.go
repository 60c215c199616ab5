package disk

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestCacheFolderIsAbsolute(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		home, cache string
		want        string // part of the error, or empty
	}{
		{folder, folder, ""},
		{folder, "", ""},
		{"", folder, ""},
		{"", "", "PUSHDOWN_X: have no value and no cache folder ("},
		{folder, "relative", "relative), want an absolute path in PUSHDOWN_X"},
		{"relative", "", "is a relative path), want an absolute path in PUSHDOWN_X"},
	} {
		if runtime.GOOS != "linux" && c.home != c.cache {
			continue // elsewhere one variable decides
		}
		t.Setenv("HOME", c.home)
		t.Setenv("XDG_CACHE_HOME", c.cache)
		t.Setenv("LocalAppData", c.cache)
		have, err := CacheFolder("PUSHDOWN_X")
		switch {
		case c.want == "" && (err != nil || !filepath.IsAbs(have) || !strings.HasPrefix(have, folder) || filepath.Base(have) != "pushdown"):
			t.Errorf("HOME=%s XDG_CACHE_HOME=%s: have %s (%v), want the folder pushdown below %s", c.home, c.cache, have, err, folder)
		case c.want != "" && (!errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("HOME=%s XDG_CACHE_HOME=%s: have %s (%v), want a missing folder with %q", c.home, c.cache, have, err, c.want)
		}
	}
}
