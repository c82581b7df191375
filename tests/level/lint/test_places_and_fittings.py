"""Warnings about places nobody comes to, lights and signs in solids, ladders, stairs, movers and names."""

# ruff: noqa: E501 (one line a scene)
from __future__ import annotations

import pytest

from game.level import Finding, check
from game.level.lint.fittings import LIGHT_RADIUS

GROUND = "floor: {from: [-20, -20], to: [20, 20]}"
BLOCK = "box: {from: [-4, 0, -4], to: [4, 5, 4]}"
WALL = "wall: {from: [-3, 0], to: [3, 0]}"
UNTOUCHED_WALL = "wall: {from: [-3, 0], to: [3, 0], collide: false}"
CARRIED_SIGN = (
    "mover: {at: [0, 0, -6], path: [[0, 0, 0], [0, 2, 0]], of: [box: {from: [-1, 0.1, -1], to: [1, 0.3, 1]}, "
    "wall: {from: [-1, -0.2], to: [1, -0.2], y: 0.3}, sign: {text: S, at: [0, 1, 0]"
)

# Pieces on the ground, with a `goal` or `spawns` as the last part, and words of the finding; None where there is none.
SCENES: dict[str, str | None] = {
    "goal: {at: [0, 0, 0]}": None,
    "goal: {at: [0, 1.5, 0]}": None,
    "goal: {at: [20.5, 0, 0]}": None,
    "goal: {at: [30, 0, 0], intended: [void]}": None,
    "water: {from: [25, -5, -5], to: [35, 1, 5]} | goal: {at: [30, 0, 0]}": None,
    "mover: {path: [[0, 0, 0], [30, 0, 0]], of: [box: {from: [-1, 0.5, -1], to: [1, 0.7, 1], intended: [low]}]} | goal: {at: [30, 1, 0]}": None,
    f"{BLOCK} | goal: {{at: [0, 0.3, 0]}}": "the goal at (0, 0.3, 0) is inside `box`",
    f"{BLOCK} | stairs: {{at: [0, 0, 9.1], facing: north, steps: 25, rise: 0.2, run: 0.2}} | goal: {{at: [0, 4.5, -1]}}": None,
    f"{BLOCK} | goal: {{at: [0, 2, 0], intended: [buried]}}": None,
    "target: {at: [0, 1, 0]}": None,
    "target: {at: [22, 1, 0]}": None,
    "target: {at: [30, 1, 0], intended: [void]}": None,
    "target: {at: [0, -3, 0]}": "there is no ground below the target at (0, -3, 0); `floor` (line 4) is 3 m above it",
    "mover: {path: [[0, 0, 0], [30, 0, 0]], of: [box: {from: [-1, 0.5, -1], to: [1, 0.7, 1], intended: [low]}]} | target: {at: [30, 1, 0]}": None,
    "array: {count: 5, step: [2, 0, 0], of: [target: {at: [24, 1, 0]}]}": "there is no ground below the target at (26, 1, 0)",
    "pad: {at: [0, 0, 0], to: [5, 3, 5]}": None,
    "pad: {at: [0, 0, 0], to: [20.5, 3, 5]}": None,
    "pad: {at: [0, 0, 0], facing: south, to: [0, 1, -40]}": "the player lands at (0, 1.05, 40)",
    "pad: {at: [0, 0, 0], to: [40, 1, 0], intended: [void]}": None,
    "pad: {at: [0, 0, 0], to: [0, -60, 0]}": "below `kill_height`",
    "pad: {at: [0, 0, 0], speed: [9, 9, 0]}": None,
    f"{BLOCK} | target: {{at: [0, 2, 0], intended: [buried]}}": None,
    "box: {from: [-0.4, 0, -0.4], to: [0.4, 3, 0.4]} | target: {at: [0, 1, 0]}": None,
    f"group: {{at: [3, 0, 3], facing: 20, scale: 2, of: [{BLOCK}, target: {{at: [0, 2, 0]}}]}}": "the target at (3, 4, 3) is inside",
    "checkpoint: {from: [-1, 0, -1], to: [1, 2, 1]}": None,
    "checkpoint: {from: [-1, 0.7, -1], to: [1, 2, 1]}": None,
    "mover: {path: [[0, 0, 0], [0, 6, 0]], of: [box: {from: [-2, 0.01, -2], to: [2, 0.3, 2]}]} | checkpoint: {from: [-1, 6, -1], to: [1, 8, 1]}": None,
    "mover: {path: [[0, 0, 0], [0, 6, 0]], of: [box: {from: [-2, 0.01, -2], to: [2, 0.3, 2]}]} | checkpoint: {from: [-1, 7.5, -1], to: [1, 9.5, 1]}": "nobody can stand in the checkpoint at (0, 8.5, 0)",
    "mover: {path: [[0, 0, 0], [0, 6, 0]], of: [box: {from: [-2, 0.01, -2], to: [2, 0.3, 2]}]} | checkpoint: {from: [3, 6, -1], to: [5, 8, 1]}": "nobody can stand in the checkpoint at (4, 7, 0)",
    "mover: {path: [[0, 0, 0], [0, 6, 0], [9, 6, 0]], of: [box: {from: [-2, 0.01, -2], to: [2, 0.3, 2]}]} | checkpoint: {from: [8, 1, -1], to: [10, 3, 1]}": "nobody can stand",
    "checkpoint: {from: [-1, -5, -1], to: [1, -3, 1]}": "nobody can stand in the checkpoint at (0, -4, 0)",
    "checkpoint: {from: [31, 0, -1], to: [33, 2, 1]}": "nobody can stand in the checkpoint at (32, 1, 0)",
    "checkpoint: {from: [31, 0, -1], to: [33, 2, 1], intended: [void]}": None,
    "water: {from: [30, -5, -5], to: [35, 1, 5]} | checkpoint: {from: [31, 0, -1], to: [33, 2, 1]}": None,
    f"{BLOCK} | checkpoint: {{from: [3, 0.5, -1], to: [5, 2, 1]}}": None,
    "teleport: {from: [-1, 0, -1], to: [1, 2, 1], arrive: [5, 0, 5]}": None,
    "teleport: {from: [-1, 0, -1], to: [1, 2, 1], arrive: [5, 3, 5]}": None,
    "teleport: {from: [-1, 0, -1], to: [1, 2, 1], arrive: [0.5, 0, 0]}": "the player arrives at (0.5, 0, 0), inside the same teleport",
    "teleport: {from: [-1, 0, -1], to: [1, 2, 1], arrive: [0.5, 0, 0], intended: [overlap]}": None,
    "teleport: {from: [-1, 0, -1], to: [1, 2, 1], arrive: [5, 0, 5]} | teleport: {from: [4, 0, 4], to: [6, 2, 6], arrive: [0, 0, 0]}": None,
    "teleport: {from: [-1, 0, -1], to: [1, 2, 1], arrive: [35, 0, 5]}": "the player arrives at (35, 0, 5), where there is no ground below",
    "teleport: {from: [-1, 0, -1], to: [1, 2, 1], arrive: [5, -2, 5]}": "the player arrives at (5, -2, 5), where there is no ground below",
    "teleport: {from: [-1, 0, -1], to: [1, 2, 1], arrive: [5, -0.3, 5]}": "the player arrives at (5, -0.3, 5) in `floor` (line 4)",
    "teleport: {from: [-1, 0, -1], to: [1, 2, 1], arrive: [5, -60, 5]}": "the player arrives at (5, -60, 5), below `kill_height`",
    "teleport: {from: [-1, 0, -1], to: [1, 2, 1], arrive: [35, 0, 5], intended: [void]}": None,
    f"{BLOCK} | teleport: {{from: [5, 0, 5], to: [6, 2, 6], arrive: [3.8, 0, 0]}}": "the player arrives at (3.8, 0, 0) in `box` (line 5)",
    f"{BLOCK} | teleport: {{from: [5, 0, 5], to: [6, 2, 6], arrive: [0, 0, 0], intended: [buried]}}": None,
    f"{BLOCK} | teleport: {{from: [5, 0, 5], to: [6, 2, 6], arrive: [0, 5, 0]}}": None,
    "gravity: {from: [25, 0, -5], to: [35, 9, 5], towards: east} | teleport: {from: [-1, 0, -1], to: [1, 2, 1], arrive: [30, 3, 0]}": None,
    f"{BLOCK} | light: {{at: [0, 6, 0]}}": None,
    f"{BLOCK} | light: {{at: [0, -1, 0]}}": "the light at (0, -1, 0) lights nothing",
    f"{BLOCK} | light: {{at: [0, -1, 0], intended: [void]}}": None,
    "floor: {from: [-4, -4], to: [4, 4], y: -5, intended: [buried]} | light: {at: [0, -1, 0]}": None,
    "box: {from: [-4, -9, -4], to: [4, -8, 4], intended: [buried]} | light: {at: [0, -9.5, 0]}": "the light at (0, -9.5, 0) is below all ground, 0.5 m under `box` (line 5)",
    "light: {at: [0, -9, 0]}": "the light at (0, -9, 0) lights nothing",
    "light: {at: [29, 1, 0]}": "the light at (29, 1, 0) lights nothing: no front of a face is within its 8 m",
    "light: {at: [29, 1, 0], reach: 20}": None,
    "group: {scale: 3, of: [light: {at: [9, 1, 0]}]}": None,
    "mover: {path: [[0, 0, 0], [30, 0, 0]], of: [box: {from: [-1, 0.5, -1], to: [1, 0.7, 1], intended: [low]}]} | light: {at: [33, 1, 0]}": None,
    f"{BLOCK} | light: {{at: [4, 1, 0]}}": None,
    f"{BLOCK} | light: {{at: [0, 1, 0], intended: [buried]}}": None,
    "box: {from: [-4, 0, -4], to: [4, 5, 4], visible: false} | light: {at: [0, 1, 0]}": None,
    "room: {from: [-2, 0, -2], to: [2, 3, 2]} | light: {at: [0, 2.9, 0]}": None,
    "room: {from: [-2, 0, -2], to: [2, 3, 2], thickness: 0.4} | light: {at: [0, 3.2, 0]}": "the light at (0, 3.2, 0) is inside `room` (line 5)",
    "room: {from: [-2, 3, -2], to: [2, 6, 2], intended: [floating]} | light: {at: [0, 1, 0]}": None,
    "pillar: {at: [0, 0, 0], radius: 0.05} | light: {at: [0, 2, 0]}": None,
    "pillar: {at: [0, 0, 0], radius: 0.4} | light: {at: [0, 2, 0]}": "is inside `pillar`",
    f"{WALL} | sign: {{text: Hello, at: [0, 1.5, 0.1], facing: south}}": None,
    f"{WALL} | sign: {{text: Hello, at: [0, 1.5, 0.13], facing: south}}": None,
    f"{WALL} | sign: {{text: Hello, at: [0, 1.5, 0.13], facing: south, post: 1.2, collide: true, intended: [low]}}": None,
    f"{WALL} | sign: {{text: Hello, at: [0, 1.5, 0], facing: south, intended: [buried]}}": None,
    f"{WALL} | sign: {{text: Hello, at: [0, 1.5, 0.1], facing: north}}": "is inside `wall` (line 5)",
    f"{WALL} | sign: {{text: Hello, at: [0, 1.5, 0.12], facing: north, intended: [buried]}}": None,
    f"{WALL} | sign: {{text: Hello, at: [0, 1.5, 0.5], facing: north}}": None,
    f"{UNTOUCHED_WALL} | sign: {{text: Hello, at: [0, 1.5, 0.12], facing: north}}": "the sign at (0, 1.5, 0.12) faces `wall` (line 5) close in front of it: nobody can read it",
    f"{UNTOUCHED_WALL} | sign: {{text: Hello, at: [0, 1.5, 0.12], facing: south}}": None,
    f"{UNTOUCHED_WALL} | sign: {{text: Hello, at: [0, 1.5, 0], facing: south}}": "the front of the sign at (0, 1.5, 0) is inside `wall` (line 5)",
    f"{UNTOUCHED_WALL[:-1]}, visible: false}} | sign: {{text: Hello, at: [0, 1.5, 0.12], facing: north}}": None,
    f"{CARRIED_SIGN}, facing: north}}]}}": "the sign at (0, 1, -6) faces `wall`",
    f"{CARRIED_SIGN}, facing: north, intended: [buried]}}]}}": None,
    f"{CARRIED_SIGN}, facing: south}}]}}": None,
    "ladder: {at: [0, 0, -4], facing: north}": "the ladder at (0, 0, -4) has no wall behind it",
    "ladder: {at: [0, 0, -4], facing: north, collide: true, intended: [narrow]}": "has no wall behind it",
    "ladder: {at: [0, 0, -4], facing: north, intended: [floating]}": None,
    f"{BLOCK} | ladder: {{at: [0, 0, 4], facing: north, height: 5}}": None,
    f"{BLOCK} | ladder: {{at: [0, 0, 4], facing: north}}": "the ladder ends 2 m below `box` (line 5): nobody can step up there",
    "box: {from: [-4, 0, -9], to: [4, 6.98, -3]} | ladder: {at: [0, 0, -3], height: 3}": "the ladder ends 3.98 m below",
    "box: {from: [-4, 0, -9], to: [4, 7.02, -3]} | ladder: {at: [0, 0, -3], height: 3}": None,  # a climb of its own
    f"{BLOCK} | ladder: {{at: [0, 0, 4], facing: south}}": "the front of the ladder at (0, 0, 4) is inside `box`",
    f"{BLOCK} | ladder: {{at: [0, 0, 1], facing: north}}": "the front of the ladder at (0, 0, 1) is inside `box` (line 5): nobody can climb it",
    f"{BLOCK} | ladder: {{at: [0, 0, 4.5], facing: north}}": "has no wall behind it",
    f"group: {{at: [3, 0, 1], facing: 37, of: [{BLOCK}, ladder: {{at: [0, 0, 4], facing: north, height: 5}}]}}": None,
    "stairs: {at: [0, 0, 0], steps: 5}": None,
    "stairs: {at: [0, 0.2, 0], steps: 5}": None,
    "stairs: {at: [0, 1, 0], steps: 5, intended: [floating]}": None,
    "stairs: {at: [0, 1, 0], steps: 5, collide: false}": None,
    "stairs: {at: [0, -0.5, 0], steps: 9}": None,
    "box: {from: [-2, 0, 0], to: [2, 1, 3], intended: [pit]} | stairs: {at: [0, 1, 0], steps: 5}": None,
    "array: {count: 3, step: [0, 0.9, -1.5], of: [stairs: {at: [0, 0, 0], steps: 5, intended: [low]}]}": None,
    "mover: {path: [[0, 0, 0], [0, 1, 0]], of: [stairs: {at: [0, 1, 0], steps: 5}]}": None,
    "mover: {path: [[0, 0, 1], [0, 1, 1]], of: [box: {from: [-1, 0.01, -1], to: [1, 0.02, 1]}]} | stairs: {at: [0, 1, 0], steps: 5}": None,
    "spiral_stairs: {at: [0, 0, 0], steps: 12, intended: [low]}": None,
    "spiral_stairs: {at: [0, 4, 0], steps: 12, intended: [low]}": "the foot of the stairs at (0, 4, 0) hangs in the air, 4 m above",
    "mover: {path: [[1, 0, 0]], of: [box: {from: [0, 0.1, 0], to: [1, 1, 1]}]}": "the mover never moves",
    "mover: {path: [[0, 1, 0], [0, 1, 0]], of: [box: {from: [0, 3, 0], to: [1, 4, 1]}]}": "the mover never moves",
    "mover: {intended: [still], of: [box: {from: [0, 0.1, 0], to: [1, 1, 1]}]}": None,
    "mover: {swing: 90, of: [box: {from: [0, 0.1, 0], to: [1, 1, 1]}]}": None,
    "target: {name: Bell, at: [0, 1, 0]} | target: {name: Bell, at: [3, 1, 0]}": "the target at line 5 has the same name",
    "target: {name: Bell, at: [0, 1, 0]} | target: {name: Bell, at: [3, 1, 0], intended: [name]}": None,
    "target: {name: Bell, at: [0, 1, 0]} | target: {name: Gem, at: [3, 1, 0]}": None,
    "target: {at: [0, 1, 0]} | target: {at: [3, 1, 0]}": None,
    "array: {count: 3, step: [2, 0, 0], of: [target: {name: Gem, at: [0, 1, 0]}]}": None,
    "box: {name: crate, from: [0, 0, 0], to: [1, 1, 1]} | box: {name: crate, from: [3, 0, 0], to: [4, 1, 1]}": None,
    "checkpoint: {name: top, from: [-1, 0, -1], to: [1, 2, 1]} | checkpoint: {name: top, from: [4, 0, -1], to: [6, 2, 1]}": "the checkpoint at line 5 has the same name",
    "spawns: [{name: a, at: [0, 0, 0]}, {name: b, at: [3, 0, 0]}]": None,
    "spawns: [{name: a, at: [0, 0, 0]}, {name: a, at: [3, 0, 0]}]": "the spawn at line 5 has the same name: an exit or a test finds only that one",
}  # fmt: skip


