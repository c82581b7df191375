"""Spawns in the way of a mover: every kind of motion, and riders."""

# ruff: noqa: E501 (one line a scene)
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from game.level import Finding, check, load
from game.physics import Command
from game.sim import World
from game.sim.events import Respawned, RespawnReason

FLOOR = "floor: {from: [-30, -30], to: [30, 30]}"
SLAB = "box: {from: [-1, -0.2, -1], to: [1, 0, 1]}"
WALL = "box: {from: [-1, 0, -0.1], to: [1, 3, 0.1]}"
ARM = "box: {from: [-0.1, 0, -3], to: [0.1, 2, 0]}"
PRESS = "mover: {name: press, at: [0, 2.6, 0], path: [[0, 0, 0], [0, -2.4, 0]], seconds: 1, pause: 2.5, of: [box: {from: [-1, 0, -1], to: [1, 0.5, 1]}]}"

# Pieces, feet of the spawn, and the mover and the time that the warning names; None: no warning.
SCENES = {
    "a press": (PRESS, (0, 0, 0), ('`mover "press"` (line 5)', "2.9 s")),
    "beside a press": (PRESS, (1.4, 0, 0), None),
    "a press that is down at the start": (PRESS.replace("pause", "phase: 4, pause"), (0, 0, 0), ("`mover", "at the start")),
    "a gate": (f"mover: {{at: [-5, 0, 0], path: [[0, 0, 0], [10, 0, 0]], seconds: 4, of: [{WALL}]}}", (0, 0, 0), ("`mover` (line 5)", "2.7 s")),
    "a gate ahead by its phase": (f"mover: {{at: [-5, 0, 0], phase: 2, path: [[0, 0, 0], [10, 0, 0]], seconds: 4, of: [{WALL}]}}", (0, 0, 0), ("`mover`", "0.7 s")),
    "before a gate": (f"mover: {{at: [-5, 0, 0], path: [[0, 0, 0], [10, 0, 0]], seconds: 4, of: [{WALL}]}}", (0, 0, 0.5), None),
    "on the way back of a loop": (f"mover: {{at: [0, 0, -9], path: [[0, 0, 0], [9, 0, 0], [9, 0, 9]], onwards: loop, seconds: 9, pause: 0, ease: false, of: [{WALL}]}}", (4.5, 0, -4.5), ("`mover`", "12.0 s")),
    "beside that way": (f"mover: {{at: [0, 0, -9], path: [[0, 0, 0], [9, 0, 0], [9, 0, 9]], onwards: loop, seconds: 9, pause: 0, ease: false, of: [{WALL}]}}", (4.5, 0, 0), None),
    "a door that swings": (f"mover: {{at: [1, 0, 0], swing: 90, seconds: 2, of: [{WALL.replace('[-1, 0', '[0, 0')}]}}", (1.4, 0, -0.7), ("`mover`", "1.")),
    "behind that door": (f"mover: {{at: [1, 0, 0], swing: 90, seconds: 2, of: [{WALL.replace('[-1, 0', '[0, 0')}]}}", (1.4, 0, 0.9), None),
    "a spinning arm": (f"mover: {{at: [0, 0.5, 0], spin: 40, of: [{ARM}]}}", (3, 0, 0), ("`mover`", "6.6 s")),
    "an arm that spins the other way": (f"mover: {{at: [0, 0.5, 0], spin: -40, of: [{ARM}]}}", (3, 0, 0), ("`mover`", "2.1 s")),
    "out of its reach": (f"mover: {{at: [0, 0.5, 0], spin: 40, of: [{ARM}]}}", (3.4, 0, 0), None),
    "a wheel about a level axis": (f"mover: {{at: [0, 3.5, 0], axis: [1, 0, 0], spin: 30, of: [{ARM.replace('2, 0]', '0.1, 0]')}]}}", (0, 0, 0), ("`mover`", "8.8 s")),
    "an arm that travels, slowly turning": (f"mover: {{at: [-8, 0.5, 0], path: [[0, 0, 0], [8, 0, 0]], seconds: 4, pause: 0, ease: false, spin: 18, of: [{ARM}]}}", (5.7, 0, 0), None),
    "a box without motion": (f"mover: {{at: [0, 0, 0], path: [[0, 0, 0]], of: [{WALL}]}}", (0, 0, 0.2), ("`mover`", "at the start")),
    "in a group, turned and scaled": (f"group: {{at: [5, 0, 0], facing: west, scale: 2, of: [mover: {{at: [0, 0, 0], path: [[0, 0, 3], [0, 0, -3]], of: [{WALL}]}}]}}", (5, 0, 0), ("`mover` (line 5)", "2.")),
    "one that does not collide": (PRESS.replace("of: [box: {", "of: [box: {collide: false, "), (0, 0, 0), None),
    "under a lift": (f"mover: {{at: [0, 0.2, 0], phase: 4, path: [[0, 0, 0], [0, 4, 0]], seconds: 3, of: [{SLAB}]}}", (0, 0, 0), ("`mover`", "2.7 s")),
    "on a lift": (f"mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [0, 4, 0]], seconds: 3, of: [{SLAB}]}}", (0, 0.2, 0), None),
    "on the edge of a lift": (f"mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [0, 4, 0]], seconds: 3, of: [{SLAB}]}}", (1.1, 0.2, 0), None),
    "a step above a lift": (f"mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [0, 4, 0]], seconds: 3, of: [{SLAB}]}}", (0, 0.5, 0), None),
    "beside a lift": (f"mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [0, 4, 0]], seconds: 3, of: [{SLAB}]}}", (1.4, 0, 0), None),
    "on a turntable": (f"mover: {{at: [0, 0.2, 0], spin: 40, of: [{SLAB}]}}", (0.5, 0.2, 0.5), None),
    "on a train of two movers": (f"mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [9, 0, 0]], of: [{SLAB}]}} | mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [9, 0, 0]], of: [box: {{from: [-1, 0, -1], to: [-0.9, 2, 1]}}]}}", (0, 0.2, 0), None),
}  # fmt: skip


