"""Outlines: ledges and steps are found, flat joints and rails are not; markers and movers have outlines too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from game.app.visuals.outlines import (
    CASING_WIDTH,
    LEDGE_FADE,
    LINE_WIDTH,
    Outlines,
    _with_casing,
    ledge_segments,
)
from game.core.jobs import Jobs
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.physics import TriangleMesh
from game.render import Camera, Hud, Renderer, Scene, Snapshot, SurfaceAppearance
from game.render.colour_palettes import marker_colours
from game.render.gl.quality import QUALITIES
from game.render.overlay_layers import Overlay
from game.sim import Session, World
from tests.support import gl
from tests.support.level_builder import quad
from tests.support.player import Player


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


def test_a_wall_at_the_edge_and_a_narrow_rail_are_no_ledges():
    inside = [*plate(-2, 2, -2, 2), *quad((-2, 0, -2), (2, 0, -2), (2, 3, -2), (-2, 3, -2))]
    found = ledge_segments(TriangleMesh(np.array(inside, float)))
    assert length(found) == pytest.approx(12.0)
    rail = ledge_segments(TriangleMesh(np.array([*plate(-9, 9, -9, 9), *block(-2, 2, 0, 0.06, 0.0, 1.0)], float)))
    assert not (rail[:, :, 1] > 0.5).any()


def test_steep_faces_have_ledges_only_where_any_direction_is_up():
    wall = TriangleMesh(np.array(quad((-1, 0, 0), (1, 0, 0), (1, 2, 0), (-1, 2, 0)), float))
    assert len(ledge_segments(wall)) == 0
    assert length(ledge_segments(wall, any_up=True)) == pytest.approx(8.0)
    assert len(ledge_segments(TriangleMesh(np.zeros((0, 3, 3))))) == 0


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


def test_every_line_lies_on_a_wider_black_one():
    _, _, overlay = layers("waters")
    for under, line in zip(overlay.lines[::2], overlay.lines[1::2], strict=True):
        assert under.segments is line.segments
        assert under.width == CASING_WIDTH > 2.0 * LINE_WIDTH
        assert under.colours[:3] == (0.0, 0.0, 0.0)


def test_the_layers_are_kept_while_nothing_changes_and_movers_move_theirs():
    world, outlines, overlay = layers("lifts")
    session = Session(world)
    again = outlines.overlay(world, "usual", Jobs(), session.movers())
    assert all(a is b for a, b in zip(overlay.lines, again.lines, strict=True))
    poses = session.movers().copy()
    poses[:, 1, 3] += 1.0
    moved = outlines.overlay(world, "usual", Jobs(), poses)
    changed = [a is not b for a, b in zip(overlay.lines, moved.lines, strict=True)]
    assert sum(changed) == 2
    assert np.asarray(moved.lines[-1].segments) == pytest.approx(
        np.asarray(overlay.lines[-1].segments) + np.array((0.0, 1.0, 0.0))
    )


def test_the_box_of_a_zone_has_twelve_edges_of_its_size():
    world = World(load(SHIPPED_LEVELS / "waters.yaml"))
    for zone in world.level.all_zones:
        edges = zone.edges
        assert len(edges) == 12
        assert length(edges) == pytest.approx(8.0 * sum(zone.half))


@pytest.mark.full
def test_the_rim_of_a_block_is_a_bright_line_on_a_black_one_at_every_distance():
    """Across the rim of a grey block: pixels as bright as the line, and pixels darker than anything around."""
    ctx = gl.context()
    triangles = np.array([*plate(-60, 60, -60, 60), *block(-4, 4, -4, 4, 0.0, 1.0)], float)
    lines = _with_casing(ledge_segments(TriangleMesh(triangles)), marker_colours("usual")["ledge"], LEDGE_FADE)
    scene = Scene(triangles, np.zeros(len(triangles), int), (SurfaceAppearance((0.5, 0.5, 0.5)),))
    renderer = Renderer(ctx, scene, replace(QUALITIES["low"], scale=1.0, light_size=64, shadow_size=64))
    for distance in (8.0, 16.0, 24.0):
        pictures = []
        for overlay in (None, Overlay(lines=lines)):
            view = Camera((0.0, 2.5, distance), 0.0, -0.10, 60.0)
            renderer.render(Snapshot(view, Hud(crosshair=False), overlay=overlay), (640, 360))
            pictures.append(renderer.image()[:, 320].astype(float))
        changed = np.abs(pictures[1] - pictures[0]).max(axis=1) > 25.0
        red, _, blue = pictures[1].T
        assert (changed & (red - blue > 50.0) & (red > 150.0)).sum() >= 2
        assert (changed & (pictures[1].max(axis=1) < 90.0)).sum() >= 1
        assert changed.sum() < 40
    renderer.release()
    ctx.release()


def test_without_the_setting_nothing_is_computed():
    player = Player.in_level(load(SHIPPED_LEVELS / "waters.yaml"))
    shot = player.wait(0.1)
    assert shot.overlay is None
    assert player.game.feedback.outlines._level is None
    assert shot.hud.labels == ()
