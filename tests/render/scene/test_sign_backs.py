"""The back of a sign: planks in a frame where it can be seen, and nothing at a wall."""

from __future__ import annotations

import pytest

from game.level import load
from game.render import Scene

LEVEL = """
format: 1
name: Signs
spawn: {at: [0, 0, 4], facing: north}
surfaces: {stone: {colour: "#8d8a83"}}
pieces:
  - floor: {from: [-12, -12], to: [12, 12], surface: stone}
"""
SIGN = '  - sign: {text: "Here", at: [0, 1.5, %s], facing: %s, letters: 0.2}\n'
WALL = "  - box: {from: [-3, 0, %s], to: [3, 3, %s], surface: stone}\n"


@pytest.mark.parametrize(
    ("pieces", "has_back"),
    [
        (SIGN % (0, "south"), True),
        (SIGN % (0, "east"), True),
        (SIGN % (0, "south") + WALL % (-0.2, -0.03), False),
        (SIGN % (0, "south") + WALL % (-4.0, -0.03), False),  # a wall that is thicker than the reach
        (SIGN % (0, "south") + WALL % (-4.0, -0.2), False),
        (SIGN % (0, "south") + WALL % (-4.0, -1.0), True),
        (SIGN % (0, "north") + WALL % (-4.0, -1.0), True),
    ],
)
def test_a_sign_has_a_back_where_nothing_stands_behind_it(pieces: str, has_back: bool) -> None:
    (sign,) = Scene.from_level(load(text=LEVEL + pieces)).signs
    assert sign.has_back == has_back
