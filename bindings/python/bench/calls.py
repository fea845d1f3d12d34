#!/usr/bin/env python3
"""What a call costs that has hardly anything to compute: the time of the whole call, in which the
library's part is some tens of nanoseconds (bench_call has it). Fails beyond 2 us.

Usage: calls.py
"""

import sys
import timeit

import lanepool
import numpy as np

MOST = 2000
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
PROMISED = ("plan.run(x, out)", "average_pool(x, 3, strides=2, pads=1, out=out)")


def nanoseconds(function):
    """Of one call, without what is timed around it. Other processes only add to it."""
    empty = min(timeit.repeat(lambda: None, number=CALLS, repeat=ROUNDS))
    return (min(timeit.repeat(function, number=CALLS, repeat=ROUNDS)) - empty) / CALLS * 1e9


def main():
    times = {name: nanoseconds(function) for name, function in STATEMENTS.items()}
    for name, time in times.items():
        print(f"{name:50}{time:8.0f} ns")
    slow = [name for name in PROMISED if times[name] > MOST]
    for name in slow:
        print(f"FAILED  {name} takes more than {MOST} ns")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
