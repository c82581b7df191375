"""Scenes, walks and table checks for the measurements of docs/limits.md."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from game.physics import TriangleMesh, Walker, WalkerSettings

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
BODIES = {"default": (0.35, 0.90, 0.25), "slim": (0.35, 0.90, 0.12), "round": (0.35, 0.90, 0.35)}
PACE = 4.0  # m/s, the default walk speed


# Meshes: lists of triangles, counter-clockwise from the front


def quad(a, b, c, d):
    return [(a, b, c), (a, c, d)]


def floor(x0=-3.0, z0=-6.0, x1=3.0, z1=5.0, y=0.0):
    return quad((x0, y, z1), (x1, y, z1), (x1, y, z0), (x0, y, z0))


def sheet(x0, z0, x1, z1, height=3.0, y=0.0):
    """A vertical sheet over the line from (x0, z0) to (x1, z1)."""
    return quad((x0, y, z0), (x1, y, z1), (x1, y + height, z1), (x0, y + height, z0))


def box(x0, y0, z0, x1, y1, z1):
    sides = [(x0, z1, x1, z1), (x1, z1, x1, z0), (x1, z0, x0, z0), (x0, z0, x0, z1)]
    faces = floor(x0, z0, x1, z1, y1) + [triangle[::-1] for triangle in floor(x0, z0, x1, z1, y0)]
    return faces + [triangle for side in sides for triangle in sheet(*side, y1 - y0, y0)]


def stairs(rise, run, steps):
    """A floor up to z = 0, then stairs towards -Z with a landing of 6 m."""
    out = floor(z0=0.0)
    for k in range(steps):
        front = -k * run
        back = front - (run if k < steps - 1 else 6.0)
        out += sheet(-3.0, front, 3.0, front, rise, k * rise)
        out += floor(-3.0, back, 3.0, front, (k + 1) * rise)
    return out


def bowl(facets, degrees, radius=6.0):
    """A cone that is open at the top, with its apex at the origin."""
    height = math.tan(math.radians(degrees)) * radius
    angles = [2.0 * math.pi * k / facets for k in range(facets + 1)]
    rim = [(radius * math.cos(a), height, radius * math.sin(a)) for a in angles]
    return [((0.0, 0.0, 0.0), rim[k + 1], rim[k]) for k in range(facets)]


def ramp(degrees, length=40.0):
    height = math.tan(math.radians(degrees)) * length
    return quad((-5.0, 0.0, 0.0), (5.0, 0.0, 0.0), (5.0, height, -length), (-5.0, height, -length))


# Walks


def body(name="default", **settings):
    return Walker(WalkerSettings(radii=BODIES[name], **settings))


def run(walker, mesh, state, ticks, forward=1.0, **columns):
    """State rows (ticks,) of a walk with the same command in every tick."""
    columns = {key: [value] * ticks for key, value in columns.items()}
    return walker.run(state, walker.commands(forward=[forward] * ticks, **columns), mesh)


def walked(walker, triangles, feet, ticks, **command):
    mesh = TriangleMesh(triangles)
    return run(walker, mesh, walker.spawn(mesh, feet), ticks, **command)


def table(head, rows):
    return [f"| {' | '.join(cells)} |" for cells in (head, *rows)]


def assert_on_page(head, rows):
    head_line, *lines = table(head, rows)
    found = [line.strip() for line in PAGE.splitlines()]
    assert head_line in found, head_line
    at = found.index(head_line)
    assert found[at + 2 : at + 2 + len(lines)] == lines


def smallest_gap(state, triangles):
    """Gap of an upright body to the mesh in ellipsoid space, from dense samples of each triangle."""
    u, v = np.meshgrid(np.linspace(0.0, 1.0, 801), np.linspace(0.0, 1.0, 801))
    inside = u + v <= 1.0
    u, v = u[inside][:, None], v[inside][:, None]
    least = np.inf
    for a, b, c in np.asarray(triangles, float):
        points = (a + u * (b - a) + v * (c - a) - state.position) / state.radii
        least = min(least, float(np.linalg.norm(points, axis=1).min()))
    return least - 1.0
