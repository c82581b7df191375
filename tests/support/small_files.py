"""A disk without room: files of more than a few bytes cannot be written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

FULL = Path("/dev/full")
needs_full_device = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """A block in which this process writes no file beyond `size` bytes: OSError, file too large."""
    resource = pytest.importorskip("resource", reason="this system limits no file sizes")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
