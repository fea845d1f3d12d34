"""Visits of a headless browser to the explorer: what the probe is asked to do, and what it saw."""

import functools
import json
import pathlib
import queue

import jobs
import numpy as np
import serve

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = None  # of the built explorer
RANDOM_JOBS = 260
EVERY_FORM = 3  # one in so many jobs is entered, the others are addresses
PICTURES = [("average", "9", "1"), ("max", "4", "3"), ("min", "5", "2"), ("average", "64", "32")]
# Refusals, and the entry of the form that each marks.
REFUSED = [
    ("op=max&shape=1,1,5,5&kernel=3,0&strides=2,2", "kernelW"),
    ("op=max&shape=1,1,5,5&kernel=3,3&strides=-1,2", "stridesH"),
    ("op=average&shape=1,1,5,5&kernel=3,3&pads=0,0,-2,0", "endH"),
    ("op=average&shape=1,1,0,5&kernel=1,1", "inputH"),
    ("op=sum&shape=1,1,5,5&kernel=2,2&type=u8", "type"),
    ("op=average&shape=1,1,5,5&kernel=2,2&divisor=0", "divisorValue"),
    (
        "op=max&shape=1,1,5,5&kernel=9,9&dilations=1,999999999999999",
        None,
    ),
]
# Sizes that must not be drawn or listed, and the shape of y.
LARGE = [
    ("op=average&shape=1,1,5,5&kernel=1000000001,1&pads=500000000,0,500000000,0", "1 × 1 × 5 × 5"),
    ("op=max&shape=1,1,9,4&kernel=3,1&dilations=400000000,1&auto-pad=same_upper", "1 × 1 × 9 × 4"),
    ("op=lp&shape=9,8,4000000000,7&kernel=2,2&strides=1,1", "9 × 8 × 3999999999 × 6"),
    ("op=max&shape=1,1,100000&kernel=3&strides=100&ceil-mode=keep", "1 × 1 × 1001"),
]
WINDOWS = "op=average&shape=1,1,5,6&kernel=3,2&strides=2,3&dilations=1,2&pads=1,0,1,2&ceil-mode=1"


def orders():
    rng = np.random.default_rng(20261121)
    random_jobs = [jobs.random_job(rng) for _ in range(RANDOM_JOBS)]
    items = []
    for i, job in enumerate(random_jobs):
        entered = i % EVERY_FORM == 0
        items.append(
            {"form": jobs.form_of(job)}
            if entered
            else {"hash": jobs.address_of(jobs.options_of(job))}
        )
    items += [{"hash": address} for address, _ in REFUSED + LARGE]
    return random_jobs, {"jobs": items, "windows": WINDOWS, "pictures": PICTURES}


def visit(todo, *options):
    """What the probe saw, what was asked of the server, and what the browser's console said."""
    page = (FOLDER / "index.html").read_text(encoding="utf-8")
    page = page.replace("</head>", '<script type="module" src="probe.js"></script></head>')
    extra = {
        "/": page.encode(),
        "/probe.js": (HERE / "probe.js").read_bytes(),
        "/orders.json": json.dumps(todo).encode(),
    }
    with serve.Site(FOLDER, extra) as site, serve.browser(site.address, *options) as says:
        try:
            seen = json.loads(site.posted.get(timeout=180))
        except queue.Empty:
            raise AssertionError(
                f"the page did not answer: {says.read_text(errors='replace')[-2000:]}"
            ) from None
        console = [
            line for line in says.read_text(errors="replace").splitlines() if "CONSOLE" in line
        ]
        console = [line for line in console if "/probe.js" not in line]  # reading canvases is slow
        return seen, site.asked, console


@functools.cache
def first():
    """The visit that most tests look at: its random jobs, and what visit() gives."""
    random_jobs, todo = orders()
    return random_jobs, *visit(todo, "--window-size=1280,900")
