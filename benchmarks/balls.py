"""Microseconds per tick of a thousand balls, averaged over a quarter turn of their box.

    python -m benchmarks.balls [COUNT ...]

Prints the mean and the shortest time of a tick, measured in turns with a plain numpy version and, if installed, Bullet
(panda3d). Also measures levels/ballroom.yaml with the walker and with COUNT balls in total.
"""

from __future__ import annotations

import itertools
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import alternating_seconds, parse_sizes
from game.level import load
from game.physics import Command
from game.physics.balls.balls import Balls, BallSettings, ball_rows
from game.physics.environment.environment import Environment
from game.physics.environment.motion import Motion
from game.physics.environment.movers import Mover, Movers
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
    positions = np.stack(np.meshgrid(line, line, line), -1).reshape(-1, 3)[:count]
    return positions, np.random.default_rng(1).normal(0.0, 3.0, (count, 3))


class BallsInBox:
    name = "ours"

    def __init__(self, count: int, turning: bool, gravity: bool = True) -> None:
        positions, velocities = start(count)
        self.balls = Balls(BallSettings(gravity=(0.0, -9.81 if gravity else 0.0, 0.0)))
        bounce, friction = (BOUNCE, 0.4) if gravity else (1.0, 0.0)
        self.rows = ball_rows(positions, RADIUS, None, bounce, friction, velocity=velocities)
        mesh, self.tick = TriangleMesh(box(HALF)), 0
        self.mesh, self.around = (EMPTY_MESH, None) if turning else (mesh, None)
        if turning:
            self.around = Environment(movers=Movers([Mover(mesh, motion=Motion(axis=(0, 0, 1), spin=TURN))]))

    def step(self) -> None:
        self.rows = self.balls.step(self.rows, self.mesh, self.around, self.tick)
        self.tick += 1


class Ballroom:
    """The level with so many balls in its drum that there are `count` in total."""

    def __init__(self, count: int) -> None:
        text = BALLROOM.read_text(encoding="utf-8")
        drum = re.search(r"count: (\d+)(?=.*drum balls)", text)
        assert drum is not None
        others = len(load(BALLROOM).balls) - int(drum[1])
        if count <= others:
            raise ValueError(f"{BALLROOM.name} has {others} balls outside its drum: COUNT must be larger")
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
        outside = np.abs(x) > HALF - RADIUS
        v[outside & (x * v > 0.0)] *= -BOUNCE
        np.clip(x, RADIUS - HALF, HALF - RADIUS, out=x)
        i, j = self.upper
        near = np.flatnonzero(((x[i] - x[j]) ** 2).sum(axis=1) < 4.0 * RADIUS * RADIUS)
        for k in near:
            a, b = i[k], j[k]
            n = x[a] - x[b]
            distance = np.sqrt(n @ n)
            n /= distance
            closing = n @ (v[a] - v[b])
            if closing < 0.0:
                v[a] -= 0.5 * (1.0 + BOUNCE) * closing * n
                v[b] += 0.5 * (1.0 + BOUNCE) * closing * n
            x[a] += (RADIUS - 0.5 * distance) * n
            x[b] -= (RADIUS - 0.5 * distance) * n


class BulletBalls:
    """panda3d's Bullet: spheres in a box of planes, one step per tick."""

    name = "Bullet (panda3d)"

    def __init__(self, count: int) -> None:
        from panda3d import bullet, core

        self.world = bullet.BulletWorld()
        self.world.set_gravity(core.Vec3(0, -9.81, 0))
        self.node_paths: list[Any] = []
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
        self.node_paths.append(path)
        return path

    def step(self) -> None:
        self.world.do_physics(1.0 / 60.0, 1, 1.0 / 60.0)


def step_repeatedly(scene: Any) -> None:
    """TICKS steps of a scene."""
    for _ in range(TICKS):
        scene.step()


def main() -> None:
    """Run the command line."""
    for count in parse_sizes("benchmarks.balls", __doc__, "COUNT", "number of balls", [1000]):
        scenes: list[tuple[str, Any]] = [
            ("ours, rotating box, a heap of balls", BallsInBox(count, turning=True)),
            ("ours, box at rest, balls awake", BallsInBox(count, turning=False)),
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
            print("Bullet is not installed (pip install panda3d)")
        for _, scene in scenes:
            for _ in range(SETTLE_TICKS if not isinstance(scene, NumpyBalls) else 10):
                scene.step()
        seconds = alternating_seconds([partial(step_repeatedly, scene) for _, scene in scenes], ROUNDS)
        for (name, _), times in zip(scenes, (seconds / TICKS * 1e6).T, strict=True):
            text = f"{times.mean():9.0f} us a tick ({times.min():.0f} in the fastest {TICKS} ticks)"
            print(f"{count:6} balls  {name:34} {text}", flush=True)


if __name__ == "__main__":
    main()
