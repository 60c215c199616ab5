// Command cluster merges.
package main
