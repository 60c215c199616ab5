"""Times training in PyTorch and prints the result as a line of Go benchmark text:

    train.py time CASE FORM SECONDS
    train.py cases
    train.py check

The command time measures updates: a forward and a backward pass of a batch, and a step
of Adam. Two updates run untimed, then updates run for the given time. The command cases
lists the cases of suites/throughput/testdata, cases.txt and growth.txt, and the forms of each. The command check checks the handwritten gradients. The
number of threads comes from OMP_NUM_THREADS.

A form is a way to write the recurrence:

    module   torch.nn.LSTM, as most users write it
    scan     the loop over the steps and its gradient, written by hand in TorchScript:
             there is no graph of small nodes, and the gradient of a weight is a single
             product over all steps instead of a sum of products
    compile  the equations of cells.py, which torch.compile makes a program of C++, with
             its own gradient; the first time takes minutes, and then the program is in
             the folder TORCHINDUCTOR_CACHE_DIR. The PyTorch of Debian 12 does not have it

In growth.txt compile is left out where strings have more than 32 symbols, as it unrolls them, and scan where there is a module.

Alternatives that were tried: autograd over the steps, in TorchScript, takes 1.5 to 3
times as long as scan. Adam with foreach is up to a quarter faster than without it.
In the mmLSTM, one elementwise product and four sums mix the matrices faster than bmm or
addcmul. torch.backends.mkldnn makes no difference, because PyTorch 1.13 uses BLAS for
float32 products in either case. The script run documents the environment variables.
"""

import copy
import sys
import types
from typing import Tuple

import torch
from torch import Tensor
from torch.nn import functional

import cells
from cells import READ


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


# mmLSTM. The gates are in the order i, f, o, g, as in the LSTM. One product multiplies the
# state by all choice matrices and by the matrix that computes the keys from h. The columns
# of the result are those of the first matrix of each gate, of the second matrix of each
# gate, of the third and of the fourth, followed by the keys.


@torch.jit.script
def mmlstm_forward(
    x: Tensor, h0: Tensor, c0: Tensor, v0: Tensor, wx: Tensor, wh: Tensor, wv: Tensor, b: Tensor
) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    steps, batch, n = x.size(0), x.size(1), wh.size(1)
    pre = functional.linear(x, wx, b)
    act = pre[:, :, : 4 * n]
    h = torch.empty(steps + 1, batch, n)
    c = torch.empty(steps + 1, batch, n)
    v = torch.empty(steps + 1, batch, 4, 4)  # gates, then the weights of the four matrices
    h[0].copy_(h0)
    c[0].copy_(c0)
    v[0].copy_(v0)
    squashed = torch.empty(steps, batch, n)
    products = torch.empty(steps, batch, wh.size(0))
    transposed, keyed = wh.t(), wv.t()
    for t in range(steps):
        q = torch.mm(h[t], transposed, out=products[t])
        k = (pre[t][:, 4 * n :] + q[:, 16 * n :]).addmm_(v[t].view(batch, 16), keyed)
        w = v[t + 1]
        w.copy_(torch.softmax(k.view(batch, 4, 4), 2))
        p = act[t]
        mixed = p.view(batch, 4, n)
        weighed = q[:, : 16 * n].view(batch, 4, 4, n) * w.transpose(1, 2).unsqueeze(3)
        for j in range(4):
            mixed.add_(weighed[:, j])
        p[:, : 3 * n].sigmoid_()
        g = p[:, 3 * n :].tanh_()
        now = torch.mul(p[:, n : 2 * n], c[t], out=c[t + 1])
        now.addcmul_(p[:, :n], g)
        torch.tanh(now, out=squashed[t])
        torch.mul(p[:, 2 * n : 3 * n], squashed[t], out=h[t + 1])
    return act, h, c, v, squashed, products


