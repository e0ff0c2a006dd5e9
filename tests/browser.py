"""A headless Chromium for the tests, driven through a pipe by its DevTools protocol.

See https://chromedevtools.github.io/devtools-protocol/: each message is JSON that ends with NUL.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from realtools import LIMIT, need

_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip
_KEYS = {
    "Enter": (13, "\r"), "Tab": (9, ""), " ": (32, " "), "ArrowLeft": (37, ""),
    "ArrowRight": (39, ""), "Home": (36, ""), "End": (35, ""),
}  # fmt: skip


class Browser:
    """A browser with one page: ``events`` has what it reported, such as log entries and requests."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = to, back
        self._buffer = b""
        self._number = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer)
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def _receive(self) -> dict[str, Any]:
        deadline = time.monotonic() + LIMIT
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._back], [], [], max(0, deadline - time.monotonic()))
            assert ready, "the browser does not answer"
            piece = os.read(self._back, 1 << 20)
            assert piece, "the browser has ended"
            self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def open(self, address: str) -> None:
        """Open a page, and wait until it is loaded."""
        loader = self.call("Page.navigate", url=address)["loaderId"]
        while not self._is_loaded(loader):
            self.evaluate("1")
            time.sleep(0.02)

    def _is_loaded(self, loader: str) -> bool:
        ends = self._reported("Page.lifecycleEvent")
        return any(end["loaderId"] == loader and end["name"] == "load" for end in ends)

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript in the page; fail if it throws."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, (expression, result)
        return result["result"].get("value")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, as a keyboard does."""
        for key in keys:
            code, text = _KEYS.get(key, (ord(key.upper()[:1]), key))
            common = {"key": key, "windowsVirtualKeyCode": code}
            down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
            self.call("Input.dispatchKeyEvent", **common, **down)
            self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def click(self, selector: str) -> None:
        """Click on the middle of an element, which is scrolled to."""
        x, y = self.evaluate(
            f"(() => {{ const element = document.querySelector({json.dumps(selector)});"
            "element.scrollIntoView({block: 'center'}); const box = element.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def size(self, width: int, height: int) -> None:
        shape = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **shape)

    def prefer(self, scheme: str) -> None:
        """Set the colours that the user prefers: "dark" or "light"."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def print(self, path: Path) -> None:
        path.write_bytes(b64decode(self.call("Page.printToPDF", preferCSSPageSize=True)["data"]))

    def requests(self) -> list[str]:
        return [sent["request"]["url"] for sent in self._reported("Network.requestWillBeSent")]

    def complaints(self) -> list[str]:
        """Return what the browser has logged: errors, exceptions, and violations of the page's policy."""
        names = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        return [json.dumps(parameters) for parameters in self._reported(*names)]

    def _reported(self, *names: str) -> list[dict[str, Any]]:
        return [event["params"] for event in self.events if event.get("method") in names]


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Start Chromium with a new profile in ``folder``, and end it."""
    program = need("chromium", "chromium")
    read_by_it, to = os.pipe()
    back, written_by_it = os.pipe()
    script = f'exec "$@" 3<&{read_by_it} 4>&{written_by_it}'
    profile = f"--user-data-dir={folder / 'profile'}"
    silent = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    with subprocess.Popen(
        ["bash", "-c", script, "-", program, *_FLAGS, profile, "--remote-debugging-pipe"],
        pass_fds=(read_by_it, written_by_it), **silent,
    ) as process:  # fmt: skip
        os.close(read_by_it)
        os.close(written_by_it)
        try:
            yield Browser(to, back)
        finally:
            os.close(to)  # it ends when the pipe does
            try:
                process.wait(LIMIT / 4)
            except subprocess.TimeoutExpired:
                process.kill()
            os.close(back)
