"""Eight threads share objects of every public class of the physics, and get the bits that one thread gets."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from game.physics import (
    Box,
    Capsule,
    Command,
    Crowd,
    Ellipsoid,
    Environment,
    HeightField,
    Material,
    Motion,
    Mover,
    Movers,
    Sphere,
    TriangleMesh,
    Walker,
    WalkerSettings,
    WalkerState,
    Zone,
    Zones,
    point_in_polygon,
)
from game.physics.balls.balls import Balls
from tests.support.scenes import box, stairs
from tests.support.threads import run_in_threads

THREADS = 8
CASES = 16  # different calls of each kind
CALLS = 12 if numba.config.DISABLE_JIT else 96
FULL_CALLS = 100_000  # calls of each kind by all threads; the latter with --full

Answer = Callable[[int], Any]  # what a call gives, by the number of the case; comparable with ==


def uneven_ground() -> tuple[np.ndarray, HeightField]:
    """Ground of 30 x 30 m with waves, and its height field."""
    x, z = np.meshgrid(np.arange(31.0), np.arange(31.0))
    return HeightField.of_grid(0.3 * np.sin(x) * np.cos(0.7 * z), (-15.0, -15.0))


def shared_mesh() -> TriangleMesh:
    ground, field = uneven_ground()
    blocks = [triangle for k in range(6) for triangle in box(3.0 * k - 9.0, -1.0, -6.0, 3.0 * k - 8.0, 1.0, -5.0)]
    rest = np.array([*stairs(0.2, 0.3, 6), *blocks])
    surfaces = np.concatenate((np.arange(len(ground)) % 6, 6 + np.arange(len(rest)) % 6))
    materials = [Material(friction=0.2 + 0.1 * k) for k in range(12)]
    return TriangleMesh(np.concatenate((ground, rest)), surfaces, materials, [field])


def shared_environment() -> Environment:
    slab = TriangleMesh(np.array(box(-1.0, -0.1, -1.0, 1.0, 0.1, 1.0)))
    movers = [Mover(slab, (4.0 * k - 6.0, 0.6, 3.0), Motion(((0.0, 2.0, 0.0), (2.0, 0.0, 0.0)), 2.0)) for k in range(4)]
    zones = [
        Zone((-5.0, 1.0, 6.0), (2.0, 3.0, 2.0), current=(0.0, 1.0, 2.0)),
        Zone((-6.0, 1.0, 3.0), (1.0, 1.5, 1.0), current=(0.0, 4.0, 0.0), mover=0),
        Zone((6.0, 0.0, 8.0), (3.0, 1.0, 3.0), water=True),
    ]
    return Environment(Zones(zones), Movers(movers))


def walk_answers(mesh: TriangleMesh, other: TriangleMesh, around: Environment) -> dict[str, Answer]:
    """Ticks of walkers and balls. Their memory is that of the walker, the crowd, the balls and the environment."""
    walker, fine = Walker(), Walker(WalkerSettings(ticks_per_second=120))
    rng = np.random.default_rng(29)
    rows = walker.commands(
        forward=rng.uniform(-1.0, 1.0, 40 * CASES),
        strafe=rng.uniform(-1.0, 1.0, 40 * CASES),
        heading=np.cumsum(rng.integers(-2000, 2000, 40 * CASES)) % 65536,
        jump=rng.random(40 * CASES) < 0.1,
        crouch=rng.random(40 * CASES) < 0.1,
    )
    start = walker.spawn(mesh, (0.0, 1.0, 6.0), around=around)
    path = walker.run(start, rows, mesh, around=around)[::40]
    states = [walker.state(row) for row in path]
    commands = [Command(forward=1.0, heading=4096 * k, jump=k % 5 == 0) for k in range(CASES)]
    crowd = Crowd(walker, mesh, threads=3, around=around)
    many, many_rows = np.repeat(path, 10), np.repeat(rows[:CASES], 10)
    lift = Movers([around.movers[0]]) if around.movers else None
    watching = Crowd(walker, mesh, threads=1, around=Environment(None, lift))
    balls, meshes = Balls(), [mesh] * (CASES - 1) + [other]  # the environment is packed again for another mesh
    piles = [Balls.rows(rng.uniform((-2.0, 1.5, 3.0), (2.0, 3.0, 7.0), (6 + k % 3, 3)), 0.3) for k in range(CASES)]

    def step(k: int) -> Any:
        state, trace = walker.step(states[k], commands[k], meshes[k], around, 40 * k)
        return state, trace.events, trace.why, trace.contacts, trace.slides, trace.candidates.tobytes()

    def run(k: int) -> bytes:
        return walker.run(states[k], rows[k : k + 5], meshes[k], around=around, clock=40 * k).tobytes()

    def run_alone(k: int) -> Any:
        result, traces = fine.run(states[k], rows[k : k + 2], meshes[k], trace=True, around=Environment())
        return result.tobytes(), [trace.why for trace in traces]

    return {
        "Walker.step": step,
        "Walker.run": run,
        "Walker.run with traces": run_alone,
        "Walker.spawn": lambda k: walker.spawn(meshes[k], (0.3 * k - 2.0, 1.0, 7.0), 999 * k, around=around),
        "Crowd.step": lambda k: crowd.step(np.roll(many, k), many_rows, k).tobytes(),
        "Crowd.raycast": lambda k: hit_bytes(watching.raycast(path[:2], (0.1 * k, -0.2, -1.0), clock=9 * k)),
        "Crowd.sweep": lambda k: hit_bytes(watching.sweep(path[:2], (0.1 * k, -0.2, -1.0), clock=9 * k, ignore=k % 12)),
        "Balls.step": lambda k: balls.step(piles[k], meshes[k], around, 9 * k).tobytes(),
        "WalkerState": lambda k: states[k].replace(heading=k * 100, velocity=(0.0, float(k), 0.0)),
        "WalkerState.from_bytes": lambda k: WalkerState.from_bytes(states[k].to_bytes()),
    }


def query_answers(mesh: TriangleMesh, around: Environment) -> dict[str, Answer]:
    """Queries of meshes, shapes, movers and zones. More filters of surfaces are in use than a mesh keeps."""
    body, down = Ellipsoid((0.35, 0.9, 0.25)), (0.1, -1.0, 0.2)
    assert around.movers is not None
    assert around.zones is not None
    movers, zones = around.movers, around.zones

    def at(k: int) -> tuple[float, float, float]:
        return (0.9 * k - 7.0, 2.0, 0.3 * k - 4.0)

    shapes = Sphere((0, 0, -5), 0.4), Capsule((0, 0, -5), (1, 1, -5), 0.3), Box((0, 0, -5), (0.5, 1, 0.3), 0.4)
    square = [(0.0, 0.0), (8.0, 1.0), (7.0, 9.0), (1.0, 6.0)]

    def pair(k: int) -> Any:
        a, b = shapes[k % 3].moved((0.1 * k, 0.0, 0.0)), shapes[(k + 1) % 3]
        return a.overlaps(b), a.gap(b), a.sweep((-1.0, 0.1 * k, 0.0), b), a.raycast(at(k), down)

    return {
        "TriangleMesh.raycast": lambda k: mesh.raycast(at(k), down, surfaces=[k % 12, (k + 5) % 12]),
        "TriangleMesh.raycast_any": lambda k: mesh.raycast_any(at(k), down, 3.0, ignore=k % 12),
        "TriangleMesh.raycast_all": lambda k: hit_bytes(mesh.raycast_all(at(k), down)),
        "TriangleMesh.sweep": lambda k: mesh.sweep(body, at(k), 0.1 * k, down, ignore=(k + 3) % 12),
        "TriangleMesh.sweep of a shape": lambda k: mesh.sweep(shapes[k % 3], displacement=(0.1 * k, -1.0, 0.0)),
        "TriangleMesh.overlap": lambda k: mesh.overlap(body, (*at(k)[:1], 0.5, *at(k)[2:]), 0.1 * k).tobytes(),
        "TriangleMesh.overlap of a shape": lambda k: mesh.overlap(shapes[k % 3].moved((0.1 * k, -0.3, 0))).tobytes(),
        "TriangleMesh.closest": lambda k: mesh.closest(at(k), surfaces=k % 12),
        "TriangleMesh.ground_below": lambda k: mesh.ground_below(at(k)),
        "shapes": pair,
        "Movers.poses": lambda k: movers.poses(k * 3.5).tobytes(),
        "Movers": lambda k: (movers.turn(k % 4, k, (0.0, 1.0, 0.0)), movers.reach(at(k), 1.0)),
        "Zones": lambda k: zones.gravity((0.2 * k - 6.0, 1.0, 5.0)),
        "point_in_polygon": lambda k: point_in_polygon((0.5 * k, 0.4 * k), square),
    }  # fmt: skip


def hit_bytes(hits: Any) -> bytes:
    """All columns of Hits or WalkerHits."""
    return b"".join(np.asarray(getattr(hits, name)).tobytes() for name in type(hits).__slots__)


MESH = shared_mesh()


def all_answers() -> dict[str, Answer]:
    around, other = shared_environment(), TriangleMesh(uneven_ground()[0] + 0.02)
    return walk_answers(MESH, other, around) | query_answers(MESH, around)


def bits(answer: Any) -> Any:
    """The answer as a value that is equal only for the same bits: a state as its bytes, others as `repr` gives them."""
    if isinstance(answer, tuple):
        return tuple(map(bits, answer))
    return answer.to_bytes() if isinstance(answer, WalkerState) else repr(answer)


def check_in_threads(answers: dict[str, Answer], calls: int) -> None:
    """`calls` calls of each kind by THREADS threads, each in its own order; every answer is that of one thread."""
    expected = {name: [bits(answer(k)) for k in range(CASES)] for name, answer in answers.items()}

    def work(number: int) -> None:
        order = random.Random(number)
        names = list(answers)
        for _ in range(-(-calls // THREADS)):
            order.shuffle(names)
            for name in names:
                k = order.randrange(CASES)
                assert bits(answers[name](k)) == expected[name][k], (name, k)

    run_in_threads(THREADS, work)


def test_threads_that_share_everything_get_the_same_bits():
    check_in_threads(all_answers(), CALLS)


@pytest.mark.full
@pytest.mark.parametrize("name", all_answers())
def test_threads_that_share_one_object_get_the_same_bits_100_000_times(name):
    check_in_threads({name: all_answers()[name]}, FULL_CALLS)
