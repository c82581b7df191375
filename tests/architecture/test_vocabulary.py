"""One word for one idea: the glossary is short and in order, and words that were given up do not come back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GAME = ROOT / "game"
GLOSSARY = ROOT / "docs" / "glossary.md"
MAX_WORDS = 60

# What was given up, the word in its place, and the modules of game/ where the word means something else
GIVEN_UP = {
    r"\.areas\b|def areas\b": ("all_zones", ()),
    r"\b(world|self)\.around\b": ("environment", ("physics/batch.py", "physics/crowd_queries.py")),
    r"\bSurroundings\b": ("Environment", ()),
    r"\bZoneEffects\b|\bregions = self\.|[\"]regions[\"]": ("Triggers, triggers", ()),
    r"\bmoving_platforms\b": ("movers", ()),
    r"\bLevelFaceBuilder\b": ("LevelAssembly", ()),
    r"\bHudLayout\b|\blayout_hud\b": ("HudItems, arrange_hud", ()),
    r"\b(RecordedWalk|WalkPath|WalkStep|WalkInput)\b": ("WalkTable, TickInput", ()),
    r"\bgame\.maps\b|\breports\.plots\b": ("drawing", ()),
    r"\b(push_clear|underfoot|quadding|workbench)\b": ("recover_penetration, support, quads_from_triangles", ()),
}


def words() -> list[str]:
    rows = re.findall(r"^\| ([^|]+?) \| .+ \|$", GLOSSARY.read_text(encoding="utf-8"), re.M)
    return rows[1:]  # without the heading


def given_up(pattern: str, aliases: tuple[str, ...], folder: Path = GAME) -> list[str]:
    """`file:line` of each line in which a given up word stands."""
    return [
        f"{path.relative_to(folder).as_posix()}:{number}"
        for path in sorted(folder.rglob("*.py"))
        if path.relative_to(folder).as_posix() not in aliases
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(pattern, line)
    ]


def test_the_glossary_is_short_and_sorted():
    found = words()
    assert 40 < len(found) <= MAX_WORDS
    assert found == sorted(found, key=str.lower)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("pattern", GIVEN_UP)
def test_a_word_that_was_given_up_does_not_come_back(pattern):
    word, aliases = GIVEN_UP[pattern]
    assert given_up(pattern, aliases) == [], f"say {word}"


def test_a_word_that_was_given_up_is_seen(tmp_path):
    (tmp_path / "zones.py").write_text("for area in level.areas:\n    areas.append(area)\n")
    assert given_up(r"\.areas\b|def areas\b", (), tmp_path) == ["zones.py:1"]
