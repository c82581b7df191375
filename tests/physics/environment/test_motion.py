"""Mover poses by tick: paths, stops, swings and spins; and the joined arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.physics import Motion, Mover, Movers, TriangleMesh
from tests.support.scenes import box as box_of


def box(low, high):
    return TriangleMesh(box_of(*low, *high))


LIFT = Motion(path=((0, 0, 0), (0, 4, 0)), seconds=2.0, pause=1.0, ease=False)


def _place(motion: Motion, tick: float, rate: float = 60.0, at=(0.0, 0.0, 0.0)) -> np.ndarray:
    return Movers([Mover(box((-1, -1, -1), (1, 1, 1)), at, motion)], rate).poses(tick)[0]


@pytest.mark.parametrize("rate", [30, 60, 120, 240])
def test_a_lift_waits_goes_waits_and_comes_back_at_any_tick_rate(rate: int) -> None:
    seconds = np.arange(0, 12.0, 0.5)
    expected = np.interp(seconds % 6.0, [0, 1, 3, 4, 6], [0, 0, 4, 4, 0])
    heights = [_place(LIFT, s * rate, rate)[1, 3] for s in seconds]
    assert np.abs(np.array(heights) - expected).max() <= 4 * 4 * 2.0**-52 * 12  # rounding of the time at 2 m/s


def test_a_gentle_start_is_the_smooth_step_and_a_loop_closes() -> None:
    motion = Motion(path=((0, 0, 0), (3, 0, 0), (3, 0, 4)), seconds=7.0, loop=True)
    places = [_place(motion, 60.0 * s)[:, 3] for s in (0.0, 1.5, 3.0, 5.0, 7.0, 9.5, 12.0)]
    expected = [(0, 0, 0), (1.5, 0, 0), (3, 0, 0), (3, 0, 2), (3, 0, 4), (1.5, 0, 2), (0, 0, 0)]
    assert np.allclose(places, expected, atol=1e-13)
    s = 0.5 / 3.0
    assert _place(motion, 30.0)[0, 3] == pytest.approx(3 * s * s * (3 - 2 * s), abs=1e-14)


def test_a_spin_is_a_rotation_about_its_axis_exact_at_quarter_turns() -> None:
    quarter = Motion(spin=90.0)
    assert (_place(quarter, 60)[:, :3] == [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]).all()
    assert (_place(quarter, 240 * 1000)[:, :3] == np.eye(3)).all()
    rng = np.random.default_rng(5)
    for _ in range(50):
        axis = rng.normal(size=3)
        tick, spin = float(rng.uniform(0, 1000)), float(rng.uniform(-300, 300))
        r = _place(Motion(axis=tuple(axis), spin=spin), tick)[:, :3]
        n, angle = axis / np.linalg.norm(axis), math.radians(spin * tick / 60.0)
        cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
        wanted = np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
        assert np.abs(r - wanted).max() < 1e-13 + 4 * abs(angle) * 2.0**-52
        assert np.abs(r @ r.T - np.eye(3)).max() < 1e-15 * 4


def test_a_swing_follows_the_path_and_comes_back() -> None:
    door = Motion(swing=90.0, seconds=1.0, pause=1.0)
    assert (_place(door, 0)[:, :3] == np.eye(3)).all()
    assert (_place(door, 60)[:, :3] == np.eye(3)).all()
    half = _place(door, 90)[:, :3]
    assert half[0, 0] == pytest.approx(math.sqrt(0.5), abs=1e-15)
    assert (_place(door, 150)[:, :3] == [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]).all()
    assert (_place(door, 240)[:, :3] == np.eye(3)).all()


def test_a_phase_is_ahead_and_a_mover_without_motion_stays() -> None:
    ahead = Motion(path=LIFT.path, seconds=2.0, pause=1.0, ease=False, phase=2.0)
    assert (_place(ahead, 17) == _place(LIFT, 17 + 120)).all()
    still = _place(Motion(), 12345.0, at=(1.0, 2.0, 3.0))
    assert (still == np.column_stack((np.eye(3), (1, 2, 3)))).all()


def test_values_out_of_range_are_refused_in_words() -> None:
    for wrong, word in (
        ({"seconds": 0.0}, "seconds"),
        ({"pause": -1.0}, "pause"),
        ({"spin": math.inf}, "spin"),
        ({"axis": (0.0, 0.0, 0.0)}, "axis"),
        ({"path": ((0.0, math.nan, 0.0),)}, "path"),
    ):
        with pytest.raises(ValueError, match=word):
            Motion(**wrong)
    with pytest.raises(ValueError, match="ticks_per_second"):
        Movers([], 0.0)
    with pytest.raises(ValueError, match="'ram' moves at up to"):
        Movers([Mover(box((0, 0, 0), (1, 1, 1)), motion=Motion(path=((0, 0, 0), (1000, 0, 0))), name="ram")])


def test_movers_keep_their_bounds_and_speed_limits() -> None:
    rng = np.random.default_rng(8)
    for _ in range(12):
        path = tuple(map(tuple, rng.uniform(-5, 5, (int(rng.integers(1, 5)), 3))))
        motion = Motion(
            path=path, seconds=float(rng.uniform(1, 9)), pause=float(rng.uniform(0, 1)), ease=bool(rng.integers(2)),
            loop=bool(rng.integers(2)), axis=tuple(rng.normal(size=3)), swing=float(rng.choice((0, 70))),
            spin=float(rng.choice((0, 50))), phase=float(rng.uniform(0, 5)),
        )  # fmt: skip
        mesh = box(tuple(rng.uniform(-3, 0, 3)), tuple(rng.uniform(0.1, 3, 3)))
        movers = Movers([Mover(mesh, tuple(rng.uniform(-9, 9, 3)), motion)])
        corners = mesh.triangles12[:, :9].reshape(-1, 3)
        row, before = movers.motions[0], None
        for tick in np.linspace(0, 1500, 700):
            r = movers.poses(tick)[0]
            world = corners @ r[:, :3].T + r[:, 3]
            assert (world >= row[12:15] - 1e-9).all()
            assert (world <= row[15:18] + 1e-9).all()
            if before is not None:
                fastest = np.linalg.norm(world - before, axis=1).max() / (1500 / 699 / 60)
                assert fastest <= (row[18] + row[19] * row[20]) * (1 + 1e-9) + 1e-9
            before = world
