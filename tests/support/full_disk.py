"""A disk that takes no more data: the system's limit on the size of files, which fails each write of this process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

MESSAGE = "file too large"  # of the system, where it is "no space left on device" on a disk that is really full


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """Writing to files fails with OSError within the block. Skips the test where the system has no such limit."""
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
