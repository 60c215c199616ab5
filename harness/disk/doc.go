// Package disk writes files so that neither an error nor a crash leaves half of one.
//
// [Write] and [WriteFile] write the new content to a temporary file in the same folder,
// sync it, rename it over the old file and sync the folder. If they fail, or the process
// is killed, the file has the old content or the new. Once they return nil, the new content
// also survives a power failure: without the first sync a file system may rename before it
// has written the content, and without the second the rename itself may be lost. [MkdirAll]
// syncs the parents of the folders that it makes, for the same reason.
//
// The writer holds a lock on its temporary file. The next writer in that folder removes
// temporary files that are not locked or, on file systems without locks, that are older than
// an hour.
//
// # Faults on purpose
//
// All calls that change a file system, and those that read files that may be damaged, are
// methods of an [FS], which is handed to the code that writes. The zero FS works on the files
// of the operating system, and so do the functions of this package. Tests hand over an FS
// that fails or stops at the n-th call; see package disktest.
package disk