def found(pieces: str, more: str = "") -> list[Finding]:
    parts = [GROUND, *pieces.split(" | ")]
    last = parts.pop() if parts[-1].startswith(("goal", "spawns")) else ""
    rows = "".join(f"  - {piece}\n" for piece in parts)
    return check(text=f"format: 1\nspawn: {{at: [10, 0, 10]}}\npieces:\n{rows}{last}\n{more}")


@pytest.mark.sample(32)
@pytest.mark.parametrize("pieces", SCENES)
def test_each_place_or_fitting_has_its_warning_and_cure(pieces: str) -> None:
    findings, words = found(pieces), SCENES[pieces]
    told = [finding.render() for finding in findings]
    assert len(findings) == (words is not None), told
    for finding in findings:
        assert words is not None
        assert words in finding.message
        assert finding.severity == ("dropped" if "no length" in words else "warning")
        assert finding.cure


LIFT = "box: {{from: [-2, 0, -2], to: [2, 0.3, 2]{0}}} | mover: {{at: [{1}], path: [{2}], {3} of: [box: {{from: [-2, 0, -2], to: [2, 0.3, 2]}}]}}"


@pytest.mark.parametrize(
    ("at", "path", "more", "words"),
    [
        ("0, 0, 0", "[0, 3, 0], [0, 6, 0]", "", None),  # it is never at `at`
        ("0, 0, 0", "[0, 0, 0], [0, 6, 0]", "", "a face coincides with `box` (line 5) where the mover stops at (0, 0, 0)"),
        ("0, 5, 0", "[0, 0, 0], [0, -5, 0]", "", "where the mover stops at (0, 0, 0)"),
        ("9, 5, 0", "[0, 0, 0], [-9, -5, 0], [-9, 3, 0]", "", "where the mover stops at (0, 0, 0)"),
        ("0, -2, 0", "[0, 0, 0], [0, 4, 0]", "", None),  # it passes through the box, and stops nowhere in it
        ("0, 5, 0", "[0, 0, 0], [0, 2, 0]", "phase: 100,", None),
        ("0, 0, 0", "", "swing: 45, ", "where the mover stops at (0, 0, 0)"),
        ("0, 0.01, 0", "", "swing: 45, ", None),
    ],
)  # fmt: skip
def test_movers_are_judged_at_their_stops(at: str, path: str, more: str, words: str | None) -> None:
    pieces = LIFT.format("", at, path, more).replace("path: [], ", "")
    told = [
        finding.message for finding in found(pieces) if "coincides" in finding.message or "flickers" in finding.message
    ]
    assert len(told) == (words is not None), told
    assert words is None or words in told[0]


