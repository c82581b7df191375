"""Mistakes in a lighthouse that stands: each has one finding, and what the finding tells to do mends it."""

# ruff: noqa: E501 (one line a mistake)
from __future__ import annotations

import pytest

from tests.support.level_mistakes import assert_told_and_mended, changed, said

LIGHTHOUSE = """format: 1
name: The lighthouse
about: A lighthouse on a rock in the sea, with the house of its keeper
spawn: {name: jetty, at: [0, 0, 13.5], facing: north}
goal: {at: [4, 9.2, 3], radius: 0.9, after: targets}
kill_height: -12
sky: {palette: evening, sun: {height: 20, from: southwest}, haze: 0.006}
surfaces:
  rock: {colour: "#77736b", texture: concrete, footstep: stone}
  stone: {colour: "#c9c3b4", texture: flagstone}
  white: {colour: "#e8e4da", texture: plaster}
  wood: {colour: "#8a6a45", texture: planks}
  iron: {colour: "#50545a", texture: metal}
  red: {colour: "#a03a30", texture: tiles}
define:
  lamp_post:
    - pillar: {at: [0, 0, 0], radius: 0.08, height: 2.4, sides: 8, surface: iron}
    - light: {at: [0, 2.6, 0], colour: "#ffd6a0", brightness: 0.8, reach: 7}
pieces:
  # the sea, the rock and the jetty
  - floor: {name: seabed, from: [-18, -18], to: [18, 18], y: -6, surface: rock}
  - array: {count: 4, turn: 90, of: [wall: {name: horizon, from: [-18, 18], to: [18, 18], y: -6, height: 9, surface: rock}]}
  - water: {name: sea, from: [-18, -6, -18], to: [18, -0.5, 18]}
  - kill: {name: The sea is too cold, from: [-18, -6, -18], to: [18, -0.9, 18]}
  - box: {name: rock, from: [-10, -6, -10], to: [10, 0, 10], surface: rock}
  - box: {name: jetty, from: [-1.5, -0.3, 10], to: [1.5, 0, 15], surface: wood}
  - array: {count: 3, step: [0, 0, 2], of: [pillar: {name: pile, at: [-1.1, -6, 10.4], radius: 0.15, height: 5.7, surface: wood}, pillar: {name: pile, at: [1.1, -6, 10.4], radius: 0.15, height: 5.7, surface: wood}]}
  - sign: {text: "To the light", at: [-1.1, 1.5, 10.6], facing: south, post: 1.4}
  - place: {what: lamp_post, at: [1.2, 0, 14.6]}
  - place: {what: lamp_post, at: [2.2, 0, 5.4]}
  # the keeper's house: two rooms, stairs, a balcony and a lift
  - room: {name: kitchen, from: [-8, 0, -4], to: [-2, 2.8, 4], surface: white, doors: [{wall: south, at: 4, width: 1.2}], windows: [{wall: west, at: 1.5}, {wall: east, at: 5}], holes: [{from: [-7.9, -1.3], to: [-6.3, 2.9]}]}
  - stairs: {name: house stairs, at: [-7.1, 0, 2.9], facing: north, steps: 15, rise: 0.2, run: 0.28, width: 1.4, surface: wood}
  - room: {name: bedroom, from: [-8, 3, -4], to: [-2, 5.4, 4], floor: false, surface: white, roof_surface: red, doors: [{wall: south, at: 4}], windows: [{wall: west, at: 2}, {wall: north}]}
  - floor: {name: balcony, from: [-6, 4.2], to: [-2.6, 6.4], y: 3, thickness: 0.2, surface: wood}
  - wall: {name: balcony rail, from: [-5.95, 6.35], to: [-2.6, 6.35], y: 3, height: 1, thickness: 0.1, surface: iron}
  - wall: {name: balcony rail west, from: [-5.95, 4.2], to: [-5.95, 6.3], y: 3, height: 1, thickness: 0.1, surface: iron}
  - mover:
      name: lift
      at: [-1.55, 0, 5.3]
      path: [[0, 0, 0], [0, 2.9, 0]]
      seconds: 3
      pause: 3
      of: [box: {from: [-1, 0, -1], to: [1, 0.1, 1], surface: iron}]
  - light: {at: [-4, 2.4, 0], reach: 7}
  - light: {at: [-4, 5, 0], reach: 7}
  - box: {name: table, from: [-4.5, 0, -3.6], to: [-3, 0.8, -2.6], surface: wood}
  # the tower: a sliding door, spiral stairs and a gallery
  - room: {name: tower, from: [1, 0, -3], to: [7, 9, 3], ceiling: false, surface: white, doors: [{wall: south, width: 1.4}], windows: [{wall: east, sill: 4}, {wall: west, sill: 6.5}]}
  - mover:
      name: sliding door
      at: [4, 0, 3.3]
      path: [[0, 0, 0], [1.5, 0, 0]]
      seconds: 1.5
      pause: 3
      of: [box: {from: [-0.75, 0.02, -0.05], to: [0.75, 2.15, 0.05], surface: wood}]
  - spiral_stairs: {name: tower stairs, at: [4, 0, 0], facing: 0 - 46*24, steps: 46, rise: 0.2, radius: 2, turn: 24, rail: 0.9, surface: stone}
  - floor: {name: gallery, from: [0, -4], to: [8, 4], y: 9.2, thickness: 0.2, holes: [{from: [2, -2], to: [6, 2]}], surface: stone}
  - array: {count: 4, turn: 90, around: [4, 0, 0], of: [wall: {name: gallery rail, from: [0, 3.95], to: [7.9, 3.95], y: 9.2, height: 1.5, thickness: 0.1, surface: iron}, pillar: {name: post, at: [7.6, 9.2, 3.6], radius: 0.12, height: 3, surface: iron}]}
  - box: {name: lamp roof, from: [0, 12.2, -4], to: [8, 12.5, 4], surface: red}
  - mover: {name: beam, at: [4, 11.6, 0], spin: 40, of: [box: {from: [-1.6, -0.15, -0.15], to: [1.6, 0.15, 0.15], surface: white}]}
  - light: {name: lamp, at: [4, 11, 0], brightness: 3, reach: 14}
  - target: {name: the logbook, at: [-3, 4, -3]}
  - target: {name: the oil can, at: [-6, 1, -3]}
  - target: {name: the flag, at: [-8.8, 1, -8.8]}
  - checkpoint: {name: The house, from: [-5, 0, 2], to: [-3, 2, 4]}
  - checkpoint: {name: The gallery, from: [3, 9.2, -4], to: [5, 11, -2]}
"""

