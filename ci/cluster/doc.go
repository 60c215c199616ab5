// Command cluster brings the results of a suite that was run in parts together. The folder
// also has what runs the parts:
//
//	slurm            a script for a Slurm job array
//	kubernetes.yaml  an indexed Job for Kubernetes; Containerfile makes its image
//	trial            tries the script on a Slurm cluster of two nodes on one machine
//
// The workflow parts in .github/workflows runs the parts as jobs of GitHub Actions.
//
// # Parts
//
// A part is a process with PUSHDOWN_SHARD=i/n. It runs the compiled tests of the suite, made
// with go test -buildvcs=true -c, and not go test: a scheduler signals a process and reads its exit status,
// and go test neither passes a signal on nor returns the status of the tests. All starts of a
// part need the same program, because checkpoints belong to a build. The exit statuses:
//
//	0    all runs of the part have ended, and agree with the golden files
//	1    a test failed; a run that the golden files do not have counts as failed, too
//	2    the environment or the flags are wrong
//	75   a signal ended the process, and its runs have saved their state: start it again
//
// With status 1 the results are kept all the same. So a scheduler starts a part with status 75
// again, leaves the one with status 1, and does not stop the others for it. A part that is
// killed, or whose node fails, goes on from its last checkpoint, which is at most half a
// minute old. Parts may share a state folder: each run belongs to one part. If a
// node is only cut off and its processes go on, they still hold the locks on their runs. A part
// that is started again elsewhere then fails with status 1. Start it once more when they have
// ended.
//
// # Merging
//
//	go run ./ci/cluster merge -suite dyck -scale paper -match resurgence/table=2/ -o merged part1 part2
//
// copies the result files of the state folders part1 and part2 to the state folder merged,
// which may have results already. With -o alone, the command checks one folder. It reads all
// files before it writes, and writes nothing if it refuses anything:
//
//   - missing: a run of the suite at this scale has no result. With -match only the runs
//     whose names match are needed, and with -partial none. Missing runs are summed up by
//     row, and the last line names the flag that leaves them out.
//   - twice and different: two results of one run differ in more than their origin and wall
//     time. Two that differ only in these are one result: the first one is used, and the
//     command says so.
//   - another contract: a result of another version of the numeric contract.
//   - another experiment: a result of a run that the suite does not have at this scale, or of
//     which a setting has changed since.
//   - corrupt: a file that cannot be read, or whose parameters do not have the digest that
//     its trajectory gives, or whose parts contradict each other.
//   - forged: a result that says anything else than what its parameters give when they are
//     measured again, or its validations when the schedule decides again. Results that the
//     output has are not measured.
//
// No file that is there is replaced, and a file appears with its whole content or not at all. The exit status is 0 if all was merged, 1 if not,
// and 2 for wrong arguments. The command builds every experiment of the suite to know the
// hashes; for dyck at scale paper this takes a minute. To measure a result takes as long as at the
// end of its run. The suites on text need their corpora.
package main
