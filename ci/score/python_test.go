package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/suite/suitetest"
)

// argumentsRefused runs a program with arguments that it must refuse with one line, and looks whether the old predictions are there.
const argumentsRefused = `
import os, runpy, sys
program, file, *cases = sys.argv[1:]
with open(file, "w") as out:
    out.write("old")
for case in cases:
    want, folder, *more = case.split("\n")
    sys.argv = [program, folder, file, *more]
    have = None
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as error:
        have = str(error)
    if not have or not have.startswith(program + ": ") or "\n" in have or want not in have:
        print("have", have, "want", want)
    with open(file) as out:
        if out.read() != "old" or len(os.listdir(os.path.dirname(file))) != 1:
            print(want, "and other predictions")
`

// refuses runs a program for each case: what it must print, a folder, and more arguments.
func refuses(t *testing.T, program string, cases ...[]string) {
	t.Helper()
	args := []string{"-c", argumentsRefused, program, filepath.Join(t.TempDir(), "predictions.jsonl")}
	for _, c := range cases {
		args = append(args, strings.Join(c, "\n"))
	}
	if have := python(t, args...); have != "" {
		t.Error(have)
	}
}

// dataRefused opens data sets with bad manifests, and with something else in place of a file. It prints what does not give the
// error that it should.
const dataRefused = `
import json, os, sys, pushdown
folder = sys.argv[1]

def expect(want, manifest):
    with open(os.path.join(folder, "manifest.json"), "w") as file:
        file.write(manifest)
    try:
        pushdown.Data(folder)
        print("opened, want", want)
    except ValueError as error:
        if want not in str(error):
            print("have", error, "want", want)

expect("manifest.json: have other JSON, want an object", "[]")
expect("manifest.json: Expecting", "{")
expect("manifest.json: maximum recursion depth exceeded", "[" * 100000)
expect("manifest.json: format: have 1, want 2", '{"format":1}')
expect("manifest.json: have the key 'files' a second time, want distinct keys", '{"files":[],"files":[]}')
for make in getattr(os, "mkfifo", os.mkdir), os.mkdir, lambda name: os.symlink("1", name):
    name = str(len(os.listdir(folder)))
    make(os.path.join(folder, name))
    expect(name + ": have something else, want a regular file", json.dumps({"format": 2, "files": [{"name": name, "sha256": ""}]}))
`

