"""Displays for tests of the window: one of Xvfb, with nothing else on it, or the display that is there."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest


@contextlib.contextmanager
def xvfb() -> Iterator[str]:
    """Name of a display of 800x600 of an Xvfb of our own. Skips the test where Xvfb is missing or gives none."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            pytest.skip("Xvfb gives no display here")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


@contextlib.contextmanager
def any_display() -> Iterator[str]:
    """Name of a display: of Xvfb where it is installed, else the one that is there. Skips the test without both."""
    here = os.environ.get("DISPLAY", "")
    if shutil.which("Xvfb") is None and (here or not sys.platform.startswith("linux")):
        yield here
        return
    with xvfb() as name:
        yield name
