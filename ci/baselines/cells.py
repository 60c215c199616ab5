"""The cases of suites/throughput, and their networks as equations that PyTorch and JAX both run.

A cell has the shapes of its weights, its state before the first step as shapes and values, what it computes of the
inputs of all steps at once, and a step: it maps weights, state and input to the next state, whose first part is the
output. The parameter l has the functions of a framework: tanh, sigmoid, softmax and cat. The layouts of weights are those
of train.py, where the same networks have gradients written by hand.
"""

import os
import resource
import time


class Case:
    """A training problem. In the files of cases the letters for the sizes are those of the papers."""

    def __init__(self, line, benchmark="Train"):
        self.benchmark = benchmark
        entry = dict(part.split("=", 1) for part in line.split())
        self.name, self.cell = entry["case"], entry["cell"]
        self.hidden, self.embedding, self.vocabulary = int(entry["h"]), int(entry["e"]), int(entry["V"])
        self.batch, self.steps = int(entry["B"]), int(entry["T"])
        self.dropout, self.carry = float(entry["dropout"]), entry["carry"] == "true"
        self.stacks, self.depth = int(entry.get("stacks", 0)), int(entry.get("depth", 0))
        self.layers = int(entry.get("layers", 1))


def cases():
    """Return by name the cases of BenchmarkTrain and those of BenchmarkGrow."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "suites", "throughput", "testdata")
    known = {}
    for name, benchmark in ("cases.txt", "Train"), ("growth.txt", "Grow"):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for case in (Case(line, benchmark) for line in file):
                known[case.name] = case
    return known


def adam(torch, parameters, lr):
    """With PyTorch, return the fastest Adam of this PyTorch."""
    try:
        return torch.optim.Adam(parameters, lr=lr, fused=True)
    except (RuntimeError, TypeError, ValueError):  # 1.13 has none for a CPU
        return torch.optim.Adam(parameters, lr=lr, foreach=True)


def timed(work, seconds):
    """Do work for the given seconds, at least once; return how often, and how long it took."""
    n, begin, passed = 0, time.perf_counter(), 0
    while passed < seconds or n == 0:
        work()
        n += 1
        passed = time.perf_counter() - begin
    return n, passed


def report(case, threads, updates, passed):
    """Print a line of Go benchmark text for the updates of a case."""
    rate = updates * case.batch * case.steps / passed
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"Benchmark{case.benchmark}/case={case.name}/threads={threads} {updates} {passed / updates * 1e9:.0f} ns/op {rate:.1f} tokens/s {peak:.0f} peak-MB")


def linear(x, w, b):
    return x @ w.T + b


def gated(l, a, c):
    """Return h and c of an LSTM. The gates are in the order i, f, o, g."""
    n = c.shape[1]
    c = l.sigmoid(a[:, n : 2 * n]) * c + l.sigmoid(a[:, :n]) * l.tanh(a[:, 3 * n :])
    return l.sigmoid(a[:, 2 * n : 3 * n]) * l.tanh(c), c


class LSTM:
    width = None  # the case states the width of the embedding

    def shapes(n, e, stacks):
        return (4 * n, e), (4 * n, n), (4 * n,)

    def start(case):
        return [((case.batch, case.hidden), 0.0)] * 2

    def inputs(w, x):
        return linear(x, w[0], w[2])

    def step(l, w, state, x):
        h, c = state
        return gated(l, x + h @ w[1].T, c)


class MMRNN:
    width = None

    def shapes(n, e, stacks):
        return (n, e), (4 * n, n), (n,), (4, e), (4, n), (4, 4)

    def start(case):
        return ((case.batch, case.hidden), 0.0), ((case.batch, 4), 0.25)

    def inputs(w, x):
        return linear(x, w[0], w[2]), x @ w[3].T

    def step(l, w, state, x):
        (h, v), (pre, key) = state, x
        v = l.softmax(key + h @ w[4].T + v @ w[5].T, 1)
        parts = (h @ w[1].T).reshape(h.shape[0], 4, h.shape[1])
        return l.tanh(pre + (v[:, :, None] * parts).sum(1)), v


class MMLSTM:
    width = None

    def shapes(n, e, stacks):
        return (4 * n + 16, e), (16 * n + 16, n), (4, 4, 4), (4 * n,)

    def start(case):
        return ((case.batch, case.hidden), 0.0), ((case.batch, case.hidden), 0.0), ((case.batch, 4, 4), 0.25)

    def inputs(w, x):
        return x @ w[0].T

    def step(l, w, state, x):
        h, c, v = state
        batch, n = h.shape
        q = h @ w[1].T
        v = l.softmax((x + q[:, 12 * n :])[:, 4 * n :].reshape(batch, 4, 4) + (v[:, :, None, :] * w[2]).sum(3), 2)
        parts = q[:, : 16 * n].reshape(batch, 4, 4, n)  # matrix, gate
        mixed = sum(parts[:, j] * v[:, :, j][:, :, None] for j in range(4)).reshape(batch, 4 * n)
        return *gated(l, x[:, : 4 * n] + w[3] + mixed, c), v


def tops(s, read):
    """Return the top cells of stacks [B, S, D], the numbers of a stack side by side."""
    return s[:, :, :read].reshape(s.shape[0], s.shape[1] * read)


def moved(l, s, act, v):
    """Return stacks [B, S, D] after PUSH of v, POP and, if there are three actions, NO-OP. act has a list of [B, S]."""
    v, act = v[:, :, None], [a[:, :, None] for a in act]
    push, pop = l.cat([v, s[:, :, :-1]], 2), l.cat([s[:, :, 1:], 0 * v - 1], 2)
    after = act[0] * push + act[1] * pop
    return after if len(act) == 2 else after + act[2] * s


READ = 2


class Stack:
    """PUSH and POP. The embedding is U."""

    width = 1

    def shapes(n, e, stacks):
        return (n, READ * stacks), (2 * stacks, n), (stacks, n)

    def start(case):
        return ((case.batch, case.hidden), 0.0), ((case.batch, case.stacks, case.depth), -1.0)

    def inputs(w, x):
        return x

    def step(l, w, state, x):
        s = state[1]
        h = l.sigmoid(x + tops(s, READ) @ w[0].T)
        a = l.softmax((h @ w[1].T).reshape(*s.shape[:2], 2), 2)
        return h, moved(l, s, [a[:, :, 0], a[:, :, 1]], l.sigmoid(h @ w[2].T))


def acted(l, s, z):
    """Return stacks after a step. z has the blocks PUSH, NO-OP, POP and the value to push."""
    n = s.shape[1]
    a = l.softmax(z[:, : 3 * n].reshape(-1, 3, n), 1)
    return moved(l, s, [a[:, 0], a[:, 2], a[:, 1]], l.sigmoid(z[:, 3 * n :]))


class StackNoop:
    width = 1

    def shapes(n, e, stacks):
        return (n, READ * stacks + n), (4 * stacks, n)

    start = Stack.start

    def inputs(w, x):
        return x

    def step(l, w, state, x):
        h, s = state
        flat = s[:, :, :READ].swapaxes(1, 2).reshape(s.shape[0], -1)
        h = l.sigmoid(x + l.cat([flat, h], 1) @ w[0].T)
        return h, acted(l, s, h @ w[1].T)


class DiffStkMRNN:
    width = 2

    def shapes(n, e, stacks):
        return (n, n), (n, n), (n,), (n, READ * stacks), (4 * stacks, n), (4 * stacks,)

    start = Stack.start

    def inputs(w, x):
        return x

    def step(l, w, state, x):
        z, s = state
        n = z.shape[1]
        zhat = z + s[:, :, :READ].swapaxes(1, 2).reshape(s.shape[0], -1) @ w[3].T
        m = x[:, :n] * (zhat @ w[0].T)
        z = 1.7159 * l.tanh((x[:, n:] + w[2] + m @ w[1].T) * (2 / 3))
        return z, acted(l, s, linear(z, w[4], w[5]))


CELLS = {"lstm": LSTM, "mmrnn": MMRNN, "mmlstm": MMLSTM, "stack": Stack, "stack-noop": StackNoop, "diffstk-mrnn": DiffStkMRNN}


def layers(case):
    """Return the shapes of the weights of a network by part: the embedding, the layers and the output."""
    cell, n = CELLS[case.cell], case.hidden
    e = case.embedding or cell.width * n
    list = [[(case.vocabulary, e)]]
    for _ in range(case.layers):
        list.append(cell.shapes(n, e, case.stacks))
        e = n
    out = [(case.vocabulary, n)]
    return list + [out if case.cell in ("stack", "stack-noop") else out + [(case.vocabulary,)]]


def logits(l, case, parts, tokens, states, dropout):
    """Return the logits and the states after the last step. l.scan runs a step for each input."""
    cell = CELLS[case.cell]
    x, last = dropout(parts[0][0][tokens]), []
    for w, state in zip(parts[1:-1], states):
        x, state = l.scan(lambda state, x, w=w: cell.step(l, w, state, x), state, cell.inputs(w, x))
        last.append(state)
    out = parts[-1]
    y = dropout(x).reshape(-1, case.hidden) @ out[0].T
    return y if len(out) == 1 else y + out[1], last
