//go:build unix

package checkpoint

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pushdown/harness/disk"
)

// childVariable is an environment variable that turns the test binary into a child
// process, which holds the lock of the path that it has.
const childVariable = "CHECKPOINT_TEST_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		hold(path)
	}
	os.Exit(m.Run())
}

// hold holds the lock of a state until the process is killed.
func hold(path string) {
	if _, err := Acquire(disk.FS{}, path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	fmt.Println("locked")
	time.Sleep(time.Hour)
}

// TestLockOfAnotherProcess checks that the error names the process that holds a state,
// and that a lock ends with its process.
func TestLockOfAnotherProcess(t *testing.T) {
	path := tempPath(t)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Wait()
	defer child.Process.Kill()
	if !bufio.NewScanner(out).Scan() {
		t.Fatal("the other process has no lock")
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // a failed Acquire changes nothing
		_, err = Acquire(disk.FS{}, path)
		if want := fmt.Sprintf("%s: have a state in use by process %d on host %s since 20", path, child.Process.Pid, host); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Fatalf("error %v, want one that begins with %s", err, want)
		}
	}
	child.Process.Kill()
	child.Wait()
	l, err := Acquire(disk.FS{}, path)
	if err != nil {
		t.Fatalf("after the death of the other process: %v", err)
	}
	l.Release()
}

// TestPipe checks that Read, Write and Acquire refuse a path that is not a regular
// file. Opening a pipe, for example, would block.
func TestPipe(t *testing.T) {
	pipe := tempPath(t)
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, what := range map[string]string{pipe: "named pipe", "/dev/null": "device", filepath.Dir(pipe): "folder"} {
		_, read := Read(path)
		_, lock := Acquire(disk.FS{}, path)
		for _, err := range []error{read, Write(path, sample()), lock} {
			if err == nil || !errors.Is(err, ErrNotRegular) || !strings.HasSuffix(err.Error(), path+": have a "+what+", want a regular file") {
				t.Errorf("%s: error %v, want one that says that it is a %s", path, err, what)
			}
		}
	}
}
