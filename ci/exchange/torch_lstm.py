"""Train an LSTM in PyTorch on a data set of go run ./ci/export, and write its predictions.

    go run ./ci/export -suite dyck -row m4-baseline/task=lr1e-2 -o dir
    python3 ci/exchange/torch_lstm.py dir predictions.jsonl -seed 1
    go run ./ci/score -data dir predictions.jsonl

The settings are those of the row. Two kinds of rows are known: the baselines of table 1 of
second-order-lstm, which are torch.nn.LSTM as a language model, and the LSTM of diffstk, which has
1.7159 tanh(2x/3) in place of tanh and recognises a language. PyTorch draws other random numbers than
pushdown, so that only the distributions of results can agree. To compare computations, exchange parameters: with -from
and -epochs 0 the first kind of row predicts with parameters that pushdown keeps, and -to writes those of PyTorch.
"""

import argparse
import copy
import math
import random
import sys
import time

import torch
from torch import Tensor, nn
from torch.nn import functional

import pushdown

PAD = -100  # the target that functional.cross_entropy ignores


class Generator(nn.Module):
    """A language model: it reads START and a string, and predicts the string and END."""

    def __init__(self, data, hidden, embedding):
        super().__init__()
        self.data = data
        self.tokens = {token: i for i, token in enumerate(data.manifest["alphabet"])}
        self.start, self.end = len(self.tokens), len(self.tokens) + 1
        self.closing = [self.tokens[token] for token in data.manifest["closing"]]
        self.embedding = nn.Embedding(len(self.tokens) + 2, embedding)
        self.lstm = nn.LSTM(embedding, hidden, batch_first=True)
        nn.init.zeros_(self.lstm.bias_hh_l0)
        self.lstm.bias_hh_l0.requires_grad = False  # the cells of pushdown have one bias
        self.readout = nn.Linear(hidden, len(self.tokens) + 2)
        nn.init.zeros_(self.readout.bias)

    def load(self, file):
        """Take the parameters that pushdown has for the row: matrices are [in, out], and there is one bias."""
        metadata, tensors = pushdown.read_parameters(file)
        row = self.data.manifest["row"]
        experiment = metadata.get("experiment", row)
        if experiment.split("/seed=")[0] != row:
            raise ValueError(f"{file}: have parameters of {experiment}, want those of {row}")
        t = {name: torch.as_tensor(tensor) for name, tensor in tensors.items()}
        have = {name: list(tensor.shape) for name, tensor in t.items()}
        (v, e), h = self.embedding.weight.shape, self.lstm.hidden_size
        want = {"E": [v, e], "W_x": [e, 4 * h], "W_h": [h, 4 * h], "b": [1, 4 * h], "W_o": [h, v], "b_o": [1, v]}
        if have != want:
            raise ValueError(f"{file}: have the parameters {have}, want {want}")
        self.load_state_dict({
            "embedding.weight": t["E"],
            "lstm.weight_ih_l0": t["W_x"].t(),
            "lstm.weight_hh_l0": t["W_h"].t(),
            "lstm.bias_ih_l0": t["b"][0],
            "lstm.bias_hh_l0": torch.zeros_like(t["b"][0]),
            "readout.weight": t["W_o"].t(),
            "readout.bias": t["b_o"][0],
        })

    def read(self, split):
        """Return the strings of a split as lists of numbers."""
        return [[self.tokens[token] for token in tokens] for tokens in self.data.strings(split)]

    def logits(self, strings):
        """Return the logits at each step and the targets, padded to the longest string."""
        targets = pad([tokens + [self.end] for tokens in strings], PAD)
        inputs = pad([[self.start] + tokens for tokens in strings], self.start)
        return self.readout(self.lstm(self.embedding(inputs))[0]), targets

    def loss(self, strings):
        """Return the loss of a batch and the weight of the batch in a mean over batches."""
        logits, targets = self.logits(strings)
        return functional.cross_entropy(logits.flatten(0, 1), targets.flatten()), sum(len(s) + 1 for s in strings)

    def predictions(self, strings):
        """Return the fields of each string."""
        logits, targets = self.logits(strings)
        logits = logits.double()
        nats = functional.cross_entropy(logits.transpose(1, 2), targets, reduction="none").tolist()
        closers = torch.softmax(logits[..., self.closing], 2).tolist()
        for i, tokens in enumerate(strings):
            shares = [closers[i][t][self.closing.index(token)] for t, token in enumerate(tokens) if token in self.closing]
            yield {"closers": [min(1.0, share) for share in shares], "nats": nats[i][: len(tokens) + 1]}


