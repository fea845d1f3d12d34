"""What the JSON of bench/peers says about lanepool and its peers: rows, ratios, means.

A ratio of lanepool to a peer is made of times that were taken in turns in one run. Files of the
same machine are passes: for each row and peer the pass in which that peer did best counts.
"""

import dataclasses
import json
import math
import pathlib
import sys

OURS = "lanepool"
TIE = 1.05  # times that are closer than this are equal
DISTURBED = 0.25  # spread of samples, above which a median says little
STATISTICS = {"median": ("median_us", "memcpy_us"), "min": ("min_us", "memcpy_min_us")}
GROUPS = {
    "max": "f32 max",
    "average": "f32 average",
    "quantized": "quantized",
    "types": "f16, bf16, f64",
    "growth": "growing windows",
    "tiny": "tiny calls",
    "cold": "cold caches",
    "threads": "more threads",
}
WORKLOADS = ("max", "average", "quantized", "types")
PEER_NAMES = {
    "onednn": "oneDNN",
    "xnnpack": "XNNPACK",
    "onnxruntime": "ONNX Runtime",
    "openvino": "OpenVINO",
    "pytorch": "PyTorch",
    "torch": "PyTorch",
    "ncnn": "ncnn",
    "ynnpack": "YNNPACK",
}


def name_of(peer):
    """How its makers write it."""
    return PEER_NAMES.get(peer, peer)


@dataclasses.dataclass
class Row:
    """One job under one condition on one machine, with the results of all who ran it."""

    machine: int
    about: dict  # the row of the JSON without its results
    results: dict  # peer: result
    statistic: str = "median"

    def __getattr__(self, field):
        try:
            return self.about[field]
        except KeyError:
            raise AttributeError(field) from None

    def us(self, peer):
        """The time of a correct result, else None."""
        result = self.results.get(peer, {})
        return result.get(STATISTICS[self.statistic][0]) if result.get("status") == "ok" else None

    def peers(self):
        """{peer: time} of the correct ones, the fastest first."""
        times = {peer: self.us(peer) for peer in self.results if peer != OURS}
        known = [(peer, us) for peer, us in times.items() if us]
        return dict(sorted(known, key=lambda item: item[1]))

    def best(self):
        """The fastest peer and its time; (None, None) if none can do it."""
        return next(iter(self.peers().items()), (None, None))

    def speedup(self):
        """Time of the best peer / time of lanepool; None without either."""
        ours, (_, best) = self.us(OURS), self.best()
        return best / ours if ours and best else None

    def is_disturbed(self):
        """Whether the samples of lanepool or of the best peer lie far apart."""
        peers = (OURS, self.best()[0])
        return any(self.results.get(peer, {}).get("spread", 0) > DISTURBED for peer in peers)

    def memcpy_us(self):
        return self.about.get(STATISTICS[self.statistic][1]) or self.about["memcpy_us"]

    def one_thread_us(self):
        """lanepool's time on one thread, taken beside that on several; None of other rows."""
        return self.about.get("one_thread_" + STATISTICS[self.statistic][0].removeprefix("median_"))

    def to_limit(self, us):
        """A time as a multiple of memcpy's."""
        return us / self.memcpy_us() if us else None

    def outcome(self):
        speedup = self.speedup()
        if speedup is None:
            return "alone" if self.us(OURS) else "missing"
        return "win" if speedup > TIE else "loss" if speedup < 1 / TIE else "tie"

    def key(self):
        about = self.about
        return (self.machine, about["name"], about["layout"], about["threads"], about["cold"])

    def short(self):
        """The name of the shape, without the type that may follow it."""
        return self.about["name"].split("/")[0]

    def title(self):
        """Unique among the rows of a machine and a condition."""
        return f"{self.short()} {self.about['type']} {self.about['layout'].upper()}"

    def window(self):
        """As 3x3/2, with dilation and pads where there are any."""
        text = by_sizes(self.kernel)
        if set(self.strides) != {1}:
            text += "/" + (
                str(self.strides[0]) if len(set(self.strides)) == 1 else by_sizes(self.strides)
            )
        if set(self.dilations) != {1}:
            text += f" d{self.dilations[0]}"
        if any(self.pads):
            text += f" p{max(self.pads)}"
        return text


