package checkpoint

import "fmt"

// FormatError reports where and how a file violates the format.
type FormatError struct {
	File   string // the file's path, as given to Read
	Offset int64  // offset of the fault in the file
	Part   string // part of the file at Offset: "header", `tensor "w"`
	Have   string // what the file contains
	Need   string // what it must contain
}

// Error returns the fields in one line.
func (e *FormatError) Error() string {
	return fmt.Sprintf("%s: offset %d: %s: have %s, want %s", e.File, e.Offset, e.Part, e.Have, e.Need)
}