SHAFT = "box: {from: [-5, 5, -5], to: [5, 5.5, 5]}"
HOLE = "floor: {from: [-9, -9], to: [9, 9], y: 4, thickness: 0.3, holes: [{from: [-3, -3], to: [3, 3]}]}"


@pytest.mark.full
@pytest.mark.parametrize(
    ("path", "others", "words"),
    [
        ("[0, 0.1, 0], [0, 6, 0]", SHAFT, "the lift presses the player against `box` (line 6): at ("),
        ("[0, 0.1, 0], [0, 4.6, 0]", SHAFT, "it leaves 0.10 m above its deck"),
        ("[0, 0.1, 0], [0, 2.8, 0]", SHAFT, None),
        ("[0, 0.1, 0], [0, 4, 0], [0, 4, 20]", HOLE, None),
        ("[0, 0.1, 0], [0, 4, 0]", HOLE.replace("[-3, -3]", "[-9, -3]").replace("[3, 3]", "[-8, 3]"), "`floor` (line 6)"),
        ("[0, 0.1, 0], [0, 4, 0]", HOLE.replace("[-3, -3]", "[0, -3]"), None),  # half of the deck has room
        ("[0, 3, 0], [0, -0.5, 0]", "", None),  # it sinks into the floor, and the player stays there
        ("[0, 3, 0], [0, -4, 0]", "", "the lift presses the player against `floor` (line 4)"),
        ("[-9, 0.1, 0], [9, 0.1, 0]", "box: {from: [-2, 0.7, -5], to: [2, 5.5, 5]}", None),  # it pushes the player aside
    ],
)  # fmt: skip
def test_lifts_that_crush_their_rider(path: str, others: str, words: str | None) -> None:
    lift = f"mover: {{path: [{path}], of: [box: {{from: [-2, 0, -2], to: [2, 0.3, 2]}}]}}"
    told = [one.message for one in found(" | ".join([lift, *filter(None, [others])])) if "presses" in one.message]
    assert len(told) == (words is not None), told
    assert words is None or words in told[0]
    intended = lift.replace("mover: {", "mover: {intended: [low], ")
    rest = found(" | ".join([intended, *filter(None, [others])]))
    assert [one.message for one in rest if "presses" in one.message] == []


