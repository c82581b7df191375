"""docs/gym.md: its examples run, and its tables list what there is."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from game.gym.observation import observation_slices
from game.gym.options import Options
from tests.support.page_code import run_python_blocks

PAGE = Path(__file__).resolve().parents[2] / "docs" / "gym.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_every_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_python_blocks(PAGE)[0] == 4
    assert (tmp_path / "episode.replay").stat().st_size > 100


def test_the_tables_list_every_option_and_slice() -> None:
    listed = {name for row in re.findall(r"^\| (`[^|]+`) \|", TEXT, re.M) for name in re.findall(r"`(\w+)`", row)}
    assert {field.name for field in fields(Options) if field.init} - {"level"} <= listed
    assert set(observation_slices(3)) <= listed
