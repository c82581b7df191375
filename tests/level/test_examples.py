"""Example levels: no findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.level import check

FOLDER = Path(__file__).resolve().parents[2] / "levels" / "examples"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.name)
def test_nothing_is_to_be_said(path: Path) -> None:
    assert check(path) == []