def test_the_roof_of_a_cabin_is_no_deck() -> None:
    sides = "box: {from: [-1.9, 0.3, 1.7], to: [1.9, 2.6, 1.9]}, box: {from: [-2, 2.6, -2], to: [2, 2.8, 2]}"
    cabin = f"mover: {{path: [[0, 0.1, 0], [0, 3, 0]], of: [box: {{from: [-2, 0, -2], to: [2, 0.3, 2]}}, {sides}]}}"
    told = found(f"{cabin} | box: {{from: [-5, 6, -5], to: [5, 6.5, 5]}}")
    assert [one.message for one in told if "presses" in one.message] == []


def test_an_open_door_in_its_wall_does_not_flicker() -> None:
    door = (
        "mover: {at: [0, 0, 0], path: [[0, 0, 0], [1, 0, 0]], of: [box: {from: [-0.5, 0.01, -0.1], to: [0.5, 2, 0.1]}]}"
    )
    strip = "box: {from: [0.5, 0.5, -0.15], to: [1.5, 0.6, 0.15], surface: red}"
    wall = "wall: {from: [0.4, 0], to: [4, 0], thickness: 0.4}"
    red = "surfaces: {red: {colour: red}}"
    assert [one.message for one in found(f"{door} | {strip}", red) if "flicker" in one.message] != []
    assert [one.message for one in found(f"{door} | {strip} | {wall}", red) if "flicker" in one.message] == []


def test_two_movers_meet_only_where_both_stand_at_the_start() -> None:
    def lift(phase: float) -> str:
        box = "box: {from: [-1, 0, -1], to: [1, 0.2, 1]}"
        return (
            f"mover: {{at: [0, 3, 0], path: [[0, 0, 0], [0, 9, 0]], seconds: 5, pause: 1, phase: {phase}, of: [{box}]}}"
        )

    def told(*phases: float) -> list[str]:
        return [one.message for one in found(" | ".join(map(lift, phases))) if "coincides" in one.message]

    assert len(told(0, 0)) == 1
    assert told(0, 6.5) == [], "one is below while the other is above"
    assert told(0, 3) == [], "one moves"


@pytest.mark.full
def test_a_light_is_as_large_as_when_the_level_is_lit() -> None:
    assert pytest.importorskip("game.render.scene.point_lights").BULB_RADIUS == LIGHT_RADIUS