@torch.jit.script
def mmlstm_backward(
    dy: Tensor, act: Tensor, c: Tensor, v: Tensor, squashed: Tensor, products: Tensor, wh: Tensor, wv: Tensor
) -> Tuple[Tensor, Tensor]:
    steps, batch, n = act.size(0), act.size(1), wh.size(1)
    dpre = torch.empty(steps, batch, 4 * n + 16)
    dproducts = torch.empty_like(products)
    dc = torch.zeros_like(c[0])
    for step in range(steps):
        t = steps - 1 - step
        dh = dy[t]
        if step > 0:
            dh = torch.addmm(dh, dproducts[t + 1], wh)
        i, f, o, g = act[t].split(n, 1)
        dc.add_(torch.ops.aten.tanh_backward(dh * o, squashed[t]))
        d = dpre[t][:, : 4 * n]
        torch.mul(dc, g, out=d[:, :n])
        torch.mul(dc, c[t], out=d[:, n : 2 * n])
        torch.mul(dh, squashed[t], out=d[:, 2 * n : 3 * n])
        s = d[:, : 3 * n]
        s.copy_(torch.ops.aten.sigmoid_backward(s, act[t][:, : 3 * n]))
        d[:, 3 * n :].copy_(torch.ops.aten.tanh_backward(dc * i, g))
        dc.mul_(f)
        each, w = d.view(batch, 4, n), v[t + 1]
        dw = (products[t][:, : 16 * n].view(batch, 4, 4, n) * each.unsqueeze(1)).sum(3).transpose(1, 2)
        if step > 0:
            dw = dw + torch.mm(dpre[t + 1][:, 4 * n :], wv).view(batch, 4, 4)
        dk = torch.ops.aten._softmax_backward_data(dw, w, 2, w.dtype).view(batch, 16)
        dpre[t][:, 4 * n :].copy_(dk)
        q = dproducts[t]
        q[:, 16 * n :].copy_(dk)
        torch.mul(each.unsqueeze(1), w.transpose(1, 2).unsqueeze(3), out=q[:, : 16 * n].view(batch, 4, 4, n))
    return dpre, dproducts


class MMLSTMScan(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, h0, c0, v0, wx, wh, wv, b):
        wv = torch.block_diag(*wv)
        act, h, c, v, squashed, products = mmlstm_forward(x, h0, c0, v0, wx, wh, wv, torch.cat([b, b.new_zeros(16)]))
        ctx.save_for_backward(x, wx, wh, wv, act, h, c, v, squashed, products)
        last = c[-1].clone(), v[-1].clone()
        ctx.mark_non_differentiable(*last)
        return h[1:], *last

    @staticmethod
    def backward(ctx, dy, *_):
        x, wx, wh, wv, act, h, c, v, squashed, products = ctx.saved_tensors
        dpre, dproducts = (d.flatten(0, 1) for d in mmlstm_backward(dy, act, c, v, squashed, products, wh, wv))
        n = wh.size(1)
        dwv = (dpre[:, 4 * n :].t() @ v[:-1].view(-1, 16)).view(4, 4, 4, 4)
        return ((dpre @ wx).view_as(x), None, None, None, dpre.t() @ x.flatten(0, 1), dproducts.t() @ h[:-1].flatten(0, 1),
                dwv.diagonal(dim1=0, dim2=2).permute(2, 0, 1), dpre[:, : 4 * n].sum(0))


class MMLSTM(torch.nn.Module):
    forms = ["scan"]

    def __init__(self, case, form):
        super().__init__()
        n, e = case.hidden, case.embedding
        self.carry, self.state = case.carry, None
        self.start = torch.zeros(case.batch, n), torch.zeros(case.batch, n), torch.full((case.batch, 4, 4), 0.25)
        shapes = (4 * n + 16, e), (16 * n + 16, n), (4, 4, 4), (4 * n,)
        self.weights = torch.nn.ParameterList(uniform(n, *s) for s in shapes)

    def forward(self, x):
        y, *last = MMLSTMScan.apply(x, *(self.state or self.start), *self.weights)
        if self.carry:
            self.state = y[-1].detach(), *last
        return y


