"""Read a data set that go run ./ci/export has written, and write predictions for go run ./ci/score.

Only the standard library is needed; with NumPy, parameters are arrays. To score a model of your own:

    import pushdown

    data = pushdown.Data("dir")
    with pushdown.Predictions("predictions.jsonl", data) as out:
        for split in data.scored():
            for i, tokens in enumerate(data.strings(split)):
                out.write(split, i, closers=[...], nats=[...])

The fields that a record must hold, and what they mean, are in data.manifest["predictions"].
data.strings("train"), data.labels("train") and data.next_symbols("train") are what a model trains on.

read_parameters reads the parameters that pushdown keeps, and write_parameters writes a file that its Go function
train.ImportParams reads.

As a program, it writes the predictions of a perfect stack, for rows on brackets:

    python3 ci/exchange/pushdown.py dir predictions.jsonl
"""

import array
import hashlib
import json
import math
import os
import sys

try:
    import numpy
except ImportError:
    numpy = None


class Data:
    """A data set. It is checked against the SHA-256 of every file when it is opened."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            self.manifest = json.load(file)
        for entry in self.manifest["files"]:
            digest = hashlib.sha256()
            with open(self._path(entry["name"]), "rb") as file:
                while block := file.read(1 << 20):
                    digest.update(block)
            if digest.hexdigest() != entry["sha256"]:
                raise ValueError(f"{entry['name']}: have SHA-256 {digest.hexdigest()}, want {entry['sha256']}")

    def _path(self, name):
        parts = name.split("/")
        if not all(part.strip(".") and part.isprintable() and not set(part) & set('\\:') for part in parts):
            raise ValueError(f"have the file {name!r}, want one in the folder")
        return os.path.join(self.folder, *parts)

    def _lines(self, split, name):
        with open(self._path(f"{split}/{name}"), encoding="utf-8") as file:
            for line in file:
                yield line.rstrip("\n")

    def splits(self):
        """Return the names of all splits."""
        return [s["name"] for s in self.manifest["splits"]]

    def scored(self):
        """Return the names of the splits whose strings need predictions."""
        return [s["name"] for s in self.manifest["splits"] if s["scored"]]

    def strings(self, split):
        """Yield each string of a split as a list of tokens."""
        return (line.split() for line in self._lines(split, "main.tok"))

    def labels(self, split):
        """Yield for each string whether it is in the language. Only data for recognition have labels."""
        return (line == "1" for line in self._lines(split, "labels.txt"))

    def next_symbols(self, split):
        """Yield for each string in the language a list of (tokens that may follow, whether it may end)."""
        for line in self._lines(split, "next-symbols.jsonl"):
            yield [(entry["s"].split(), entry["e"]) for entry in json.loads(line)]


class Predictions:
    """A file of predictions. A number may be anything that float() accepts."""

    def __init__(self, name, data):
        self.kinds = {field["name"]: field["values"] for field in data.manifest["predictions"]}
        self.file = open(name, "w", encoding="utf-8", newline="\n")
        self._line({"data": data.manifest["data"]})

    def _line(self, record):
        self.file.write(json.dumps(record, allow_nan=False, separators=(",", ":")) + "\n")

    def write(self, split, string, **fields):
        """Write the record of the string with this number, counted from 0."""
        if set(fields) != set(self.kinds):
            raise ValueError(f"have the fields {sorted(fields)}, want {sorted(self.kinds)}")
        record = {"split": split, "string": string}
        for name, values in fields.items():
            convert = str if "tokens" in self.kinds[name] else float
            record[name] = [convert(value) for value in values]
        self._line(record)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


def read_parameters(name):
    """Return the metadata of a safetensors file of 32-bit floats, and its tensors by name: nested lists if there is no NumPy."""
    with open(name, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    metadata, tensors = header.pop("__metadata__", {}), {}
    for key, tensor in header.items():
        if tensor["dtype"] != "F32":
            raise ValueError(f"{name}: {key}: have {tensor['dtype']}, want F32")
        begin, end = tensor["data_offsets"]
        if numpy:
            tensors[key] = numpy.frombuffer(data[begin:end], "<f4").astype("f4").reshape(tensor["shape"])
        else:
            numbers = array.array("f", data[begin:end])
            if sys.byteorder == "big":
                numbers.byteswap()
            tensors[key] = _nested(numbers.tolist(), tensor["shape"])
    return metadata, tensors


def _nested(numbers, shape):
    """Return a list of numbers in a shape."""
    for size in reversed(shape[1:]):
        numbers = [numbers[i : i + size] for i in range(0, len(numbers), size)]
    return numbers if shape else numbers[0]


def write_parameters(name, tensors):
    """Write tensors by name, such as a state_dict of PyTorch, to a safetensors file of 32-bit floats."""
    header, data = {}, b""
    for key, tensor in tensors.items():
        shape, numbers = [], tensor.tolist() if hasattr(tensor, "tolist") else tensor
        if not isinstance(numbers, list):
            numbers = [numbers]
        else:
            shape.append(len(numbers))
            while numbers and isinstance(numbers[0], list):
                shape.append(len(numbers[0]))
                numbers = [x for row in numbers for x in row]
        block = array.array("f", numbers)
        if sys.byteorder == "big":
            block.byteswap()
        header[key] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + 4 * len(block)]}
        data += block.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(name, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + data)


def stack(data, tokens):
    """Return the fields that a perfect stack predicts for a string of brackets."""
    closing = data.manifest["closing"]
    opening = [token for token in data.manifest["alphabet"] if token not in closing]
    if len(opening) != len(closing):
        raise ValueError("a stack of brackets needs as many opening as closing tokens")
    due = []
    viable = True
    first, yhat = [], []
    for token in tokens:
        if token in opening:
            due.append(closing[opening.index(token)])
        else:
            viable = viable and bool(due) and due.pop() == token
        first.append(due[-1] if viable and due else "")
        yhat.append(1.0 if viable else 0.0)
    yhat.append(1.0 if viable and not due else 0.0)
    n = sum(token in closing for token in tokens)
    # As a language model, it gives equal probabilities to each opening bracket and to what is due.
    language_model = any(metric["unit"] == "test-ppl" for metric in data.manifest["metrics"])
    nats = [math.log(len(opening) + 1)] * (len(tokens) + 1) if language_model else [0.0] * n
    fields = {"closers": [1.0] * n, "nats": nats, "first": first, "yhat": yhat}
    return {field["name"]: fields[field["name"]] for field in data.manifest["predictions"]}


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: pushdown.py dir predictions.jsonl")
    data = Data(sys.argv[1])
    with Predictions(sys.argv[2], data) as out:
        for split in data.scored():
            for i, tokens in enumerate(data.strings(split)):
                out.write(split, i, **stack(data, tokens))


if __name__ == "__main__":
    main()