@pytest.fixture
def scene(written: Callable[[str], Path]) -> Callable[..., Path]:
    def write(pieces: str, feet: tuple[float, ...], facing: float = 0.0) -> Path:
        rows = "".join(f"  - {piece}\n" for piece in [FLOOR, *pieces.split(" | ")])
        spawn = f"{{at: [{', '.join(f'{x:.6f}' for x in feet)}], facing: {facing:.3f}}}"
        return written(f"format: 1\nspawn: {spawn}\npieces:\n{rows}")

    return write


def about_movers(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.where.startswith("spawn") and "mover" in finding.message]


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", SCENES)
def test_a_mover_that_meets_a_spawn_is_reported_with_its_cure(scene: Callable[..., Path], name: str) -> None:
    pieces, feet, expected = SCENES[name]
    found = about_movers(check(scene(pieces, feet)))
    told = [finding.render() for finding in found]
    if expected is None:
        assert not found, told
        return
    (finding,) = found
    assert (finding.severity, finding.line, finding.column) == ("warning", 2, 1)
    assert all(words in finding.message for words in expected), told
    assert finding.message.endswith("and pushes or crushes the player")
    assert finding.cure == "move the spawn out of its way, or change its motion"


def test_a_spawn_under_a_press_is_crushed_in_every_tick(scene: Callable[..., Path]) -> None:
    """What the warning is about. The time that it gives is that at which the press is in the body."""
    world = World(load(scene(PRESS, (0, 0, 0))))
    crushed = []
    for tick in range(300):
        events = world.step(Command())
        if any(isinstance(event, Respawned) and event.reason == RespawnReason.CRUSHED for event in events):
            crushed.append(tick)
    assert crushed[:20] == list(range(crushed[0], crushed[0] + 20))
    assert crushed[0] / 60.0 == pytest.approx(2.9, abs=0.2)


def test_each_spawn_has_one_warning_for_the_first_mover(written: Callable[[str], Path]) -> None:
    later = PRESS.replace("press", "later").replace("pause: 2.5", "pause: 3.5")
    path = written(
        "format: 1\nspawns:\n  - {name: a, at: [9, 0, 0]}\n  - {name: b, at: [0, 0, 0]}\n  - {name: c, at: [0.3, 0, 0.2]}\n"
        f"pieces:\n  - {FLOOR}\n  - {later}\n  - {PRESS}\n"
    )
    found = about_movers(check(path))
    assert [(finding.line, finding.where) for finding in found] == [(4, "spawn (b)"), (5, "spawn (c)")]
    assert all('`mover "press"` (line 9)' in finding.message for finding in found)
