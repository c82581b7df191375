"""Scenes, walks and table checks for the measurements of docs/limits.md."""

from __future__ import annotations

import math
from pathlib import Path

from game.physics import TriangleMesh, Walker, WalkerSettings
from tests.support import scenes
from tests.support.scenes import BODIES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
PACE = 4.0  # m/s, the default walk speed

# Meshes: lists of triangles, counter-clockwise from the front


def floor(x0=-3.0, z0=-6.0, x1=3.0, z1=5.0, y=0.0):
    """The floor of most measurements."""
    return scenes.floor(x0, z0, x1, z1, y)


def sheet(x0, z0, x1, z1, height=3.0):
    """A vertical sheet over the line from (x0, z0) to (x1, z1)."""
    return scenes.wall(x0, z0, x1, z1, height)


def stairs(rise, run, steps):
    """A floor up to z = 0, then stairs towards -Z with a landing of 6 m."""
    return floor(z0=0.0) + scenes.stairs(rise, run, steps)


def bowl(facets, degrees, radius=6.0):
    """A cone that is open at the top, with its apex at the origin."""
    height = math.tan(math.radians(degrees)) * radius
    angles = [2.0 * math.pi * k / facets for k in range(facets + 1)]
    rim = [(radius * math.cos(a), height, radius * math.sin(a)) for a in angles]
    return [((0.0, 0.0, 0.0), rim[k + 1], rim[k]) for k in range(facets)]


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
