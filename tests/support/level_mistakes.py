"""Levels with one mistake: the finding that tells it, and the level without it."""

from __future__ import annotations

from game.level import Finding, check
from game.level.format.schema import PIECE_RECORDS

Change = tuple[str, str]  # words of the text, and what stands there instead
GROUND = "floor: {name: ground, from: [-20, -20], to: [20, 20]}"


def level_of(scene: str, spawn: str = "{at: [0, 0, 8], facing: north}") -> str:
    """A level of pieces and fields of the file, with ` | ` between them. spawn: where the scene has none."""
    parts = scene.split(" | ")
    top = [part for part in parts if part.split(":")[0] not in PIECE_RECORDS]
    if not any(part.startswith("spawn:") for part in top):
        top.insert(0, f"spawn: {spawn}")
    pieces = [f"  - {part}" for part in parts if part not in top]
    return "\n".join(["format: 1", *top, "pieces:", *pieces]) + "\n"


def changed(text: str, *changes: Change) -> str:
    """The text with each change, whose words it has once."""
    for right, wrong in changes:
        assert text.count(right) == 1, right
        text = text.replace(right, wrong)
    return text


def said(text: str) -> list[str]:
    return [str(one) for one in check(text=text)]


def assert_told_and_mended(mistaken: str, words: str, cure: str, mend: Change) -> Finding:
    """One finding has these words, its cure those, and after the change that it tells there is none."""
    told = check(text=mistaken)
    assert [words in str(one) for one in told] == [True], [str(one) for one in told]
    assert cure in told[0].cure
    assert told[0].line
    assert told[0].column
    assert said(changed(mistaken, mend)) == []
    return told[0]
