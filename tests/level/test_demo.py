"""The demo level: no findings, dimensions as its signs state, and a walk that reaches the goal."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from game.level import load
from game.level.geometry.faces import unit_normals
from game.sim import World, command_script, headless_run

LEVELS = Path(__file__).resolve().parents[2] / "levels"
NORTH, SOUTH, EAST, WEST = (0, 0, -1), (0, 0, 1), (1, 0, 0), (-1, 0, 0)
UP, DOWN = (0, 1, 0), (0, -1, 0)
EXACT = 1e-6  # metres


@pytest.fixture(scope="module")
def demo():
    return load(LEVELS / "demo.yaml")


@pytest.fixture(scope="module")
def walk(demo):
    return headless_run.run_walk(World(demo), command_script.read_script(LEVELS / "demo.commands"))


def ray(level, start, way):
    """Distance to the first colliding triangle along a unit vector, and its unit normal."""
    a = level.triangles[:, 0]
    u, v = level.triangles[:, 1] - a, level.triangles[:, 2] - a
    way = np.asarray(way, float)
    across = np.cross(way, v)
    volume = np.einsum("nd,nd->n", u, across)
    safe = np.where(np.abs(volume) > 1e-12, volume, np.nan)
    from_a = np.asarray(start, float) - a
    beyond = np.cross(from_a, u)
    s, t = np.einsum("nd,nd->n", from_a, across) / safe, np.einsum("d,nd->n", way, beyond) / safe
    distance = np.einsum("nd,nd->n", v, beyond) / safe
    met = (s >= 0) & (t >= 0) & (s + t <= 1) & (distance > 1e-9)
    assert met.any(), f"nothing lies from {start} along {way}"
    first = int(np.argmin(np.where(met, distance, np.inf)))
    normal = np.cross(u[first], v[first])
    return float(distance[first]), normal / np.linalg.norm(normal)


def of(level, label):
    """Faces of the piece with that label."""
    chosen = [origin.label for origin in level.origins].index(label)
    return level.faces.select(level.faces.origin == chosen)


# What, from where, and the metres that are free in these directions together.
WIDTHS = {
    "corridor": ((-14.4, 1, -13), (EAST, WEST), 0.8),
    "corridor beyond its turn": ((-11, 1, -14.8), (NORTH, SOUTH), 0.8),
    "way to its turn": ((-14.4, 1, -10), (NORTH,), 5.2),
    "way from its turn": ((-9, 1, -14.8), (WEST,), 5.8),
    "slim gap, begin": ((-14, 1, 6.05), (EAST, WEST), 0.55),
    "slim gap": ((-14, 1, 6.6), (EAST, WEST), 0.55),
    "slim gap, end": ((-14, 1, 7.15), (EAST, WEST), 0.55),
    "crawl space, begin": ((8.2, 0.6, -3.1), (UP, DOWN), 1.2),
    "crawl space": ((10.9, 0.6, -3.1), (UP, DOWN), 1.2),
    "crawl space, end": ((10.9, 0.6, -4.8), (UP, DOWN), 1.2),
    "1 m above the ledge of 38 cm": ((-11, 1, 2.3), (DOWN,), 1 - 0.38),
    "1 m above the ledge of 45 cm": ((-11, 1, 6.7), (DOWN,), 1 - 0.45),
    "beside the first ledge": ((-9, 1, 2.3), (DOWN,), 1),
    "beside the second ledge": ((-9, 1, 6.7), (DOWN,), 1),
    "the balcony": ((4.5, 4.5, -9.1), (DOWN,), 0.9),
    "the drop before it": ((4.5, 4.5, -8.9), (DOWN,), 4.5),
    "the gap in its rail": ((4.5, 3.7, -9.1), (EAST, WEST), 1.2),
    "the head of the straight stairs": ((1.1, 4, -17.9), (DOWN,), 0.4),
    "the head of the spiral stairs": ((12.7, 7.5, -13.6), (DOWN,), 0.5),
}


@pytest.mark.parametrize("name", WIDTHS)
def test_passages_ledges_and_storeys_have_their_sizes(demo, name):
    at, ways, metres = WIDTHS[name]
    assert sum(ray(demo, at, way)[0] for way in ways) == pytest.approx(metres, abs=EXACT)


@pytest.mark.parametrize("degrees", [15, 30, 44, 60])
def test_ramps_have_the_angle_on_their_sign(demo, degrees):
    normals = unit_normals(of(demo, f'ramp "ramp {degrees}"').corners)
    slopes = np.degrees(np.arccos(normals[:, 1]))
    sloped = slopes[(slopes > 1) & (slopes < 89)]
    assert sloped == pytest.approx([degrees], abs=1e-4)
    low = of(demo, f'ramp "ramp {degrees}"').corners[..., 0].min()
    near = [sign for sign in demo.signs if f"{degrees}°" in sign.text and abs(sign.at[0] - low) < 0.2]
    assert len(near) == 1


def test_acute_corner_is_30_degrees(demo):
    _, one = ray(demo, (-17, 1, 5.8), SOUTH)
    _, other = ray(demo, (-17, 1, 5.8), NORTH)
    assert math.degrees(math.acos(-one @ other)) == pytest.approx(30, abs=1e-6)
    tangent = math.tan(math.radians(30))
    for deep in (0.1, 1.0):  # metres from its tip
        at = (deep - 18, 1, 6 - 0.5 * tangent * deep)
        gap = ray(demo, at, NORTH)[0] + ray(demo, at, SOUTH)[0]
        assert gap == pytest.approx(tangent * deep, abs=EXACT)


def test_stairs_reach_their_storeys(demo):
    straight, spiral = of(demo, 'stairs "straight stairs"'), of(demo, 'spiral_stairs "spiral stairs"')
    level = unit_normals(straight.corners)[:, 1] > 0.999
    heights = np.unique(np.round(straight.corners[level][:, 0, 1], 9))
    assert heights == pytest.approx(0.18 * np.arange(1, 21))
    level = (unit_normals(spiral.corners)[:, 1] > 0.999) & ~spiral.is_triangle
    treads = np.unique(np.round(spiral.corners[level][:, 0, 1], 9))
    assert set(np.round(0.2 * np.arange(1, 36), 9)) <= set(treads)


def test_signs_stand_at_eye_height_with_room_to_read_them(demo):
    assert len(demo.signs) >= 15
    for sign in demo.signs:
        turn = sign.heading * 2 * math.pi / 65536
        out = np.array((-math.sin(turn), 0, -math.cos(turn)))
        eye = np.array(sign.at) + 1.5 * out
        assert ray(demo, np.array(sign.at) + 0.01 * out, out)[0] > 1.4, sign.text
        over_a_door = sign.text.rstrip("?") in {way.name for way in demo.exits}
        assert 0.5 < ray(demo, eye, DOWN)[0] < (2.7 if over_a_door else 2.0), sign.text
        assert len(sign.text) <= 60


@pytest.mark.jit
def test_the_walk_crouches_and_turns_sideways_where_it_must(walk):
    inside = (np.abs(walk.feet[:, 2] - 6.6) < 0.5) & (np.abs(walk.feet[:, 0] + 14) < 0.5)
    assert inside.any()
    sideways = np.abs(walk.heading[inside] - 16384) % 32768
    assert (np.minimum(sideways, 32768 - sideways) < 2000).all()  # within 11 degrees of west
    crawling = (walk.feet[:, 1] < 0.1) & (np.abs(walk.feet[:, 2] + 3.1) < 0.5) & (np.abs(walk.feet[:, 0] - 9.5) < 0.6)
    assert crawling.any()
    assert (walk.position[crawling, 1] - walk.feet[crawling, 1] < 0.6).all()


@pytest.mark.full
@pytest.mark.jit
def test_the_walk_is_the_same_each_time(demo, walk):
    again = headless_run.run_walk(World(demo), command_script.read_script(LEVELS / "demo.commands"))
    assert again.hash == walk.hash
    assert (again.position == walk.position).all()
