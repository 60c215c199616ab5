package suite

import "sync"

// A Cache builds a value once for each key. For example, the value may be a corpus that
// the runs of several rows read. The zero Cache is empty and ready to use. A Cache is
// safe for concurrent use. While one call of Get builds a value, other calls for the same
// key wait.
type Cache[K comparable, V any] struct{ made sync.Map } // of *entry[V], by key

// entry is the value of a key. While done is false, it has not been built.
type entry[V any] struct {
	mu    sync.Mutex
	done  bool
	value V
}

// Get returns the value of a key. If the cache does not have it, Get calls the function
// build and keeps the value that it returns, unless it returns an error.
func (c *Cache[K, V]) Get(key K, build func() (V, error)) (v V, err error) {
	made, _ := c.made.LoadOrStore(key, new(entry[V]))
	e := made.(*entry[V])
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.done {
		return e.value, nil
	}
	if v, err = build(); err == nil {
		e.value, e.done = v, true
	}
	return v, err
}
