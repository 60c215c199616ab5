"""Times training in PyTorch on a GPU and prints the result as a line of Go benchmark text:

    gpu.py ready                    # prints the versions; fails if PyTorch cannot use a GPU
    gpu.py time CASE FORM SECONDS   # CASE of suites/throughput/testdata/cases.txt with an LSTM, mmRNN or mmLSTM
    gpu.py check                    # checks on the processor that every cell learns

An update is a forward and a backward pass of a batch, and a step of Adam. A few
updates run untimed, then updates run for the given time. The forms:

    eager   as most users write the model: torch.nn.LSTM, which uses cuDNN; for the
            mmRNN and the mmLSTM a loop over the steps, before which everything that
            does not depend on the state is computed
    graph   the same as eager, but the whole update is captured in a CUDA graph, so that
            no launch waits for Python

The forms compute in float32. With the suffix -tf32 they compute products in TF32,
which has fewer bits; this is for information only. Adam is the fused implementation
if this PyTorch has it.
"""

import os
import sys
import time

import torch
from torch.nn import functional

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "baselines"))
from train import Case, cases, uniform  # noqa: E402

FORMS = ["eager", "eager-tf32", "graph", "graph-tf32"]


class LSTM(torch.nn.Module):
    def __init__(self, case):
        super().__init__()
        self.cell = torch.nn.LSTM(case.embedding, case.hidden)
        self.carry = case.carry
        for name in ("h", "c"):
            self.register_buffer(name, torch.zeros(1, case.batch, case.hidden))

    def forward(self, x):
        y, (h, c) = self.cell(x, (self.h.clone(), self.c.clone()))
        if self.carry:
            self.h.copy_(h.detach())
            self.c.copy_(c.detach())
        return y


class MMRNN(torch.nn.Module):
    """One product with the previous state has 4n + 4 columns: those of the four choice matrices and of the key."""

    def __init__(self, case):
        super().__init__()
        n, e = case.hidden, case.embedding
        self.n, self.batch = n, case.batch
        shapes = (e, n + 4), (n, 4 * n + 4), (4, 4), (n,)
        self.wx, self.wh, self.wv, self.b = (uniform(n, *s) for s in shapes)

    def forward(self, x):
        n = self.n
        before = x @ self.wx
        pre, key = before[..., :n] + self.b, before[..., n:]
        h, v = x.new_zeros(self.batch, n), x.new_full((self.batch, 4), 0.25)
        states = []
        for t in range(x.size(0)):
            p = h @ self.wh
            v = functional.softmax(key[t] + p[:, 4 * n :] + v @ self.wv, 1)
            mixed = torch.bmm(v.unsqueeze(1), p[:, : 4 * n].reshape(-1, 4, n)).squeeze(1)
            h = torch.tanh(pre[t] + mixed)
            states.append(h)
        return torch.stack(states)


class MMLSTM(torch.nn.Module):
    """The gates are in the order i, f, o, g, so that one sigmoid covers i, f and o. Each gate has four matrices and a key."""

    def __init__(self, case):
        super().__init__()
        n, e = case.hidden, case.embedding
        self.n, self.batch = n, case.batch
        shapes = (e, 4 * n + 16), (n, 16 * n), (n, 16), (4, 4, 4), (4 * n,)
        self.wx, self.wh, self.wk, self.wv, self.b = (uniform(n, *s) for s in shapes)

    def forward(self, x):
        n, batch = self.n, self.batch
        before = x @ self.wx
        pre, key = before[..., : 4 * n] + self.b, before[..., 4 * n :]
        h, c, v = x.new_zeros(batch, n), x.new_zeros(batch, n), x.new_full((4, batch, 4), 0.25)
        states = []
        for t in range(x.size(0)):
            scores = torch.addmm(key[t], h, self.wk).view(batch, 4, 4).transpose(0, 1)
            v = functional.softmax(torch.baddbmm(scores, v, self.wv), 2)
            products = (h @ self.wh).view(4 * batch, 4, n)  # no copy, because the key has its own product
            mixed = torch.bmm(v.transpose(0, 1).reshape(4 * batch, 1, 4), products).view(batch, 4 * n)
            r = pre[t] + mixed
            i, f, o = torch.sigmoid(r[:, : 3 * n]).chunk(3, 1)
            c = f * c + i * torch.tanh(r[:, 3 * n :])
            h = o * torch.tanh(c)
            states.append(h)
        return torch.stack(states)


