"""Times training in PyTorch and prints it as a line of Go benchmark text:

    train.py time CASE FORM SECONDS
    train.py forms CASE
    train.py check

CASE is a row of the table below, FORM one of the ways to write its recurrence,
which the second call lists. An update is a batch forward, backward and Adam;
two go ahead untimed, then updates are made until the time is over. The third
call holds the forms of each cell against each other. The number of threads
comes from OMP_NUM_THREADS.

The forms:

    module  torch.nn.LSTM, as most users write it
    steps   one step after the other in TorchScript, differentiated by autograd
    scan    the loop over time and its gradient written by hand in TorchScript:
            no graph of small nodes, and the gradient of a weight is one product
            over all steps instead of a sum over them

In all of them the product with the input is one for all steps. LSTM has no
steps, which took three times as long as module.

What else was tried: Adam with foreach is never slower than without and up to a
quarter faster; zero_grad drops the gradients, which saves a pass over them;
torch.backends.mkldnn makes no difference, since the float32 products of
PyTorch 1.13 go to BLAS either way. What the environment can do stands in run.
"""

import resource
import sys
import time
from typing import List, Tuple

import torch
from torch import Tensor
from torch.nn import functional


class Case:
    """The sizes of a training problem, in the letters of the papers."""

    def __init__(self, cell, hidden, embedding, vocabulary, batch, steps, dropout=0.0):
        self.cell, self.hidden, self.embedding, self.vocabulary = cell, hidden, embedding, vocabulary
        self.batch, self.steps, self.dropout = batch, steps, dropout


CASES = {
    "a": Case("lstm", 991, 128, 50, 128, 50),
    "b": Case("lstm", 125, 64, 10_000, 128, 35),
    "c": Case("lstm", 600, 300, 33_278, 64, 70, dropout=0.5),
    "d": Case("lstm", 12, 30, 6, 10, 84),
    "e": Case("mmrnn", 1038, 128, 50, 128, 50),
    "f/batch=1": Case("stack", 40, 0, 2, 1, 50),
    "f/batch=32": Case("stack", 40, 0, 2, 32, 50),
}


# LSTM. Gates stand in the order i, f, o, g, so that one sigmoid covers three.


