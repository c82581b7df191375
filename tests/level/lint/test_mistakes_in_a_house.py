"""Mistakes in a house that stands: each has one finding, and what the finding tells to do mends it."""

# ruff: noqa: E501 (one line a mistake)
from __future__ import annotations

import pytest

from game.level import Finding, check

SPAWN = "spawn: {at: [2, 0, 9], facing: north}"
GOAL = "goal: {at: [2, 3.2, -2], radius: 0.8}"
GROUND = "  - floor: {from: [-20, -20], to: [20, 20], holes: [{from: [10, 5], to: [15, 10]}]}"
ROOM = (
    "  - room: {from: [0, 0, 0], to: [8, 3, 6], doors: [{wall: south, at: 2}], holes: [{from: [4, 1], to: [8, 2.2]}]}"
)
BALCONY = "  - floor: {from: [0, -4], to: [4, -0.2], y: 3.2, thickness: 0.2, surface: oak}"
STAIRS = "  - stairs: {at: [3.1, 0, 1.6], facing: east, steps: 16, rise: 0.2, run: 0.3, width: 1}"
LIFT = "  - mover: {at: [-1.3, 0, 2], path: [[0, 0, 0], [0, 3.2, 0]], of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]}"
WATER = "  - water: {from: [10, -2, 5], to: [15, -0.2, 10]}"
LIGHT = "  - light: {at: [1, 2.5, 4.5]}"
CART = (
    "  - mover: {at: [6, 0, 4], path: [[0, 0, 0], [-3, 0, 0]], of: [box: {from: [-0.5, 0.2, -0.5], to: [0.5, 1, 0.5]}]}"
)
BLOCK = "box: {from: [-14, 0, -12], to: [-10, 1.8, -8]}\n  - "
ANNEX = (
    "room: {from: [-9, 6, 0], to: [-4, 7, 3], doors: [{wall: west}, {wall: east, at: 0.5}], windows: [{wall: south}]}"
)
HOUSE = f"""format: 1
{SPAWN}
{GOAL}
surfaces: {{oak: {{colour: red}}}}
pieces:
{GROUND}
  - room: {{from: [10, -2.2, 5], to: [15, -0.01, 10], ceiling: false}}
{ROOM}
  - room: {{from: [0, 3.2, 0], to: [8, 6.2, 6], floor: false, doors: [{{wall: west, at: 2}}, {{wall: north, at: 2}}]}}
{BALCONY}
{STAIRS}
{LIFT}
{WATER}
{LIGHT}
{CART}
"""

