"""Ghosts beside a player, the line that meets a triangle, and where a ball rests."""

from __future__ import annotations

import numpy as np
import pytest

from game.lab.exhibits import intersect_line_triangle, rest_on_bounding_box, rest_on_plane
from game.lab.ghosts import GHOST_NAMES, GhostGroup
from game.physics import Command, TriangleMesh, Walker

FLOOR = [((-30, 0, 30), (30, 0, 30), (30, 0, -30)), ((-30, 0, 30), (30, 0, -30), (-30, 0, -30))]
NORTH = Command(forward=1.0)


def beside(numbers=(1, 5), ticks=90):
    mesh, walker = TriangleMesh(FLOOR), Walker()
    state = walker.spawn(mesh, (0.0, 0.0, 0.0))
    ghosts = GhostGroup(mesh, walker.settings, -5.0)
    for number in numbers:
        assert ghosts.toggle(number, state)
    for _ in range(ticks):
        after, _ = walker.step(state, NORTH, mesh)
        ghosts.step(NORTH, state, after)
        state = after
    return ghosts, state


@pytest.mark.full
def test_they_walk_on_the_players_commands_from_where_the_player_stood():
    ghosts, player = beside(numbers=range(1, 7))
    assert list(ghosts.active) == [1, 2, 3, 4, 5, 6]
    assert [ghost.controller.name for ghost in ghosts.active.values()] == list(GHOST_NAMES)
    lead = 4.0**2 / (2 * 60.0)  # what the player needs to start, and they do not
    for ghost in ghosts.active.values():
        assert ghost.state.feet[2] == pytest.approx(player.feet[2] - lead, abs=0.04)
        assert ghost.metrics.recent_pace == pytest.approx(1.0, abs=1e-3)
        assert len(ghost.trail) == 90
        assert ghost.metrics.ticks == 90
    assert ghosts.player_metrics.recent_pace == pytest.approx(1.0, abs=1e-9)
    assert ghosts.player_metrics.pace < 1.0


def test_a_fixed_defect_holds_for_the_active_guide_and_the_next_one():
    ghosts, player = beside(numbers=(1,), ticks=1)
    was = ghosts.active[1].state
    assert ghosts.toggle_defect("turn")
    assert ghosts.active[1].controller.defects == {"inside", "margin", "slide", "single"}
    assert ghosts.active[1].state is was
    ghosts.toggle(1, player)
    ghosts.toggle(1, player)
    assert "turn" not in ghosts.active[1].controller.defects
    assert not ghosts.toggle_defect("turn")
    assert "turn" in ghosts.active[1].controller.defects


def test_who_falls_out_of_the_level_or_gets_far_is_brought_back_and_counted():
    island = [((-1, 0, 1), (1, 0, 1), (1, 0, -1)), ((-1, 0, 1), (1, 0, -1), (-1, 0, -1))]
    mesh = TriangleMesh(island)
    walker = Walker()
    player = walker.spawn(mesh, (0.0, 0.0, 0.0))
    ghosts = GhostGroup(mesh, walker.settings, -5.0)
    ghosts.toggle(5, player)
    for _ in range(120):
        ghosts.step(NORTH, player, player)
        assert ghosts.active[5].state.feet[1] >= -5.0
    assert ghosts.active[5].loss_count >= 1
    ghosts, player = beside(numbers=(6,), ticks=1)
    far = player.replace(position=(31.0, player.position[1], 0.0))
    ghosts.step(Command(), far, far)
    assert (ghosts.active[6].loss_count, ghosts.active[6].state.feet[0]) == (1, 31.0)


def test_being_put_elsewhere_is_no_tunnel():
    ghosts, player = beside(ticks=1)
    ghosts.step(NORTH, player, player.replace(position=(9.0, 0.9, 0.0)))
    assert (ghosts.player_metrics.ticks, ghosts.player_metrics.tunnelled) == (1, 0)


# ---- a line and a triangle


def test_the_point_its_distance_and_its_parts_are_right_and_the_areas_without_sign_are_not():
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(300):
        corners = rng.normal(0, 2, (3, 3))
        weights = rng.uniform(-0.7, 1.4, 2)
        parts = np.array((weights[0], weights[1], 1.0 - weights.sum()))
        point, eye = parts @ corners, rng.normal(0, 5, 3)
        got = intersect_line_triangle(corners, eye, 3.0 * (point - eye))
        assert got is not None
        # the plane's slant to the line costs digits: 1e-9 of coordinates under 20 m
        assert got.point == pytest.approx(point, abs=1e-7)
        assert got.distance == pytest.approx(float(np.linalg.norm(point - eye)), abs=1e-7)
        assert got.barycentric == pytest.approx(parts, abs=1e-5)
        assert got.inside == bool(parts.min() >= 0.0)
        if got.inside:
            assert got.unsigned
        wrong += got.unsigned and not got.inside
    assert wrong > 10


@pytest.mark.parametrize(
    ("corners", "origin", "way"),
    [
        (((0, 0, 0), (1, 0, 0), (0, 1, 0)), (0.2, 0.2, 1.0), (0, 0, 1)),  # behind
        (((0, 0, 0), (1, 0, 0), (0, 1, 0)), (0.2, 0.2, 1.0), (1, 0, 0)),  # along
        (((0, 0, 0), (1, 0, 0), (2, 0, 0)), (0.2, 0.2, 1.0), (0, 0, -1)),  # no area
        (((0, 0, 0), (1, 0, 0), (0, 1, 0)), (0.2, 0.2, 1.0), (0, 0, 0)),  # no line
    ],
)
def test_a_line_that_meets_nothing(corners, origin, way):
    assert intersect_line_triangle(corners, origin, way) is None


# ---- a ball


def test_a_ball_on_the_plane_touches_it_and_a_ball_on_the_box_does_not():
    rng = np.random.default_rng(7)
    for _ in range(100):
        corners = rng.normal(0, 1, (3, 3)) * (3.0, 0.7, 3.0)
        radius = float(rng.uniform(0.05, 0.5))
        x, z = rng.normal(0, 1, 2)
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        normal /= np.linalg.norm(normal)
        centre, touch = rest_on_plane(corners, x, z, radius)
        assert (centre[0], centre[2]) == (x, z)
        assert abs((centre - corners[0]) @ normal) == pytest.approx(radius, rel=1e-9)
        assert abs((touch - corners[0]) @ normal) == pytest.approx(0.0, abs=1e-9 * np.abs(centre).max())
        assert np.linalg.norm(centre - touch) == pytest.approx(radius, rel=1e-12)
        assert centre[1] > touch[1]
        boxed = rest_on_bounding_box(corners, x, z, radius)
        assert boxed[1] == corners[:, 1].max() + radius
    with pytest.raises(ValueError, match="upright"):
        rest_on_plane(((0, 0, 0), (1, 0, 0), (0, 1, 0)), 0.0, 0.0, 0.1)
