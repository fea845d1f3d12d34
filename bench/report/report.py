#!/usr/bin/env python3
"""Makes a page that people can look at from the JSON of bench/peers.

One HTML file without anything outside of it, and pictures for the README. Several files of one
machine are passes, of which the best time of each peer counts; several machines stand side by side.

Usage: report.py [options] RESULTS.json...
Example: report.py --html build/report.html --svg docs/pictures build/peers/all.json
"""

import argparse
import pathlib

import figures
import page
import pictures


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", help="what bench/peers has written")
    parser.add_argument("--html", type=pathlib.Path, help="write the page here")
    parser.add_argument("--svg", type=pathlib.Path, help="write the pictures into this folder")
    parser.add_argument("--statistic", choices=figures.STATISTICS, default="median")
    options = parser.parse_args()
    if not options.html and not options.svg:
        parser.error("--html or --svg is needed")
    return options


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(path)


def main():
    options = parse_arguments()
    report = figures.Report(figures.read(options.files), options.statistic)
    if options.html:
        write(options.html, page.make_page(report))
    if options.svg:
        for name, svg in pictures.make_pictures(report).items():
            write(options.svg / name, svg)


if __name__ == "__main__":
    main()