# Stack RNN with the actions PUSH and POP. The hidden layer of every network with stacks
# reads the top two cells of each stack.


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
    def forward(ctx, x, u, p, a, d, depth):
        w = torch.cat([a, d]).t().contiguous()
        h, act, value, s = stack_forward(x, u, p, w, d.size(0), depth)
        ctx.save_for_backward(x, u, p, w, h, act, value, s)
        return h

    @staticmethod
    def backward(ctx, dy):
        x, u, p, w, h, act, value, s = ctx.saved_tensors
        dh, dz = (d.flatten(0, 1) for d in stack_backward(dy, h, act, value, s, p, w))
        stacks = s.size(2)
        tops = s[:-1, :, :, 1 : READ + 1].reshape(-1, stacks * READ)
        dw = dz.t() @ h.flatten(0, 1)
        du = torch.zeros_like(u).index_add_(0, x.flatten(), dh)
        return None, du, dh.t() @ tops, dw[: 2 * stacks], dw[2 * stacks :], None


class Stack(torch.nn.Module):
    forms, width = ["scan"], 0

    def __init__(self, case, form):
        super().__init__()
        n, stacks, self.depth = case.hidden, case.stacks, case.depth
        shapes = (case.vocabulary, n), (n, READ * stacks), (2 * stacks, n), (stacks, n)
        self.weights = torch.nn.ParameterList(uniform(n, *s) for s in shapes)

    def forward(self, x):
        return StackScan.apply(x, *self.weights, self.depth)


# Stacks with the actions PUSH, NO-OP and POP. The cells at the same depth lie side by side
# in a row, for all stacks of all strings, so a shift moves whole rows. Row 0 is the value to
# push, and the last row is the value that POP shifts in at the bottom. The actions take a
# cell from the row above, from the same row and from the row below, in this order. What a
# step computes for the stacks has four blocks of columns: PUSH, NO-OP, POP and the value to
# push. Gradients do not cross the border between two updates. So the stacks after the last
# step have no gradient, and that of the stacks before the first step is not computed.


@torch.jit.script
def stacks_start(s0: Tensor, steps: int) -> Tensor:
    depth, batch, stacks = s0.size(0), s0.size(1), s0.size(2)
    s = torch.empty(steps + 1, depth + 2, batch, stacks)
    s[0, 1:-1].copy_(s0)
    s[:, -1].fill_(-1)
    return s


@torch.jit.script
def stacks_step(z: Tensor, act: Tensor, now: Tensor, after: Tensor):
    batch, stacks = now.size(1), now.size(2)
    torch.softmax(z[:, : 3 * stacks].view(batch, 3, stacks).transpose(0, 1), 0, out=act)
    torch.sigmoid(z[:, 3 * stacks :], out=now[0])
    following = torch.mul(now[:-2], act[0], out=after[1:-1])
    following.addcmul_(now[1:-1], act[1]).addcmul_(now[2:], act[2])


@torch.jit.script
def stacks_step_gradient(ds: Tensor, act: Tensor, now: Tensor, z: Tensor):
    # ds is the gradient of the stacks after the step, with a row of zeros at each end.
    batch, stacks = now.size(1), now.size(2)
    above = ds[1:-1]
    da = torch.empty_like(act)
    for j in range(3):
        torch.sum(above * now[j : j + above.size(0)], 0, out=da[j])
    da = torch.ops.aten._softmax_backward_data(da, act, 0, act.dtype)
    z[:, : 3 * stacks].view(batch, 3, stacks).copy_(da.transpose(0, 1))
    z[:, 3 * stacks :].copy_(torch.ops.aten.sigmoid_backward(ds[1] * act[0], now[0]))


@torch.jit.script
def stacks_gradient(ds: Tensor, act: Tensor, before: Tensor):
    rows = torch.mul(ds[2:], act[0], out=before[1:-1])
    rows.addcmul_(ds[1:-1], act[1]).addcmul_(ds[:-2], act[2])


# Stack RNN with NO-OP and R. One product multiplies the top cells and h of the previous step
# by P and R.


