"""Times whole jobs of the suites in PyTorch and JAX and prints the result as a line of Go benchmark text:

    jobs.py time JOB FORM SECONDS FOLDER
    jobs.py loss JOB FORM FOLDER FILE
    jobs.py forms
    jobs.py versions

FOLDER has the data of the job's row, written by go run ./ci/export:

    dyck     training of the Dyck-RNN of table 2 of resurgence, m = 8: 512 prefixes in an update, Adam
    diffstk  training of the DiffStk-MRNN of table 1 of diffstk: 8 units, a string in an update, Adam
    stack    training of the Stack RNN of table 2 of stack-rnn on a^n b^n: an update for each symbol, with a
             gradient that goes back 50 steps. There the strings are drawn here, from n below 15, because the row has
             no end of them
    score    perplexity of an LSTM of table 1 of second-order-lstm on 10,000 strings, 128 at a time

The forms are those of PyTorch, in which a loop in Python runs the steps one after the other (eager), or a step that torch.compile
has compiled (compile), and jit: JAX compiles an update with its loop, lax.scan. In the job score PyTorch has nn.LSTM, with strings
that are padded or packed. For JAX, strings are padded to a multiple of 8 steps, since each length is a program of its own.

An update of the job stack reads the last 50 symbols again, with the newest weights, because a framework differentiates only what
it computed with the weights that it has. Nothing bounds the errors here, as the row does. What is timed are updates and no validations,
on 16 batches (dyck) or 400 strings or symbols that are ready in memory.

The command loss draws parameters, writes them to FILE in the layout of pushdown, and prints the mean loss of the development
strings, for a comparison with that of pushdown.
"""

import itertools
import os
import random
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "exchange"))
import numpy

import cells
import pushdown

FORMS = {job: ["eager", "compile", "jit"] for job in ("dyck", "diffstk", "stack")} | {"score": ["padded", "packed", "jit"]}


