"""Times training in PyTorch and prints the result as a line of Go benchmark text:

    train.py time CASE FORM SECONDS
    train.py cases
    train.py check

The command time measures updates: a forward and a backward pass of a batch, and a step
of Adam. Two updates run untimed, then updates run for the given time. The command cases
lists the cases of suites/throughput/testdata/cases.txt on which PyTorch is measured,
and the forms of each case. The command check checks the handwritten gradients. The
number of threads comes from OMP_NUM_THREADS.

A form is a way to write the recurrence:

    module  torch.nn.LSTM, as most users write it
    scan    the loop over the steps and its gradient, written by hand in TorchScript:
            there is no graph of small nodes, and the gradient of a weight is a single
            product over all steps instead of a sum of products

Alternatives that were tried: autograd over the steps, in TorchScript, takes 1.5 to 3
times as long as scan. Adam with foreach is up to a quarter faster than without it.
torch.backends.mkldnn makes no difference, because PyTorch 1.13 uses BLAS for float32
products in either case. The script run documents the environment variables.
"""

import os
import resource
import sys
import time
from typing import Tuple

import torch
from torch import Tensor
from torch.nn import functional


class Case:
    """A training problem. In cases.txt the letters for the sizes are those of the papers."""

    def __init__(self, line):
        entry = dict(part.split("=", 1) for part in line.split())
        self.name, self.cell = entry["case"], entry["cell"]
        self.hidden, self.embedding, self.vocabulary = int(entry["h"]), int(entry["e"]), int(entry["V"])
        self.batch, self.steps = int(entry["B"]), int(entry["T"])
        self.dropout, self.carry = float(entry["dropout"]), entry["carry"] == "true"


def cases():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    with open(os.path.join(root, "suites", "throughput", "testdata", "cases.txt"), encoding="utf-8") as file:
        return {case.name: case for case in map(Case, file)}


# LSTM. The gates are in the order i, f, o, g, so that one sigmoid covers i, f and o.


@torch.jit.script
def lstm_forward(
    x: Tensor, h0: Tensor, c0: Tensor, wx: Tensor, wh: Tensor, b: Tensor
) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    n = wh.size(1)
    act = functional.linear(x, wx, b)
    h = torch.empty(x.size(0) + 1, x.size(1), n)
    c = torch.empty(x.size(0) + 1, x.size(1), n)
    h[0].copy_(h0)
    c[0].copy_(c0)
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
    def forward(ctx, x, h0, c0, wx, wh, b):
        act, h, c, squashed = lstm_forward(x, h0, c0, wx, wh, b)
        ctx.save_for_backward(x, wx, wh, act, h, c, squashed)
        last = c[-1].clone()
        ctx.mark_non_differentiable(last)
        return h[1:], last

    @staticmethod
    def backward(ctx, dy, _):
        x, wx, wh, act, h, c, squashed = ctx.saved_tensors
        d = lstm_backward(dy, act, h, c, squashed, wh).flatten(0, 1)
        dwx, dwh = d.t() @ x.flatten(0, 1), d.t() @ h[:-1].flatten(0, 1)
        return (d @ wx).view_as(x), None, None, dwx, dwh, d.sum(0)


class LSTM(torch.nn.Module):
    forms = ["module", "scan"]

    def __init__(self, case, form):
        super().__init__()
        n, e = case.hidden, case.embedding
        self.form, self.carry, self.state, self.start = form, case.carry, None, (case.batch, n)
        if form == "module":
            self.cell = torch.nn.LSTM(e, n)
            return
        shapes = (4 * n, e), (4 * n, n), (4 * n,)
        self.weights = torch.nn.ParameterList(uniform(n, *s) for s in shapes)

    def forward(self, x):
        h, c = self.state or (torch.zeros(self.start), torch.zeros(self.start))
        if self.form == "module":
            y, (_, c) = self.cell(x, (h.unsqueeze(0), c.unsqueeze(0)))
            c = c[0]
        else:
            y, c = LSTMScan.apply(x, h, c, *self.weights)
        if self.carry:
            self.state = y[-1].detach(), c.detach()
        return y


# mmRNN. One product multiplies the state by the four stacked choice matrices. The key
# weighs the four parts of the result.


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
    forms = ["scan"]

    def __init__(self, case, form):
        super().__init__()
        n, e = case.hidden, case.embedding
        shapes = (n, e), (4 * n, n), (n,), (4, e), (4, n), (4, 4)
        self.weights = torch.nn.ParameterList(uniform(n, *s) for s in shapes)

    def forward(self, x):
        return MMRNNScan.apply(x, *self.weights)


# Stack RNN: ten stacks of 50 cells, with the actions PUSH and POP. The hidden layer reads
# the top two cells of each stack.

