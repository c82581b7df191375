"""The methods of others: they run on any mesh, the same each time, and show the defects that they are known for."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from game.lab import OWN_CONTROLLER, REFERENCE_CONTROLLERS, WalkMetrics, create_controller, surface_gap
from game.lab.triangle_arrays import TriangleArrays, is_inside_by_areas, is_inside_by_edges
from game.physics import Command, TriangleMesh, WalkerState, bare

DEGREE = 65536 / 360
DT = 1 / 60


def quads(*corners):
    return [triangle for a, b, c, d in corners for triangle in ((a, b, c), (a, c, d))]


FLOOR = quads(((-30, 0, 30), (30, 0, 30), (30, 0, -30), (-30, 0, -30)))
WALL_EAST = quads(((1, 0, 30), (1, 3, 30), (1, 3, -30), (1, 0, -30)))


def walk(walker, mesh, feet, commands, heading=0):
    """(states, measure) of a walk."""
    faces, measure, settings = TriangleArrays(mesh.triangles12), WalkMetrics(), walker.settings
    state = walker.spawn(mesh, feet, heading)
    states = [state]
    for command in commands:
        after, _ = walker.step(state, command, mesh)
        measure.add_tick(state, command, after, settings, mesh, faces)
        state = after
        states.append(state)
    return states, measure


def ahead(degrees, ticks, **more):
    return [Command(forward=1.0, heading=round(degrees * DEGREE) % 65536, **more)] * ticks


@pytest.mark.full
@pytest.mark.parametrize("name", [*REFERENCE_CONTROLLERS, OWN_CONTROLLER])
def test_level_ground_is_walked_at_the_wished_pace(name):
    walker = create_controller(name, bare())
    states, measure = walk(walker, TriangleMesh(FLOOR), (0, 0, 0), ahead(37, 120))
    x, y, z = states[-1].feet
    # what single precision and a thousandth of a metre's epsilon leave of 8 m
    assert (x, z) == pytest.approx((-8 * math.sin(math.radians(37)), -8 * math.cos(math.radians(37))), abs=5e-3)
    assert abs(y) < 0.0101
    assert measure.pace == pytest.approx(1.0, abs=1e-3)
    assert (measure.stuck, measure.backward, measure.embedded, measure.tunnelled) == (0, 0, 0, 0)
    assert any(state.grounded for state in states[-10:]), "some bob by their own gap"


@pytest.mark.parametrize("name", REFERENCE_CONTROLLERS)
def test_each_reference_controller_falls_lands_and_jumps_as_the_walker_does(name):
    mesh = TriangleMesh(FLOOR)
    walker = create_controller(name, bare())
    state = walker.spawn(mesh, (0, 0, 0)).replace(position=(0, walker.body[1] + 2.0, 0))
    ticks = 0
    while not state.grounded or ticks == 0:
        state, _ = walker.step(state, Command(), mesh)
        ticks += 1
        assert ticks < 200
    assert ticks == pytest.approx(math.sqrt(2 * 2 / 9.81) / DT, abs=2.0)
    for _ in range(10):  # the guide stops short of the floor at first
        state, _ = walker.step(state, Command(), mesh)
    assert abs(state.feet[1]) < 0.01
    while not state.grounded:
        state, _ = walker.step(state, Command(), mesh)
    rise = []
    for _ in range(60):
        state, _ = walker.step(state, Command(jump=True), mesh)
        rise.append(state.feet[1])
    # gravity acts ahead of the move in each tick: half a tick's way less than the exact 1 m
    assert max(rise) == pytest.approx(1.0 - math.sqrt(2 * 9.81) * DT / 2, abs=0.02)
    assert state.grounded, "held, the key jumps once"


@pytest.mark.full
@pytest.mark.sample(2)
@pytest.mark.parametrize("name", REFERENCE_CONTROLLERS)
def test_each_reference_controller_walks_any_mesh_twice_with_the_same_bits(name):
    rng = np.random.default_rng(20260)
    soup = rng.normal(0, 1.5, (60, 3, 3))
    soup[::7, 1] = soup[::7, 0]  # without area
    needles = rng.normal(0, 1e-7, (20, 3, 3)) + rng.normal(0, 1, (20, 1, 3))
    meshes = [TriangleMesh(np.concatenate([soup, needles, FLOOR])), TriangleMesh([]), TriangleMesh(FLOOR * 3)]
    rows = [
        Command(
            forward=float(rng.uniform(-1, 1)),
            strafe=float(rng.uniform(-1, 1)),
            heading=int(rng.integers(65536)),
            jump=bool(rng.integers(2)),
            crouch=bool(rng.integers(2)),
        )
        for _ in range(60)
    ]
    for mesh in meshes:
        ends = []
        for walker in (create_controller(name), pickle.loads(pickle.dumps(create_controller(name)))):
            state = walker.adopt_state(create_controller(OWN_CONTROLLER).spawn(TriangleMesh(FLOOR), (0.0, 0.0, 3.0)))
            for command in rows:
                state, trace = walker.step(state, command, mesh)
                assert np.isfinite(state.position).all()
                assert trace.contacts == []
            assert WalkerState.from_bytes(state.to_bytes()) == state
            ends.append(state.to_bytes())
        assert ends[0] == ends[1]


@pytest.mark.parametrize("extreme", [(0.0, 0.0, 0.0), (1e5, 50.0, -1e5)])
@pytest.mark.parametrize("name", REFERENCE_CONTROLLERS)
def test_each_reference_controller_stays_finite_in_a_triangle_and_far_from_the_origin(name, extreme):
    mesh = TriangleMesh(np.array(FLOOR) + np.array(extreme))
    walker = create_controller(name)
    state = walker.adopt_state(create_controller(OWN_CONTROLLER).spawn(mesh, extreme)).replace(position=extreme)
    for _ in range(5):
        state, _ = walker.step(state, Command(forward=1.0), mesh)
    assert np.isfinite(state.position).all()


# ---- what each is known for


def test_the_guides_areas_without_sign_let_points_outside_pass():
    """Defect 2 of the seeds: beyond an edge the third area, as what is left to one, is never looked at."""
    a, b, c = (np.array(v, float)[:, None] for v in ((0, 0, 0), (1, 0, 0), (0, 1, 0)))
    normal = np.array((0.0, 0.0, 1.0))[:, None]
    grid = np.stack(np.meshgrid(np.linspace(-1, 2, 61), np.linspace(-1, 2, 61), indexing="ij")).reshape(2, -1)
    points = np.concatenate((grid, np.zeros((1, grid.shape[1]))))
    truth = (points[0] >= 0) & (points[1] >= 0) & (points[0] + points[1] <= 1)
    said = is_inside_by_edges(points, a, b, c, normal)
    assert (said == truth).mean() > 0.999  # the rim itself may round either way
    wrong = is_inside_by_areas(points, a, b, c) & ~truth
    assert wrong.sum() > 50


def corner(degrees):
    """Two walls that meet in this angle at (0, 0, -3), opening to the south."""
    wide = 6 * math.tan(math.radians(degrees / 2))
    return TriangleMesh(
        [
            *FLOOR,
            *quads(((-wide, 0, 3), (0, 0, -3), (0, 3, -3), (-wide, 3, 3))),
            *quads(((0, 0, -3), (wide, 0, 3), (wide, 3, 3), (0, 3, -3))),
        ]
    )


def test_one_plane_at_a_time_slides_the_sphere_through_the_second_wall():
    """Defect 8 in its plainest form: the sliding point obeys one wall a tick, ours both."""
    _, wiki = walk(create_controller("sliding", bare()), corner(30), (0, 0, 1.5), ahead(0, 120))
    states, ours = walk(create_controller(OWN_CONTROLLER, bare()), corner(30), (0, 0, 1.5), ahead(0, 120))
    assert wiki.embedded > 60
    assert wiki.path > 3 * ours.path
    assert (ours.embedded, ours.tunnelled, ours.backward) == (0, 0, 0)
    assert np.ptp([state.position for state in states[60:]], axis=0).max() < 1e-9


def test_probes_know_one_height_only():
    """A bridge is a wall to who comes to walk under it; ours walks through."""
    slab = quads(((-2, 2.2, -2), (2, 2.2, -2), (2, 2.2, -4), (-2, 2.2, -4)))
    mesh = TriangleMesh([*FLOOR, *slab])
    ends = {
        name: walk(create_controller(name, bare()), mesh, (0, 0, 0), ahead(0, 120))[0][-1].feet[2]
        for name in ("probes", OWN_CONTROLLER)
    }
    assert ends["probes"] > -2.0
    assert ends[OWN_CONTROLLER] == pytest.approx(-8.0, abs=1e-6)


# ---- the measures


def test_the_gap_is_the_distance_of_the_two_planes():
    mesh = TriangleMesh([*FLOOR, *WALL_EAST])
    faces = TriangleArrays(mesh.triangles12)
    state = create_controller(OWN_CONTROLLER).spawn(mesh, (0, 0, 0)).replace(position=(0.5, 2.0, 0.0))
    assert surface_gap(state, faces) == pytest.approx(0.5 - 0.35, abs=1e-12)
    turned = state.replace(heading=16384)
    assert surface_gap(turned, faces) == pytest.approx(0.5 - 0.25, abs=1e-12)
    assert surface_gap(state.replace(position=(0.8, 2.0, 0.0)), faces) == pytest.approx(0.2 - 0.35, abs=1e-12)
    assert surface_gap(state.replace(position=(1.0, 2.0, 0.0)), faces) < -0.2
    assert surface_gap(state.replace(position=(0.0, 50.0, 0.0)), faces) == math.inf


def test_what_counts_as_stuck_backward_and_through():
    mesh = TriangleMesh([*FLOOR, *WALL_EAST])
    faces, settings = TriangleArrays(mesh.triangles12), bare()
    state = create_controller(OWN_CONTROLLER).spawn(mesh, (0, 0, 0))
    north = Command(forward=1.0)
    measure = WalkMetrics()
    x, y, z = state.position
    measure.add_tick(state, north, state, settings, mesh, faces)
    assert (measure.stuck, measure.backward, measure.tunnelled) == (1, 0, 0)
    measure.add_tick(state, north, state.replace(position=(x, y, z + 0.01)), settings, mesh, faces)
    assert (measure.stuck, measure.backward, measure.tunnelled) == (1, 1, 0)
    measure.add_tick(state, Command(), state.replace(position=(x + 2.0, y, z)), settings, mesh, faces)
    assert (measure.stuck, measure.backward, measure.tunnelled) == (1, 1, 1)
    assert measure.ticks == 3
    assert measure.wished == pytest.approx(2 * 4.0 / 60)
    assert measure.progress == pytest.approx(-0.01)


def test_names_and_defects_that_there_are_not_are_reported_in_words():
    with pytest.raises(ValueError, match=r"no technique is called 'quake' .known: guide, article"):
        create_controller("quake")
    with pytest.raises(ValueError, match="'wings' is not a defect of 'guide' that can be fixed"):
        create_controller("guide", fixed=["wings"])
    with pytest.raises(ValueError, match="is not a defect of 'article'"):
        create_controller("article", fixed=["turn"])
    with pytest.raises(ValueError, match="no defects"):
        create_controller(OWN_CONTROLLER, fixed=["turn"])
