package checkpoint

import "fmt"

// FormatError says where a file is not a checkpoint.
type FormatError struct {
	File   string // the file's path, as given to Read
	Offset int64  // the byte of the file at which the fault stands
	Part   string // what stands there: "header", `tensor "w"`
	Have   string // what the file holds
	Need   string // what it must hold
}

// Error names file, offset, part, have and need.
func (e *FormatError) Error() string {
	return fmt.Sprintf("%s: offset %d: %s: have %s, want %s", e.File, e.Offset, e.Part, e.Have, e.Need)
}