STACKS, DEPTH, READ = 10, 50, 2


@torch.jit.script
def stack_forward(
    x: Tensor, u: Tensor, p: Tensor, w: Tensor, stacks: int, depth: int
) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    steps, batch = x.size(0), x.size(1)
    read = p.size(1) // stacks
    h = functional.embedding(x, u)
    act = torch.empty(steps, batch, stacks, 2)
    value = torch.empty(steps, batch, stacks)
    # Cell 0 is the value to push, the last cell the value that POP moves in at the bottom.
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
    ds = torch.zeros(batch, stacks, depth + 2)  # gradient of the stack after the step, with a zero cell at each end
    for step in range(steps):
        t = steps - 1 - step
        push, pop = act[t][:, :, :1], act[t][:, :, 1:]
        now, above = s[t], ds[:, :, 1:-1]
        da = torch.stack([(above * now[:, :, :-2]).sum(2), (above * now[:, :, 2:]).sum(2)], 2)
        da = torch.ops.aten._softmax_backward_data(da, act[t], 2, act.dtype)
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
    forms = ["scan"]

    def __init__(self, case, form):
        super().__init__()
        n = case.hidden
        shapes = (case.vocabulary, n), (n, STACKS * READ), (2 * STACKS, n), (STACKS, n)
        self.weights = torch.nn.ParameterList(uniform(n, *s) for s in shapes)

    def forward(self, x):
        return StackScan.apply(x, *self.weights)


CELLS = {"lstm": LSTM, "mmrnn": MMRNN, "stack": Stack}


def uniform(n, *shape):
    bound = n**-0.5
    return torch.nn.Parameter(torch.empty(*shape).uniform_(-bound, bound))


class LanguageModel(torch.nn.Module):
    """Embedding (not for the Stack RNN), cell and output layer."""

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


def measure(case, form, seconds):
    torch.manual_seed(1)
    model = LanguageModel(case, form)
    adam = torch.optim.Adam(model.parameters(), lr=1e-3, foreach=True)
    text = torch.randint(case.vocabulary, (case.steps + 1, case.batch))

    def update():
        adam.zero_grad(set_to_none=True)
        model(text[:-1], text[1:]).backward()
        adam.step()

    for _ in range(2):
        update()
    updates, begin, passed = 0, time.perf_counter(), 0
    while passed < seconds or updates == 0:
        update()
        updates += 1
        passed = time.perf_counter() - begin
    rate = updates * case.batch * case.steps / passed
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"BenchmarkTrain/case={case.name}/threads={torch.get_num_threads()} {updates} "
          f"{passed / updates * 1e9:.0f} ns/op {rate:.1f} tokens/s {peak:.0f} peak-MB")


def check():
    """Compares the handwritten gradients with finite differences, and the two forms of LSTM with each other."""
    torch.set_default_dtype(torch.float64)
    for cell in CELLS:
        small = Case(f"case=small cell={cell} h=4 e={0 if cell == 'stack' else 3} V=5 B=2 T=3 dropout=0 carry=false")
        model = LanguageModel(small, "scan")
        tokens, targets = torch.randint(small.vocabulary, (2, small.steps, small.batch))
        weights = tuple(model.parameters())
        torch.autograd.gradcheck(lambda *_: model(tokens, targets), weights)
        print(small.cell, "agrees with finite differences in", sum(w.numel() for w in weights), "numbers")
    tiny = Case("case=tiny cell=lstm h=12 e=30 V=6 B=10 T=84 dropout=0 carry=true")
    scan, module = LSTM(tiny, "scan"), LSTM(tiny, "module")
    wx, wh, b = (torch.cat([w.chunk(4)[k] for k in (0, 1, 3, 2)]) for w in scan.weights)  # the module's order is i, f, g, o
    for p, w in zip(module.parameters(), (wx, wh, b, torch.zeros_like(b))):
        p.data.copy_(w)
    for _ in range(2):
        x = torch.randn(tiny.steps, tiny.batch, tiny.embedding)
        torch.testing.assert_close(scan(x), module(x))
    print("lstm agrees with torch.nn.LSTM")


def forms(case):
    return CELLS[case.cell].forms if case.cell in CELLS else []


def main(args):
    if args == ["check"]:
        return check()
    known = cases()
    if args == ["cases"]:
        for case in known.values():
            if forms(case):
                print(case.name, *forms(case))
    elif len(args) == 4 and args[0] == "time" and args[1] in known and args[2] in forms(known[args[1]]):
        measure(known[args[1]], args[2], float(args[3]))
    else:
        sys.exit(f"train.py: have the arguments {args}, want time CASE FORM SECONDS, cases or check")


if __name__ == "__main__":
    main(sys.argv[1:])
