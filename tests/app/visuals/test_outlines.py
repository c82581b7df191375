"""Outlines: ledges and steps are found, flat joints are not; hazards have the colours of their markers."""

from __future__ import annotations

import numpy as np
import pytest

from game.app.visuals.outlines import Outlines, ledge_segments
from game.core.jobs import Jobs
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.physics import TriangleMesh
from game.render.colour_palettes import marker_colours
from game.sim import Session, World
from tests.support.level_builder import quad


def plate(x0, x1, z0, z1, y=0.0):
    return quad((x0, y, z1), (x1, y, z1), (x1, y, z0), (x0, y, z0))


def block(x0, x1, z0, z1, low, high):
    """Top and four sides."""
    return [
        *plate(x0, x1, z0, z1, high),
        *quad((x0, low, z1), (x1, low, z1), (x1, high, z1), (x0, high, z1)),
        *quad((x1, low, z0), (x0, low, z0), (x0, high, z0), (x1, high, z0)),
        *quad((x1, low, z1), (x1, low, z0), (x1, high, z0), (x1, high, z1)),
        *quad((x0, low, z0), (x0, low, z1), (x0, high, z1), (x0, high, z0)),
    ]


def length(segments):
    return float(np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1).sum())


def test_the_edges_of_a_block_are_ledges_and_the_joints_of_a_floor_are_not():
    floor = [*plate(-9, 0.3, -9, 9), *plate(0.3, 9, -9, 2), *plate(0.3, 9, 2, 9)]  # with a T-junction
    found = ledge_segments(TriangleMesh(np.array([*floor, *block(2, 4, 3, 5, 0.0, 0.5)], float)))
    rim = found[(np.abs(found[:, :, 1] - 0.5) < 1e-9).all(axis=1)]
    assert length(rim) == pytest.approx(8.0)
    assert length(found) == pytest.approx(8.0 + 72.0)  # and the outer border of the floor


@pytest.mark.parametrize(("rise", "marked"), [(0.05, False), (0.18, True), (0.40, True)])
def test_steps_are_outlined_and_thresholds_are_not(rise, marked):
    found = ledge_segments(TriangleMesh(np.array([*plate(-5, 5, -5, 5), *block(-1, 1, -1, 1, 0.0, rise)], float)))
    assert bool((np.abs(found[:, :, 1] - rise) < 1e-9).all(axis=1).any()) == marked


def layers(name, palette="usual"):
    world, outlines = World(load(SHIPPED_LEVELS / f"{name}.yaml")), Outlines()
    poses = Session(world).movers()
    with Jobs() as jobs:
        outlines.overlay(world, palette, jobs, poses)
        jobs.finish()
        return world, outlines, outlines.overlay(world, palette, jobs, poses)


def colours(overlay):
    return {tuple(line.colours[:3]) for line in overlay.lines}


@pytest.mark.parametrize("palette", ["usual", "safe"])
@pytest.mark.sample(1)
def test_goal_checkpoints_and_hazards_have_the_colours_of_their_markers(palette):
    world, _, overlay = layers("waters", palette)
    found, wanted = colours(overlay), marker_colours(palette)
    for kind in ("kill", "pad", "teleport", "checkpoint", "current", "goal"):
        assert wanted[kind] in found, kind
    assert "reached" not in wanted or world.goal_tick < 0
