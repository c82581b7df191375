"""Random walks through random rooms and levels by other people; the referee checks every tick."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.fuzz.failures import FuzzReport
from game.fuzz.random_walks import walk_and_check
from game.fuzz.walk_routes import MeshRoute
from game.physics import TriangleMesh, WalkerSettings
from tests.support import real_levels
from tests.support.scenes import BODIES, Triangles, box, floor, mesh, quad, turned, wall

TICKS = 6000
KNOWN_STUCK = {  # (room, body): failing ticks
    (5, "round"): [3711],  # between a kerb of 0.3 m and a slanted ceiling: it could slide along the kerb, but stands
}


def fuzz(mesh: TriangleMesh, body: str, seed: int, reach: float = math.inf) -> FuzzReport:
    return walk_and_check(MeshRoute(mesh, WalkerSettings(radii=BODIES[body])), TICKS, [seed], reach)


def room(seed: int) -> TriangleMesh:
    """A closed room with blocks of nine heights, slopes of six angles and low slabs, turned every way."""
    rng = np.random.default_rng(seed)
    parts: list[Triangles] = [floor(-6, -6, 6, 6, tiles=6)]
    parts += [wall(*side, 5) for side in ((-6, -6, 6, -6), (6, -6, 6, 6), (6, 6, -6, 6), (-6, 6, -6, -6))]
    parts.append(floor(-6, -6, 6, 6, y=5.0))
    for height in (0.1, 0.2, 0.3, 0.39, 0.41, 0.6, 0.9, 1.3, 2.0):
        x, z = rng.uniform(-5, 5, 2)
        a, b = rng.uniform(0.2, 1.5, 2)
        parts.append(turned(box(x - a, 0, z - b, x + a, height, z + b), rng.uniform(0, 89), (x, 0, z)))
    for angle in (15, 30, 44, 46, 60, 75):
        x, z = rng.uniform(-5, 5, 2)
        far = rng.uniform(1, 2.5)
        h = min(far * math.tan(math.radians(angle)), 4.5)
        slope = quad((x - 1, 0, z), (x + 1, 0, z), (x + 1, h, z - far), (x - 1, h, z - far))
        parts.append(turned(slope, rng.uniform(0, 359), (x, 0, z)))
    for _ in range(2):
        x, z = rng.uniform(-4, 4, 2)
        y = rng.uniform(1.0, 2.0)
        parts.append(turned(box(x - 1, y, z - 1, x + 1, y + 0.2, z + 1), rng.uniform(0, 89), (x, 0, z)))
    return mesh(*parts)


def terrain(seed: int, spikes: bool = True) -> TriangleMesh:
    """Bumpy ground of 0.3 m cells in a closed box, with spikes too steep to walk or without."""
    rng = np.random.default_rng(seed)
    n = 30
    xs = np.linspace(-4.5, 4.5, n + 1)
    h = rng.uniform(0.0, 0.25, (n + 1, n + 1))
    h[rng.random(h.shape) < 0.05] += 0.8 if spikes else 0.0
    out: Triangles = []
    for i in range(n):
        for j in range(n):
            p = [(xs[a], h[a, b], xs[b]) for a, b in ((i, j + 1), (i + 1, j + 1), (i + 1, j), (i, j))]
            out += quad(*p)
    sides = ((-4.4, -4.4, 4.4, -4.4), (4.4, -4.4, 4.4, 4.4), (4.4, 4.4, -4.4, 4.4), (-4.4, 4.4, -4.4, -4.4))
    return mesh(out, *[wall(*side, 6, -1) for side in sides], floor(-5, -5, 5, 5, y=4.5))


@pytest.mark.sample(2)
@pytest.mark.jit
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("seed", range(6))
def test_random_walks_in_random_rooms(seed, body):
    report = fuzz(room(seed), body, seed, reach=4.9)
    known = KNOWN_STUCK.get((seed, body), [])
    assert report.failing["stuck"] == known
    report.failing["stuck"].clear()
    assert not any(report.failing.values()), report.line(f"room {seed}", body)
    assert report.left == 0, "a closed room was left"


@pytest.mark.sample(2)
@pytest.mark.jit
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("path", real_levels.PATHS, ids=real_levels.NAMES)
def test_random_walks_on_levels_by_other_people(path, body):
    name, triangles = real_levels.read(path)
    report = fuzz(TriangleMesh(triangles), body, 11)
    assert not any(report.failing.values()), report.line(name, body)