@torch.jit.script
def stack_noop_forward(
    x: Tensor, h0: Tensor, s0: Tensor, pr: Tensor, w: Tensor
) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    steps, batch, n, stacks = x.size(0), x.size(1), x.size(2), s0.size(2)
    tops = pr.size(1) - n
    read = tops // stacks
    h = x.clone()
    reads = torch.empty(steps, batch, tops + n)
    act = torch.empty(steps, 3, batch, stacks)
    s = stacks_start(s0, steps)
    transposed, acts = pr.t(), w.t()
    for t in range(steps):
        r = reads[t]
        r[:, :tops].view(batch, read, stacks).copy_(s[t, 1 : read + 1].transpose(0, 1))
        r[:, tops:].copy_(h[t - 1] if t > 0 else h0)
        y = h[t].addmm_(r, transposed).sigmoid_()
        stacks_step(torch.mm(y, acts), act[t], s[t], s[t + 1])
    return h, reads, act, s


@torch.jit.script
def stack_noop_backward(
    dy: Tensor, h: Tensor, act: Tensor, s: Tensor, pr: Tensor, w: Tensor
) -> Tuple[Tensor, Tensor]:
    steps, batch, n, stacks = act.size(0), act.size(2), h.size(2), act.size(3)
    tops = pr.size(1) - n
    read = tops // stacks
    dh = torch.empty_like(h)
    dz = torch.zeros(steps, batch, 4 * stacks)
    ds = torch.zeros_like(s[0])
    before = torch.zeros_like(ds)
    dr = torch.empty(batch, tops + n)
    for step in range(steps):
        t = steps - 1 - step
        g = dy[t]
        if step > 0:
            stacks_step_gradient(ds, act[t], s[t], dz[t])
            g = torch.addmm(g, dz[t], w).add_(dr[:, tops:])
        dh[t].copy_(torch.ops.aten.sigmoid_backward(g, h[t]))
        if t > 0:
            torch.mm(dh[t], pr, out=dr)
            if step > 0:
                stacks_gradient(ds, act[t], before)
                ds, before = before, ds
            ds[1 : read + 1].add_(dr[:, :tops].view(batch, read, stacks).transpose(0, 1))
    return dh, dz


class StackNoopScan(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, h0, s0, pr, w):
        h, reads, act, s = stack_noop_forward(x, h0, s0, pr, w)
        ctx.save_for_backward(h, reads, act, s, pr, w)
        last = s[-1, 1:-1].clone()
        ctx.mark_non_differentiable(last)
        return h, last

    @staticmethod
    def backward(ctx, dy, _):
        h, reads, act, s, pr, w = ctx.saved_tensors
        dh, dz = stack_noop_backward(dy, h, act, s, pr, w)
        rows, values = dh.flatten(0, 1), dz.flatten(0, 1)
        return dh, None, None, rows.t() @ reads.flatten(0, 1), values.t() @ h.flatten(0, 1)


class StackNoop(torch.nn.Module):
    forms, width = ["scan"], 1

    def __init__(self, case, form):
        super().__init__()
        n, stacks = case.hidden, case.stacks
        self.carry, self.state = case.carry, None
        self.start = torch.zeros(case.batch, n), torch.full((case.depth, case.batch, stacks), -1.0)
        shapes = (n, READ * stacks + n), (4 * stacks, n)
        self.weights = torch.nn.ParameterList(uniform(n, *s) for s in shapes)

    def forward(self, x):
        y, last = StackNoopScan.apply(x, *(self.state or self.start), *self.weights)
        if self.carry:
            self.state = y[-1].detach(), last
        return y


# DiffStk-MRNN. Its activation is f1(x) = 1.7159 tanh(2x/3).


