"""Finds cliffs: shapes that take far longer per byte than the shapes beside them.

The cost of a shape is its time per byte of input and output. A shape stands at a cliff if it costs
more than `limit` times what a neighbour costs that has no less to do. A spike does so on both
sides, a step on one. What a first measurement suspects is measured twice more, each time beside its
neighbour and in a process of its own, and the smallest of the ratios counts.
"""

import dataclasses
import itertools
import statistics

SUSPICIOUS = 0.9  # of the limit: what noise may have hidden in the first measurement
STRETCH = 3  # times the median of a line


@dataclasses.dataclass(frozen=True)
class Cost:
    """What the measuring program says about a job."""

    nanoseconds: float
    size: int  # bytes of input and output
    explanation: str

    def per_byte(self):
        return self.nanoseconds / self.size


@dataclasses.dataclass(frozen=True)
class Cliff:
    """A job and the neighbour that is so much cheaper."""

    job: object
    neighbour: object
    name: str  # the property in which they differ
    ratio: float
    is_spike: bool


def changed(job, other):
    """The property in which two neighbours differ; several go by the last."""
    names = [field.name for field in dataclasses.fields(job)]
    return [name for name in names if getattr(job, name) != getattr(other, name)][-1]


def may_judge(job, neighbour):
    """A copy has too little to do to be a measure, and so have windows that read each position at
    most half as often (3x3 in a width of 1 beside one of 2), a wider stride at the same window, or
    what leaves out half of the input that the job reads, as a dilation of 2 at a stride of 2."""
    if neighbour.kernel == 1 < job.kernel or neighbour.taps() <= job.taps() / 2:
        return False
    if neighbour.share_read() <= job.share_read() / 2:
        return False
    return job.kernel != neighbour.kernel or neighbour.stride <= job.stride


def neighbours_of(lines):
    """For each job the jobs beside it in any line, if they can be a measure."""
    beside = {}
    for line in lines:
        for a, b in itertools.pairwise(line):
            for job, neighbour in ((a, b), (b, a)):
                if may_judge(job, neighbour):
                    beside.setdefault(job, []).append(neighbour)
    return beside


def ratio_of(costs, job, neighbour):
    """0 where the library refuses one of them."""
    if job not in costs or neighbour not in costs:
        return 0
    return costs[job].per_byte() / costs[neighbour].per_byte()


def find_cliffs(lines, measure, limit):
    """All costs, and the cliffs, the highest first. measure(jobs) gives {job: Cost}."""
    jobs = list(dict.fromkeys(itertools.chain.from_iterable(lines)))
    costs = measure(jobs)
    beside = neighbours_of(lines)
    suspects = [
        (job, neighbour)
        for job, neighbours in beside.items()
        for neighbour in neighbours
        if ratio_of(costs, job, neighbour) > limit * SUSPICIOUS
    ]
    ratios = {pair: ratio_of(costs, *pair) for pair in suspects}
    for _ in range(2):
        if not suspects:
            break
        again = measure(list(dict.fromkeys(itertools.chain.from_iterable(suspects))))
        ratios = {pair: min(ratio, ratio_of(again, *pair)) for pair, ratio in ratios.items()}
        suspects = [pair for pair in suspects if ratios[pair] > limit]
    heights = {pair: ratio for pair, ratio in ratios.items() if ratio > limit}
    cliffs = [
        Cliff(
            job,
            neighbour,
            changed(job, neighbour),
            ratio,
            len(beside[job]) > 1 and all((job, other) in heights for other in beside[job]),
        )
        for (job, neighbour), ratio in heights.items()
    ]
    return costs, sorted(cliffs, key=lambda cliff: -cliff.ratio)


def slow_stretches(lines, costs):
    """Parts of lines that cost more than STRETCH times the line's median: (jobs, ratio), the worst
    first. A slope has no cliff and is slow all the same."""
    stretches = []
    for line in lines:
        known = [job for job in line if job in costs]
        if len(known) < 10:
            continue
        median = statistics.median(costs[job].per_byte() for job in known)
        ratios = {job: costs[job].per_byte() / median for job in known}
        for is_slow, jobs in itertools.groupby(known, lambda job, of=ratios: of[job] > STRETCH):
            if is_slow:
                jobs = list(jobs)
                stretches.append((jobs, max(ratios[job] for job in jobs)))
    return sorted(stretches, key=lambda stretch: -stretch[1])
