// Package mutants tests the tests: it lists subtle faults of the engine and of suites, and checks that
// go test -short ./... catches each.
//
// A mutant in testdata/mutants.txt is a fault in one file: a text that occurs exactly once there, and
// what takes its place, in which \n is a new line. Each names the package and the test that must fail with
// it. The test Mutants runs that test with the go command's flag -overlay, which replaces the file for this
// build only. That takes five minutes, so it runs only if the long checks are selected and no -timeout is set:
//
//	PUSHDOWN_REQUIRE=long go test ./ci/mutants -timeout 0 -v
//
// A faster test checks that each text still occurs once. If it fails, write the mutant again for the
// code as it is now. If a mutant survives, add the test that catches it.
package mutants
