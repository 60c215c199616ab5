package bench

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// devices holds what PUSHDOWN_DEVICE may select, by name.
var devices = struct {
	sync.Mutex
	probe map[string]func() error
}{probe: map[string]func() error{"cpu": func() error { return nil }}}

// RegisterDevice makes name a value of PUSHDOWN_DEVICE. The package of a device
// calls it in its init function. probe returns why the device cannot be used on
// this machine, nil if it can.
func RegisterDevice(name string, probe func() error) {
	devices.Lock()
	defer devices.Unlock()
	if _, ok := devices.probe[name]; ok {
		panic("bench: device " + name + " is registered twice")
	}
	devices.probe[name] = probe
}

func parseDevice(value string) (string, error) {
	if value == "" {
		return "cpu", nil
	}
	devices.Lock()
	defer devices.Unlock()
	probe, ok := devices.probe[value]
	if !ok {
		var have []string
		for name := range devices.probe { // sorted below
			have = append(have, name)
		}
		slices.Sort(have)
		if value == "cuda" {
			return "", fmt.Errorf("PUSHDOWN_DEVICE: have cuda, need %s: this build has no CUDA device yet", strings.Join(have, " or "))
		}
		return "", fmt.Errorf("PUSHDOWN_DEVICE: have %q, need %s", value, strings.Join(have, " or "))
	}
	if err := probe(); err != nil {
		return "", fmt.Errorf("PUSHDOWN_DEVICE: have %s, need a device that answers: %w", value, err)
	}
	return value, nil
}
