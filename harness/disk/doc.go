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
// temporary files that are not locked or, on systems without flock, that are older than an
// hour.
//
// [WriteAll] replaces several files together. It first writes all new contents to one
// file, the journal. If it is interrupted after that, the files do not all have their new
// content, and [Recover] completes the work.
//
// # Faults on purpose
//
// All calls that change a file system, and those that read files that may be damaged, go to
// a [System]. Tests replace it, with [Use], by one that fails or stops at the n-th call; see
// package disktest.
package disk
