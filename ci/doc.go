// Package ci holds the rules of this repository that no compiler checks. They
// are tests, so go test ./... enforces them on every machine:
//
//	imports      point one way, as the table in imports_test.go says
//	modules      each outside module belongs to the packages named with it
//	layout       the top level is what the README says, nothing else
//	comments     packages and exported identifiers are documented
//	fusing       no product is added to anything before it is rounded
//	chance       no clock, no package math/rand, no math.Exp where digests come from
//	assembly     is what its generators write (where long checks are asked for), and absent under the tag purego
//	encoding     a routine has no instruction that it does not declare
//	fma          no fused multiply-add has factors that arm64 does not fuse
//	goldens      parse, and lie where their contents say
//
// A rule is a function from a tree of files to what is wrong with it. Its test
// holds it against the repository, and another one against a small tree made to
// break it, so that no rule passes because it looks at nothing.
//
// Everything is read and parsed in the test process. A test that asks go list
// is served stale from the test cache when an import changes; files that the
// process opens itself are known to the cache.
//
// What takes a script is in .ci/run, which the workflow in .github calls: vet,
// the race detector, the legs of the trajectory tests, fuzzing. The commands of
// the repository lie below this folder, each in a package of its own. Nothing
// imports ci.
package ci