@torch.jit.script
def diffstk_forward(
    x: Tensor, z0: Tensor, s0: Tensor, wmz: Tensor, wzm: Tensor, b: Tensor, p: Tensor, w: Tensor, wb: Tensor
) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    steps, batch, n, stacks = x.size(0), x.size(1), wmz.size(0), s0.size(2)
    read = p.size(1) // stacks
    factor = x[:, :, :n]
    squashed = x[:, :, n:] + b
    z = torch.empty(steps, batch, n)
    zhat, q, m = torch.empty_like(z), torch.empty_like(z), torch.empty_like(z)
    tops = torch.empty(steps, batch, read * stacks)
    act = torch.empty(steps, 3, batch, stacks)
    s = stacks_start(s0, steps)
    pt, wmzt, wzmt, wt = p.t(), wmz.t(), wzm.t(), w.t()
    for t in range(steps):
        tops[t].view(batch, read, stacks).copy_(s[t, 1 : read + 1].transpose(0, 1))
        torch.addmm(z[t - 1] if t > 0 else z0, tops[t], pt, out=zhat[t])
        torch.mm(zhat[t], wmzt, out=q[t])
        torch.mul(factor[t], q[t], out=m[t])
        squashed[t].addmm_(m[t], wzmt).mul_(2 / 3).tanh_()
        torch.mul(squashed[t], 1.7159, out=z[t])
        stacks_step(torch.addmm(wb, z[t], wt), act[t], s[t], s[t + 1])
    return z, squashed, zhat, q, m, tops, act, s


@torch.jit.script
def diffstk_backward(
    dy: Tensor, factor: Tensor, squashed: Tensor, q: Tensor, act: Tensor, s: Tensor,
    wmz: Tensor, wzm: Tensor, p: Tensor, w: Tensor
) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    steps, batch, n, stacks = act.size(0), act.size(2), wmz.size(0), act.size(3)
    read = p.size(1) // stacks
    dx = torch.empty(steps, batch, 2 * n)
    dq = torch.empty_like(dy)
    dzhat = torch.empty_like(dy)
    da = torch.zeros(steps, batch, 4 * stacks)
    ds = torch.zeros_like(s[0])
    before = torch.zeros_like(ds)
    for step in range(steps):
        t = steps - 1 - step
        dz = dy[t]
        if step > 0:
            stacks_step_gradient(ds, act[t], s[t], da[t])
            dz = torch.addmm(dz, da[t], w).add_(dzhat[t + 1])
        d = torch.ops.aten.tanh_backward(dz, squashed[t]).mul_(1.7159 * 2 / 3)
        dx[t][:, n:].copy_(d)
        dm = d @ wzm
        torch.mul(dm, q[t], out=dx[t][:, :n])
        torch.mul(dm, factor[t], out=dq[t])
        torch.mm(dq[t], wmz, out=dzhat[t])
        if t > 0:
            if step > 0:
                stacks_gradient(ds, act[t], before)
                ds, before = before, ds
            ds[1 : read + 1].add_((dzhat[t] @ p).view(batch, read, stacks).transpose(0, 1))
    return dx, dq, dzhat, da


class DiffStkMRNNScan(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, z0, s0, wmz, wzm, b, p, w, wb):
        z, squashed, zhat, q, m, tops, act, s = diffstk_forward(x, z0, s0, wmz, wzm, b, p, w, wb)
        ctx.save_for_backward(x, z, squashed, zhat, q, m, tops, act, s, wmz, wzm, p, w)
        last = s[-1, 1:-1].clone()
        ctx.mark_non_differentiable(last)
        return z, last

    @staticmethod
    def backward(ctx, dy, _):
        x, z, squashed, zhat, q, m, tops, act, s, wmz, wzm, p, w = ctx.saved_tensors
        n = wmz.size(0)
        dx, dq, dzhat, da = diffstk_backward(dy, x[:, :, :n], squashed, q, act, s, wmz, wzm, p, w)
        z, zhat, m, tops, d, dq, dzhat, da = (v.flatten(0, 1) for v in (z, zhat, m, tops, dx[:, :, n:], dq, dzhat, da))
        return dx, None, None, dq.t() @ zhat, d.t() @ m, d.sum(0), dzhat.t() @ tops, da.t() @ z, da.sum(0)


