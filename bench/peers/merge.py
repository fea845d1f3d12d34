#!/usr/bin/env python3
"""Puts the rows of several files of bench_peers into one.

    merge.py OUT IN [IN ...]

Machine and peers are those of the first file; the versions of the others have to be the same. Of a
row that is in more than one file the last one counts.
"""

import json
import sys


def key_of(row):
    return row["name"], row["layout"], row["threads"], row["cold"]


def merge(files):
    """One file's content from those of `files`."""
    contents = []
    for path in files:
        with open(path, encoding="utf-8") as file:
            contents.append(json.load(file))
    versions = {p["name"]: p["version"] for p in contents[0]["peers"]}
    rows = {}
    for path, content in zip(files, contents):
        for peer in content["peers"]:
            if versions.get(peer["name"]) != peer["version"]:
                sys.exit(f"merge.py: {path} has another version of {peer['name']}")
        rows.update((key_of(row), row) for row in content["rows"])
    return {**contents[0], "rows": list(rows.values())}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    merged = merge(sys.argv[2:])
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(merged, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
