"""Random walks with checks: good walks have no failure, broken walkers are found, and a shard has the same bytes."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from game.fuzz.failures import KINDS
from game.fuzz.random_walks import walk_and_check
from game.fuzz.shards import needs_world, walk_shard
from game.fuzz.walk_routes import MeshRoute, WorldRoute
from game.level import Spawn, load
from game.level.build.entities.zones import LevelZone
from game.level.mesh_level import level_of_mesh
from game.physics import Environment, TriangleMesh, Walker, WalkerSettings, slim
from game.physics.environment.motion import Motion
from tests.support.level_builder import build_level, level_mover
from tests.support.scenes import box, floor, mesh, wall

pytestmark = pytest.mark.jit
ROOT = Path(__file__).parents[2]
TICKS = 400
BODY = WalkerSettings()
WALLS = [wall(-4, -4, 4, -4, 5), wall(4, -4, 4, 4, 5), wall(4, 4, -4, 4, 5), wall(-4, 4, -4, -4, 5)]
BLOCKS = [box(-3, 0, -3, -1, 0.6, -1), box(1, 0, -3, 3, 0.7, -1), box(-3, 0, 1, -1, 1.2, 3), box(1, 0, 1, 3, 0.3, 3)]
PARTITION = wall(0, -4, 0, 4, 5)
AT = 150  # tick whose end a broken walker changes


def room(*more):
    """A closed room of 8 x 8 m with four blocks."""
    return mesh(floor(-4, -4, 4, 4), *WALLS, *BLOCKS, *more)


class BrokenWalker(Walker):
    """Claims the usual settings, but walks with others, on another mesh, or with other results."""

    def __init__(self, settings=None, real_mesh=None, change=None):
        super().__init__(settings)
        self.settings, self.real_mesh, self.change = BODY, real_mesh, change

    def run(self, state, rows, mesh, trace=False, around=None, clock=0):
        result = super().run(state, rows, self.real_mesh or mesh, trace, around, clock)
        if self.change is not None and not trace:
            self.change(result, rows)
        return result


def one_state(**fields):
    """A change of the state at the end of tick AT: differences, or booleans."""

    def change(states, rows):
        if len(states) == TICKS:
            for name, value in fields.items():
                states[name][AT] = value if isinstance(value, bool) else states[name][AT] + np.array(value)

    return change


def not_finite(states, rows):
    states["position"][AT:] = np.nan


def sways(states, rows):
    states["position"][:, 0] += 0.01 * (np.arange(len(states)) % 2)


def slides_without_a_command(states, rows):
    if not rows["forward"].any():
        states["position"][:, 0] += 1e-6 * np.arange(len(states)) ** 2


FAST = WalkerSettings(walk_speed=6.0, sprint_speed=9.0)
CLIMBER = WalkerSettings(step_height=0.85)
FIXED = WalkerSettings(walk_speed=0.0, sprint_speed=0.0, crouch_speed=0.0)
BROKEN = {
    "tunnel": {"real_mesh": room()},
    "gap": {"change": one_state(position=(0.0, -0.03, 0.0))},
    "wild": {"change": not_finite},
    "fast": {"settings": FAST},
    "way": {"change": one_state(position=(0.2, 0.0, 0.2))},
    "speed": {"settings": FAST},
    "tremble": {"settings": FIXED, "change": sways},
    "drift": {"change": slides_without_a_command},
    "stuck": {"settings": FIXED},
    "high step": {"settings": CLIMBER},
    "air step": {"change": one_state(position=(0.0, 0.03, 0.0), grounded=False)},
    "landing": {"change": one_state(position=(0.0, -0.6, 0.0), grounded=False)},
    "drop": {"change": one_state(position=(0.0, -0.85, 0.0))},
    "turn": {"change": one_state(heading=100)},
    "up": {"change": one_state(up=(1.0, -1.0, 0.0))},
}


def walk(seed=1, **broken):
    route = MeshRoute(room(PARTITION), BODY)
    route.walker = BrokenWalker(**broken)
    return walk_and_check(route, TICKS, [seed], reach=3.5)


def failing(report):
    return {kind for kind, ticks in report.failing.items() if ticks}


def test_a_walker_that_is_not_broken_has_no_failure():
    for seed in range(5):
        assert not failing(walk(seed)), seed


@pytest.mark.parametrize("kind", KINDS)
def test_a_broken_walker_is_found(kind):
    for seed in range(20):  # not each walk comes to a block
        report = walk(seed, **BROKEN[kind])
        if kind in failing(report):
            break
    first = report.failing[kind][0]
    case = next(case for case in report.cases if case.kind == kind)
    assert case.tick == first
    assert case.state.shape == case.command.shape == (1,)


def press():
    """A level with a press that comes down on its middle, and covers it."""
    triangles = floor(-3, -3, 3, 3) + wall(-3, -3, 3, -3, 4) + wall(3, -3, 3, 3, 4)
    triangles += wall(3, 3, -3, 3, 4) + wall(-3, 3, -3, -3, 4)
    motion = Motion(((0.0, 0.0, 0.0), (0.0, -2.6, 0.0)), 1.5)
    block = level_mover(box(-2, 0, -2, 2, 0.4, 2), (0.0, 2.8, 0.0), motion, "press")
    return build_level(triangles, movers=(block,), spawns=(Spawn("start", (2.5, 0.0, 2.5), 0),))


@pytest.mark.full
@pytest.mark.parametrize("broken", [False, True])
def test_a_mover_that_goes_through_the_walker_is_found(broken):
    """The walker of the broken world does not know the mover."""
    route = WorldRoute(press(), BODY)
    if broken:
        route.world.environment = Environment()
    report = walk_and_check(route, 1200, [3])
    assert failing(report) >= {"gap", "tunnel"} if broken else not failing(report), report.cases[:1]


@pytest.mark.full
def test_a_hole_in_the_floor_of_a_world_is_found():
    route = WorldRoute(press(), BODY)
    route.world.mesh = mesh(wall(-3, -3, 3, -3, 4))
    assert "tunnel" in failing(walk_and_check(route, 200, [1]))


@pytest.mark.parametrize("settings", [BODY, FIXED])
def test_a_walker_that_is_stuck_on_a_wall_is_found(settings):
    """Gravity towards -X: the wall in the west is the ground."""
    down = LevelZone("gravity", (0.0, 0.0, 0.0), (90.0, 90.0, 90.0), physics=(("down", (-1.0, 0.0, 0.0)),))
    triangles = [*floor(-4, -4, 4, 4)] + [each for side in WALLS for each in side]
    level = build_level(triangles, all_zones=(down,), spawns=(Spawn("start", (-4.0, 2.0, 0.0), 0),))
    route = WorldRoute(level, BODY)
    route.walker = route.world.walker = BrokenWalker(settings)
    report = walk_and_check(route, 600, [2])
    assert failing(report) == ({"stuck"} if settings is FIXED else set())


@pytest.mark.full
@pytest.mark.parametrize("name", ["lifts", "waters", "escher", "surfaces"])
def test_a_shard_of_a_shipped_level_has_no_failure(name):
    level = load(ROOT / "levels" / f"{name}.yaml")
    report = walk_shard(level, "slim", slim(), 4, 0, 500)
    assert needs_world(level) == (name != "surfaces")
    assert report.ticks == 500
    assert not failing(report)
    assert 0.0049 < report.worst_gap < 9.0


def digest() -> str:
    """Of the reports of a shard of a mesh, of one with a failure, and of a world."""
    broken = level_of_mesh(mesh(floor(-9, -9, 9, 9), box(-1, 0, -1, 1, 0.6, 1)), (0.0, 0.0, 0.0), 0)
    worlds = [(level_of_mesh(room(), (0.0, 0.0, 0.0), 0), BODY), (broken, FIXED), (press(), BODY)]
    found = hashlib.sha256()
    for level, settings in worlds:
        report = walk_shard(level, "default", settings, 5, 1, 300)
        found.update(repr((report.line("", ""), report.worst_gap, report.failing)).encode())
        for case in report.cases:
            found.update(str(case).encode() + case.state.tobytes() + case.command.tobytes())
    return found.hexdigest()


@pytest.mark.full
def test_a_shard_has_the_same_bytes_in_each_process():
    code = f"from {__name__} import digest; print(digest())"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert digest() == other.stdout.strip()


def test_each_index_and_seed_begins_elsewhere():
    level = level_of_mesh(room(), (0.0, 0.0, 0.0), 0)
    reports = [walk_shard(level, body, FIXED, *key, 200) for body in ("a", "b") for key in ((1, 0), (0, 1))]
    assert len({report.cases[0].state["position"].tobytes() for report in reports}) == 4


def test_a_level_without_ground_has_no_place_to_begin():
    level = level_of_mesh(TriangleMesh(np.array(wall(0, 0, 1, 0, 3), np.float64)), (0.0, 0.0, 0.0), 0)
    with pytest.raises(ValueError, match="found no place to begin a walk"):
        walk_shard(level, "default", BODY, 0, 0, 60)
    with pytest.raises(ValueError, match="seed must be at least 0"):
        walk_shard(level, "default", BODY, -1, 0)
