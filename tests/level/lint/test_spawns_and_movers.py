"""Spawns in the way of a mover: every kind of motion, riders, and the times against the poses of the physics."""

# ruff: noqa: E501 (one line a scene)
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from game.core.walker_settings import DEFAULT_SETTINGS
from game.level import Finding, Level, check, load
from game.level.geometry.overlapping_pairs import distance_from_origin
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
    "a gate": (f"mover: {{at: [-5, 0, 0], path: [[0, 0, 0], [10, 0, 0]], seconds: 4, of: [{WALL}]}}", (0, 0, 0), ("`mover` (line 5)", "2.6 s")),
    "a gate ahead by its phase": (f"mover: {{at: [-5, 0, 0], phase: 2, path: [[0, 0, 0], [10, 0, 0]], seconds: 4, of: [{WALL}]}}", (0, 0, 0), ("`mover`", "0.6 s")),
    "before a gate": (f"mover: {{at: [-5, 0, 0], path: [[0, 0, 0], [10, 0, 0]], seconds: 4, of: [{WALL}]}}", (0, 0, 0.5), None),
    "on the way back of a loop": (f"mover: {{at: [0, 0, -9], path: [[0, 0, 0], [9, 0, 0], [9, 0, 9]], onwards: loop, seconds: 9, pause: 0, ease: false, of: [{WALL}]}}", (4.5, 0, -4.5), ("`mover`", "12.0 s")),
    "beside that way": (f"mover: {{at: [0, 0, -9], path: [[0, 0, 0], [9, 0, 0], [9, 0, 9]], onwards: loop, seconds: 9, pause: 0, ease: false, of: [{WALL}]}}", (4.5, 0, 0), None),
    "a door that swings": (f"mover: {{at: [1, 0, 0], swing: 90, seconds: 2, of: [{WALL.replace('[-1, 0', '[0, 0')}]}}", (1.4, 0, -0.7), ("`mover`", "1.")),
    "behind that door": (f"mover: {{at: [1, 0, 0], swing: 90, seconds: 2, of: [{WALL.replace('[-1, 0', '[0, 0')}]}}", (1.4, 0, 0.9), None),
    "a spinning arm": (f"mover: {{at: [0, 0.5, 0], spin: 40, of: [{ARM}]}}", (3, 0, 0), ("`mover`", "6.6 s")),
    "an arm that spins the other way": (f"mover: {{at: [0, 0.5, 0], spin: -40, of: [{ARM}]}}", (3, 0, 0), ("`mover`", "2.1 s")),
    "out of its reach": (f"mover: {{at: [0, 0.5, 0], spin: 40, of: [{ARM}]}}", (3.4, 0, 0), None),
    "a wheel about a level axis": (f"mover: {{at: [0, 3.5, 0], axis: [1, 0, 0], spin: 30, of: [{ARM.replace('2, 0]', '0.1, 0]')}]}}", (0, 0, 0), ("`mover`", "8.7 s")),
    "an arm that travels, slowly turning": (f"mover: {{at: [-8, 0.5, 0], path: [[0, 0, 0], [8, 0, 0]], seconds: 4, pause: 0, ease: false, spin: 18, of: [{ARM}]}}", (5.7, 0, 0), None),
    "the same, nearer": (f"mover: {{at: [-8, 0.5, 0], path: [[0, 0, 0], [8, 0, 0]], seconds: 4, pause: 0, ease: false, spin: 18, of: [{ARM}]}}", (2.4, 0, -0.8), ("`mover`", "35.6 s")),
    "a box without motion": (f"mover: {{at: [0, 0, 0], path: [[0, 0, 0]], of: [{WALL}]}}", (0, 0, 0.2), ("`mover`", "at the start")),
    "in a group, turned and scaled": (f"group: {{at: [5, 0, 0], facing: west, scale: 2, of: [mover: {{at: [0, 0, 0], path: [[0, 0, 3], [0, 0, -3]], of: [{WALL}]}}]}}", (5, 0, 0), ("`mover` (line 5)", "2.")),
    "one that does not collide": (PRESS.replace("of: [box: {", "of: [box: {collide: false, "), (0, 0, 0), None),
    "under a lift": (f"mover: {{at: [0, 0.2, 0], phase: 4, path: [[0, 0, 0], [0, 4, 0]], seconds: 3, of: [{SLAB}]}}", (0, 0, 0), ("`mover`", "2.6 s")),
    "on a lift": (f"mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [0, 4, 0]], seconds: 3, of: [{SLAB}]}}", (0, 0.2, 0), None),
    "on the edge of a lift": (f"mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [0, 4, 0]], seconds: 3, of: [{SLAB}]}}", (1.1, 0.2, 0), None),
    "a step above a lift": (f"mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [0, 4, 0]], seconds: 3, of: [{SLAB}]}}", (0, 0.5, 0), None),
    "beside a lift": (f"mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [0, 4, 0]], seconds: 3, of: [{SLAB}]}}", (1.4, 0, 0), None),
    "on a turntable": (f"mover: {{at: [0, 0.2, 0], spin: 40, of: [{SLAB}]}}", (0.5, 0.2, 0.5), None),
    "in a lift that rises into a wall": (f"mover: {{name: car, at: [0, 0.2, 0], path: [[0, 0, 0], [0, 4, 0]], seconds: 4, pause: 0, ease: false, of: [{SLAB}]}} | mover: {{name: bar, at: [0, 3, 0], path: [[0, 0, 0]], of: [{SLAB}]}}", (0, 0.2, 0), ('`mover "bar"` (line 6)', "0.9 s")),
    "on a train of two movers": (f"mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [9, 0, 0]], of: [{SLAB}]}} | mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [9, 0, 0]], of: [box: {{from: [-1, 0, -1], to: [-0.9, 2, 1]}}]}}", (0, 0.2, 0), None),
    "on the way of the same train": (f"mover: {{name: floor, at: [0, 0.2, 0], path: [[0, 0, 0], [9, 0, 0]], of: [{SLAB}]}} | mover: {{name: back, at: [0, 0.2, 0], path: [[0, 0, 0], [9, 0, 0]], of: [box: {{from: [-1, 0, -1], to: [-0.9, 2, 1]}}]}}", (6, 0, 0), ("`mover", "")),
    "where gravity is turned": ("gravity: {from: [-4, 0, -4], to: [4, 6, 4], down: [1, 0, 0]} | mover: {at: [2.5, 3, -3], path: [[0, 0, 0], [0, 0, 6]], seconds: 6, of: [box: {from: [-0.2, -0.2, -0.2], to: [0.2, 0.2, 0.2]}]}", (4, 3, 0), ("`mover`", "3.")),
    "beside that mover": ("gravity: {from: [-4, 0, -4], to: [4, 6, 4], down: [1, 0, 0]} | mover: {at: [2.5, 3.6, -3], path: [[0, 0, 0], [0, 0, 6]], seconds: 6, of: [box: {from: [-0.2, -0.2, -0.2], to: [0.2, 0.2, 0.2]}]}", (4, 3, 0), None),
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


