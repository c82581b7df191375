"""The museum levels as the tests use them. The geometry is read from the files in levels/museum."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from game.level import Level, load
from game.level.format.file_access import SHIPPED_LEVELS
from game.physics import TriangleMesh, Walker, WalkerState, bare
from tests.support.scenes import BODIES, gaps, heading

MUSEUM = SHIPPED_LEVELS / "museum"
SKIN = 0.01
HALF_SKIN = 0.5 * SKIN - 1e-9  # the least gap that is promised, in ellipsoid space
SPEEDS = (4.0, 6.0, 8.0)
RATES = (30, 60, 120, 240)
bodies = pytest.mark.parametrize("body", BODIES)
Array = np.ndarray[Any, np.dtype[np.float64]]


def rates(test: Any) -> Any:
    """A test at every tick rate; by default, each rate and each body once."""
    return pytest.mark.each_once(pytest.mark.parametrize("hz", RATES)(test))


@cache
def level(stem: str) -> Level:
    return load(MUSEUM / f"{stem}.yaml")


def mesh(stem: str) -> TriangleMesh:
    return level(stem).mesh


def piece_triangles(stem: str, label: str) -> Array:
    """Corners (n,3,3) of the triangles of the pieces with this label, such as `ramp "ramp 30"`."""
    gallery = level(stem)
    chosen = [k for k in range(len(gallery.triangles)) if gallery.origin(k)[0] == label]
    assert chosen, label
    return gallery.triangles[chosen]


def piece_bounds(stem: str, label: str) -> tuple[Array, Array]:
    """Bounds of the pieces with this label."""
    corners = piece_triangles(stem, label).reshape(-1, 3)
    return corners.min(axis=0), corners.max(axis=0)


def bare_walker(body: str, hz: float = 60, speed: float = 4.0, **changes: Any) -> Walker:
    """The bare walker of this body: wished speed at once."""
    return Walker(bare(radii=BODIES[body], ticks_per_second=hz, walk_speed=speed, **changes))


def spawn_and_walk(
    walker: Walker, world: TriangleMesh, feet: Any, degrees: float, ticks: int, forward: float = 1.0, **columns: Any
) -> tuple[WalkerState, Any]:
    """Spawn and walk with the view at `degrees`. Returns (start, states)."""
    start = walker.spawn(world, tuple(float(part) for part in feet), heading(degrees))
    rows = walker.commands(forward=np.full(ticks, forward), heading=heading(degrees), **columns)
    return start, walker.run(start, rows, world)


def walk_on(
    walker: Walker, world: TriangleMesh, row: Any, degrees: float, ticks: int, forward: float, **columns: Any
) -> Any:
    """Continue the walk from a row of `run`."""
    rows = walker.commands(forward=np.full(ticks, forward), heading=heading(degrees), **columns)
    return walker.run(walker.state(row), rows, world)


def walk_direction(degrees: float) -> tuple[float, float]:
    """Unit vector (x, z) of a walk with the view at so many degrees, by its integer heading."""
    a = heading(degrees) * 2.0 * math.pi / 65536.0
    return -math.sin(a), -math.cos(a)


def ticks_for(metres: float, speed: float, hz: float) -> int:
    return int(metres / speed * hz)


def plan_distance(start: WalkerState, row: Any) -> float:
    """Horizontal distance of two places, m."""
    return math.hypot(row["position"][0] - start.position[0], row["position"][2] - start.position[2])


def foot_height(states: Any, body: str) -> Any:
    """Height of the feet of a body at rest on level ground without the skin."""
    return states["position"][..., 1] - BODIES[body][1] * (1.0 + SKIN)


def smallest_gap(states: Any, world: TriangleMesh, every: int = 1) -> float:
    """Smallest gap of some states to the mesh in ellipsoid space."""
    return float(gaps(states[::every], world.triangles12[:, :9].reshape(1, -1, 3, 3)).min())


def largest_movement(positions: Any) -> float:
    """Largest distance of any place from the last one, m."""
    return float(abs(positions - positions[-1]).max())
