"""Times training in JAX and prints the result as a line of Go benchmark text:

    jaxtrain.py time CASE jit SECONDS
    jaxtrain.py cases

As train.py, but an update is one function that XLA compiles: the loop over the steps is lax.scan, and its gradient
is that of JAX. The process keeps to as many processors as OMP_NUM_THREADS says, because XLA has as many threads.
"""

import os
import sys
import types

if threads := os.environ.get("OMP_NUM_THREADS"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: int(threads)])

import jax
from jax import lax, numpy as jnp

import cells

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_default_prng_impl", "unsafe_rbg")  # dropout: the fastest that JAX has


def scan(step, state, inputs):
    def each(state, x):
        state = tuple(step(state, x))
        return state, state[0]

    state, y = lax.scan(each, tuple(state), inputs)
    return y, state


LIB = types.SimpleNamespace(tanh=jnp.tanh, sigmoid=jax.nn.sigmoid, softmax=jax.nn.softmax, cat=jnp.concatenate, scan=scan)


def cross_entropy(logits, targets):
    at = jnp.take_along_axis(logits, targets.reshape(-1, 1), 1)[:, 0]
    return (jax.nn.logsumexp(logits, 1) - at).mean()


def adam(p, g, moments, t, rate):
    """Return parameters and moments after a step of Adam, t = 1, 2, ..."""
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], g)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, moments[1], g)
    rate = rate / (1 - 0.9**t)
    return jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8), p, m, v), (m, v)


def draw(key, shapes, bound):
    keys = iter(jax.random.split(key, sum(map(len, shapes))))
    return [[jax.random.uniform(next(keys), s, minval=-bound, maxval=bound) for s in part] for part in shapes]


def measure(case, seconds):
    key = jax.random.key(1)
    params = draw(key, cells.layers(case), case.hidden**-0.5)
    zeros = lambda: jax.tree.map(jnp.zeros_like, params)
    start = [tuple(jnp.full(*s) for s in cells.CELLS[case.cell].start(case)) for _ in range(case.layers)]
    text = jax.random.randint(key, (case.steps + 1, case.batch), 0, case.vocabulary)

    def loss(params, states, t):
        keys = iter(jax.random.split(jax.random.fold_in(key, t), 2))

        def dropout(x):
            return jnp.where(jax.random.bernoulli(next(keys), 1 - case.dropout, x.shape), x / (1 - case.dropout), 0) if case.dropout else x

        y, last = cells.logits(LIB, case, params, text[:-1], states, dropout)
        return cross_entropy(y, text[1:]), last

    def update(params, moments, states, t):
        g, last = jax.grad(loss, has_aux=True)(params, states, t)
        params, moments = adam(params, g, moments, t + 1.0, 1e-3)
        return params, moments, last if case.carry else states, t + 1

    update = jax.jit(update, donate_argnums=(0, 1, 2))
    state = params, (zeros(), zeros()), start, 0

    def work():
        nonlocal state
        state = jax.block_until_ready(update(*state))

    for _ in range(2):
        work()
    cells.report(case, threads or os.cpu_count(), *cells.timed(work, seconds))


def main(args):
    known = cells.cases()
    if args == ["cases"]:
        for name in known:
            print(name, "jit")
    elif len(args) == 4 and args[0] == "time" and args[1] in known and args[2] == "jit":
        measure(known[args[1]], float(args[3]))
    else:
        sys.exit(f"jaxtrain.py: have the arguments {args}, want time CASE jit SECONDS or cases")


if __name__ == "__main__":
    main(sys.argv[1:])
