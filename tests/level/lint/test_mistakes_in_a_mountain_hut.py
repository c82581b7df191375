"""Mistakes in a mountain hut with a stream and a cable car: each has one finding, and its cure, done literally, works."""

# ruff: noqa: E501 (one line a mistake)
from __future__ import annotations

from pathlib import Path

import pytest

from game.level import check

HUT = """# A mountain hut: over the stream, through the hut, up with the cable car.
format: 1
name: The mountain hut
about: Cross the stream, climb to the balcony and ride to the peak.
spawns:
  - {name: valley, at: [0, 0, 18], facing: north}
goal: {at: [0, 8, -26], radius: 1, after: targets}
kill_height: -8
sky: {palette: morning, sun: {height: 35, from: southeast}, haze: 0.003}
surfaces:
  grass: {colour: "#7d9a55", texture: grass}
  rock: {colour: "#8f8472", texture: earth}
  planks: {colour: "#a9794d", texture: planks}
  plaster: {colour: "#e6dcc6", texture: plaster}
  iron: {colour: "#6c7278", texture: metal}
  leaves: {colour: "#3f6a42", texture: leaves}
define:
  pine:
    - pillar: {at: [0, 0, 0], radius: 0.2, height: 2.2, sides: 8, surface: planks}
    - pillar: {at: [0, 2.2, 0], radius: 1, height: 3, sides: 8, surface: leaves}
pieces:
  - terrain:
      name: valley
      from: [-20, -34]
      to: [20, 24]
      formula: "8 * smoothstep(13, 19, abs(x)) + 8 * smoothstep(19, 24, z) + 8 * smoothstep(28, 34, -z) - 2 * max(0, 1 - ((z - 10) / 5)**2)"
      surface: grass
      steep_surface: rock
  # the stream and its bridge
  - water: {name: stream, from: [-16, -2.5, 5], to: [16, -0.4, 15], flow: [0.8, 0, 0]}
  - ramp: {at: [0, 0, 17], facing: north, length: 1.5, rise: 0.3, width: 2, surface: planks}
  - box: {name: bridge, from: [-1, 0.1, 4.5], to: [1, 0.3, 15.5], surface: planks, intended: [low]}
  - ramp: {at: [0, 0, 3], facing: south, length: 1.5, rise: 0.3, width: 2, surface: planks}
  - array: {count: 6, step: [0, 0, -2], of: [box: {from: [1, 0.1, 14.9], to: [1.1, 1.2, 15], surface: planks, intended: [low]}]}
  # the hut
  - room: {name: parlour, from: [-4, 0.1, -8], to: [4, 2.8, -2], surface: plaster, floor_surface: planks, doors: [{wall: south, width: 1.2}], windows: [{wall: east}], holes: [{from: [-2.2, -8], to: [1.48, -6.6]}]}
  - room: {name: loft, from: [-4, 3, -8], to: [4, 5.6, -2], floor: false, surface: plaster, doors: [{wall: north, at: 6.5, width: 1.2}], windows: [{wall: south}]}
  - mover:
      name: hut door
      at: [0, 0.1, -1.9]
      path: [[0, 0, 0], [1.3, 0, 0]]
      seconds: 1.5
      pause: 3
      of: [box: {from: [-0.6, 0.02, -0.04], to: [0.6, 2.05, 0.04], surface: planks}]
  - stairs: {name: loft stairs, at: [-3, 0.1, -7.3], facing: east, steps: 16, rise: 2.9/16, run: 0.28, width: 1.2, surface: planks}
  - light: {at: [1, 2.4, -4], reach: 7}
  - light: {at: [1, 5.2, -4], reach: 7}
  - target: {at: [-2, 4, -3.5], name: The guest book}
  - target: {at: [7, 1, 0], name: The spring}
  # the balcony and the cable car
  - box: {name: balcony, from: [-4, 2.8, -11.2], to: [4, 3, -8.2], surface: planks}
  - array: {count: 2, step: [7.4, 0, 0], of: [pillar: {at: [-3.7, 0, -10.9], radius: 0.15, height: 2.8, sides: 8, surface: planks}]}
  - ladder: {at: [4, 0, -9.5], facing: west, height: 3, surface: iron}
  - checkpoint: {name: Balcony, from: [-1.5, 3, -10.8], to: [3.5, 5, -8.4]}
  - mover:
      name: cable car
      at: [0, 3, -12.2]
      path: [[0, 0, 0], [0, 5, -9.6]]
      seconds: 6
      pause: 3
      of:
        - box: {from: [-1, -0.2, -1], to: [1, 0, 1], surface: iron}
        - box: {from: [-1, 0, -1], to: [-0.9, 1, 1], surface: iron}
        - box: {from: [0.9, 0, -1], to: [1, 1, 1], surface: iron}
  - box: {name: peak, from: [-3, 0, -28], to: [3, 8, -22.8], surface: rock}
  # round about
  - place: {what: pine, at: [-8, 0, 0]}
  - place: {what: pine, at: [9, 0, -6], scale: 1.2}
  - place: {what: pine, at: [-9, 0, -16]}
  - sign: {text: "To the hut", at: [2.2, 1.6, 17], facing: south, post: 1.6}
  - sign: {text: "Cable car to the peak", at: [-2.5, 4.4, -8.21], facing: north}
"""
LADDER = "facing: west, height: 3,"
LIFT = "path: [[0, 0, 0], [0, 5, -9.6]]"
BRIDGE = "from: [-1, 0.1, 4.5], to: [1, 0.3, 15.5]"
POSTS = "[box: {from: [1, 0.1, 14.9], to: [1.1, 1.2, 15]"
PINE = "at: [-8, 0, 0]}"
LOFT = "wall: north, at: 6.5, width: 1.2}], windows: [{wall: south}]}"
ROUND = "  # round about\n"
TABLE = """  - group:
      at: [1, {}, -3]
      of:
        - box: {{from: [-0.6, 0.7, -0.4], to: [0.6, 0.75, 0.4], surface: planks}}
        - array: {{count: 2, step: [1.1, 0, 0], of: [box: {{from: [-0.6, 0, -0.05], to: [-0.5, 0.7, 0.05], surface: planks}}]}}
"""
# name: (right words, wrong words in their place, start of the finding's message, words of its cure, what they tell to write)
MISTAKES = {
    "ladder turned": (LADDER, "facing: east, height: 3,", "the ladder at (4, 0, -9.5) has no wall", "write `facing: west`", LADDER),
    "ladder short": (LADDER, "facing: west, height: 1.3,", 'the ladder at (4, 0, -9.5) ends below `box "balcony"`', "write `height: 3`", LADDER),
    "ramp ten times as high": (
        "ramp: {at: [0, 0, 17], facing: north, length: 1.5, rise: 0.3", "ramp: {at: [0, 0, 17], facing: north, length: 1.5, rise: 3",
        'a ramp of 63.4 degrees ends at (0, 3, 15.5), 2.7 m above `box "bridge"`', "write `rise: 0.3`",
        "ramp: {at: [0, 0, 17], facing: north, length: 1.5, rise: 0.3"),
    "lift swapped": (LIFT, "path: [[0, 0, 0], [0, -9.6, 5]]", "it comes to no floor: with y and z", "swap the last two numbers", LIFT),
    "lift too long": (LIFT, "path: [[0, 0, 0], [0, 5, -12]]", 'the lift cuts into `box "peak"`', "end its `path` 2.4 m nearer", LIFT),
    "lift ends early": (LIFT, "path: [[0, 0, 0], [0, 5, -3]]", 'the lift stops 6.2 m before `box "peak"`', "6.2 m longer that way", "path: [[0, 0, 0], [0, 5, -9.2]]"),
    "door in centimetres": ("[1.3, 0, 0]]", "[130, 0, 0]]", "the door slides 130 m", "did you mean 1.3 m?", "[1.3, 0, 0]]"),
    "stream above its banks": ("[16, -0.4, 15]", "[16, 1.4, 15]", "the water around (0, -0.55, 10) stands 1.4 m above its bank", "lower its surface to -0.05", "[16, -0.05, 15]"),
    "pine in the air": ("at: [9, 0, -6], scale", "at: [9, 4, -6], scale", "it hangs in the air, 4 m above", "lower it by 4 m", "at: [9, 0, -6], scale"),
    "bridge above its ramps": (BRIDGE, "from: [-1, 1.1, 4.5], to: [1, 1.3, 15.5]", "the deck around (0, 1.3, 10) is 1.01 m above", "lower it by 0.96 m", BRIDGE),
    "bridge short": (BRIDGE, "from: [-1, 0.1, 4.5], to: [1, 0.3, 13]", "the deck ends at (0, 0.3, 13), 2.5 m before `ramp`", "2.5 m longer that way", BRIDGE),
    "bridge buried": (BRIDGE, "from: [-1, -3.1, 4.5], to: [1, -2.9, 15.5]", 'it lies under `terrain "valley"`', "raise it by 2.92 m", "from: [-1, -0.18, 4.5], to: [1, 0.02, 15.5]"),
    "rail across": (POSTS, "[box: {from: [-1, 0.3, 10], to: [1, 1.3, 10.1]", 'it stands across `box "bridge"` (line 32), at (0, 0.8, 10.1): 0 m of 2 m', "turn it along the deck", "[box: {from: [0.9, 0.3, 10], to: [1, 1.3, 11.1]"),
    "stream buried": ("[16, -0.4, 15]", "[16, -3.4, 15]", 'the water around (0, -2.95, 10) lies under `terrain "valley"`', "raise its surface to -0.338", "[16, -0.338, 15]"),
    "pine at the door": (PINE, "at: [0, 0, -1.1]}", "`pillar` (line 19) of the `place` at line 67 stands 0.52 m before doorway 1", "move it to the side", "at: [2.5, 0, -0.9]}"),
    "pine low in the air": (PINE, "at: [-8, 2, 0]}", 'it hangs in the air, 2 m above `terrain "valley"`', "lower it by 2 m", PINE),
    "table in the air": (ROUND, TABLE.format(0.7), 'it hangs in the air, 0.6 m above `room "parlour"`', "lower it by 0.6 m", TABLE.format(0.1)),
    "door onto a drop": (LOFT, "wall: east, width: 1.2}], windows: [{wall: south}]}", "doorway 1 in the east wall at (4.1, 3, -5) opens onto a drop of 3 m", "put a floor", "wall: east, width: 1.2}], windows: [{wall: south}]}\n  - box: {from: [4.2, 2.8, -7], to: [6, 3, -3], surface: planks}"),
}  # fmt: skip


