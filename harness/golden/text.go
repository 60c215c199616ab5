package golden

// Parting says where two trajectories part. It is empty if run is golden or the
// beginning of it.
func Parting(golden, run Trajectory) string {
	if d, parted := part(golden, run); parted {
		return d.String()
	}
	return ""
}

// Lock takes the file at path for a read and a write, as updates of golden files do,
// until release is called. It waits for others a while.
func Lock(path string) (release func() error, err error) { return lock(path, lockTries) }

// WriteText puts text at path as a whole or not at all.
func WriteText(path string, text []byte) error { return replace(path, text) }