// TestPythonRefuses gives pushdown.py rows and data sets that it cannot take.
func TestPythonRefuses(t *testing.T) {
	folder := t.TempDir()
	if have := python(t, "-c", dataRefused, folder); have != "" {
		t.Error(have)
	}
	if err := os.WriteFile(filepath.Join(folder, "manifest.json"), []byte(`{"format":2,"files":[]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	refuses(t, "pushdown.py", []string{"have no 'closing', want it", folder}, []string{"manifest.json", t.TempDir()},
		[]string{"have the row paper=stack-rnn/table=3/row=stack-rnn/task=anb2n, want a row on brackets", written(t, "patterns", "table=3/row=stack-rnn/task=anb2n")})
}

// interrupted writes predictions to a file, to a link to it and to a device, and stops on the way to the file.
const interrupted = `
import os, sys, pushdown
folder, file = sys.argv[1:]
data = pushdown.Data(folder)
def write(name, stop):
    try:
        with pushdown.Predictions(name, data) as out:
            if stop:
                raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
def look():
    print(os.path.exists(file) and os.path.getsize(file), os.listdir(os.path.dirname(file)))
write(file, True); look()
write(file, False); look()
write(file, True); look()
open(file, "w").close()
os.symlink(file, folder + "/link")
write(folder + "/link", False); look()
write(os.devnull, False)
`

func TestPythonWritesCompletePredictions(t *testing.T) {
	have := python(t, "-c", interrupted, written(t, "dyck", "dyck-m4"), filepath.Join(t.TempDir(), "p"))
	if want := "False []\n76 ['p']\n76 ['p']\n76 ['p']\n"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

// predictionsRefused writes records that are not valid, and prints the errors.
const predictionsRefused = `
import sys, pushdown
folder, file = sys.argv[1:]
with pushdown.Predictions(file, pushdown.Data(folder)) as out:
    for fields in {"yhat": [0.5, 1.5]}, {"yhat": [float("nan")]}, {"yhat": [-0.1]}, {}, {"yhat": [1], "nats": [1]}, {"first": [""]}:
        try:
            out.write("test", 3, **fields)
            print("written", fields)
        except ValueError as error:
            print(error)
`

func TestPythonRefusesPredictions(t *testing.T) {
	have := python(t, "-c", predictionsRefused, written(t, "recognition", "table=1/row=lstm"), filepath.Join(t.TempDir(), "p"))
	want := `string 3 of test: yhat: value 1: have 1.5, want numbers from 0 to 1
string 3 of test: yhat: value 0: have nan, want numbers from 0 to 1
string 3 of test: yhat: value 0: have -0.1, want numbers from 0 to 1
have the fields [], want some of ['first', 'yhat']
have the fields ['nats', 'yhat'], want some of ['first', 'yhat']
written {'first': ['']}
`
	if have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

// parametersRefused reads and writes parameters that are not valid, and prints what does not give the error that it should.
const parametersRefused = `
import json, sys
if sys.argv[1] == "lists":
    sys.modules["numpy"] = None
import pushdown
name = sys.argv[2]

def expect(want, call, *args):
    try:
        print("have", call(*args), "want", want)
    except ValueError as error:
        if not str(error).startswith(name + ": ") or want not in str(error):
            print("have", error, "want", want)

def read(want, header, data=b"", length=None):
    text = (header if isinstance(header, str) else json.dumps(header)).encode()
    with open(name, "wb") as file:
        file.write((len(text) if length is None else length).to_bytes(8, "little") + text + data)
    if want:
        expect(want, pushdown.read_parameters, name)
    else:
        return pushdown.read_parameters(name)

def tensor(begin, end, *shape, dtype="F32"):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}

read("have 10 bytes, want at least 9223372036854775816", "{}", length=2**63)
read("have 10 bytes, want at least 11", "{}", length=3)
read("want an object", "[]")
read("Expecting", "{", b"}")
read("have the key 'a' a second time", '{"a":1,"a":2}')
read("have the key 'shape' a second time", '{"a":{"dtype":"F32","shape":[],"shape":[1],"data_offsets":[0,4]}}', bytes(4))
read("metadata", {"__metadata__": {"a": 1}})
read("metadata", {"__metadata__": None})
read("have 1, want a dtype", {"a": 1})
read("'F64'", {"a": tensor(0, 8, 1, dtype="F64")}, bytes(8))
read("[-1, 1]", {"a": tensor(0, 4, -1, 1)}, bytes(4))
read("[-4, 4]", {"a": tensor(-4, 4, 2)}, bytes(8))
read("b: have the data_offsets [4, 12], want [8, 16]", {"a": tensor(0, 8, 2), "b": tensor(4, 12, 2)}, bytes(16))
read("b: have the data_offsets [8, 12], want [4, 8]", {"a": tensor(0, 4, 1), "b": tensor(8, 12, 1)}, bytes(12))
read("a: have the data_offsets [0, 8], want [0, 12]", {"a": tensor(0, 8, 3)}, bytes(8))
read("a: have the data_offsets [0], want [0, 4]", {"a": {"dtype": "F32", "shape": [1], "data_offsets": [0]}}, bytes(4))
read("have 5 bytes of data, want 4", {"a": tensor(0, 4, 1)}, bytes(5))
read("have 3 bytes of data, want 4", {"a": tensor(0, 4, 1)}, bytes(3))
for sum in "0" * 64, "", "0":
    read("have SHA-256 ", {"__metadata__": {"sha256": sum}, "a": tensor(0, 4, 1)}, bytes(4))
tensors = read("", {"b": tensor(4, 8, 1), "a": tensor(0, 4)}, bytes(6) + b"\x80\x3f")[1]
if list(tensors) != ["b", "a"] or tensors["b"][0] != 1 or tensors["a"] != 0:
    print("have", tensors)

for want, tensors in [
    ("a: have 16777217, want a finite", {"a": [16777216, 16777217]}),
    ("a: have 0.1, want a finite", {"a": [[0.5], [0.1]]}),
    ("a: have 1e+300, want a finite", {"a": 1e300}),
    ("a: have inf, want a finite", {"a": float("inf")}),
    ("a: have nan, want a finite", {"a": float("nan")}),
    ("a: have lists of several lengths", {"a": [[1, 2], [3, 4, 5], [6]]}),
    ("have a tensor with the name '__metadata__', want another", {"__metadata__": [1]}),
    ("have a tensor with the name '', want another", {"": [1]}),
]:
    expect(want, pushdown.write_parameters, name, tensors)
numpy = pushdown.numpy
tensors = {"a": [[], [], []], "b": 1, "c": [], "d": [[[1, 2]], [[3, 4]]]}
if numpy:
    tensors = {key: numpy.array(tensor, "f") for key, tensor in tensors.items()}
    tensors["e"] = numpy.zeros((2, 0, 3), "f")
pushdown.write_parameters(name, tensors)
for key, have in pushdown.read_parameters(name)[1].items():
    want = tensors[key]
    if (have.tolist(), have.shape) != (want.tolist(), want.shape) if numpy else have != want:
        print("have", have, "want", want)
`

// TestPythonRefusesParameters also reads what is unusual and valid.
func TestPythonRefusesParameters(t *testing.T) {
	for _, kind := range []string{"lists", "arrays"} {
		if have := python(t, "-c", parametersRefused, kind, filepath.Join(t.TempDir(), "x.safetensors")); have != "" {
			t.Errorf("%s: %s", kind, have)
		}
	}
}

// TestTorchRefuses gives torch_lstm.py parameters of other rows, and rows that do not take any.
func TestTorchRefuses(t *testing.T) {
	needTorch(t)
	other := suitetest.Must(filepath.Abs(filepath.Join("..", "..", "suites", "dyck", "testdata", "trained", "second-order-lstm-table1-m6-baseline.safetensors")))(t)
	const m6 = "paper=second-order-lstm/table=1/row=m6-baseline/seed=1"
	m4, without := written(t, "dyck", "m4-baseline"), filepath.Join(t.TempDir(), "x.safetensors")
	python(t, "-c", parametersRead, "lists", other, without)
	refuses(t, "torch_lstm.py",
		[]string{"have parameters of " + m6 + ", want those of paper=second-order-lstm/table=1/row=m4-baseline", m4, "-from", other},
		[]string{"x.safetensors: have the parameters {'E': [6, 30]", m4, "-from", without},
		[]string{"-from: have the row paper=diffstk/table=1/row=lstm, want a baseline of second-order-lstm", written(t, "recognition", "table=1/row=lstm"), "-from", other},
		[]string{"want one with the LSTM of second-order-lstm or of diffstk", written(t, "dyck", "dyck-m4")},
		[]string{"none.safetensors", m4, "-from", "none.safetensors"})
}
