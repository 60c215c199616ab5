// Command report writes the results of the repository as a site of static pages.
//
//	go run ./ci/report -o ../site
//	go run ./ci/report -o ../site -since v1 -state folder -bench old.txt -bench new.txt
//	go run ./ci/report -format junit -since HEAD~10
//
// # The site
//
// The site is a folder of HTML pages, a style sheet and figures. A browser opens it from disk,
// and any web server can serve it. It needs no network and has no scripts. The pages are
//
//	index.html     the outcomes of each paper and table, and with -since what is new
//	tables/        each table in the shape in which the paper prints it, and the trace of a run that one shows
//	rows/          each row: its runs, learning curves, settings and where its results come from
//	rows.html      all rows
//	claims.html    what the papers say of their results, and whether it holds here
//	figures.html   the figures of the suites
//	speed.html     speed by commit, from the files given by -bench
//	legend.html    how to read a table
//
// The results are those of the golden files in the working tree, or of the repository given by
// -root. The outcomes are those in the golden files. Only a variant of a printed row has none
// there; as on the pages in Markdown, its outcome is computed by the same rules. The settings of
// a row are those that its suite declares. The same input gives the same bytes.
//
// With -o folder the command writes into a new folder, an empty one, or one with a site that it
// wrote before, which it replaces. It refuses a folder with other files.
//
// # What is new
//
// With -since commit the front page lists what has changed since a commit: numbers and claims
// whose outcome is another one, and rows with their first results. The golden files of the
// commit are read from git by the code that reads those of the working tree. If the commit has
// a format that this code cannot read, the command fails and says so.
//
// # A state folder
//
// With -state folder the pages of rows also list the runs that have ended and left a result in
// this folder (see PUSHDOWN_STATE), and say whether the golden file has the same run. Such runs
// are not judged until they are taken into the golden files.
//
// # Speed
//
// Each file given by -bench is benchmark text, as go test -bench and ci/compare write it, or a
// table that ci/baselines/run prints. Results with the same commit line are one point of time.
// Points are in the order of git's history if git knows all their commits, or else in the order
// in which they occur in the files. A file without commit lines is a point of its own, with the
// name of the file. If a benchmark reports peak-%, the bound of its speed follows from it. A
// peer is a column of a table of ci/baselines/run, or results with a configuration line such as
// "peer: pytorch".
//
// # JUnit
//
// With -format junit the output is a JUnit report with a test case for each number with an
// outcome, for CI systems. An outcome is a finding about a paper and no fault of this
// repository, so a number that differs is a passed test case, with the outcome as a property
// and the evidence as output. Numbers that are open, and misprints, are skipped test cases.
// With -since, a number that matches in the commit and does not match now is a failed test
// case: some change has undone a reproduction.
package main
