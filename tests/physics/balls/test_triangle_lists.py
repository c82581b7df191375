"""Triangle lists of balls contain all triangles that they may touch in a tick, by brute force."""

import numpy as np
import pytest

from game.physics import TriangleMesh
from game.physics.balls.balls import BallMemory, BallSettings, ball_floats, ball_rows
from game.physics.balls.broad_phase import canonical_order, find_ball_pairs, grid_cell_size
from game.physics.balls.platform_contacts import update_movers
from game.physics.balls.rows import ball, counter, kinematic_body, mover_row, setting, status
from game.physics.balls.scratch import MAX_LISTED_TRIANGLES, allocate_ball_scratch
from game.physics.balls.step import load_balls
from game.physics.balls.triangle_lists import update_triangle_lists
from game.physics.environment.environment import Environment
from game.physics.environment.motion import Motion
from game.physics.environment.movers import Mover, Movers

CLOCK = 37


def met(mesh, place, wide):
    """Indices of the triangles whose box overlaps a cube of this half size about a point."""
    triangles = mesh.triangles12[:, :9].reshape(-1, 3, 3)
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    return np.flatnonzero(((low <= place + wide) & (high >= place - wide)).all(axis=1)).tolist()


def scene(seed):
    """Scattered triangles, two movers of such, and balls: in a cluster, spread out, far away, and a large one."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-4.0, 4.0, (250, 1, 3))
    mesh = TriangleMesh(centres + rng.uniform(-0.6, 0.6, (250, 3, 3)))
    own = [TriangleMesh(rng.uniform(-2.0, 2.0, (25, 1, 3)) + rng.uniform(-0.4, 0.4, (25, 3, 3))) for _ in range(2)]
    motions = Motion(axis=(0, 0, 1), spin=50.0), Motion(axis=(0, 1, 0), spin=-90.0)
    movers = Movers([Mover(one, motion=motion) for one, motion in zip(own, motions, strict=True)])
    places = np.concatenate((rng.normal(0.0, 0.5, (50, 3)), rng.uniform(-4.0, 4.0, (30, 3)), [(400.0, 1.0, -9e4)]))
    radii = np.where(rng.random(len(places)) < 0.06, 0.7, 0.1)
    states = ball_rows(places, radius=radii, velocity=rng.normal(0.0, 2.0, places.shape))
    states["asleep"] = rng.random(len(states)) < 0.2
    return mesh, own, Environment(movers=movers), states


@pytest.mark.parametrize("seed", range(4))
def test_triangle_lists_match_brute_force(seed):
    mesh, own, around, states = scene(seed)
    settings = BallSettings()
    rows = np.ascontiguousarray(states[canonical_order(ball_floats(states), settings.gravity)])
    n, numbers = len(rows), settings.row()
    w = allocate_ball_scratch(n, n * n, 1, 400)
    floats = ball_floats(rows)
    load_balls(w, numbers, floats, floats.view(np.int64), np.arange(n), n)
    memory = BallMemory()
    memory.enter(mesh, around, np.zeros((0, kinematic_body.WIDTH)), n)
    others = memory.obstacles
    update_movers(others, float(CLOCK), numbers[setting.DT])
    side = grid_cell_size(w, n)
    find_ball_pairs(w, numbers, n, side)
    update_triangle_lists(memory.mesh, others, w, n, side)
    assert w.counters[counter.TRIANGLES_NEEDED] == 0
    poses = around.movers.poses(CLOCK)
    firsts = np.cumsum([len(mesh), len(own[0])])  # the movers' triangles come after the level's
    some = none = 0
    for i in np.flatnonzero(~rows["asleep"]):
        place, reach = rows["position"][i], w.balls[i, ball.SWEPT_RADIUS]
        wanted = [(t, -1) for t in met(mesh, place, reach)]
        for number, one in enumerate(own):
            inside = (place - poses[number][:, 3]) @ poses[number][:, :3]
            found = met(one, inside, reach + others.movers[number, mover_row.MAX_DISPLACEMENT])
            wanted += [(t + firsts[number], number) for t in found]
        if len(wanted) > MAX_LISTED_TRIANGLES:
            assert w.status[i, status.LIST_COUNT] == status.NO_LIST
            assert not w.status[i, status.NO_SURFACE_NEAR]
            continue
        assert w.triangle_lists[i, : w.status[i, status.LIST_COUNT]].tolist() == [list(each) for each in wanted]
        assert bool(w.status[i, status.NO_SURFACE_NEAR]) == (not wanted)
        some, none = some + bool(wanted), none + (not wanted)
    assert some > 20
    assert none > 3