class DiffStkMRNN(torch.nn.Module):
    forms, width = ["scan"], 2

    def __init__(self, case, form):
        super().__init__()
        n, stacks = case.hidden, case.stacks
        self.carry, self.state = case.carry, None
        self.start = torch.zeros(case.batch, n), torch.full((case.depth, case.batch, stacks), -1.0)
        shapes = (n, n), (n, n), (n,), (n, READ * stacks), (4 * stacks, n), (4 * stacks,)
        self.weights = torch.nn.ParameterList(uniform(n, *s) for s in shapes)

    def forward(self, x):
        y, last = DiffStkMRNNScan.apply(x, *(self.state or self.start), *self.weights)
        if self.carry:
            self.state = y[-1].detach(), last
        return y


CELLS = {"lstm": LSTM, "mmrnn": MMRNN, "mmlstm": MMLSTM, "stack": Stack, "stack-noop": StackNoop, "diffstk-mrnn": DiffStkMRNN}


def uniform(n, *shape):
    bound = n**-0.5
    return torch.nn.Parameter(torch.empty(*shape).uniform_(-bound, bound))


def scan(step, state, inputs):
    """Run the steps one after the other."""
    y = []
    for x in zip(*(i.unbind(0) for i in inputs)) if isinstance(inputs, tuple) else inputs.unbind(0):
        state = step(state, x)
        y.append(state[0])
    return torch.stack(y), tuple(state)


LIB = types.SimpleNamespace(tanh=torch.tanh, sigmoid=torch.sigmoid, softmax=torch.softmax, cat=torch.cat, scan=scan)


class Compiled(torch.nn.Module):
    """The equations of cells.py, compiled."""

    def __init__(self, case, compile=True):
        super().__init__()
        self.carry = case.carry
        self.parts = torch.nn.ModuleList(torch.nn.ParameterList(uniform(case.hidden, *s) for s in part) for part in cells.layers(case))
        self.states = [tuple(torch.full(*s) for s in cells.CELLS[case.cell].start(case)) for _ in range(case.layers)]

        def loss(parts, tokens, targets, states):
            y, last = cells.logits(LIB, case, parts, tokens, states, lambda x: functional.dropout(x, case.dropout) if case.dropout else x)
            return functional.cross_entropy(y, targets.flatten()), [tuple(s.detach() for s in state) for state in last]

        self.loss = torch.compile(loss, fullgraph=True, dynamic=False) if compile else loss

    def forward(self, tokens, targets):
        loss, last = self.loss([list(part) for part in self.parts], tokens, targets, self.states)
        if self.carry:
            self.states = last
        return loss


class LanguageModel(torch.nn.Module):
    """Embedding, cell and output layer, with gradients written by hand or those of a module. If the case states no width of the embedding, it is the hidden size times
    the width of the cell. A cell with width 0 contains the embedding itself."""

    def __init__(self, case, form):
        super().__init__()
        width = case.embedding or CELLS[case.cell].width * case.hidden
        self.embedding = torch.nn.Embedding(case.vocabulary, width) if width else None
        self.dropout = case.dropout
        self.layers = torch.nn.ModuleList()
        for _ in range(case.layers):
            self.layers.append(CELLS[case.cell](case, form))
            case = copy.copy(case)
            case.embedding = case.hidden
        self.out = torch.nn.Linear(case.hidden, case.vocabulary, bias=case.cell not in ("stack", "stack-noop"))

    def forward(self, tokens, targets):
        x = tokens
        if self.embedding is not None:
            x = self.embedding(x)
            if self.dropout:
                x = functional.dropout(x, self.dropout)
        h = x
        for layer in self.layers:
            h = layer(h)
        if self.dropout:
            h = functional.dropout(h, self.dropout)
        return functional.cross_entropy(self.out(h.flatten(0, 1)), targets.flatten())


