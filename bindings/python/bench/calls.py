#!/usr/bin/env python3
"""What a call costs that has hardly anything to compute: the time of the whole call, in which the
library's part is some tens of nanoseconds (bench_call has it). Fails beyond a few calls of a NumPy
function, timed in turns with it: so a busy machine, or a slow one, changes nothing.

Usage: calls.py
"""

import sys
import timeit

import lanepool
import numpy as np

CALLS = 2000
ROUNDS = 50

x = np.arange(25, dtype=np.float32).reshape(1, 1, 5, 5)
out = np.empty((1, 1, 3, 3), np.float32)
wide = np.zeros((1, 1, 5, 10), np.float32)
plan = lanepool.Plan("average", x.shape, x.dtype, 3, strides=2, pads=1)

STATEMENTS = {
    "plan.run(x, out)": lambda: plan.run(x, out),
    "plan.run(x)": lambda: plan.run(x),
    "plan.run(view, out)": lambda view=wide[..., ::2]: plan.run(view, out),
    "average_pool(x, 3, strides=2, pads=1, out=out)": lambda: lanepool.average_pool(
        x, 3, strides=2, pads=1, out=out
    ),
    "block_reduce(x, (1, 1, 5, 5), out=one)": lambda one=np.empty((1, 1, 1, 1), np.float32): (
        lanepool.block_reduce(x, (1, 1, 5, 5), out=one)
    ),
}
YARDSTICK = "numpy.maximum(x, x, out=y)"
# Times of that, at most.
PROMISED = {"plan.run(x, out)": 2, "average_pool(x, 3, strides=2, pads=1, out=out)": 6}


def nanoseconds(functions):
    """Of one call of each, in turns. Other processes only add to it: the best round counts."""
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(ROUNDS):
        for name, function in functions.items():
            best[name] = min(best[name], timeit.timeit(function, number=CALLS))
    around = best.pop("")
    return {name: (time - around) / CALLS * 1e9 for name, time in best.items()}


def main():
    numpys = {"": lambda: None, YARDSTICK: lambda y=np.empty_like(x): np.maximum(x, x, out=y)}
    times = nanoseconds(numpys | STATEMENTS)
    for name, time in times.items():
        print(f"{name:50}{time:8.0f} ns {time / times[YARDSTICK]:6.2f} x")
    slow = [name for name, most in PROMISED.items() if times[name] > most * times[YARDSTICK]]
    for name in slow:
        print(f"FAILED  {name} takes more than {PROMISED[name]} times {YARDSTICK}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