# A line of the house; what the author wrote instead; words of the only finding, and of its cure; the cure in the line.
MISTAKES: dict[str, tuple[str, tuple[str, str], str, str, tuple[str, str]]] = {
    "a goal in the air": (GOAL, ("[2, 3.2, -2]", "[-10, 6, -2]"), "goal: the goal at (-10, 6, -2) hangs in the air, 6 m above `floor` (line 6): no floor, lift or pad leads to it", "lower it to a height of 0", ("6, -2", "0, -2")),
    "a goal over the lift": (GOAL, ("[2, 3.2, -2]", "[-1.3, 9, 2]"), "the goal at (-1.3, 9, 2) hangs in the air", "or add `intended: [void]`", ("radius", "intended: [void], radius")),
    "a target in the air": (LIGHT, ("light: {at: [1, 2.5, 4.5]", "target: {at: [-10, 9, 0]"), "the target at (-10, 9, 0) hangs in the air, 9 m above `floor` (line 6)", "lower it to a height of 0", ("9, 0", "0, 0")),
    "a spawn in the air": (SPAWN, ("[2, 0, 9]", "[2, 8, 9]"), "the spawn is 8 m above `floor` (line 6): the player begins with a fall", "write 0 as its height", ("8", "0")),
    "a spawn meant in the air": (SPAWN, ("[2, 0, 9]", "[2, 8, 9]"), "the player begins with a fall", "add `intended: [fall]`", ("facing", "intended: [fall], facing")),
    "a second spawn without a name": (SPAWN, ("north}", "north}\nspawns: [{at: [4, 0, 9]}]"), "the level starts at `spawn`", "give it a `name`", ("at: [4", "name: side, at: [4")),
    "too few steps": (STAIRS, ("16", "13"), "the stairs end at (7, 2.6, 1.6), 0.6 m below `room` (line 8): nobody can step up there", "add 3 steps, or write `rise: 0.2462`", ("13", "16")),
    "too few steps, steeper": (STAIRS, ("16", "13"), "0.6 m below", "write `rise: 0.2462` and `run: 0.376923`", ("rise: 0.2, run: 0.3", "rise: 0.2462, run: 0.376923")),
    "too low steps": (STAIRS, ("0.2,", "0.17,"), "0.48 m below `room` (line 8)", "write `rise: 0.2`", ("0.17,", "0.2,")),
    "spiral stairs that are too low": (LIGHT, ("light: {at: [1, 2.5, 4.5]}", "spiral_stairs: {at: [-6, 0, -9], steps: 16, radius: 1.2, intended: [low]}\n  - floor: {from: [-9, -12], to: [-4.5, -6], y: 3.5, holes: [{from: [-7.3, -10.3], to: [-4.7, -7.7]}], intended: [low]}"), "the stairs end at (-6.34, 2.88, -9.77), 0.62 m below `floor` (line 15)", "add 4 steps", ("16", "20")),
    "steps as high as a table": (STAIRS, ("16, rise: 0.2, run: 0.3", "6, rise: 0.5, run: 0.8"), "a rise of 0.5 m is higher than a player can step", "add `intended: [step]`", ("width", "intended: [step], width")),
    "water with y and z swapped": (WATER, ("[10, -2, 5], to: [15, -0.2, 10]", "[10, 5, -2], to: [15, 10, -0.2]"), "the water around (12.5, 7.5, -1.1) hangs in the air: its bottom is 5 m above `floor` (line 6)", "swap the last two numbers of `from` and of `to`", ("[10, 5, -2], to: [15, 10, -0.2]", "[10, -2, 5], to: [15, -0.2, 10]")),
    "water as a block": (WATER, ("[10, -2, 5], to: [15, -0.2, 10]", "[-15, -3, 5], to: [-10, 5, 10]"), "the water around (-12.5, 1, 7.5) stands in the open: nothing holds it on any side", "add `intended: [floating]`", ("from", "intended: [floating], from")),
    "a light in a wall": (LIGHT, ("[1, 2.5", "[-0.1, 2.5"), "the light at (-0.1, 2.5, 4.5) is inside `room` (line 8): it lights nothing", "move it into the open", ("-0.1", "0.1")),
    "a lift too low": (LIFT, ("3.2", "2.2"), "mover: the lift stops 1 m below `room` (line 8), at (-1.3, 2.2, 2)", "raise the stop in `path` by 1 m", ("2.2", "3.2")),
    "a lift too high": (LIFT, ("3.2", "4.2"), "the lift stops 1 m above `room` (line 8), at (-1.3, 4.2, 2)", "lower the stop in `path` by 1 m", ("4.2", "3.2")),
    "a lift that starts too high": (LIFT, ("[0, 0, 0]", "[0, 0.7, 0]"), "the lift stops 0.7 m above `floor` (line 6), at (-1.3, 0.7, 2)", "lower the stop", ("0.7", "0")),
    "a lift all too high": (LIFT, ("[-1.3, 0, 2]", "[-1.3, 1, 2]"), "the lift stops 1 m above `floor` (line 6), at (-1.3, 1, 2)", "lower `at` by 0.8 m", ("1, 2]", "0.2, 2]")),
    "a hole as large as its room": (ROOM, ("[4, 1], to: [8, 2.2]", "[0, 0], to: [8, 6]"), "room.holes.to: the hole is as large as the ceiling: nothing of it is left", "write `ceiling: false` instead of the hole", ("holes: [{from: [0, 0], to: [8, 6]}]", "ceiling: false")),
    "a hole as large as its floor": (BALCONY, ("y: 3.2", "y: 3.2, holes: [{from: [0, -4], to: [4, -0.2]}]"), "floor.holes.to: the hole is as large as the floor: nothing of it is left", "make it smaller", ("[0, -4], to: [4, -0.2]}]", "[0, -4], to: [1, -3]}]")),
    "a hole beyond its room": (ROOM, ("[8, 2.2]", "[9, 2.2]"), "the hole extends beyond its floor or ceiling", "stay within [0, 0] to [8, 6]", ("[9, 2.2]", "[8, 2.2]")),
    "a hole for a lift beyond its room": (ROOM, ("{from: [4, 1], to: [8, 2.2]}]}", "{from: [4, 1], to: [8, 2.2]}, {from: [6, 3], to: [8.5, 5.5]}]}\n  - mover: {at: [7, 0, 4.2], path: [[0, 0, 0], [0, 3.2, 0]], of: [box: {from: [-0.8, 0, -0.8], to: [0.8, 0.1, 0.8]}]}"), "the hole extends beyond its floor or ceiling", "stay within [0, 0] to [8, 6]", ("[8.5, 5.5]", "[8, 5.5]")),
    "a hidden floor_surface": (ROOM, ("doors", "floor_surface: oak, doors"), "room: `floor_surface` has no effect: `floor` (line 6) lies at the height of the floor, and is shown instead", "remove `floor_surface`", ("floor_surface: oak, ", "")),
    "a cart through a wall": (CART, ("[-3, 0, 0]", "[6, 0, 0]"), "mover: it goes through `room` (line 8) on its way, at (8", "add `intended: [overlap]`", ("path", "intended: [overlap], path")),
    "a lift through a balcony": (CART, ("[6, 0, 4], path: [[0, 0, 0], [-3, 0, 0]]", "[3, 3.5, -3], path: [[0, -3.5, 0], [0, 0.5, 0]]"), "the lift presses the player against", "make a hole above the lift", ("path", "intended: [low], path")),
    "a ladder ten times as high": (LIGHT, ("light: {at: [1, 2.5, 4.5]}", f"{BLOCK}ladder: {{at: [-12, 0, -8], facing: north, height: 18}}"), "ladder: the ladder goes on 16.2 m above all that it leads to: nothing near it is higher than 1.8 m", "write `height: 1.8`", ("18}", "1.8}")),
    "stairs turned round": (LIGHT, ("light: {at: [1, 2.5, 4.5]}", f"{BLOCK}stairs: {{at: [-12, 0, -5], facing: south, steps: 10}}"), "stairs: it is turned the wrong way: its top, (-12, 1.8, -2), does not meet `box` (line 14), which is as high", "write `facing: north`,", ("south", "north")),
    "stairs from the wrong end": (LIGHT, ("light: {at: [1, 2.5, 4.5]}", f"{BLOCK}stairs: {{at: [-12, 0, -8], facing: south, steps: 10}}"), "stairs: it is turned the wrong way: its top, (-12, 1.8, -5)", "write `facing: north` and `at: [-12, 0, -5]`", ("at: [-12, 0, -8], facing: south", "at: [-12, 0, -5], facing: north")),
    "stairs turned away from their hole": (STAIRS, ("east", "south"), "stairs: it is turned the wrong way: its top, (3.1, 3.2, 6.4)", "write `facing: east`", ("south", "east")),
    "stairs turned into a wall": (STAIRS, ("east", "west"), "stairs: it is turned the wrong way", "write `facing: east`", ("west", "east")),
    "a ramp turned round": (LIGHT, ("light: {at: [1, 2.5, 4.5]}", f"{BLOCK}ramp: {{at: [-12, 0, -3], facing: 180, length: 5, rise: 1.8}}"), "ramp: it is turned the wrong way: its top, (-12, 1.8, 2)", "write `facing: north`,", ("180", "north")),
    "a ramp that is too steep": (LIGHT, ("light: {at: [1, 2.5, 4.5]}", f"{BLOCK}ramp: {{at: [-12, 0, -8], facing: north, length: 1.35, rise: 1.8}}".replace("-8], f", "-6.65], f")), "ramp: a ramp of 53.1 degrees to `box` (line 14) cannot be walked up: a player walks up at most 45 degrees", "make it at least 1.94 m long", ("-6.65], facing: north, length: 1.35", "-6.06], facing: north, length: 1.94")),
    "a lift with y and z swapped": (LIFT, ("[0, 3.2, 0]", "[0, 0, 3.2]"), "mover: it stays at one height, on `floor` (line 6): with y and z of its `path` swapped it would come to `room` (line 8)", "swap the last two numbers of each point of `path`", ("[0, 0, 3.2]", "[0, 3.2, 0]")),
    "a hole with x and z swapped": (ROOM, ("{from: [4, 1], to: [8, 2.2]}", "{from: [1, 4], to: [2.2, 8]}"), "the hole extends beyond its floor or ceiling", "stay within", ("{from: [1, 4], to: [2.2, 8]}", "{from: [4, 1], to: [8, 2.2]}")),
    "a hole that is elsewhere": (ROOM, ("{from: [4, 1], to: [8, 2.2]}", "{from: [1, 4], to: [2.2, 6]}"), "room: it closes the way up `stairs` (line 11): it has no hole there", "add `{from: [4, 1.1], to: [7.9, 2.1]}` to its `holes`", ("to: [2.2, 6]}", "to: [2.2, 6]}, {from: [4, 1.1], to: [7.9, 2.1]}")),
    "a floor over a ladder": (LIGHT, ("light: {at: [1, 2.5, 4.5]}", f"{BLOCK}ladder: {{at: [-12, 0, -8], facing: north, height: 4}}\n  - floor: {{from: [-14, -8], to: [-10, -6], y: 4}}"), "floor: it closes the way up `ladder` (line 15): it has no hole there", "add `holes: [{from: [-12.45, -8], to: [-11.55, -6.9]}]` to it", ("y: 4", "holes: [{from: [-12.45, -8], to: [-11.55, -6.9]}], y: 4")),
    "a ladder that faces away": (LIGHT, ("light: {at: [1, 2.5, 4.5]}", f"{BLOCK}ladder: {{at: [-12, 0, -8], facing: south, height: 1.8, surface: oak}}"), "ladder: the front of the ladder at (-12, 0, -8) is inside `box` (line 14): nobody can climb it; it faces away from where one can stand", "turn it round: write `facing: north`", ("south", "north")),
    "a ladder that faces away in a room": (LIGHT, ("light: {at: [1, 2.5, 4.5]}", "ladder: {at: [0, 0, 4.5], facing: east, height: 2.5, surface: oak}"), "ladder: the front of the ladder at (0, 0, 4.5) is inside `room` (line 8)", "turn it round: write `facing: west`", ("east", "west")),
    "a run in centimetres": (STAIRS, ("run: 0.3", "run: 30"), "stairs.run: a tread of 30 m is no step of stairs", "write the depth of one tread in metres", ("run: 30", "run: 0.3")),
    "a room too far away to share a wall": (LIGHT, ("light: {at: [1, 2.5, 4.5]}", "room: {from: [-9, 0, -18], to: [-4, 3, -12], shared: true, doors: [{wall: south, at: 2}]}\n  - room: {from: [-9, 0, -11.2], to: [-4, 3, -7], doors: [{wall: south}]}"), "room: `shared` has no effect: the gap to `room` (line 15) is 0.8 m", "move one of them 0.6 m nearer to the other", ("[-9, 0, -18], to: [-4, 3, -12]", "[-9, 0, -17.4], to: [-4, 3, -11.4]")),
    "a room with y and z swapped": (LIGHT, ("light: {at: [1, 2.5, 4.5]}", f"{ANNEX}"), "room.to: the room is 1 m high: too low to stand; did you swap y and z?", "swap the last two numbers of `from` and of `to`", ("[-9, 6, 0], to: [-4, 7, 3]", "[-9, 0, 6], to: [-4, 3, 7]")),
    "a lift in a wall": (LIFT, ("[-1.3, 0, 2]", "[-1, 0, 2]"), "mover: the lift cuts into `room` (line 8) where it stops, at (-0.2", "move it into the open with `at`", ("[-1, 0, 2]", "[-1.3, 0, 2]")),
    "a door in centimetres": (ROOM, ("at: 2}", "at: 2, width: 90}"), "room.doors.width: the opening extends from -43 m to 47 m in a wall 8 m long", "make it narrower", ("90", "0.9")),
    "a door that slides too far": (CART, ("at: [6, 0, 4], path: [[0, 0, 0], [-3, 0, 0]], of: [box: {from: [-0.5, 0.2, -0.5], to: [0.5, 1, 0.5]}", "at: [2, 0, 6.3], path: [[0, 0, 0], [17, 0, 0]], of: [box: {from: [-0.6, 0.01, -0.05], to: [0.6, 2, 0.05]}"), "mover: the door slides 17 m; its doorway is 1", "did you mean 1.7 m?", ("17", "1.7")),
    "water of one swapped corner": (WATER, ("[10, -2, 5]", "[10, 5, -2]"), "stands in the open", "swap the last two numbers of one of `from` and `to`", ("[10, 5, -2]", "[10, -2, 5]")),
    "a kill height above the ground": (SPAWN, ("spawn", "kill_height: 1\nspawn"), "kill_height: 1 m is not below `floor` (line 7), where the player starts: nobody can stay there", "write -4 or less", ("kill_height: 1", "kill_height: -4")),
}  # fmt: skip


