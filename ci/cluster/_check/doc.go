// Package check has tests of the files that other programs read: the Kubernetes objects of
// ci/cluster, and the workflows of GitHub Actions. They need the types of Kubernetes and
// actionlint. So they are in a module of its own, and no other package depends on these
// modules. TestFiles of package ci/cluster runs them.
package check
