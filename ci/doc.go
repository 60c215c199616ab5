// Package ci enforces the rules of this repository that the compiler does not check.
// The rules are tests, so go test ./... runs them on every machine:
//
//	imports      packages import only what the table in imports_test.go allows
//	modules      each outside module is used only by the packages listed for it
//	layout       the top level has the entries that the README lists, and no others
//	comments     packages and exported identifiers are documented
//	fusing       every product is rounded before it is added to anything
//	chance       code that computes digests uses no clock, no package math/rand, no math.Exp
//	assembly     generated assembly is what the generators print (with PUSHDOWN_REQUIRE=long), and is not built with the tag purego
//	encoding     a routine has no instruction that it does not declare
//	fma          no fused multiply-add has factors that arm64 does not fuse
//	goldens      golden files parse, and are where their contents say
//
// A rule is a function that returns the violations in a tree of files. One test
// applies it to the repository. Another applies it to a small tree that breaks it,
// so that no rule passes because it checks nothing.
//
// The tests read and parse all files themselves. A test that ran go list would get
// a stale result from the test cache after a change of imports: the cache knows only
// the files that the test process opens.
//
// Checks that need a script are in .ci/run, which the workflow in .github calls:
// vet, the race detector, the trajectory tests in all configurations, fuzzing. The
// commands of the repository are in subfolders of this one, each in its own package.
// Nothing imports ci.
package ci