def _findings(text: str) -> list[Finding]:
    return check(text=text)


def test_the_house_has_no_mistake() -> None:
    assert _findings(HOUSE) == []


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_one_finding_and_its_cure_mends_it(name: str) -> None:
    line, (right, wrong), words, cure, (before, after) = MISTAKES[name]
    mistaken = line.replace(right, wrong)
    assert HOUSE.count(line) == 1
    assert mistaken != line
    told = _findings(HOUSE.replace(line, mistaken))
    assert [words in str(one) for one in told] == [True], [str(one) for one in told]
    assert cure in told[0].cure
    changed = told[0].excerpt
    assert changed in mistaken, "it stands at the mistake"
    mended = mistaken.replace(before, after)
    assert mended != mistaken
    assert [str(one) for one in _findings(HOUSE.replace(line, mended))] == []


# Pieces on the ground, and what comes before `pieces`: nothing is wrong with them.
FINE = (
    "water: {from: [0, 0, 0], to: [4, 1, 4]}",  # a puddle
    "water: {from: [0, 0, 0], to: [4, 2, 4]} | box: {from: [-0.2, 0, 0], to: [0, 2, 4]}",
    "water: {from: [0, 3, 0], to: [4, 5, 4]} | water: {from: [0, 0, 0], to: [4, 3, 4]} | box: {from: [4, 0, 0], to: [5, 5, 4]}",
    "water: {from: [0, 3, 0], to: [4, 5, 4]} | box: {from: [0, 2.9, 0], to: [4, 3, 4]} | box: {from: [0, 3, 4], to: [4, 5, 4.2]}",
    "water: {from: [0, 5, 0], to: [4, 9, 4], intended: [floating]}",
    "stairs: {at: [0, 0, 0], steps: 9, rise: 0.2} | box: {from: [-4, 0, -7], to: [4, 1.8, -2.7]}",
    "stairs: {at: [0, 0, 0], steps: 7, rise: 0.2} | box: {from: [-4, 0, -7], to: [4, 1.8, -2.1]}",  # one more step
    "stairs: {at: [0, 0, 0], steps: 7, rise: 0.2}",  # they lead nowhere
    "stairs: {at: [0, 0, 0], steps: 7, rise: 0.2} | box: {from: [-4, 0, -7], to: [4, 9, -2.1]}",  # they end at a wall
    "stairs: {at: [0, 0, 0], steps: 7, rise: 0.2} | box: {from: [0.6, 0, -7], to: [4, 1.4, -1]} | wall: {from: [-2, -3], to: [2, -3]}",
    "mover: {path: [[0, 0, 0], [0, 1.2, 0]], of: [box: {from: [-1, -0.5, -1], to: [1, 0, 1]}]}",  # a stage
    "mover: {path: [[0, 0, 0], [0, 5, 0]], of: [box: {from: [-1, -0.5, -1], to: [1, 0, 1]}]}",  # into the air
    "mover: {path: [[0, 0, 0], [0, 3, 0]], of: [box: {from: [-1, 0, -0.1], to: [1, 2, 0.1]}]} | wall: {from: [1, 0], to: [3, 0]}",
    "mover: {path: [[0, 0, 0], [1.2, 0, 0]], of: [box: {from: [-0.6, 0.01, -0.05], to: [0.6, 2, 0.05]}]} | wall: {from: [0.6, 0], to: [4, 0]} | wall: {from: [-4, 0], to: [-0.6, 0]}",  # a sliding door
    "mover: {at: [0, 0.2, 0], path: [[0, 0, 0], [9, 0, 0]], of: [box: {from: [-1, 0, -1], to: [1, 0.2, 1]}]} | wall: {from: [5, -3], to: [5, 3], doors: [{width: 3}]}",
    "mover: {path: [[0, 0, 0], [0, 4, 0]], of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]} | box: {from: [1, 0, -1], to: [3, 4, 1]} | box: {from: [-1, 0, 1], to: [1, 2.5, 3]}",  # it passes a shelf beside it
    "box: {from: [0, 0, 0], to: [0.8, 0.8, 0.8]} | box: {from: [0.2, 0.8, 0.2], to: [0.6, 2.3, 0.6]} | box: {from: [0.6, 1.5, 0.3], to: [1.2, 1.7, 0.5]}",  # a statue
    "goal: {at: [0, 9, 0]} | box: {from: [3, 0, -1], to: [5, 8, 1]} | mover: {at: [6.1, 0, 0], path: [[0, 0, 0], [0, 8, 0]], of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]}",
    "goal: {at: [0, 9, 0]} | pad: {at: [6, 0, 0], speed: [-5, 14, 0]}",
    "goal: {at: [0, 9, 0]} | teleport: {from: [5, 0, 5], to: [6, 2, 6], arrive: [0, 12, 0]}",
    "goal: {at: [0, 9, 0]} | mover: {path: [[0, 0, 0], [0, 7, 0]], of: [box: {from: [-1, 0.01, -1], to: [1, 0.2, 1]}]}",
    "goal: {at: [0, 9, 0]} | ladder: {at: [0, 0, 1], height: 8.5, intended: [floating]}",
    "goal: {at: [0, 9, 0]} | player: {gravity: 1.62, jump_height: 9}",
    "goal: {at: [0, 4, 0]} | surfaces: {rubber: {bounce: 0.9}} | floor: {from: [-1, -1], to: [1, 1], y: 0.1, surface: rubber}",
    "spawns: [{name: high, at: [0, 9, 0]}] | water: {from: [-1, 0, -1], to: [1, 1, 1]}",
    "spawns: [{name: high, at: [0, 9, 0]}] | mover: {path: [[0, 0, 0], [0, 8.8, 0]], of: [box: {from: [-1, 0.01, -1], to: [1, 0.2, 1]}]}",
    "spawns: [{name: step, at: [0, 1.5, 0]}]",
    "room: {from: [0, 3, 0], to: [4, 6, 4], floor_surface: oak, doors: [{wall: south}], intended: [floating]} | surfaces: {oak: {colour: red}} | floor: {from: [0, 0], to: [2, 4], y: 3}",  # half of it shows
    "stairs: {at: [0, 0, 0], facing: south, steps: 10} | box: {from: [-4, 0, -9], to: [4, 2.6, -3]}",  # another height
    "stairs: {at: [0, 0, 0], steps: 10} | box: {from: [-4, 0, -9], to: [4, 1.8, -3]} | ramp: {at: [2, 0, -1.2], length: 1.8, rise: 1.8}",
    "ramp: {at: [0, 0, 0], length: 1, rise: 3}",  # a roof
    "ramp: {at: [0, 0, 0], length: 1, rise: 1.8} | box: {from: [-4, 0, -9], to: [4, 1.8, -1]} | ramp: {at: [3, 0, 4], length: 5, rise: 1.8}",  # a slide
    "ramp: {at: [0, 0, 0], length: 1, rise: 1.8, intended: [steep]} | box: {from: [-4, 0, -9], to: [4, 1.8, -1]}",
    "ladder: {at: [0, 0, -3], height: 4} | box: {from: [-4, 0, -9], to: [4, 3, -3]}",  # something to hold on to
    "ladder: {at: [0, 0, -3], height: 9} | box: {from: [-4, 0, -9], to: [4, 3, -3]} | floor: {from: [2, -3], to: [6, 3], y: 8.5, thickness: 0.2}",
    "ladder: {at: [0, 0, -3], height: 9} | box: {from: [-4, 0, -9], to: [4, 3, -3]} | goal: {at: [1, 9, -2]}",
    "ladder: {at: [0, 0, -3], height: 3} | box: {from: [-4, 0, -9], to: [4, 3, -3]} | floor: {from: [-4, -9], to: [4, 0], y: 5}",  # a roof high above it
    "mover: {path: [[0, 0, 0], [0, 0, 3.2]], of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]}",  # a cart
    "mover: {path: [[0, 0, 0], [0, 0, 3.2]], of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]} | box: {from: [1, 0, -1], to: [3, 4.4, 1]}",
    "mover: {at: [0, 0, 0.2], path: [[0, 0, 0], [1.2, 0, 0]], of: [box: {from: [-0.6, 0.01, -0.05], to: [0.6, 2, 0.05]}]} | wall: {from: [-4, 0], to: [4, 0], doors: [{}]}",
    "mover: {at: [0, 0.1, 2], path: [[0, 0, 0], [17, 0, 0]], of: [box: {from: [-1, 0, -1], to: [1, 0.2, 1]}]} | wall: {from: [-4, 0], to: [4, 0], doors: [{}]}",  # a tram
    "mover: {path: [[0, 0, 0], [0, 3, 0]], of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]} | box: {from: [1, 0, -1], to: [3, 3, 1]} | box: {from: [-1, 0, 1], to: [1, 6, 3]}",  # in its shaft
    "stairs: {at: [0, 0, 0], steps: 3, run: 9}",  # terraces
    "room: {from: [0, 0, 0], to: [4, 1, 4], intended: [low]}",
)  # fmt: skip
TOP_FIELDS = ("goal", "spawns", "player", "surfaces")
# What the new checks say.
WORDS = (
    "hangs in",
    "in the open",
    "stairs end",
    "lift stops",
    "goes through",
    "no effect",
    "headroom",
    "a fall",
    "starts",
    "turned",
    "walked up",
    "goes on",
    "closes the way",
    "front of the ladder",
    "one height",
    "cuts into",
    "slides",
    "no step of",
    "too low to stand",
)