@torch.jit.script
def f1_lstm(x: Tensor, r: Tensor, b: Tensor, noise: Tensor, bptt: int) -> Tensor:
    """The LSTM of diffstk on x, [T, B, 4m]: the gates i, f, o and the candidate lie side by side."""
    m = r.size(0)
    h = torch.zeros(x.size(1), m)
    c = torch.zeros(x.size(1), m)
    out = []
    for t in range(x.size(0)):
        if bptt > 0 and t > 0 and t % bptt == 0:
            h, c = h.detach(), c.detach()
        pre = x[t] + b + torch.mm(h + noise[t], r)
        gates = torch.sigmoid(pre[:, : 3 * m])
        c = gates[:, m : 2 * m] * c + gates[:, :m] * 1.7159 * torch.tanh(pre[:, 3 * m :] * (2.0 / 3))
        h = 1.7159 * torch.tanh(c * (2.0 / 3)) * gates[:, 2 * m :]
        out.append(h)
    return torch.stack(out)


class Recognizer(nn.Module):
    """After each symbol of a string and after END, predicts the next symbol, and whether the string is in the language."""

    def __init__(self, data, hidden, noise, bptt):
        super().__init__()
        self.data, self.noise, self.bptt = data, noise, bptt
        self.tokens = {token: i for i, token in enumerate(data.manifest["alphabet"])}
        self.end = len(self.tokens)
        self.closing = [self.tokens[token] for token in data.manifest["closing"]]
        small = lambda *shape: nn.Parameter(0.05 * torch.randn(*shape))
        self.u, self.r, self.v = small(self.end + 1, 4 * hidden), small(hidden, 4 * hidden), small(hidden, self.end + 2)
        self.b, self.bv = nn.Parameter(torch.zeros(4 * hidden)), nn.Parameter(torch.zeros(self.end + 2))

    def read(self, split):
        """Return the strings of a split as pairs of a list of numbers and whether the string is in the language."""
        strings = ([self.tokens[token] for token in tokens] for tokens in self.data.strings(split))
        return list(zip(strings, self.data.labels(split)))

    def forward(self, strings):
        """Return the logits of the next symbol and yhat, [T, B, ...]."""
        x = self.u[pad([tokens + [self.end] for tokens, _ in strings], self.end).t()]
        noise = torch.zeros(x.size(0), x.size(1), self.r.size(0))
        if self.training:
            noise.normal_(0, self.noise)
        both = f1_lstm(x, self.r, self.b, noise, self.bptt) @ self.v + self.bv
        return both[..., :-1], torch.sigmoid(both[..., -1])

    def loss(self, strings):
        """Return the mean over strings of the sums over their steps, and the number of strings."""
        logits, yhat = self.forward(strings)
        label = torch.tensor([float(valid) for _, valid in strings])
        # A symbol is predicted in strings of the language, where one follows.
        targets = pad([tokens[1:] + [self.end] if valid else [] for tokens, valid in strings], PAD, logits.size(0)).t()
        # Row t of targets belongs to the step that has read symbol t.
        there = pad([[1] * (len(tokens) + 1) for tokens, _ in strings], 0).t()
        wrong = 0.5 * ((yhat - label) ** 2 * there).sum()
        return (functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum") + wrong) / len(strings), len(strings)

    def predictions(self, strings):
        """Return the fields of each string."""
        logits, yhat = self.forward(strings)
        alphabet = self.data.manifest["alphabet"]
        closing = logits[..., self.closing]
        best, at = (x.t().tolist() for x in closing.max(2))
        ties = (closing == closing.max(2, keepdim=True).values).sum(2).t().tolist()
        yhat = yhat.t().tolist()
        for i, (tokens, _) in enumerate(strings):
            n = len(tokens)
            yield {"yhat": yhat[i][: n + 1], "first": [alphabet[self.closing[at[i][t]]] if ties[i][t] == 1 else "" for t in range(n)]}


def pad(rows, fill, width=0):
    """Return lists of numbers as a tensor with a row for each, filled up."""
    width = max(width, max(map(len, rows)))
    return torch.tensor([row + [fill] * (width - len(row)) for row in rows])


def build(data):
    """Return the network of a row."""
    s = data.manifest["settings"]
    if s.get("kind") == "baseline":
        return Generator(data, s["hidden"], s["embedding"])
    if s.get("network") == "lstm" and not s.get("label"):
        return Recognizer(data, 8, s.get("noise", 0), s["bptt"])
    raise ValueError(f"have the row {data.manifest['row']}, want one with the LSTM of second-order-lstm or of diffstk")


def evaluate(model, strings, size=100):
    """Return the mean loss of strings."""
    model.eval()
    total = weights = 0.0
    with torch.no_grad():
        for at in range(0, len(strings), size):
            loss, weight = model.loss(strings[at : at + size])
            total, weights = total + loss.item() * weight, weights + weight
    model.train()
    return total / weights


def train(model, settings, seed, epochs):
    """Train with Adam, halve the rate on a plateau, and return to the best parameters."""
    strings, valid = model.read("train"), model.read("dev")
    order = random.Random(seed)
    rule, plateau, size = settings["rule"], settings["plateau"], settings["batch"]
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=rule["lr"])
    best, kept, since_best, since_cut = math.inf, None, 0, 0
    for epoch in range(1, epochs + 1):
        began = time.monotonic()
        order.shuffle(strings)
        for at in range(0, len(strings) - size + 1, size):  # what does not fill a batch waits for another epoch
            optimizer.zero_grad(set_to_none=True)
            model.loss(strings[at : at + size])[0].backward()
            if rule["clip"] > 0:
                nn.utils.clip_grad_value_(model.parameters(), rule["clip"])
            optimizer.step()
        loss = evaluate(model, valid)
        rate = optimizer.param_groups[0]["lr"]
        print(f"epoch {epoch}: valid {loss:.6f}, rate {rate:g}, {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)
        if loss < best - plateau["gain"] * best or kept is None:
            best, kept, since_best, since_cut = loss, copy.deepcopy(model.state_dict()), 0, 0
        else:
            since_best, since_cut = since_best + 1, since_cut + 1
        if plateau["stop"] and since_best >= plateau["stop"]:
            break
        if plateau["patience"] and since_cut >= plateau["patience"]:
            since_cut = 0
            optimizer.param_groups[0]["lr"] = min(rate, max(rate * plateau["factor"], plateau["floor"]))
    if kept:
        model.load_state_dict(kept)


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("data", help="the folder of the data set")
    flags.add_argument("predictions", help="the file of predictions to write")
    flags.add_argument("-seed", type=int, default=1)
    flags.add_argument("-epochs", type=int, help="at most so many, instead of those of the row")
    flags.add_argument("-threads", type=int, default=1)
    flags.add_argument("-from", dest="start", help="a file of parameters of pushdown from which to start")
    flags.add_argument("-to", help="a file that gets the parameters after training")
    args = flags.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    data = pushdown.Data(args.data)
    settings = data.manifest["settings"]
    model = build(data)
    if args.start:
        if not isinstance(model, Generator):
            raise ValueError(f"-from: have the row {data.manifest['row']}, want a baseline of second-order-lstm")
        model.load(args.start)
    train(model, settings, args.seed, settings["epochs"] if args.epochs is None else args.epochs)
    if args.to:
        pushdown.write_parameters(args.to, model.state_dict())
    model.eval()
    with torch.no_grad(), pushdown.Predictions(args.predictions, data) as out:
        for split in data.predicted():
            strings = model.read(split)
            for at in range(0, len(strings), 100):
                for i, fields in enumerate(model.predictions(strings[at : at + 100])):
                    out.write(split, at + i, **fields)


if __name__ == "__main__":
    pushdown.program(main)
