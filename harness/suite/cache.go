package suite

import "sync"

// A Cache builds a value once for each key. For example, the value may be a corpus that
// the runs of several rows read. The zero Cache is empty and ready to use. A Cache is
// safe for concurrent use. While one call of Get builds a value, all other calls wait,
// even those for other keys.
type Cache[K comparable, V any] struct {
	mu   sync.Mutex
	made map[K]V
}

// Get returns the value of a key. If the cache does not have it, Get calls the function
// build and keeps the value that it returns, unless it returns an error.
func (c *Cache[K, V]) Get(key K, build func() (V, error)) (V, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.made[key]; ok {
		return v, nil
	}
	v, err := build()
	if err != nil {
		return v, err
	}
	if c.made == nil {
		c.made = map[K]V{}
	}
	c.made[key] = v
	return v, nil
}