@pytest.mark.parametrize("scene", FINE)
def test_what_is_right_has_no_finding(scene: str) -> None:
    parts = scene.split(" | ")
    top = "".join(part + "\n" for part in parts if part.split(":")[0] in TOP_FIELDS)
    pieces = "".join(f"  - {part}\n" for part in parts if part.split(":")[0] not in TOP_FIELDS)
    text = f"format: 1\nspawn: {{at: [9, 0, 9]}}\n{top}pieces:\n  - floor: {{from: [-20, -20], to: [20, 20]}}\n{pieces}"
    told = [str(one) for one in check(text=text)]
    assert [one for one in told if any(word in one for word in WORDS)] == []
    assert [one for one in told if "fatal" in one or "unknown" in one] == []


@pytest.mark.parametrize(
    "scene",
    [
        "  - box: {from: [2, 0, 0], to: [6, 3, 0.2]}\n  - box: {from: [7, 0, 0], to: [9, 3, 0.2]}\n  - box: {from: [6, 1.5, 0], to: [7, 3, 0.2]}\n",
        "  - wall: {from: [0, 0], to: [4, 0], doors: [{}]}\n  - box: {from: [1.4, 1.6, 0.1], to: [2.6, 1.7, 0.8]}\n",
    ],
    ids=["a lintel between walls", "a roof over a doorway"],
)
def test_a_small_ceiling_on_the_way_is_found(scene: str) -> None:
    text = f"format: 1\nspawn: {{at: [9, 0, 9]}}\npieces:\n  - floor: {{from: [-20, -20], to: [20, 20]}}\n{scene}"
    assert ["the headroom above `floor` (line 4) is 1." in one.message for one in check(text=text)] == [True]


HEAD = "format: 1\nspawn: {at: [0, 0, 0]}\npieces:\n  - floor: {from: [-9, -9], to: [9, 9]}\n"
DOOR = (
    "  - mover:\n      name: gate\n      pieces:\n        - box: {from: [2, 0, 2], to: [3, 2, 2.2]}\n      path: {}\n"
)
