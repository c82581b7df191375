"""Example levels: no findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.level import check

FOLDERS = tuple(Path(__file__).resolve().parents[2] / name for name in ("levels/examples", "examples/levels"))
LEVELS = sorted(path for folder in FOLDERS for path in folder.glob("*.yaml"))


@pytest.mark.parametrize("path", LEVELS, ids=lambda path: path.name)
def test_nothing_is_to_be_said(path: Path) -> None:
    assert check(path) == []