# What is right and what the author wrote instead (`|` between two places); words of the only finding, and of its cure;
# the cure in the file.
MISTAKES: dict[str, tuple[tuple[str, str], str, str, tuple[str, str]]] = {
    'a lift with y and z swapped': (('path: [[0, 0, 0], [0, 2.9, 0]]', 'path: [[0, 0, 0], [0, 0, 2.9]]'), 'mover "lift": it stays at one height', 'swap the last two numbers', ('[0, 0, 2.9]', '[0, 2.9, 0]')),
    'a lift in numbers of the level': (('path: [[0, 0, 0], [0, 2.9, 0]]', 'path: [[-1.55, 0, 5.3], [-1.55, 2.9, 5.3]]'), 'mover "lift": its `path` is relative to `at`', 'write `path: [[0, 0, 0], [0, 2.9, 0]]`', ('path: [[-1.55, 0, 5.3], [-1.55, 2.9, 5.3]]', 'path: [[0, 0, 0], [0, 2.9, 0]]')),
    'a tower beside its stairs': (('from: [1, 0, -3], to: [7, 9, 3]', 'from: [3, 0, -3], to: [9, 9, 3]'), 'spiral_stairs "tower stairs": its tread 3 of 46 is in `room "tower"`', 'move it away from there', ('from: [3, 0, -3], to: [9, 9, 3]', 'from: [2, 0, -3], to: [8, 9, 3]')),
    'stairs wider than their tower': (('radius: 2, turn', 'radius: 3.5, turn'), 'spiral_stairs "tower stairs": its tread 1 of 46 is in `room "tower"`', 'write a smaller `radius`', ('radius: 3.5', 'radius: 2')),
    'a gallery too high': (('y: 9.2, thickness', 'y: 9.8, thickness'), 'spiral_stairs "tower stairs": the stairs end at (4, 9.2, -1.4), 0.6 m below `floor "gallery"`', 'by 0.6 m, or add 3 steps', ('y: 9.8, thickness', 'y: 9.2, thickness')),
    'a kitchen too high': (('to: [-2, 2.8, 4]', 'to: [-2, 3.2, 4]'), 'room "bedroom": it overlaps `room "kitchen"` (line 32) by 0.4 m of its height', '(line 32) end at a height of 2.8, or raise', ('to: [-2, 3.2, 4]', 'to: [-2, 2.8, 4]')),
    'a roof too low': (('from: [0, 12.2, -4], to: [8, 12.5, 4]', 'from: [0, 10.2, -4], to: [8, 10.5, 4]'), 'box "lamp roof": the headroom above `floor "gallery"` (line 58) is 1.00 m: a player cannot pass', 'leave at least 1.82 m', ('from: [0, 10.2, -4], to: [8, 10.5, 4]', 'from: [0, 11.1, -4], to: [8, 11.4, 4]')),
    'a target in the deadly sea': (('at: [-8.8, 1, -8.8]', 'at: [-12.8, -5, -8.8]'), 'target "the flag": the target at (-12.8, -5, -8.8) is in the `kill` box (line 24): nobody reaches it', 'move one of them', ('at: [-12.8, -5, -8.8]', 'at: [-8.8, 1, -8.8]')),
    'a deadly sea over the island': (('spawn: {name: jetty, at: [0, 0, 13.5], facing: north}|to: [18, -0.9, 18]', 'spawn: {name: jetty, at: [-4, 3, 5.2], facing: north}|to: [18, 1.2, 18]'), 'kill "The sea is too cold": players die in doorway 1 in the south wall at (-4, 0, 4.1): the box ends 1.2 m above its floor', 'let it end at a height of -0.1', ('to: [18, 1.2, 18]', 'to: [18, -0.1, 18]')),
    'a target on a roof': (('at: [-8.8, 1, -8.8]', 'at: [4, 13.5, 0]'), 'target "the flag": nobody comes to the target at (4, 13.5, 0)', 'move it to where players come', ('at: [4, 13.5, 0]', 'at: [4, 10, 3]')),
    'a sea too high': (('to: [18, -0.5, 18]', 'to: [18, 0.5, 18]'), 'water "sea": the water around (0, -2.75, 0) stands 0.5 m above `box "jetty"` (line 26), where the player starts', 'lower its surface to -0.1', ('to: [18, 0.5, 18]', 'to: [18, -0.1, 18]')),
    'a sea over the player': (('to: [18, -0.5, 18]', 'to: [18, 1.5, 18]'), 'stands 1.5 m above `box "jetty"` (line 26), where the player starts', 'lower its surface to -0.1', ('to: [18, 1.5, 18]', 'to: [18, -0.1, 18]')),
    'a goal with y and z swapped': (('goal: {at: [4, 9.2, 3]', 'goal: {at: [4, 3, 9.2]'), 'goal: the goal at (4, 3, 9.2) is 3 m above `box "rock"` (line 25): with y and z swapped it stands on `floor "gallery"`', 'write `at: [4, 9.2, 3]`', ('at: [4, 3, 9.2]', 'at: [4, 9.2, 3]')),
    'a wardrobe behind a door': (('name: table, from: [-4.5, 0, -3.6], to: [-3, 0.8, -2.6]', 'name: wardrobe, from: [-4.8, 0, 3.1], to: [-3.2, 2, 3.7]'), '`box "wardrobe"` (line 47) stands 0.3 m before doorway 1 in the south wall', 'move it to the side', ('from: [-4.8, 0, 3.1], to: [-3.2, 2, 3.7]', 'from: [-3.2, 0, 3.1], to: [-2.1, 2, 3.7]')),
    'stairs with a short run': (('run: 0.28', 'run: 0.2'), 'stairs "house stairs": the stairs end 1.2 m before the edge of the hole in `room "kitchen"`', 'write `run: 0.28`', ('run: 0.2,', 'run: 0.28,')),
    'a spawn beyond the jetty': (('to: [1.5, 0, 15]', 'to: [1.5, 0, 13]'), 'spawn (jetty): the spawn is 0.5 m beyond the edge of `box "jetty"` (line 26), over the `kill` (line 24)', 'write `at: [0, 0, 12.5]`', ('at: [0, 0, 13.5]', 'at: [0, 0, 12.5]')),
    'a rail of nine metres': (('rail: 0.9', 'rail: 9'), 'spiral_stairs.rail: a rail of 9 m closes the way from the last treads', 'write 0.9', ('rail: 9', 'rail: 0.9')),
    'a rock too low': (('to: [10, 0, 10]', 'to: [10, -1, 10]'), 'box "rock": it ends 1 m below `room "kitchen"`', 'let it end at a height of 0', ('to: [10, -1, 10]', 'to: [10, 0, 10]')),
    'a tower with a ceiling': ((' ceiling: false,', ''), 'room "tower": it closes the way up `spiral_stairs "tower stairs"`', 'write `ceiling: false`: `floor "gallery"`', ('to: [7, 9, 3],', 'to: [7, 9, 3], ceiling: false,')),
}  # fmt: skip