def findings(tmp_path: Path, text: str) -> list[tuple[str, str]]:
    level = tmp_path / "hut.yaml"
    level.write_text(text, "utf-8")
    return [(one.message, one.cure) for one in check(level)]


def test_the_hut_has_no_finding(tmp_path: Path) -> None:
    assert findings(tmp_path, HUT) == []


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_has_one_finding_and_its_cure_works(tmp_path: Path, name: str) -> None:
    right, wrong, message, cure, cured = MISTAKES[name]
    assert right in HUT
    found = findings(tmp_path, HUT.replace(right, wrong, 1))
    assert len(found) == 1, found
    assert found[0][0].startswith(message)
    assert cure in found[0][1]
    assert findings(tmp_path, HUT.replace(right, cured, 1)) == []


def test_a_lift_at_one_height_stops_before_its_platform(tmp_path: Path) -> None:
    flat = HUT.replace("to: [3, 8, -22.8]", "to: [3, 3, -22.8]").replace("goal: {at: [0, 8,", "goal: {at: [0, 3,")
    found = findings(tmp_path, flat.replace(LIFT, "path: [[0, 0, 0], [0, 0, -5.6]]"))
    assert len(found) == 1, found
    assert found[0][0].startswith('the ferry stops 3.6 m before `box "peak"` (line 65), at (0, 3, -17.8)')
    assert "make its `path` 3.6 m longer that way" in found[0][1]
    assert findings(tmp_path, flat.replace(LIFT, "path: [[0, 0, 0], [0, 0, -9.2]]")) == []