@torch.jit.script
def lstm_forward(x: Tensor, wx: Tensor, wh: Tensor, b: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    n = wh.size(1)
    act = functional.linear(x, wx, b)
    h = torch.zeros(x.size(0) + 1, x.size(1), n)
    c = torch.zeros(x.size(0) + 1, x.size(1), n)
    squashed = torch.empty(x.size(0), x.size(1), n)
    transposed = wh.t()
    for t in range(x.size(0)):
        p = act[t]
        p.addmm_(h[t], transposed)
        p[:, : 3 * n].sigmoid_()
        g = p[:, 3 * n :].tanh_()
        now = torch.mul(p[:, n : 2 * n], c[t], out=c[t + 1])
        now.addcmul_(p[:, :n], g)
        torch.tanh(now, out=squashed[t])
        torch.mul(p[:, 2 * n : 3 * n], squashed[t], out=h[t + 1])
    return act, h, c, squashed


@torch.jit.script
def lstm_backward(dy: Tensor, act: Tensor, h: Tensor, c: Tensor, squashed: Tensor, wh: Tensor) -> Tensor:
    n = wh.size(1)
    d = torch.empty_like(act)
    dc = torch.zeros_like(c[0])
    for step in range(act.size(0)):
        t = act.size(0) - 1 - step
        dh = dy[t]
        if step > 0:
            dh = torch.addmm(dh, d[t + 1], wh)
        i, f, o, g = act[t].split(n, 1)
        dc.add_(torch.ops.aten.tanh_backward(dh * o, squashed[t]))
        p = d[t]
        torch.mul(dc, g, out=p[:, :n])
        torch.mul(dc, c[t], out=p[:, n : 2 * n])
        torch.mul(dh, squashed[t], out=p[:, 2 * n : 3 * n])
        s = p[:, : 3 * n]
        s.copy_(torch.ops.aten.sigmoid_backward(s, act[t][:, : 3 * n]))
        p[:, 3 * n :].copy_(torch.ops.aten.tanh_backward(dc * i, g))
        dc.mul_(f)
    return d


class LSTMScan(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, wx, wh, b):
        act, h, c, squashed = lstm_forward(x, wx, wh, b)
        ctx.save_for_backward(x, wx, wh, act, h, c, squashed)
        return h[1:]

    @staticmethod
    def backward(ctx, dy):
        x, wx, wh, act, h, c, squashed = ctx.saved_tensors
        d = lstm_backward(dy, act, h, c, squashed, wh).flatten(0, 1)
        dwx, dwh = d.t() @ x.flatten(0, 1), d.t() @ h[:-1].flatten(0, 1)
        return (d @ wx).view_as(x), dwx, dwh, d.sum(0)


class LSTM(torch.nn.Module):
    forms = ["module", "scan"]

    def __init__(self, case, form):
        super().__init__()
        n, e = case.hidden, case.embedding
        if form == "module":
            self.cell = torch.nn.LSTM(e, n)
            return
        self.cell = LSTMScan.apply
        self.weights = torch.nn.ParameterList([uniform(n, 4 * n, e), uniform(n, 4 * n, n), uniform(n, 4 * n)])

    def forward(self, x):
        if isinstance(self.cell, torch.nn.LSTM):
            return self.cell(x)[0]
        return self.cell(x, *self.weights)


# mmRNN: one stacked product with the four choice matrices, mixed by the key.


@torch.jit.script
def mmrnn_steps(x: Tensor, wx: Tensor, wh: Tensor, b: Tensor, kx: Tensor, kh: Tensor, kv: Tensor) -> Tensor:
    n = wh.size(1)
    pre = functional.linear(x, wx, b)
    key = functional.linear(x, kx)
    stacked = torch.cat([wh, kh]).t()
    h = torch.zeros(x.size(1), n)
    v = torch.full([x.size(1), 4], 0.25)
    out: List[Tensor] = []
    for t in range(x.size(0)):
        p = h @ stacked
        v = torch.softmax(torch.addmm(key[t], v, kv.t()) + p[:, 4 * n :], 1)
        m = p[:, : 4 * n].view(-1, 4, n)
        h = torch.tanh(pre[t] + torch.bmm(v.unsqueeze(1), m).squeeze(1))
        out.append(h)
    return torch.stack(out)


@torch.jit.script
def mmrnn_forward(
    x: Tensor, wx: Tensor, wh: Tensor, b: Tensor, kx: Tensor, kh: Tensor, kv: Tensor
) -> Tuple[Tensor, Tensor, Tensor]:
    n = wh.size(1)
    pre = functional.linear(x, wx, b)
    key = functional.linear(x, kx)
    h = torch.zeros(x.size(0) + 1, x.size(1), n)
    v = torch.full([x.size(0) + 1, x.size(1), 4], 0.25)
    products = torch.empty(x.size(0), x.size(1), 4 * n)
    for t in range(x.size(0)):
        torch.mm(h[t], wh.t(), out=products[t])
        k = torch.addmm(key[t], h[t], kh.t()).addmm_(v[t], kv.t())
        v[t + 1].copy_(torch.softmax(k, 1))
        y = torch.baddbmm(pre[t].unsqueeze(1), v[t + 1].unsqueeze(1), products[t].view(-1, 4, n))
        torch.tanh(y.squeeze(1), out=h[t + 1])
    return h, v, products


@torch.jit.script
def mmrnn_backward(
    dy: Tensor, h: Tensor, v: Tensor, products: Tensor, wh: Tensor, kh: Tensor, kv: Tensor
) -> Tuple[Tensor, Tensor, Tensor]:
    n = wh.size(1)
    dpre = torch.empty_like(dy)
    dkey = torch.empty(dy.size(0), dy.size(1), 4)
    dproducts = torch.empty_like(products)
    dv = torch.zeros_like(v[0])
    for step in range(dy.size(0)):
        t = dy.size(0) - 1 - step
        dh = dy[t]
        if step > 0:
            dh = torch.addmm(dh, dproducts[t + 1], wh).addmm_(dkey[t + 1], kh)
            torch.mm(dkey[t + 1], kv, out=dv)
        d = dpre[t]
        d.copy_(torch.ops.aten.tanh_backward(dh, h[t + 1]))
        dv = dv + torch.bmm(products[t].view(-1, 4, n), d.unsqueeze(2)).squeeze(2)
        w = v[t + 1]
        torch.mul(w, dv - (w * dv).sum(1, keepdim=True), out=dkey[t])
        torch.mul(w.unsqueeze(2), d.unsqueeze(1), out=dproducts[t].view(-1, 4, n))
    return dpre, dkey, dproducts


class MMRNNScan(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, wx, wh, b, kx, kh, kv):
        h, v, products = mmrnn_forward(x, wx, wh, b, kx, kh, kv)
        ctx.save_for_backward(x, wx, wh, kx, kh, kv, h, v, products)
        return h[1:]

    @staticmethod
    def backward(ctx, dy):
        x, wx, wh, kx, kh, kv, h, v, products = ctx.saved_tensors
        dpre, dkey, dproducts = (d.flatten(0, 1) for d in mmrnn_backward(dy, h, v, products, wh, kh, kv))
        rows, before, keys = x.flatten(0, 1), h[:-1].flatten(0, 1), v[:-1].flatten(0, 1)
        dx = torch.addmm(dpre @ wx, dkey, kx).view_as(x)
        return (dx, dpre.t() @ rows, dproducts.t() @ before, dpre.sum(0),
                dkey.t() @ rows, dkey.t() @ before, dkey.t() @ keys)


class MMRNN(torch.nn.Module):
    forms = ["steps", "scan"]

    def __init__(self, case, form):
        super().__init__()
        n, e = case.hidden, case.embedding
        self.cell = {"steps": mmrnn_steps, "scan": MMRNNScan.apply}[form]
        self.weights = torch.nn.ParameterList([
            uniform(n, n, e), uniform(n, 4 * n, n), uniform(n, n),
            uniform(n, 4, e), uniform(n, 4, n), uniform(n, 4, 4)])

    def forward(self, x):
        return self.cell(x, *self.weights)


# Stack RNN: push and pop, two cells read. Of two actions the softmax is a
# sigmoid of their difference, but the weights of both are kept, as in the paper.

STACKS, DEPTH, READ = 10, 50, 2


@torch.jit.script
def stack_steps(x: Tensor, u: Tensor, p: Tensor, a: Tensor, d: Tensor, depth: int = DEPTH) -> Tensor:
    stacks = d.size(0)
    steps, batch = x.size(0), x.size(1)
    read = p.size(1) // stacks
    pre = functional.embedding(x, u)
    w = torch.cat([a, d]).t()
    s = torch.full([batch, stacks, depth], -1.0)
    empty = torch.full([batch, stacks, 1], -1.0)
    out: List[Tensor] = []
    for t in range(steps):
        h = torch.sigmoid(torch.addmm(pre[t], s[:, :, :read].reshape(batch, stacks * read), p.t()))
        z = h @ w
        act = torch.softmax(z[:, : 2 * stacks].view(batch, stacks, 2), 2)
        value = torch.sigmoid(z[:, 2 * stacks :]).unsqueeze(2)
        up = torch.cat([value, s[:, :, :-1]], 2)
        down = torch.cat([s[:, :, 1:], empty], 2)
        s = act[:, :, :1] * up + act[:, :, 1:] * down
        out.append(h)
    return torch.stack(out)


@torch.jit.script
def stack_forward(
    x: Tensor, u: Tensor, p: Tensor, w: Tensor, stacks: int, depth: int
) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    steps, batch = x.size(0), x.size(1)
    read = p.size(1) // stacks
    h = functional.embedding(x, u)
    act = torch.empty(steps, batch, stacks, 2)
    value = torch.empty(steps, batch, stacks)
    # Cell 0 is what is pushed, the last one what is popped from the bottom.
    s = torch.full([steps + 1, batch, stacks, depth + 2], -1.0)
    for t in range(steps):
        now = s[t]
        y = h[t].addmm_(now[:, :, 1 : read + 1].reshape(batch, stacks * read), p.t()).sigmoid_()
        z = y @ w
        torch.softmax(z[:, : 2 * stacks].view(batch, stacks, 2), 2, out=act[t])
        torch.sigmoid(z[:, 2 * stacks :], out=value[t])
        now[:, :, 0].copy_(value[t])
        following = s[t + 1][:, :, 1:-1]
        torch.mul(now[:, :, :-2], act[t][:, :, :1], out=following)
        following.addcmul_(now[:, :, 2:], act[t][:, :, 1:])
    return h, act, value, s


@torch.jit.script
def stack_backward(
    dy: Tensor, h: Tensor, act: Tensor, value: Tensor, s: Tensor, p: Tensor, w: Tensor
) -> Tuple[Tensor, Tensor]:
    steps, batch, stacks, depth = act.size(0), act.size(1), act.size(2), s.size(3) - 2
    read = p.size(1) // stacks
    dh = torch.empty_like(h)
    dz = torch.empty(steps, batch, 3 * stacks)
    ds = torch.zeros(batch, stacks, depth + 2)  # of the stack after this step, with a margin of +0
    for step in range(steps):
        t = steps - 1 - step
        push, pop = act[t][:, :, :1], act[t][:, :, 1:]
        now, above = s[t], ds[:, :, 1:-1]
        da = torch.stack([(above * now[:, :, :-2]).sum(2), (above * now[:, :, 2:]).sum(2)], 2)
        da = torch.ops.aten._softmax_backward_data(da, act[t], 2, torch.float)
        z = dz[t]
        z[:, : 2 * stacks].copy_(da.view(batch, 2 * stacks))
        z[:, 2 * stacks :].copy_(torch.ops.aten.sigmoid_backward(ds[:, :, 1] * push.squeeze(2), value[t]))
        g = torch.ops.aten.sigmoid_backward(torch.addmm(dy[t], z, w.t()), h[t])
        dh[t].copy_(g)
        before = torch.zeros_like(ds)
        torch.mul(ds[:, :, 2:], push, out=before[:, :, 1:-1])
        before[:, :, 1:-1].addcmul_(ds[:, :, :-2], pop)
        before[:, :, 1 : read + 1].add_((g @ p).view(batch, stacks, read))
        ds = before
    return dh, dz


class StackScan(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, u, p, a, d):
        w = torch.cat([a, d]).t().contiguous()
        h, act, value, s = stack_forward(x, u, p, w, STACKS, DEPTH)
        ctx.save_for_backward(x, u, p, w, h, act, value, s)
        return h

    @staticmethod
    def backward(ctx, dy):
        x, u, p, w, h, act, value, s = ctx.saved_tensors
        dh, dz = (d.flatten(0, 1) for d in stack_backward(dy, h, act, value, s, p, w))
        tops = s[:-1, :, :, 1 : READ + 1].reshape(-1, STACKS * READ)
        dw = dz.t() @ h.flatten(0, 1)
        du = torch.zeros_like(u).index_add_(0, x.flatten(), dh)
        return None, du, dh.t() @ tops, dw[: 2 * STACKS], dw[2 * STACKS :]


class Stack(torch.nn.Module):
    forms = ["steps", "scan"]

    def __init__(self, case, form):
        super().__init__()
        n = case.hidden
        self.cell = {"steps": stack_steps, "scan": StackScan.apply}[form]
        self.weights = torch.nn.ParameterList([
            uniform(n, case.vocabulary, n), uniform(n, n, STACKS * READ), uniform(n, 2 * STACKS, n), uniform(n, STACKS, n)])

    def forward(self, x):
        return self.cell(x, *self.weights)


CELLS = {"lstm": LSTM, "mmrnn": MMRNN, "stack": Stack}


def uniform(n, *shape):
    bound = n**-0.5
    return torch.nn.Parameter(torch.empty(*shape).uniform_(-bound, bound))


class LanguageModel(torch.nn.Module):
    """Embedding (Stack RNN: none), cell, read-out."""

    def __init__(self, case, form):
        super().__init__()
        self.embedding = torch.nn.Embedding(case.vocabulary, case.embedding) if case.embedding else None
        self.dropout = case.dropout
        self.cell = CELLS[case.cell](case, form)
        self.out = torch.nn.Linear(case.hidden, case.vocabulary, bias=case.cell != "stack")

    def forward(self, tokens, targets):
        x = tokens
        if self.embedding is not None:
            x = self.embedding(x)
            if self.dropout:
                x = functional.dropout(x, self.dropout)
        h = self.cell(x)
        if self.dropout:
            h = functional.dropout(h, self.dropout)
        return functional.cross_entropy(self.out(h.flatten(0, 1)), targets.flatten())


class Trainer:
    def __init__(self, case, form):
        torch.manual_seed(1)
        self.model = LanguageModel(case, form)
        self.adam = torch.optim.Adam(self.model.parameters(), lr=1e-3, foreach=True)
        text = torch.randint(case.vocabulary, (case.steps + 1, case.batch))
        self.tokens, self.targets = text[:-1].contiguous(), text[1:].contiguous()

    def gradient(self):
        self.adam.zero_grad(set_to_none=True)
        loss = self.model(self.tokens, self.targets)
        loss.backward()
        return loss

    def update(self):
        self.gradient()
        self.adam.step()


def measure(name, form, seconds):
    case = CASES[name]
    trainer = Trainer(case, form)
    for _ in range(2):
        trainer.update()
    updates, begin, passed = 0, time.perf_counter(), 0
    while passed < seconds or updates == 0:
        trainer.update()
        updates += 1
        passed = time.perf_counter() - begin
    tokens = updates * case.batch * case.steps / passed
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"BenchmarkTrain/case={name}/threads={torch.get_num_threads()} {updates} "
          f"{passed / updates * 1e9:.0f} ns/op {tokens:.1f} tokens/s {peak:.0f} peak-MB")