@pytest.mark.sample(15)
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


def random_mover(rng: np.random.Generator) -> str:
    """A mover whose path and spin have a common period of at most a minute."""
    low = rng.uniform(-1.0, 0.0, 3)
    corners = [", ".join(f"{x:.3f}" for x in corner) for corner in (low, low + rng.uniform(0.2, 1.5, 3))]
    stops = rng.uniform(-3.0, 3.0, (int(rng.integers(1, 5)), 3)) * (1.0, 0.2, 1.0) + (0.0, 1.2, 0.0)
    path = ", ".join(f"[{x:.3f}, {y:.3f}, {z:.3f}]" for x, y, z in stops)
    fields = (
        f"path: [{path}], seconds: {rng.integers(2, 8)}, pause: {rng.integers(0, 2)}, phase: {rng.uniform(0, 9):.2f}"
    )
    fields += f", ease: {rng.choice(['true', 'false'])}, onwards: {rng.choice(['loop', 'back_and_forth'])}"
    if rng.random() < 0.6:
        axis = ", ".join(f"{x:.2f}" for x in rng.normal(size=3))
        fields += f", axis: [{axis}], swing: {rng.choice([0, 90, -200])}, spin: {rng.choice([0, 12, -60])}"
    return f"mover: {{at: [0, 0, 0], {fields}, of: [box: {{from: [{corners[0]}], to: [{corners[1]}]}}]}}"


def distances(level: Level, facing: float, seconds: np.ndarray) -> np.ndarray:
    """(n,) distance of the level's mover from the centre of a body at the spawn, in radii, by the poses of the physics."""
    (mover,), movers = level.movers, level.environment.movers
    assert movers is not None
    centre = np.array(level.spawns[0].feet) + np.array((0.0, DEFAULT_SETTINGS.radii[1], 0.0))
    sine, cosine = np.sin(np.radians(facing)), np.cos(np.radians(facing))
    axes = np.array([(cosine, 0.0, -sine), (0.0, 1.0, 0.0), (sine, 0.0, cosine)])
    poses = np.array([movers.poses(60.0 * now)[0] for now in seconds])
    world = np.einsum("nij,mkj->nmki", poses[:, :, :3], mover.triangles) + (poses[:, None, None, :, 3] - centre)
    local = world @ axes.T / DEFAULT_SETTINGS.radii
    return distance_from_origin(local.reshape(-1, 3, 3)).reshape(len(seconds), -1).min(axis=1)


@pytest.mark.full
@pytest.mark.parametrize(("seeds", "most"), [(range(5), 1), pytest.param(range(30), 6, marks=pytest.mark.full)])
def test_the_times_are_those_of_the_physics(scene: Callable[..., Path], seeds: range, most: int) -> None:
    """Random movers and spawns, against the poses of the physics, 60 of them in a second."""
    came = stayed = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        facing = float(rng.uniform(0.0, 360.0))
        path = scene(random_mover(rng), tuple(rng.uniform(-2.0, 2.0, 3) * (1, 0, 1)), facing)
        level = load(path)
        seconds = np.arange(0.0, 60.0, 1.0 / 60.0)
        away = distances(level, facing, seconds)
        found = about_movers(check(path))
        if away[0] < 0.92:
            continue  # the body stands on the mover, or in it
        if found:
            came += 1
            told = float(found[0].message.split(" comes here ")[1].split()[0])
            assert away.min() < 0.92, seed
            assert told >= seconds[np.argmax(away < 0.95)] - 0.1, seed
            assert told <= seconds[np.argmax(away < 0.89)] + 0.1 or away.min() > 0.89, seed
        else:
            stayed += 1
            assert away.min() > 0.88, seed
    assert min(came, stayed) >= most, (came, stayed)
