"""Microseconds per tick of a thousand balls, averaged over a quarter turn of their box.

    python -m benchmarks.balls [COUNT ...]

Compared in one run and in turns with a plain numpy version and, if installed, Bullet (panda3d). Also measures
levels/ballroom.yaml with the walker and with more balls in its drum.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from game.level import load
from game.physics import Command
from game.physics.balls.balls import Balls, BallSettings, ball_rows
from game.physics.environment.environment import Environment
from game.physics.environment.motion import Motion
from game.physics.environment.moving_platforms import Mover, Movers
from game.physics.triangle_mesh import TriangleMesh
from game.sim.world import World

HALF, RADIUS, BOUNCE = 3.0, 0.13, 0.7  # half size of the box (m), radius of a ball (m), restitution
TURN = 12.0  # degrees per second
SETTLE_TICKS = 240  # ticks before the measurement
TICKS, ROUNDS = 50, 9  # ticks in a row, and rounds: together a quarter turn of the box
EMPTY_MESH = TriangleMesh(np.zeros((0, 3, 3)))
BALLROOM = Path(__file__).resolve().parents[1] / "levels" / "ballroom.yaml"
Floats = NDArray[np.float64]


def box(half: float) -> Floats:
    """A cube around the origin, as triangles (12,3,3)."""
    c = np.array(list(itertools.product((-half, half), repeat=3)))
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return np.array([[c[q[0]], c[q[k]], c[q[k + 1]]] for q in quads for k in (1, 2)])


def start(count: int) -> tuple[Floats, Floats]:
    """Positions on a grid in the box, and velocities."""
    side = int(np.ceil(count ** (1.0 / 3.0)))
    line = np.linspace(-HALF + 1.5 * RADIUS, HALF - 1.5 * RADIUS, side)
    places = np.stack(np.meshgrid(line, line, line), -1).reshape(-1, 3)[:count]
    return places, np.random.default_rng(1).normal(0.0, 3.0, (count, 3))


class BallsInBox:
    name = "ours"

    def __init__(self, count: int, turning: bool, gravity: bool = True) -> None:
        places, velocities = start(count)
        self.balls = Balls(BallSettings(gravity=(0.0, -9.81 if gravity else 0.0, 0.0)))
        bounce, friction = (BOUNCE, 0.4) if gravity else (1.0, 0.0)
        self.rows = ball_rows(places, RADIUS, None, bounce, friction, velocity=velocities)
        mesh, self.clock = TriangleMesh(box(HALF)), 0
        self.mesh, self.around = (EMPTY_MESH, None) if turning else (mesh, None)
        if turning:
            self.around = Environment(movers=Movers([Mover(mesh, motion=Motion(axis=(0, 0, 1), spin=TURN))]))

    def step(self) -> None:
        self.rows = self.balls.step(self.rows, self.mesh, self.around, self.clock)
        self.clock += 1


class Ballroom:
    """The level with so many balls in its drum that there are `count` in total."""

    def __init__(self, count: int) -> None:
        text = BALLROOM.read_text(encoding="utf-8")
        drum = re.search(r"count: (\d+)(?=.*the drum's)", text)
        assert drum is not None
        others = len(load(BALLROOM).balls) - int(drum[1])
        if count <= others:
            raise ValueError(f"{BALLROOM.name} has {others} balls beside those of its drum: ask for more")
        changed = f"{text[: drum.start()]}count: {count - others}{text[drum.end() :]}"
        self.world = World(load(BALLROOM, {BALLROOM: changed.encode()}))
        assert len(self.world.balls.rows) == count

    def step(self) -> None:
        self.world.step(Command())


class NumpyBalls:
    """A simple numpy version: walls by their planes, balls by all pairs, one impulse per tick."""

    name = "plain numpy"

    def __init__(self, count: int) -> None:
        self.places, self.velocities = start(count)
        self.upper = np.triu_indices(count, 1)

    def step(self) -> None:
        x, v, dt = self.places, self.velocities, 1.0 / 60.0
        v[:, 1] -= 9.81 * dt
        x += v * dt
        out = np.abs(x) > HALF - RADIUS
        v[out & (x * v > 0.0)] *= -BOUNCE
        np.clip(x, RADIUS - HALF, HALF - RADIUS, out=x)
        i, j = self.upper
        near = np.flatnonzero(((x[i] - x[j]) ** 2).sum(axis=1) < 4.0 * RADIUS * RADIUS)
        for k in near:
            a, b = i[k], j[k]
            n = x[a] - x[b]
            away = np.sqrt(n @ n)
            n /= away
            closing = n @ (v[a] - v[b])
            if closing < 0.0:
                v[a] -= 0.5 * (1.0 + BOUNCE) * closing * n
                v[b] += 0.5 * (1.0 + BOUNCE) * closing * n
            x[a] += (RADIUS - 0.5 * away) * n
            x[b] -= (RADIUS - 0.5 * away) * n


class BulletBalls:
    """panda3d's Bullet: spheres in a box of planes, one step per tick."""

    name = "Bullet (panda3d)"

    def __init__(self, count: int) -> None:
        from panda3d import bullet, core

        self.world = bullet.BulletWorld()
        self.world.set_gravity(core.Vec3(0, -9.81, 0))
        self.keep: list[Any] = []
        for axis, sign in itertools.product(range(3), (-1.0, 1.0)):
            normal = [0.0, 0.0, 0.0]
            normal[axis] = sign
            wall = bullet.BulletRigidBodyNode("wall")
            wall.add_shape(bullet.BulletPlaneShape(core.LPlane(*normal, HALF)))
            wall.set_restitution(BOUNCE)
            self._add(core, wall)
        for place, velocity in zip(*start(count), strict=True):
            ball = bullet.BulletRigidBodyNode("ball")
            ball.add_shape(bullet.BulletSphereShape(RADIUS))
            ball.set_mass(2.3)
            ball.set_restitution(BOUNCE)
            ball.set_friction(0.4)
            ball.set_linear_velocity(core.Vec3(*velocity))
            ball.set_deactivation_enabled(False)
            self._add(core, ball).set_pos(*place)

    def _add(self, core: Any, node: Any) -> Any:
        path = core.NodePath(node)
        self.world.attach(node)
        self.keep.append(path)
        return path

    def step(self) -> None:
        self.world.do_physics(1.0 / 60.0, 1, 1.0 / 60.0)


