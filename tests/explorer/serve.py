"""The built explorer behind a server of its own, in a headless browser."""

import contextlib
import functools
import http.server
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import tempfile
import threading

BROWSERS = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)


def find_browser():
    """LANEPOOL_BROWSER, or the first of the known ones."""
    named = os.environ.get("LANEPOOL_BROWSER")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


class Pages(http.server.SimpleHTTPRequestHandler):
    """The files of a folder. `extra` adds files by path: bytes, or a function that makes them. What
    is posted goes to `posted`, every path to `asked`."""

    def __init__(self, site, *arguments):
        self.site = site
        super().__init__(*arguments, directory=str(site.folder))

    def do_GET(self):  # noqa: N802
        self.site.asked.append(self.path)
        extra = self.site.extra.get(self.path)
        if extra is None:
            super().do_GET()
            return
        body = extra() if callable(extra) else extra
        self.send_response(200)
        self.send_header(
            "Content-Type", self.guess_type("x.html" if self.path == "/" else self.path)
        )
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):  # noqa: N802
        self.site.posted.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Site:
    """A folder on a port of this machine, as a context."""

    def __init__(self, folder, extra=None):
        self.folder = pathlib.Path(folder)
        self.extra = extra or {}
        self.asked = []
        self.posted = queue.Queue()
        self._server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Pages, self)
        )

    @property
    def address(self):
        return f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def command(profile, *options):
    """The browser without a window. It resolves no name: whatever it asks of the network fails."""
    words = [find_browser(), "--headless", "--disable-gpu", f"--user-data-dir={profile}"]
    words += ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--enable-logging=stderr"]
    words.append("--disable-ipc-flooding-protection")  # hundreds of addresses in a few seconds
    if os.geteuid() == 0:
        words.append("--no-sandbox")  # which the browser demands of root
    return [*words, *options]


def profile_folder():
    """A temporary folder. What the browser has started may still write there when it has ended."""
    return tempfile.TemporaryDirectory(ignore_cleanup_errors=True)


@contextlib.contextmanager
def browser(address, *options):
    """The page is open inside the context; gives the file of what the browser says."""
    with profile_folder() as folder:
        says = pathlib.Path(folder) / "stderr"
        words = command(f"{folder}/profile", "--remote-debugging-port=0", *options, address)
        with says.open("wb") as stderr:
            # The command may be a script that starts the browser: both are ended, as a group.
            process = subprocess.Popen(
                words, stdout=subprocess.DEVNULL, stderr=stderr, start_new_session=True
            )
        try:
            yield says
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)
