"""One wheel, built once in a run, for the tests of this folder."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from game.core.file_lock import FileLock
from tests.support.until import SECONDS, wait_until

ROOT = Path(__file__).resolve().parents[2]
OLDEST = 77  # setuptools that reads `license` as an SPDX expression


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The path of a wheel of these sources."""
    try:
        version = metadata.version("setuptools")
    except metadata.PackageNotFoundError:
        version = "0"
    if int(version.split(".")[0]) < OLDEST:
        pytest.skip(f"setuptools {OLDEST} or newer is not installed: no wheel can be built")
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent  # that of all workers
    lock = FileLock(shared / "wheel.lock")
    wait_until(lock.acquire)
    try:
        return next(shared.glob("*.whl"), None) or build_wheel(tmp_path_factory.mktemp("wheel"), shared)
    finally:
        lock.release()


def build_wheel(folder: Path, target: Path) -> Path:
    """Build in `folder`; the finished wheel is moved to `target`."""
    build = ["setup.py", "-q", "egg_info", "--egg-base", str(folder), "build", "--build-base", str(folder / "build")]
    build += ["bdist_wheel", "--bdist-dir", str(folder / "bdist"), "--dist-dir", str(folder)]
    subprocess.run([sys.executable, *build], cwd=ROOT, check=True, capture_output=True, timeout=SECONDS)
    (built,) = folder.glob("*.whl")
    return built.rename(target / built.name)