CELLS = {"lstm": LSTM, "mmrnn": MMRNN, "mmlstm": MMLSTM}


class LanguageModel(torch.nn.Module):
    def __init__(self, case):
        super().__init__()
        self.embedding = torch.nn.Embedding(case.vocabulary, case.embedding)
        self.dropout = case.dropout
        self.cell = CELLS[case.cell](case)
        self.out = torch.nn.Linear(case.hidden, case.vocabulary)

    def forward(self, tokens, targets):
        x = functional.dropout(self.embedding(tokens), self.dropout)
        h = functional.dropout(self.cell(x), self.dropout)
        return functional.cross_entropy(self.out(h.flatten(0, 1)), targets.flatten())


def optimizer(model, device):
    options = {"capturable": True} if device == "cuda" else {}
    try:
        return torch.optim.Adam(model.parameters(), lr=1e-3, fused=device == "cuda", **options)
    except (TypeError, RuntimeError):  # before PyTorch 2.0
        return torch.optim.Adam(model.parameters(), lr=1e-3, foreach=True, **options)


class Training:
    """Training of a case. The method step does one update and stores the loss in the attribute loss."""

    def __init__(self, case, form, device):
        tf32 = form.endswith("-tf32")
        torch.backends.cuda.matmul.allow_tf32 = tf32
        torch.backends.cudnn.allow_tf32 = tf32
        torch.manual_seed(1)
        self.model = LanguageModel(case).to(device)
        self.adam = optimizer(self.model, device)
        self.text = torch.randint(case.vocabulary, (case.steps + 1, case.batch)).to(device)
        self.loss, self.step = None, self.update
        if form.startswith("graph"):
            self.capture()

    def update(self):
        self.adam.zero_grad(set_to_none=True)
        self.loss = self.model(self.text[:-1], self.text[1:])
        self.loss.backward()
        self.adam.step()

    def capture(self):
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self.update()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        self.adam.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            self.update()
        self.step = graph.replay


def measure(case, form, seconds):
    run = Training(case, form, "cuda")
    for _ in range(5):
        run.step()
    torch.cuda.synchronize()
    updates, begin, passed = 0, time.perf_counter(), 0
    while passed < seconds or updates == 0:
        for _ in range(4):  # synchronizing after every update would leave the GPU idle in between
            run.step()
        torch.cuda.synchronize()
        updates += 4
        passed = time.perf_counter() - begin
    if not torch.isfinite(run.loss):
        sys.exit(f"gpu.py: {case.name}, {form}: have the loss {run.loss.item()}, want a finite number")
    rate = updates * case.batch * case.steps / passed
    print(f"BenchmarkTrain/case={case.name}/form={form} {updates} {passed / updates * 1e9:.0f} ns/op {rate:.1f} tokens/s")


def check():
    """Checks without a GPU that each cell learns a short text by heart."""
    for cell in CELLS:
        case = Case(f"case=small cell={cell} h=24 e=8 V=5 B=3 T=6 dropout=0 carry=false")
        run = Training(case, "eager", "cpu")
        run.step()
        first = run.loss.item()
        for _ in range(300):
            run.step()
        if not run.loss.item() < first / 4:
            sys.exit(f"gpu.py: {cell}: have a loss of {first} at first and {run.loss.item()} in the end, want less than a quarter")
        print(cell, "learns:", round(first, 3), "to", round(run.loss.item(), 3))


def main(args):
    if args == ["check"]:
        return check()
    if not torch.cuda.is_available():
        sys.exit(f"gpu.py: have PyTorch {torch.__version__}, which finds no GPU, want one built for CUDA, and a GPU")
    known = cases()
    if args == ["ready"]:
        print(f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}")
    elif len(args) == 4 and args[0] == "time" and args[1] in known and known[args[1]].cell in CELLS and args[2] in FORMS:
        measure(known[args[1]], args[2], float(args[3]))
    else:
        sys.exit(f"gpu.py: have the arguments {args}, want ready, time CASE FORM SECONDS with a form of {FORMS}, or check")


if __name__ == "__main__":
    main(sys.argv[1:])
