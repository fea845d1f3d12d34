#!/usr/bin/env python3
"""Makes docs/explorer.png of a built explorer.

screenshot.py [FILE] [--hash TEXT] [--size WIDTH,HEIGHT] [--dark] [--folder DIRECTORY]
"""

import argparse
import pathlib
import subprocess
import sys
import time

import serve

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# ceil_mode and the last window
QUESTION = "op=average&shape=1,1,4,4&kernel=2,2&strides=3,3&pads=1,1,1,1&ceil-mode=1"
READY = 3  # seconds in which an image, which never comes, keeps the page from being loaded


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=ROOT / "docs/explorer.png")
    parser.add_argument("--hash", default=QUESTION)
    parser.add_argument("--size", default="1280,1370")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/wasm/explorer")
    options = parser.parse_args()
    if not serve.find_browser():
        sys.exit("no browser: apt-get install chromium-headless-shell, or LANEPOOL_BROWSER")

    def late():
        time.sleep(READY)
        return b""

    page = (options.folder / "index.html").read_text(encoding="utf-8")
    page = page.replace("</body>", '<img src="late.png" alt="" width="0" height="0"></body>')
    extra = {"/": page.encode(), "/late.png": late}
    with serve.Site(options.folder, extra) as site, serve.profile_folder() as folder:
        words = [
            f"--window-size={options.size}",
            "--hide-scrollbars",
            f"--screenshot={options.file.resolve()}",
        ]
        if options.dark:
            words.append("--blink-settings=preferredColorScheme=0")
        words.append(f"{site.address}#{options.hash}")
        subprocess.run(serve.command(folder, *words), check=True, capture_output=True, timeout=60)
    print(f"{options.file}: {options.file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
