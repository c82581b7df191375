"""Zones that movers carry: their rows at a tick, and walkers in them by run, step and crowd."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from game.physics import Command, Environment, Mover, Movers, TriangleMesh, Walker, Zone, Zones
from game.physics.environment.motion import Motion
from game.physics.environment.rows import zone_row

PLATE = TriangleMesh(
    [((-0.2, 0, 0.2), (0.2, 0, 0.2), (0.2, 0, -0.2)), ((-0.2, 0, 0.2), (0.2, 0, -0.2), (-0.2, 0, -0.2))]
)
FAR_FLOOR = TriangleMesh(
    [((-90, -60, 90), (90, -60, 90), (90, -60, -90)), ((-90, -60, 90), (90, -60, -90), (-90, -60, -90))]
)
POOL = Zone((0.0, 5.0, 0.0), (6.0, 3.0, 6.0), water=True)
STEADY = Motion(((0, 0, 0), (12, 6, -24)), seconds=12.0, ease=False)  # 1, 0.5 and -2 m/s


def environment(zones: list[Zone], motion: Motion, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Environment:
    """Zones with a mover that has a small plate far below them."""
    return Environment(Zones(zones), Movers([Mover(PLATE, (at[0], at[1] - 30.0, at[2]), motion)]))


def commands(count: int) -> list[Command]:
    rng = np.random.default_rng(20)
    return [
        Command(float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1)), int(rng.integers(65536)), jump=k % 90 > 70)
        for k in range(count)
    ]


def test_a_jump_off_a_ladder_on_a_lift_is_that_off_one_at_rest():
    walker, velocity = Walker(), np.array((2.0, 3.0, -1.0))
    ladder = Zone((0.0, 0.0, 0.0), (1.0, 8.0, 8.0), climb=(0, 0, -1))
    start = walker.spawn(FAR_FLOOR, (0.0, -4.0, 0.0))
    jump = [Command(jump=k == 20) for k in range(40)]
    still = walker.run(start, jump, FAR_FLOOR, around=Environment(Zones([ladder])))
    lift = Motion(((0, 0, 0), tuple(9.0 * velocity)), seconds=9.0, ease=False)
    moving = walker.run(start, jump, FAR_FLOOR, around=environment([replace(ladder, mover=0)], lift))
    assert not moving["climbing"][20]
    seconds = np.arange(1, 41)[:, None] / 60.0
    np.testing.assert_allclose(moving["position"][:21] - seconds[:21] * velocity, still["position"][:21], atol=1e-9)
    np.testing.assert_allclose(moving["velocity"][20] - velocity, still["velocity"][20], atol=1e-9)


def test_rows_are_those_of_zones_placed_where_the_mover_is():
    turning = Motion(((1, 2, 3), (4, 2, -3)), seconds=2.0, spin=57.0)
    zone = Zone((2, 1, 5), (1, 2, 3), 5000, (0, 0, -1), 0.5, (1, 0, 2), climb=(1, 0, 0), launch=(0, 5, -3))
    around = environment([Zone((0, 0, 0), (1, 1, 1), water=True), replace(zone, mover=0)], turning, (1.0, 0.0, 2.0))
    assert around.carried_zones is not None
    assert around.movers is not None
    for tick in (0, 31, 64, 1000):
        row = around.carried_zones.rows_at(tick)[1]
        pose = around.movers.poses(tick)[0]
        rotation, position = pose[:, :3], pose[:, 3]
        turned = 5000 + math.atan2(rotation[0, 2], rotation[0, 0]) / math.tau * 65536
        centre = rotation @ (np.array(zone.centre) - around.movers[0].at) + position
        vectors = {
            name: tuple(rotation @ np.array(getattr(zone, name))) for name in ("down", "current", "climb", "launch")
        }
        there = Zones([replace(zone, centre=tuple(centre), heading=round(turned), **vectors)]).rows[0]
        np.testing.assert_allclose(
            row[: zone_row.BOUNDS], there[: zone_row.BOUNDS], atol=1e-4
        )  # of a whole heading unit
        box = zone_row.BOUNDS
        assert (row[box : box + 3] <= there[box : box + 3]).all()
        assert (row[box + 3 : box + 6] >= there[box + 3 : box + 6]).all()
        assert (row[box + 6 : box + 12] == row[box : box + 6]).all()
        ahead = around.carried_zones.rows_at(tick + 1)[1]
        np.testing.assert_allclose(row[zone_row.VELOCITY : zone_row.VELOCITY + 3], (ahead - row)[:3] * 60.0, atol=1e-9)
        assert not around.carried_zones.rows_at(tick)[0, zone_row.VELOCITY :].any()


def test_a_zone_on_a_mover_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match=r"zones\[1\] is on mover 1; the environment has 1"):
        environment([POOL, replace(POOL, mover=1)], STEADY)
    with pytest.raises(ValueError, match="the environment has 0"):
        Environment(Zones([replace(POOL, mover=0)]))
    with pytest.raises(ValueError, match="mover must be at least -1"):
        Zone((0, 0, 0), (1, 1, 1), mover=-2)