def check():
    """Compares loss and gradients of the forms of each cell on a small problem."""
    for cell, small in ("lstm", Case("lstm", 9, 5, 7, 3, 6)), ("mmrnn", Case("mmrnn", 9, 5, 7, 3, 6)), ("stack", CASES["f/batch=32"]):
        one, other = (Trainer(small, form) for form in CELLS[cell].forms)
        weights = [p.data for p in other.model.parameters()]
        if cell == "lstm":
            weights = [*weights[:1], *as_module(weights[1:4]), *weights[4:]]
        for p, w in zip(one.model.parameters(), weights):
            p.data.copy_(w)
        other.tokens, other.targets = one.tokens, one.targets
        losses = [t.gradient() for t in (one, other)]
        grads = [p.grad for p in other.model.parameters()]
        if cell == "lstm":
            wx, wh, b, zero = as_module(grads[1:4])
            grads = [grads[0], wx, wh, b, b, *grads[4:]]
        torch.testing.assert_close(*losses)
        for p, g in zip(one.model.parameters(), grads):
            torch.testing.assert_close(p.grad, g, rtol=1e-4, atol=1e-6)
        print(cell, "agrees in", len(grads), "gradients")


def as_module(weights):
    """Puts gates i, f, o, g into the order i, f, g, o of torch.nn.LSTM, which has a second bias."""
    wx, wh, b = (torch.cat([w.chunk(4)[k] for k in (0, 1, 3, 2)]) for w in weights)
    return wx, wh, b, torch.zeros_like(b)


def main(args):
    if args == ["check"]:
        return check()
    if len(args) == 2 and args[0] == "forms" and args[1] in CASES:
        return print(*CELLS[CASES[args[1]].cell].forms)
    if len(args) == 4 and args[0] == "time" and args[1] in CASES and args[2] in CELLS[CASES[args[1]].cell].forms:
        return measure(args[1], args[2], float(args[3]))
    sys.exit(f"train.py: arguments {args}, need time CASE FORM SECONDS, forms CASE, or check; cases are {', '.join(CASES)}")


if __name__ == "__main__":
    main(sys.argv[1:])
