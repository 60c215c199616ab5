package suite

import "sync"

// A Cache makes a value once for each key, such as a corpus that the runs of several
// rows read. The zero Cache is empty and ready. It is for many readers at a time,
// which wait while a value is made.
type Cache[K comparable, V any] struct {
	mu   sync.Mutex
	made map[K]V
}

// Get returns the value of a key, which build makes if it is not there. A value that
// comes with an error is not kept.
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
