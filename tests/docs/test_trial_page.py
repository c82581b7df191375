"""docs/trial.md against the game: the seconds, files and limits that it names."""

from __future__ import annotations

from pathlib import Path

from game.app.guidance import guide, hints
from game.app.guidance.aim import describe_aim
from game.app.runs import medals
from game.app.settings.key_bindings import ACTIONS_BY_NAME
from game.app.settings.settings_table import OPTIONS_BY_NAME
from game.level import load
from game.sim import World

ROOT = Path(__file__).resolve().parents[2]
PAGE = " ".join((ROOT / "docs" / "trial.md").read_text(encoding="utf-8").split())


def test_the_numbers_of_the_page():
    assert f"draws the way on the floor, for {guide.DOTTED_SECONDS:g} s" in PAGE
    assert f"Tab then shows it for {guide.MARKER_SECONDS:g} s" in PAGE


def test_the_names_of_the_page():
    assert ACTIONS_BY_NAME["aim"].default_keys == ("TAB", "", "PAD_LS")
    for name in ("goal_marker", "hints"):
        assert OPTIONS_BY_NAME[name].page == "display"
        assert OPTIONS_BY_NAME[name].label in PAGE
    assert f"`levels/{medals.TABLE_FILE}`" in PAGE
    assert f"`{hints.FILE_NAME}`" in PAGE
    assert "Earlier version of this level" in PAGE


def test_the_sentence_of_the_page():
    level = load(ROOT / "levels" / "escher.yaml")
    world = World(level)
    world._runs.targets[0, 0] = 1
    assert describe_aim(level, world) == "Find 2 more gems, then reach the light on the ceiling."
    assert '"Find 2 more bells, then reach the light"' in PAGE
