"""Read a data set that go run ./ci/export has written, and write predictions for go run ./ci/score.

Only the standard library is needed; with NumPy, parameters are arrays. To score a model of your own:

    import pushdown

    data = pushdown.Data("dir")
    with pushdown.Predictions("predictions.jsonl", data) as out:
        for split in data.scored():
            for i, tokens in enumerate(data.strings(split)):
                out.write(split, i, closers=[...], nats=[...])

The fields that a record must hold, or may, and what they mean, are in data.manifest["predictions"]. With data.predicted() in place of
data.scored(), the model also predicts the validation or training strings that may have predictions, which gives more metrics.
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
import stat
import sys

try:
    import numpy
except ImportError:
    numpy = None


class Data:
    """A data set. It is checked against the SHA-256 of every file when it is opened."""

    def __init__(self, folder):
        self.folder = folder
        name = os.path.join(folder, "manifest.json")
        with _open(name) as file:
            self.manifest = _object(name, file.read())
        if self.manifest.get("format") != 2:
            raise ValueError(f"{name}: format: have {self.manifest.get('format')!r}, want 2; export the data again")
        for entry in self.manifest["files"]:
            digest = hashlib.sha256()
            with _open(self._path(entry["name"])) as file:
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

    def predicted(self):
        """Return the names of the splits that may have predictions, in the order that an array has: those that are scored, and optional
        ones, which have predictions for all of their strings or for none."""
        return [s["name"] for s in self.manifest["splits"] if s["scored"] or s["optional"]]

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


def _open(name):
    """Open a regular file, or a link to one."""
    if not stat.S_ISREG(os.stat(name).st_mode):
        raise ValueError(f"{name}: have something else, want a regular file")
    return open(name, "rb")


def _object(name, text):
    """Return the JSON object in a file, in which every key must be there once."""

    def distinct(pairs):
        keys = set()
        for key, _ in pairs:
            if key in keys:
                raise ValueError(f"have the key {key!r} a second time, want distinct keys")
            keys.add(key)
        return dict(pairs)

    try:
        value = json.loads(text.decode(), object_pairs_hook=distinct)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name}: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f"{name}: have other JSON, want an object")
    return value


class Predictions:
    """A file of predictions. A number may be anything that float() accepts.

    The file is written beside the one of the given name, and takes its place when it is complete."""

    def __init__(self, name, data):
        self.kinds = {field["name"]: field["values"] for field in data.manifest["predictions"]}
        self.needed = {field["name"] for field in data.manifest["predictions"] if not field["optional"]}
        self.name, self.part = os.path.realpath(name), None
        if os.path.isfile(name) or not os.path.exists(name):  # a device has no place to take
            name = self.part = f"{self.name}.{os.getpid()}.tmp"
        self.file = open(name, "w", encoding="utf-8", newline="\n")
        self._line({"data": data.manifest["data"]})

    def _line(self, record):
        self.file.write(json.dumps(record, allow_nan=False, separators=(",", ":")) + "\n")

    def write(self, split, string, **fields):
        """Write the record of the string with this number, counted from 0."""
        if not self.needed <= set(fields) <= set(self.kinds) or not fields:
            want = " and ".join(sorted(self.needed)) or "some"
            raise ValueError(f"have the fields {sorted(fields)}, want {want} of {sorted(self.kinds)}")
        record = {"split": split, "string": string}
        for name, values in fields.items():
            kind = self.kinds[name]
            if "tokens" in kind:
                record[name] = [str(value) for value in values]
                continue
            record[name] = [float(value) for value in values]
            most = 1 if kind == "numbers from 0 to 1" else 3.4028234663852886e38
            for i, value in enumerate(record[name]):
                if not 0 <= value <= most:
                    raise ValueError(f"string {string} of {split}: {name}: value {i}: have {value}, want {kind}")
        self._line(record)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            self.file.close()
            if self.part and kind is None:
                os.replace(self.part, self.name)
                self.part = None
        finally:
            if self.part:
                os.remove(self.part)


def read_parameters(name):
    """Return the metadata of a safetensors file of 32-bit floats, and its tensors by name: nested lists if there is no NumPy."""
    with open(name, "rb") as file:
        text = file.read()
    start = 8 + int.from_bytes(text[:8], "little")
    if len(text) < start:
        raise ValueError(f"{name}: have {len(text)} bytes, want at least {start} with the header")
    header, data = _object(name, text[8:start]), text[start:]
    metadata, tensors, end = header.pop("__metadata__", {}), {}, 0
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise ValueError(f"{name}: have the metadata {metadata!r:.200}, want strings")
    for key, tensor in header.items():
        if (
            not isinstance(tensor, dict)
            or sorted(tensor) != ["data_offsets", "dtype", "shape"]
            or tensor["dtype"] != "F32"
            or not _sizes(tensor["shape"])
            or not _sizes(tensor["data_offsets"])
        ):
            raise ValueError(f"{name}: {key}: have {tensor!r:.200}, want a dtype F32, a shape and data_offsets")
    for key, tensor in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = end, end + 4 * math.prod(tensor["shape"])
        if tensor["data_offsets"] != [begin, end]:
            raise ValueError(f"{name}: {key}: have the data_offsets {tensor['data_offsets']}, want {[begin, end]}")
    if end != len(data):
        raise ValueError(f"{name}: have {len(data)} bytes of data, want {end}")
    if "sha256" in metadata:  # of the file with zeros in place of the checksum
        want = metadata["sha256"]
        have = hashlib.sha256(text.replace(want.encode(), b"0" * 64, 1)).hexdigest()
        if have != want:
            raise ValueError(f"{name}: have SHA-256 {have}, want {want:.200}")
    for key, tensor in header.items():
        begin, end = tensor["data_offsets"]
        if numpy:
            tensors[key] = numpy.frombuffer(data[begin:end], "<f4").astype("f4").reshape(tensor["shape"])
        else:
            numbers = array.array("f", data[begin:end])
            if sys.byteorder == "big":
                numbers.byteswap()
            tensors[key] = _nested(numbers.tolist(), tensor["shape"])
    return metadata, tensors


def _sizes(value):
    """Report whether a value is a list of whole numbers, none of them negative."""
    return isinstance(value, list) and all(type(n) is int and n >= 0 for n in value)


def _nested(numbers, shape):
    """Return a list of numbers in a shape."""
    for axis in range(len(shape) - 1, 0, -1):
        size = shape[axis]
        numbers = [numbers[i * size : (i + 1) * size] for i in range(math.prod(shape[:axis]))]
    return numbers if shape else numbers[0]


def write_parameters(name, tensors):
    """Write tensors by name, such as a state_dict of PyTorch, to a safetensors file of 32-bit floats.

    Tensors are arrays, nested lists or numbers."""
    header, data = {}, b""
    for key, tensor in tensors.items():
        if key in ("", "__metadata__"):
            raise ValueError(f"{name}: have a tensor with the name {key!r}, want another name")
        if hasattr(tensor, "shape"):
            shape, numbers = list(tensor.shape), tensor.reshape(-1).tolist()
        else:
            shape, numbers = [], [tensor]
            while numbers and isinstance(numbers[0], list):
                shape.append(len(numbers[0]))
                if not all(isinstance(row, list) and len(row) == shape[-1] for row in numbers):
                    raise ValueError(f"{name}: {key}: have lists of several lengths, want one length for each axis")
                numbers = [x for row in numbers for x in row]
        block = array.array("f", numbers)
        for have, want in zip(block, numbers):
            if have != want or math.isinf(have):
                raise ValueError(f"{name}: {key}: have {want!r}, want a finite number that 32 bits hold")
        if sys.byteorder == "big":
            block.byteswap()
        header[key] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + 4 * len(block)]}
        data += block.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(name, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + data)


def brackets(data):
    """Return the opening tokens of a row on brackets, and the closing ones in the same order."""
    closing = data.manifest["closing"] or []
    opening = [token for token in data.manifest["alphabet"] or [] if token not in closing]
    if not closing or len(opening) != len(closing):
        raise ValueError(f"have the row {data.manifest['row']}, want a row on brackets")
    return opening, closing


def stack(data, tokens):
    """Return the fields that a perfect stack predicts for a string of brackets."""
    opening, closing = brackets(data)
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
    brackets(data)
    with Predictions(sys.argv[2], data) as out:
        for split in data.predicted():
            for i, tokens in enumerate(data.strings(split)):
                out.write(split, i, **stack(data, tokens))


def program(main):
    """Call the main function of a program. A wrong argument or file ends it with one line and status 1."""
    try:
        main()
    except KeyError as error:
        sys.exit(f"{os.path.basename(sys.argv[0])}: have no {error}, want it")
    except (ValueError, OSError) as error:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {error}")


if __name__ == "__main__":
    program(main)
