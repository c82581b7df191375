"""Footstep sound of a surface: its own, or that of its texture."""

from __future__ import annotations

import pytest

from game.level import load

LEVEL = """format: 1
surfaces:
  floor: {{{fields}}}
spawns: [{{at: [0, 0, 0]}}]
pieces:
  - floor: {{from: [-4, -4], to: [4, 4], surface: floor}}
"""


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("texture: planks", "wood"),
        ("texture: sand", "sand"),
        ("texture: earth", "grass"),
        ("texture: brick", "stone"),
        ("texture: sand, footstep: none", "none"),
    ],
)
def test_footstep_of_a_texture(fields: str, expected: str) -> None:
    level = load(text=LEVEL.format(fields=fields))
    assert [one.footstep for one in level.surfaces if one.name == "floor"] == [expected]