def microseconds_per_tick(works: list[Callable[[], None]]) -> Floats:
    """Time per tick (rounds, programs), measured in turns so that a busy machine slows all of them."""
    took = np.empty((ROUNDS, len(works)))
    for turn, which in np.ndindex(took.shape):
        begin = perf_counter()
        for _ in range(TICKS):
            works[which]()
        took[turn, which] = (perf_counter() - begin) / TICKS * 1e6
    return took


def main(arguments: list[str]) -> None:
    for count in [int(word) for word in arguments] or [1000]:
        scenes: list[tuple[str, Any]] = [
            ("ours, box turning, a heap", BallsInBox(count, turning=True)),
            ("ours, box at rest, awake", BallsInBox(count, turning=False)),
            ("ours, no gravity, restitution 1", BallsInBox(count, turning=False, gravity=False)),
        ]
        try:
            scenes.append(("ours, levels/ballroom.yaml", Ballroom(count)))
        except ValueError as error:
            print(error)
        if count <= 2000:
            scenes.append((NumpyBalls.name, NumpyBalls(count)))
        try:
            scenes.append((BulletBalls.name, BulletBalls(count)))
        except ImportError:
            print("Bullet is not here (pip install panda3d)")
        settled = [scene for _, scene in scenes]
        for scene in settled:
            for _ in range(SETTLE_TICKS if not isinstance(scene, NumpyBalls) else 10):
                scene.step()
        for (name, _), took in zip(scenes, microseconds_per_tick([scene.step for scene in settled]).T, strict=True):
            mean, least = took.mean(), took.min()
            print(f"{count:6} balls  {name:34} {mean:9.0f} us a tick ({least:.0f} in its quickest {TICKS})", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