FINE = (
    "box: {from: [-0.2, 1, 7.8], to: [0.2, 1.2, 8.2]}",  # one that floats may be jumped on
    "box: {from: [-4.3, 0.3, -4.9], to: [-4.2, 1.3, -4.8]}",  # it leans at a wall
    "pillar: {at: [1.5, 2.35, -5], radius: 0.05, height: 0.3} | box: {from: [1.4, 2.3, -5.1], to: [1.6, 2.35, -4.9]}",  # a lamp
    "pillar: {at: [0, 0, -0.9], radius: 0.15, height: 2.4}",  # one passes it on both sides
    "box: {from: [-1, 0.3, 4.6], to: [-0.9, 1.3, 15.4]}",  # a rail along the bridge
    "box: {from: [-1, 0.3, 10], to: [0.2, 1.3, 10.1]}",  # 0.8 m stay open
    "box: {from: [-1, 1.95, 10], to: [1, 2.05, 10.1]} | box: {from: [-1, 0.3, 10], to: [-0.9, 2.1, 10.1]}",  # a gate
    "box: {from: [6, -2, -2], to: [7, -0.1, -1], intended: [buried]}",
    "box: {from: [6, -2, -2], to: [7, -0.1, -1]} | box: {from: [6, -0.1, -2], to: [7, 0.2, -1]}",  # the base of a block
    "water: {from: [-6, -6, 5], to: [6, -4, 15], intended: [buried]}",
)


@pytest.mark.parametrize("pieces", FINE)
def test_what_looks_alike_has_no_finding(tmp_path: Path, pieces: str) -> None:
    lines = "".join(f"  - {piece}\n" for piece in pieces.split(" | "))
    assert findings(tmp_path, HUT.replace(ROUND, ROUND + lines)) == []
