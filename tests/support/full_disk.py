"""Disks that take no more data: the system's limit on the size of files, and the device /dev/full."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

MESSAGE = "file too large"  # of the system, where it is "no space left on device" on a disk that is really full
DEVICE = Path("/dev/full")
needs_device = pytest.mark.skipif(not DEVICE.exists(), reason="needs /dev/full")


@contextlib.contextmanager
def full_disk(size: int = 0) -> Iterator[None]:
    """Within the block, writing to files beyond this size (bytes) fails with OSError. Skips the test where the system
    has no such limit."""
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