def padded(rows, fill, steps=0, multiple=1):
    """Return lists of numbers as an array [T, B], filled up."""
    steps = max(steps, max(map(len, rows)))
    out = numpy.full((-(-steps // multiple) * multiple, len(rows)), fill, numpy.float32 if isinstance(fill, float) else numpy.int64)
    for i, row in enumerate(rows):
        out[: len(row), i] = row
    return out


class Job:
    """A network and its data. Sizes of parameters are those of pushdown: matrices are [in, out]."""

    init = 0.05

    def __init__(self, folder, multiple):
        self.data, self.multiple = pushdown.Data(folder), multiple
        self.alphabet = {token: i for i, token in enumerate(self.data.manifest["alphabet"])}

    def strings(self, split):
        return [[self.alphabet[token] for token in tokens] for tokens in self.data.strings(split)]

    def shuffled(self, size):
        """Yield batches of training strings for ever."""
        order, strings = random.Random(1), list(self.training())
        while True:
            order.shuffle(strings)
            for at in range(0, len(strings) - size + 1, size):
                yield self.arrays(strings[at : at + size])


class Dyck(Job):
    names = {"W_proj": (1, 1), "W_o": (1, 2), "b_o": (1, 2)}
    init, rate, clip, depth = 1.0, 0.01, 0, 8
    values = numpy.array([1, 2, -1, -2], numpy.float32)

    def training(self):
        for tokens in self.strings("train"):
            for at, token in enumerate(tokens):
                if token >= 2:
                    yield tokens, at  # the bracket at this place follows the prefix

    def batches(self):
        return self.shuffled(512)

    def arrays(self, prefixes):
        x = padded([self.values[tokens[:at]] for tokens, at in prefixes], 0.0, multiple=64 if self.multiple > 1 else 1)
        last = numpy.array([at - 1 for _, at in prefixes])
        return x, last, numpy.array([tokens[at] - 2 for tokens, at in prefixes])

    def start(self, l, batch):
        return (l.full((batch, self.depth), 0.0),)

    def step(self, l, w, state, x):
        h, x = state[0], x[:, None]
        g = l.sigmoid(x * w["W_proj"])
        h = g * l.cat([x, h[:, :-1]], 1) + (1 - g) * l.cat([h[:, 1:], 0 * x], 1)
        return (h,), h[:, :1]

    def loss(self, l, w, x, last, target):
        _, y = l.scan(self.step, w, self.start(l, x.shape[1]), x)
        return l.nats(y[last, l.arange(x.shape[1])] @ w["W_o"] + w["b_o"], target).mean()

    def evaluation(self):
        strings = self.strings("dev")
        target = padded([[t - 2 if t >= 2 else -1 for t in tokens[1:]] for tokens in strings], -1)
        return padded([self.values[tokens[:-1]] for tokens in strings], 0.0), target

    def mean(self, l, w, x, target):
        _, y = l.scan(self.step, w, self.start(l, x.shape[1]), x)
        there = target >= 0
        return (l.nats(y @ w["W_o"] + w["b_o"], l.where(there, target, 0)) * there).sum() / there.sum()


class DiffStk(Job):
    m, symbols = 8, 5
    names = {"U": (5, 16), "W_mz": (8, 8), "W_zm": (8, 8), "b": (1, 8), "P": (3, 8), "A": (8, 4), "b_A": (1, 4), "V": (8, 6), "b_V": (1, 6)}
    rate, clip, noise, bptt = 2e-3, 15, 0.05, 50

    def training(self):
        return zip(self.strings("train"), self.data.labels("train"))

    def batches(self):
        return self.shuffled(1)

    def arrays(self, strings, noise=True):
        end = self.symbols - 1
        tokens = padded([tokens + [end] for tokens, _ in strings], end, multiple=self.multiple)
        steps = len(tokens)
        target = padded([tokens[1:] + [end] if valid else [] for tokens, valid in strings], -1, steps)
        there = padded([[1.0] * (len(tokens) + 1) for tokens, _ in strings], 0.0, steps)
        label = numpy.array([float(valid) for _, valid in strings], numpy.float32)
        shape = *tokens.shape, self.m
        eps = numpy.random.standard_normal(shape).astype("f4") * self.noise if noise else numpy.zeros(shape, "f4")
        return tokens, target, there, label, eps

    def start(self, l, batch, depth):
        return l.full((batch, self.m), 0.0), l.full((batch, depth), -1.0), l.full((batch, 1), 0.0)

    def step(self, l, w, state, x):
        (z, s, c), (u, eps) = state, x
        m = self.m
        f1 = lambda x: 1.7159 * l.tanh(x * (2 / 3))
        zhat = z + s[:, :3] @ w["P"] + eps
        after = f1(u[:, m:] + w["b"] + (u[:, :m] * (zhat @ w["W_mz"])) @ w["W_zm"])
        a = after @ w["A"] + w["b_A"]
        noop = l.float((a[:, 2:3] > a[:, :1]) & (a[:, 2:3] > a[:, 1:2]))
        c = noop * (c + 1)
        keep = noop * l.float(c > 1.5)
        z = keep * zhat + (1 - keep) * after
        a = z @ w["A"] + w["b_A"]
        act, v = l.softmax(a[:, :3], 1), l.sigmoid(a[:, 3:])
        push, pop = l.cat([v, s[:, :-1]], 1), l.cat([s[:, 1:], 0 * v - 1], 1)
        return (z, act[:, :1] * push + act[:, 1:2] * pop + act[:, 2:] * s, c), z

    def sum(self, l, w, tokens, target, there, label, eps, depth=57, bptt=50):
        u = w["U"][tokens]
        state, z = l.scan(self.step, w, self.start(l, tokens.shape[1], depth), (u[:bptt], eps[:bptt]))
        if len(tokens) > bptt:  # a gradient goes back to here
            _, more = l.scan(self.step, w, tuple(map(l.detach, state)), (u[bptt:], eps[bptt:]))
            z = l.cat([z, more], 0)
        both = z @ w["V"] + w["b_V"]
        read = target >= 0
        sums = l.nats(both[:, :, :-1], l.where(read, target, 0)) * read + 0.5 * (l.sigmoid(both[:, :, -1]) - label) ** 2 * there
        return sums.sum()

    def loss(self, l, w, tokens, *arrays):
        return self.sum(l, w, tokens, *arrays) / tokens.shape[1]

    def evaluation(self):
        return self.arrays(list(zip(self.strings("dev"), self.data.labels("dev"))), noise=False)

    def mean(self, l, w, tokens, target, there, *arrays):
        return self.sum(l, w, tokens, target, there, *arrays, depth=170, bptt=10**6) / there.sum()


class Stack(Job):
    names = {"E": (2, 40), "P": (20, 40), "A": (40, 20), "D": (40, 10), "W_o": (40, 2)}
    init, rate, clip, stacks, depth, window = 0.1, 0.1, 0, 10, 200, 50

    def start(self, l, batch=1):
        return (l.full((self.stacks, self.depth), -1.0),)

    def step(self, l, w, state, x):
        s = state[0]
        h = l.sigmoid(x + s[:, :2].reshape(1, -1) @ w["P"])
        a, v = l.softmax((h @ w["A"]).reshape(-1, 2), 1), l.sigmoid(h @ w["D"]).reshape(-1, 1)
        return (a[:, :1] * l.cat([v, s[:, :-1]], 1) + a[:, 1:] * l.cat([s[:, 1:], 0 * v - 1], 1),), h[0]

    def batches(self):
        n = random.Random(1)
        text = itertools.chain.from_iterable([0] * k + [1] * k for k in (n.randint(2, 14) for _ in itertools.count()))
        tokens = list(itertools.islice(text, self.window + 1))
        for token in text:
            yield numpy.array(tokens[:-1]), numpy.array(tokens[-1])
            tokens = tokens[1:] + [token]

    def loss(self, l, w, tokens, target, state):
        """Return the loss after the last symbol and the state after the first one."""
        x = w["E"][tokens][:, None]
        first, y = l.scan(self.step, w, state, x[:1])
        _, more = l.scan(self.step, w, first, x[1:])
        return l.nats(more[-1] @ w["W_o"], target).mean(), tuple(map(l.detach, first))

    def evaluation(self):
        return (numpy.array(list(itertools.chain.from_iterable(self.strings("dev")))),)

    def mean(self, l, w, tokens):
        _, y = l.scan(self.step, w, self.start(l), w["E"][tokens[:-1]][:, None])
        return l.nats(y @ w["W_o"], tokens[1:]).mean()


class Score(Job):
    names = {"E": (6, 30), "W_x": (30, 48), "W_h": (12, 48), "b": (1, 48), "W_o": (12, 6), "b_o": (1, 6)}
    init = 0.3
    start_symbol, end = 4, 5

    def evaluation(self, split="dev"):
        strings = sorted(self.strings(split), key=len)
        batches = []
        for at in range(0, len(strings), 128):
            part = strings[at : at + 128]
            tokens = padded([[self.start_symbol] + s for s in part], 0, multiple=self.multiple)
            batches.append((tokens, padded([s + [self.end] for s in part], -1, len(tokens)), numpy.array([len(s) + 1 for s in part])))
        return batches

    def step(self, l, w, state, x):
        h, c = state
        a = x + h @ w["W_h"]
        i, f, g, o = (a[:, k * 12 : k * 12 + 12] for k in range(4))
        c = l.sigmoid(f) * c + l.sigmoid(i) * l.tanh(g)
        h = l.sigmoid(o) * l.tanh(c)
        return (h, c), h

    def sum(self, l, w, tokens, target, lengths):
        zero = l.full((tokens.shape[1], 12), 0.0)
        y = l.lstm(w, w["E"][tokens], lengths) if hasattr(l, "lstm") else l.scan(self.step, w, (zero, zero), w["E"][tokens] @ w["W_x"] + w["b"])[1]
        there = target >= 0
        return (l.nats(y @ w["W_o"] + w["b_o"], l.where(there, target, 0)) * there).sum()


JOBS = {"dyck": Dyck, "diffstk": DiffStk, "stack": Stack, "score": Score}


def in_torch(form):
    """Return the functions that a job needs, with those that run it, in PyTorch."""
    import types

    import torch
    from torch.nn import functional

    steps = {}

    def scan(step, w, state, inputs):
        run = steps.setdefault(step, torch.compile(step, fullgraph=True, dynamic=False)) if form == "compile" else step
        out = []
        for x in zip(*(i.unbind(0) for i in inputs)) if isinstance(inputs, tuple) else inputs.unbind(0):
            state, y = run(l, w, state, x)
            out.append(y)
        return state, torch.stack(out)

    def nats(logits, target):
        return functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), target.flatten(), reduction="none").reshape(target.shape)

    l = types.SimpleNamespace(
        tanh=torch.tanh, sigmoid=torch.sigmoid, softmax=torch.softmax, cat=torch.cat, full=torch.full, where=torch.where, arange=torch.arange,
        float=lambda x: x.float(), detach=lambda x: x.detach(), scan=scan, nats=nats,
        parameter=lambda x: torch.nn.Parameter(torch.from_numpy(x)), array=torch.from_numpy, item=float)

    def updater(job, w):
        optimizer = cells.adam(torch, w.values(), job.rate) if job.rate < 0.1 else torch.optim.SGD(w.values(), lr=job.rate)
        state = [job.start(l)] if isinstance(job, Stack) else []

        def update(arrays):
            optimizer.zero_grad(set_to_none=True)
            loss = job.loss(l, w, *map(torch.from_numpy, map(numpy.asarray, arrays)), *state)
            if state:
                loss, state[0] = loss
            loss.backward()
            if job.clip:
                torch.nn.utils.clip_grad_value_(w.values(), job.clip)
            optimizer.step()

        return update

    def lstm(w, x, lengths):
        module = torch.nn.LSTM(30, 12)
        weights = w["W_x"].t(), w["W_h"].t(), w["b"][0], torch.zeros_like(w["b"][0])
        module.load_state_dict(dict(zip(("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), weights)))
        if form == "padded":
            return module(x)[0]
        packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
        return torch.nn.utils.rnn.pad_packed_sequence(module(packed)[0])[0]

    def scorer(job, w):
        def total(batches):
            with torch.no_grad():
                return sum(float(job.sum(l, w, *map(torch.from_numpy, arrays))) for arrays in batches)

        return total

    def evaluate(job, w):
        with torch.no_grad():
            return float(job.mean(l, w, *map(torch.from_numpy, job.evaluation())))

    l.updater, l.scorer, l.evaluate = updater, scorer, evaluate
    if form in ("padded", "packed"):
        l.lstm = lstm
    return l


def in_jax(_):
    """Return the functions that a job needs, with those that run it, in JAX."""
    import types

    import jaxtrain
    import jax
    from jax import lax, numpy as jnp

    def nats(logits, target):
        return jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, target[..., None], -1)[..., 0]

    def scan(step, w, state, inputs):
        return lax.scan(lambda state, x: step(l, w, state, x), state, inputs)

    l = types.SimpleNamespace(
        **vars(jaxtrain.LIB) | dict(full=jnp.full, where=jnp.where, arange=jnp.arange, float=lambda x: x.astype("f4"), detach=lax.stop_gradient,
                                    scan=scan, nats=nats, parameter=jnp.asarray))

    def updater(job, w):
        online = isinstance(job, Stack)

        def update(w, moments, t, state, arrays):
            g, state = jax.grad(lambda w: job.loss(l, w, *arrays, state) if online else (job.loss(l, w, *arrays), None), has_aux=True)(w)
            if online:
                return jax.tree.map(lambda w, g: w - job.rate * g, w, g), moments, t, state
            if job.clip:
                g = jax.tree.map(lambda g: jnp.clip(g, -job.clip, job.clip), g)
            return *jaxtrain.adam(w, g, moments, t + 1.0, job.rate), t + 1, state

        update = jax.jit(update, donate_argnums=(0, 1))
        zeros = lambda: jax.tree.map(jnp.zeros_like, w)
        now = [(w, (zeros(), zeros()), 0, job.start(l) if online else None)]

        def run(arrays):
            now[0] = jax.block_until_ready(update(*now[0], arrays))

        return run

    def scorer(job, w):
        total = jax.jit(lambda w, *arrays: job.sum(l, w, *arrays))
        return lambda batches: sum(float(total(w, *arrays)) for arrays in batches)

    l.updater, l.scorer = updater, scorer
    l.evaluate = lambda job, w: float(jax.jit(lambda w, *arrays: job.mean(l, w, *arrays))(w, *job.evaluation()))
    return l


def prepared(name, form, folder):
    l = in_jax(form) if form == "jit" else in_torch(form)
    job, draw = JOBS[name](folder, 8 if form == "jit" else 1), numpy.random.default_rng(1)
    w = {key: (draw.uniform(0.5, 1, shape) if name == "dyck" else draw.normal(0, job.init, shape)).astype("f4") for key, shape in job.names.items()}
    return l, job, w, {key: l.parameter(x) for key, x in w.items()}


def measure(name, form, seconds, folder):
    l, job, _, w = prepared(name, form, folder)
    if name == "score":
        batches, total, unit = job.evaluation("test"), l.scorer(job, w), "strings/s"
        each = sum(len(lengths) for _, _, lengths in batches)
        work = lambda: total(batches)
    else:
        drawn = list(itertools.islice(job.batches(), 16 if name == "dyck" else 400))
        update, unit, each = l.updater(job, w), "updates/s", 1
        for arrays in {len(arrays[0]): arrays for arrays in drawn}.values():  # compiles a program for each length
            update(arrays)
        batches = itertools.cycle(drawn)
        work = lambda: update(next(batches))
    work()
    n, passed = cells.timed(work, seconds)
    print(f"BenchmarkJob/job={name}/threads={os.environ.get('OMP_NUM_THREADS', 'all')} {n} {passed / n * 1e9:.0f} ns/op {n * each / passed:.1f} {unit}")


def versions():
    """Yield the names and versions of what there is."""
    import re

    for name in ("torch", "jax", "scipy"):
        try:
            module = __import__(name)
        except ImportError:
            continue
        yield f"{name} {module.__version__}"
        if name == "torch":
            yield from re.findall(r"(?:Math Kernel Library|MKL-DNN)(?: Version)? v?[\d.]+", module.__config__.show())
        if name == "scipy" and hasattr(module.__config__, "CONFIG"):
            yield f"its OpenBLAS {module.__config__.CONFIG['Build Dependencies']['blas']['version']}"


def main(args):
    if args == ["forms"]:
        for job in FORMS:
            print(job, *FORMS[job])
    elif args == ["versions"]:
        print(", ".join(versions()))
    elif len(args) == 5 and args[0] in ("time", "loss") and args[1] in FORMS and args[2] in FORMS[args[1]]:
        if args[0] == "time":
            return measure(args[1], args[2], float(args[3]), args[4])
        l, job, values, w = prepared(args[1], args[2], args[3])
        pushdown.write_parameters(args[4], values)
        if args[1] == "score":
            batches = job.evaluation()
            print(l.scorer(job, w)(batches) / sum(int(lengths.sum()) for _, _, lengths in batches))
        else:
            print(l.evaluate(job, w))
    else:
        sys.exit(f"jobs.py: have the arguments {args}, want time JOB FORM SECONDS FOLDER, loss JOB FORM FOLDER FILE, forms or versions")


if __name__ == "__main__":
    main(sys.argv[1:])
