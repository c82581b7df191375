"""Fixtures that write small levels."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from game.level import Finding, Level, check, load

HEAD = "format: 1\nspawn: {at: [500, 0, 500]}\npieces:\n  - floor: {from: [499, 499], to: [501, 501]}\n"


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Function that writes text or bytes to a level file and returns its path."""

    def write(text: str | bytes) -> Path:
        path = tmp_path / "level.yaml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


@pytest.fixture
def built(written: Callable[[str | bytes], Path]) -> Callable[..., Level]:
    """Function that loads a level of the given pieces, which begin on line 5, after a floor far away to stand on.

    more: other fields of the level, in lines after the pieces.
    """

    def build(*pieces: str, more: str = "") -> Level:
        return load(written(HEAD + "".join(f"  - {piece}\n" for piece in pieces) + more))

    return build


@pytest.fixture
def said(written: Callable[[str | bytes], Path]) -> Callable[..., list[Finding]]:
    """Function that returns the findings of `check` for a level of the given pieces."""

    def say(*pieces: str) -> list[Finding]:
        return check(written(HEAD + "".join(f"  - {piece}\n" for piece in pieces)))

    return say


@pytest.fixture(scope="module")
def scratch() -> Iterator[Callable[[str], Path]]:
    """As `written`, for thousands of files: a single file, in shared memory where there is some."""
    descriptor, name = tempfile.mkstemp(suffix=".yaml")
    os.close(descriptor)

    def write(text: str | bytes) -> Path:
        Path(name).write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
        return Path(name)

    yield write
    os.unlink(name)
