//go:build unix

package checkpoint

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pushdown/harness/disk"
)

// childVariable is an environment variable that turns the test binary into a child
// process. If its value is "lock PATH", the child holds the lock of that path. If its
// value is a path and a number on two lines, the child writes one generation of the
// checkpoint after the other, beginning with the generation of that number.
const childVariable = "CHECKPOINT_TEST_CHILD"

func TestMain(m *testing.M) {
	if v := os.Getenv(childVariable); v != "" {
		if path, ok := strings.CutPrefix(v, "lock "); ok {
			hold(path)
		}
		write(v)
	}
	os.Exit(m.Run())
}

// write stores one generation after the other until it is killed. It prints the
// number of each generation after Write has returned.
func write(v string) {
	path, first, _ := strings.Cut(v, "\n")
	g, err := strconv.Atoi(first)
	for ; err == nil; g++ {
		if err = Write(path, generation(g)); err == nil {
			fmt.Println(g)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(3)
}

// generation returns a file of 400 KB in which every element depends on the generation
// g.
func generation(g int) *File {
	data := make([]float32, 100_000)
	for i := range data {
		data[i] = float32(g)
	}
	return &File{
		Tensors: []Tensor{{"w", []int{len(data)}, data}, Scalar("generation", int64(g))},
		Meta:    map[string]string{"generation": strconv.Itoa(g)},
	}
}

// TestKilledWriterLeavesTheOldFileOrTheNew kills writing processes at random times.
// The file must be complete each time, and no older than the last generation whose
// Write returned.
func TestKilledWriterLeavesTheOldFileOrTheNew(t *testing.T) {
	kills := 40
	if testing.Short() {
		kills = 4
	}
	path := tempPath(t)
	if err := Write(path, generation(0)); err != nil {
		t.Fatal(err)
	}
	at, inside := 0, 0
	for i := range kills {
		_, fraction := math.Modf(float64(i) * math.Phi)
		confirmed := writeAndKill(t, path, at+1, time.Duration(fraction*float64(20*time.Millisecond)))
		f, err := Read(path)
		if err != nil {
			t.Fatalf("after kill %d: %v", i, err)
		}
		generations, err := Get[int64](f, "generation")
		if err != nil {
			t.Fatal(err)
		}
		g := int(generations[0])
		if diff := checkGeneration(f, g); diff != "" {
			t.Fatalf("after kill %d: %s", i, diff)
		}
		if g < max(at, confirmed) || g > max(at, confirmed)+1 {
			t.Fatalf("after kill %d: file is generation %d, want %d or the next", i, g, max(at, confirmed))
		}
		at = g
		if len(names(t, filepath.Dir(path))) > 1 {
			inside++
		}
	}
	t.Logf("%d kills, %d of them inside a write, %d generations written", kills, inside, at)
	if inside == 0 && kills >= 40 {
		t.Error("no kill fell between the creation of the temporary file and its rename")
	}
	if err := Write(path, generation(at)); err != nil {
		t.Fatal(err)
	}
	if list := names(t, filepath.Dir(path)); len(list) != 1 {
		t.Errorf("the next writer left temporary files of the dead: %v", list)
	}
}

// writeAndKill starts a process that writes generations of the checkpoint, beginning
// with the given one. It kills the process the given time after the first confirmed
// write, and returns the last confirmed generation.
func writeAndKill(t *testing.T, path string, first int, after time.Duration) (confirmed int) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), fmt.Sprintf("%s=%s\n%d", childVariable, path, first))
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
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		g, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		if g == first {
			time.AfterFunc(after, func() { child.Process.Kill() })
		}
		confirmed = g
	}
	if confirmed == 0 {
		t.Fatal("the writer ended before its first confirmed write")
	}
	return confirmed
}

// checkGeneration returns "" if f is generation g, or else a description of the
// first difference.
func checkGeneration(f *File, g int) string {
	if f.Meta["generation"] != strconv.Itoa(g) {
		return fmt.Sprintf("metadata of generation %s, counter of %d", f.Meta["generation"], g)
	}
	data, err := Get[float32](f, "w", 100_000)
	if err != nil {
		return err.Error()
	}
	for i, v := range data {
		if v != float32(g) {
			return fmt.Sprintf("element %d is %v, want %d", i, v, g)
		}
	}
	return ""
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
	child.Env = append(os.Environ(), childVariable+"=lock "+path)
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
