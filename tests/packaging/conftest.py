"""One wheel, built once, for the tests of this folder."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tests.support.until import SECONDS

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
    folder = tmp_path_factory.mktemp("wheel")
    build = ["setup.py", "-q", "egg_info", "--egg-base", str(folder), "build", "--build-base", str(folder / "build")]
    build += ["bdist_wheel", "--bdist-dir", str(folder / "bdist"), "--dist-dir", str(folder)]
    subprocess.run([sys.executable, *build], cwd=ROOT, check=True, capture_output=True, timeout=SECONDS)
    (built,) = folder.glob("*.whl")
    return built