# What looks like one of the mistakes, and is right.
FINE: dict[str, tuple[str, str]] = {
    'stairs that turn the other way': ('turn: 24', 'turn: -24'),
    'piles beside each other': ('step: [0, 0, 2]', 'step: [2, 0, 0]'),
    'a wardrobe with room before it': ('name: table, from: [-4.5, 0, -3.6], to: [-3, 0.8, -2.6]', 'name: wardrobe, from: [-4.8, 0, 2.7], to: [-3.2, 2, 3.3]'),
    'a wardrobe beside a door': ('name: table, from: [-4.5, 0, -3.6], to: [-3, 0.8, -2.6]', 'name: wardrobe, from: [-3.2, 0, 3.1], to: [-2.2, 2, 3.7]'),
    'a chest behind a door that one jumps on': ('name: table, from: [-4.5, 0, -3.6], to: [-3, 0.8, -2.6]', 'name: chest, from: [-4.8, 0, 3.1], to: [-3.2, 0.8, 3.7]'),
    'a sea up to the jetty': ('to: [18, -0.5, 18]', 'to: [18, -0.05, 18]'),
    'a deadly sea below the rock': ('to: [18, -0.9, 18]', 'to: [18, -0.1, 18]'),
    'a target over the deadly sea': ('at: [-8.8, 1, -8.8]', 'at: [-11, 0.4, -8.8]'),
    'a goal that one jumps to': ('goal: {at: [4, 9.2, 3]', 'goal: {at: [4, 10.4, 3]'),
    "a target on a roof with a lift": ("at: [-8.8, 1, -8.8]}", "at: [4, 13.5, 0]}\n  - mover: {name: cage, at: [9.2, 0, 0], path: [[0, 0, 0], [0, 12.4, 0]], seconds: 6, pause: 3, of: [box: {from: [-1, 0, -1], to: [1, 0.1, 1], surface: iron}]}"),
    'a lower sea for a spawn at the edge': ('at: [0, 0, 13.5]', 'at: [0, 0, 14.9]'),
    'a rail of a metre and a half': ('rail: 0.9', 'rail: 1.5'),
    'a rather wide spiral': ('radius: 2, turn', 'radius: 2.05, turn'),
    'stairs in a hole a little too long': ('to: [-6.3, 2.9]}', 'to: [-6.3, 3.2]}'),
}  # fmt: skip


def lighthouse(right: str, wrong: str) -> str:
    return changed(LIGHTHOUSE, *zip(right.split("|"), wrong.split("|"), strict=True))


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_one_finding_and_its_cure_mends_it(name: str) -> None:
    change, words, cure, mend = MISTAKES[name]
    assert_told_and_mended(lighthouse(*change), words, cure, mend)


@pytest.mark.parametrize("name", ["", *FINE])
def test_what_is_right_has_no_finding(name: str) -> None:
    assert said(lighthouse(*FINE[name]) if name else LIGHTHOUSE) == []