def measure(case, form, seconds):
    torch.manual_seed(1)
    model = Compiled(case) if form == "compile" else LanguageModel(case, form)
    optimizer = cells.adam(torch, model.parameters(), 1e-3)
    text = torch.randint(case.vocabulary, (case.steps + 1, case.batch))

    def update():
        optimizer.zero_grad(set_to_none=True)
        model(text[:-1], text[1:]).backward()
        optimizer.step()

    for _ in range(2):
        update()
    cells.report(case, torch.get_num_threads(), *cells.timed(update, seconds))


def check():
    """Compares the handwritten gradients with finite differences, two short updates with a long one, and the two
    forms of LSTM with each other."""
    torch.set_default_dtype(torch.float64)

    def small_case(cell, carry):
        e = 0 if hasattr(CELLS[cell], "width") else 3
        layers = 2 if e else 1
        return cells.Case(f"case=small cell={cell} h=4 e={e} V=5 B=2 T=3 dropout=0 carry={carry} stacks=2 depth=3 layers={layers}")

    for cell in CELLS:
        small = small_case(cell, "false")
        model = LanguageModel(small, "scan")
        tokens, targets = torch.randint(small.vocabulary, (2, small.steps, small.batch))
        weights = tuple(model.parameters())
        torch.autograd.gradcheck(lambda *_: model(tokens, targets), weights)
        print(small.cell, "agrees with finite differences in", sum(w.numel() for w in weights), "numbers")
    for cell in CELLS:
        small = small_case(cell, "false")
        model, plain = LanguageModel(small, "scan"), Compiled(small, compile=False)
        tokens, targets = torch.randint(small.vocabulary, (2, small.steps, small.batch))
        for p, w in zip(plain.parameters(), model.parameters(), strict=True):
            p.data.copy_(w)
        have, want = plain(tokens, targets), model(tokens, targets)
        have.backward(), want.backward()
        torch.testing.assert_close(have, want)
        torch.testing.assert_close([p.grad for p in plain.parameters()], [w.grad for w in model.parameters()])
        print(cell, "agrees with its equations in cells.py")
    for cell in ("lstm", "mmlstm", "stack-noop", "diffstk-mrnn"):
        small = small_case(cell, "true")
        model = CELLS[cell](small, "scan")
        x = torch.randn(2 * small.steps, small.batch, small.embedding or model.width * small.hidden)
        whole, model.state = model(x), None
        torch.testing.assert_close(torch.cat([model(x[: small.steps]), model(x[small.steps :])]), whole)
        print(small.cell, "continues where the update before ended")
    tiny = cells.Case("case=tiny cell=lstm h=12 e=30 V=6 B=10 T=84 dropout=0 carry=true")
    scan, module = LSTM(tiny, "scan"), LSTM(tiny, "module")
    wx, wh, b = (torch.cat([w.chunk(4)[k] for k in (0, 1, 3, 2)]) for w in scan.weights)  # the module's order is i, f, g, o
    for p, w in zip(module.parameters(), (wx, wh, b, torch.zeros_like(b))):
        p.data.copy_(w)
    for _ in range(2):
        x = torch.randn(tiny.steps, tiny.batch, tiny.embedding)
        torch.testing.assert_close(scan(x), module(x))
    print("lstm agrees with torch.nn.LSTM")


def forms(case):
    names = CELLS[case.cell].forms + (["compile"] if hasattr(torch, "compile") else [])
    if case.benchmark == "Grow":
        return names[:1] + [form for form in names[1:] if form == "compile" and case.steps <= 32]
    return names


def main(args):
    if args == ["check"]:
        return check()
    known = cells.cases()
    if args == ["cases"]:
        for case in known.values():
            print(case.name, *forms(case))
    elif len(args) == 4 and args[0] == "time" and args[1] in known and args[2] in forms(known[args[1]]):
        measure(known[args[1]], args[2], float(args[3]))
    else:
        sys.exit(f"train.py: have the arguments {args}, want time CASE FORM SECONDS, cases or check")


if __name__ == "__main__":
    main(sys.argv[1:])
