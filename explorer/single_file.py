"""The explorer as one file, which opens without a server: single_file.py FOLDER FILE.

A page of file:// may load neither modules nor fetch: both become data: addresses, the modules under
names of an import map.
"""

import base64
import json
import pathlib
import re
import sys

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' data:; "
    "style-src 'unsafe-inline'; img-src data:; connect-src data:"
)


def address(kind, content):
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def replaced(text, pattern, new):
    """With the one place that the pattern finds replaced."""
    text, count = re.subn(pattern, lambda _: new, text, flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"{pattern!r} is there {count} times")
    return text


def main():
    folder, file = map(pathlib.Path, sys.argv[1:])
    modules = {}
    for path in sorted(folder.glob("*.js")):
        code = re.sub(r'from "\./(\w+)\.js"', r'from "\1"', path.read_text(encoding="utf-8"))
        if path.name == "main.js":
            wasm = address("application/wasm", (folder / "lanepool.wasm").read_bytes())
            code = replaced(code, r'fetch\("lanepool\.wasm"\)', f'fetch("{wasm}")')
        modules[path.stem] = address("text/javascript", code.encode())
    style = (folder / "explorer.css").read_text(encoding="utf-8")
    imports = json.dumps({"imports": modules}).replace("</", "<\\/")
    scripts = f'<script type="importmap">{imports}</script>\n'
    scripts += '<script type="module">import "main";</script>'
    page = (folder / "index.html").read_text(encoding="utf-8")
    page = replaced(page, r"default-src 'none'[^\"]*", POLICY)
    page = replaced(page, r'<link rel="stylesheet"[^>]*>', f"<style>\n{style}</style>")
    page = replaced(page, r'<script type="module" src="main\.js"></script>', scripts)
    file.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
