// Command pages writes the results of the repository: its pages in Markdown, a table of all
// numbers, a site of static pages, a JUnit report, and lines of JSON.
//
//	go run ./ci/pages -w
//	go run ./ci/pages -o ../site
//	go run ./ci/pages -o ../site -since HEAD~10 -state folder -bench old.txt -bench new.txt
//	go run ./ci/pages -junit -since HEAD~10
//	go run ./ci/pages -jsonl >runs.jsonl
//
// All of them show the golden files in the working tree, or in the repository given by -root. The
// outcomes follow from their rows by the rules of package verdict, also those of variants. The same
// input gives the same bytes.
//
// # The pages of the repository
//
// With -w the command writes these files. With -check it fails if one of them is not current; a
// test of this package does the same.
//
//	golden/<suite>/README.md  the results in the golden files of a suite
//	golden/README.md          how to read the results, and an overview of all tables
//	golden/CLAIMS.md          the claims of the papers
//	golden/numbers.csv        a line for each printed number
//	golden/sums.txt           sums of the files with facts that tests do not compute again
//	README.md                 sections results and speed: a summary of each
//	ci/README.md              section environment: the variables of package suite
//	ci/baselines/README.md    section measured: the tables of ci/baselines/measured, which ci/baselines/run printed;
//	                          section aims: which of our aims they meet
//
// The files in golden are generated as a whole. In the others only the
// sections are generated, and the rest of the page is kept. A section is the text between
// two lines:
//
//	<!-- begin results -->
//	<!-- end results -->
//
// # The site
//
// With -o folder the command writes into a new folder, an empty one, or one with a site that it
// wrote before, which it replaces. It refuses a folder with other files. The site is a folder of
// HTML pages, a style sheet and figures. A browser opens it from disk, and any web server can serve
// it. It needs no network and has no scripts. The pages are
//
//	index.html     the outcomes of each paper and table, and with -since what is new
//	tables/        each table in the shape in which the paper prints it, and the trace of a run that one shows
//	rows/          each row: its runs, learning curves, settings and where its results come from
//	pairs/         two rows side by side: a variant and its row, or neighbours in a table
//	models.html    the outcomes of each model on each kind of data
//	differs.html   the numbers that differ, the farthest from our interval first
//	unfinished.html  rows with fewer runs than their suites want
//	rows.html      all rows
//	claims.html    what the papers say of their results, whether it holds here, and the numbers that it compares
//	figures.html   the figures of the suites
//	speed.html     speed by commit, from the files given by -bench
//	legend.html    how to read a table
//
// The settings of a row are those that its suite declares.
//
// # External results
//
// Results of models made elsewhere, which command score keeps in golden/external, stand below the table
// of their row, with what the paper prints and what is ours. They have no outcome, and nothing
// counts them. It is an error if a file there is not as the command writes it, or names a row or a
// unit that its suite does not have.
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
// With -state folder the pages of rows and of unfinished rows also have the runs that have ended and left a result in
// this folder (see PUSHDOWN_STATE), and say whether the golden file has the same run. Such runs
// are not judged until they are taken into the golden files.
//
// # Speed
//
// Each file given by -bench is benchmark text, as go test -bench and ci/compare write it, or a
// table that ci/baselines/run prints. Results with the same commit line are one point of time.
// Points are in the order of the times of their commits if all have a line commit-time, or else in
// the order in which they occur in the files. A file without commit lines is a point of its own. If a benchmark reports peak-%, the bound of its speed follows from it. A
// peer is a column of a table of ci/baselines/run, or results with a configuration line such as
// "peer: pytorch".
//
// With -w the command also draws each file ci/baselines/measured/*-growth.txt, a printout of the group growth of ci/baselines/run:
// speed and memory by each size of a network, ours and the peers'. The page of speed shows the drawings.
//
// # JUnit
//
// With -junit the command prints a JUnit report with a test case for each number with an
// outcome, for CI systems. An outcome is a finding about a paper and no fault of this
// repository, so a number that differs is a passed test case, with the outcome as a property, and
// what is printed and what is ours as output. Numbers that are open, and misprints, are skipped test cases.
// With -since, a number that matches in the commit and does not match now is a failed test
// case: some change has undone a reproduction.
//
// # JSON
//
// With -jsonl the command prints a line for each run: an object with its name, suite, scale and seed, its values by
// unit, the digest of its parameters, where it comes from, and the settings of its row. The file
// has 8 MB and is not kept in the repository.
package main
