package disk

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CacheFolder returns the folder pushdown in the user's cache folder, an absolute path. It
// creates nothing. The argument instead names what the user can set if there is no cache
// folder: an environment variable or a flag. The error then is an [fs.ErrNotExist].
func CacheFolder(instead string) (string, error) {
	cache, err := os.UserCacheDir()
	if err == nil && !filepath.IsAbs(cache) { // only of XDG_CACHE_HOME is this an error of os.UserCacheDir
		err = fmt.Errorf("%s is a relative path", cache)
	}
	if err != nil {
		return "", noCache{fmt.Errorf("%s: have no value and no cache folder (%w), want an absolute path in %[1]s", instead, err)}
	}
	return filepath.Join(cache, "pushdown"), nil
}

// noCache is the error that there is no cache folder.
type noCache struct{ error }

func (noCache) Is(target error) bool { return target == fs.ErrNotExist }