def by_sizes(sizes):
    return "×".join(str(size) for size in sizes)


def geomean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def median(values):
    values = sorted(values)
    return values[len(values) // 2] if values else None


def percentile(values, fraction):
    values = sorted(values)
    return values[min(len(values) - 1, int(fraction * len(values)))] if values else None


def better(a, b, field):
    """Of two results of the same peer: a correct one before others, then the faster one."""
    if (a.get("status") == "ok") != (b.get("status") == "ok"):
        return a if a.get("status") == "ok" else b
    return min(a, b, key=lambda result: result.get(field, math.inf))


class Report:
    """All rows of some files."""

    def __init__(self, documents, statistic="median"):
        self.statistic = statistic
        self.machines = []  # of each: the object of the JSON, and its command
        self.peers = {}  # name: the object of the JSON, lanepool first
        rows = {}
        for document in documents:
            machine = self.add_machine(document)
            for peer in document["peers"]:
                if peer.get("status") != "absent" or peer["name"] not in self.peers:
                    self.peers[peer["name"]] = peer
            for about in document["rows"]:
                self.add_row(rows, machine, about)
        self.rows = list(rows.values())
        ran = {peer for row in self.rows for peer in row.peers()}
        self.ran = [OURS] + sorted(ran, key=lambda peer: name_of(peer).lower())

    def add_machine(self, document):
        machine = document["machine"]
        identity = (machine["cpu"], machine["cores"], machine.get("architecture"))
        for number, known in enumerate(self.machines):
            if identity == (known["cpu"], known["cores"], known.get("architecture")):
                return number
        self.machines.append(dict(machine, command=document.get("command", "scripts/peers.sh")))
        return len(self.machines) - 1

    def add_row(self, rows, machine, about):
        results = {result["peer"]: result for result in about["results"]}
        plain = {field: value for field, value in about.items() if field != "results"}
        row = Row(machine, plain, results, self.statistic)
        known = rows.setdefault(row.key(), row)
        if known is row:
            return
        time_field, memcpy_field = STATISTICS[self.statistic]
        for peer, result in results.items():
            known.results[peer] = better(known.results.get(peer, {}), result, time_field)
        if memcpy_field in known.about and memcpy_field in plain:
            known.about[memcpy_field] = min(known.about[memcpy_field], plain[memcpy_field])

    def of(self, *groups):
        return [row for row in self.rows if row.group in groups]

    def workloads(self):
        """The jobs of real networks, warm and on one thread: what the headline is about."""
        return [row for row in self.of(*WORKLOADS) if not row.cold and row.threads == 1]


def compared(rows):
    """Those with lanepool and a peer, the largest speed-up first."""
    return sorted((row for row in rows if row.speedup()), key=lambda row: -row.speedup())


def growth_panels(rows):
    """{(machine, op, type, layout): {peer: [(k, us, memcpy us)]}}, k ascending."""
    panels = {}
    for row in rows:
        panel = panels.setdefault((row.machine, row.op, row.type, row.layout), {})
        for peer in row.results:
            us = row.us(peer)
            if us:
                panel.setdefault(peer, []).append((row.kernel[0], us, row.memcpy_us()))
    for panel in panels.values():
        for points in panel.values():
            points.sort()
    return panels


def growth_of(points, small, large):
    """Time at the larger window / time at the smaller one; None without both."""
    of = {k: us for k, us, _ in points}
    return of[large] / of[small] if small in of and large in of else None


def read(paths):
    documents = []
    for path in paths:
        try:
            documents.append(json.loads(pathlib.Path(path).read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            sys.exit(f"{path} cannot be read: {error}")
    return documents
