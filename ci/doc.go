// Package ci enforces the rules of this repository that the compiler does not check.
// The rules are tests, so go test ./... runs them on every machine:
//
//	imports      packages import only what the table in imports_test.go allows
//	layout       the top level has the entries listed in layout_test.go, and no others
//	paths        no file names a path of one machine
//	goldens      golden files parse, and each has the path of its suite and scale
//	arguments    commands, tests and scripts refuse an argument that they do not know
//	comments     packages and exported identifiers are documented
//	fusing       every product is rounded before it is added to anything
//	fma          no call of numeric.FMA has constant factors that prevent fusing on arm64
//	exact        code that computes digests uses no inexact function such as math.Exp
//	clock        nor the clock, or random numbers but those of harness/rng
//	seeds        tests draw random numbers from fixed seeds
//	rootless     tests pass with -trimpath: none calls runtime.GOROOT
//	registers    every assembly routine for amd64 declares the processor features that it needs
//	purego       assembly is in one package, and is not built with the tag purego
//	workflows    workflows have only what is allowed: actions pinned by a commit, no permissions, an approval for a machine of our own
//	starts       nothing but package ci/git starts git, because git then has none of the caller's variables and hooks
//	scripts      every shell script shuts out the locale, the CDPATH and the variables of git of its caller
//
// Each rule is a function that returns the violations in a tree of files. The test Rules
// applies all to the repository. Other tests apply those that can go wrong to a small tree
// with violations, because a rule that finds nothing there does not work. With
// PUSHDOWN_REQUIRE=long, tests also compare generated assembly with what the generators print.
//
// A rule looks at the files that git tracks, not at notes, a virtual environment, a nested worktree
// or packages in the folder own. Without git, as in a downloaded archive, it looks at all files but
// those that .gitignore names.
//
// The tests read and parse all files themselves. A test that ran go list would get
// a stale result from the test cache after a change of imports: the cache knows only
// the files that the test process opens, and the index of git, except in a linked worktree.
//
// Checks that need a script, such as vet, the race detector, the trajectory tests in
// all configurations and fuzzing, are in .ci/run. The workflow in .github calls it.
// The commands of the repository are in subfolders of ci, each in its own package.
// No package imports ci.
package ci
