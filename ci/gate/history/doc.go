// Package history keeps benchmark text of many commits in a branch of a git repository, and
// finds the commits by which a new one can be judged. Package regression does the judging.
//
// The branch has no commit in common with others. It has a folder for each machine and in it a
// file for each commit:
//
//	linux-amd64-amd-epyc-cpu-avx512-3ab70d09/20261123T050704Z-6436c1606bf8.txt
//
// A file is benchmark text that golang.org/x/perf/benchfmt reads, so benchstat reads it, too. Its
// results are of one commit, which its lines commit and commit-time name, and all have the same
// other configuration lines, except pkg and round. These lines describe the machine: processor,
// device with instruction set and threads, toolchain, build settings and environment variables.
// A machine is the same only if all of them are equal, so a new version of Go begins a new
// history. The folder has the name of the system, the processor and the device, and a hash of all
// lines. The name of the file begins with the time of the commit in UTC, so that sorted names are
// in the order of time. Commits of the same second are in the order of their hashes.
//
// Parse brings text into this form: it removes round lines and repeated lines, and refuses text
// that is damaged or incomplete, or that JudgeHistory would refuse.
//
// Add pushes a commit that adds files to the branch. It works in the repository around the current
// folder, with an index of its own, and leaves local branches, index and files as they are. A file
// replaces that of the same commit and machine, so it does no harm to add a file again after an
// error, and a commit counts once however often it is measured. A file that lacks benchmarks of
// the one that it would replace is refused. If another push comes first, Add starts again from the
// new tip. Git takes credentials and the author from its settings, not from variables such as
// GIT_AUTHOR_NAME, see package git. Old files may be removed from the branch by a commit, as in
// any branch.
package history
