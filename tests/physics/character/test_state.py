"""WalkerState: replaced values with gravity in any direction, checked bytes, and rows of version 0.1.0."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from game.physics import Command, Crowd, TriangleMesh, Walker, WalkerState
from game.physics.character.rows import state_row
from game.physics.character.state import STATE_ROW
from tests.physics.character.test_any_up import QUARTERS
from tests.support.referee.scene_shapes import rotation
from tests.support.scenes import box

HALL = np.array(box(-9, 0, -9, 9, 12, 9))
WALKER = Walker()
SOUTH, WEST, DOWN = QUARTERS  # where up is then
TURNS = [np.eye(3), SOUTH, SOUTH.T, WEST, WEST.T, DOWN, *(rotation(np.random.default_rng(seed)) for seed in range(6))]


def standing(turn: Any) -> tuple[TriangleMesh, WalkerState]:
    """The hall turned, and a body that stands on its floor."""
    level = TriangleMesh(HALL @ turn.T)
    return level, WALKER.spawn(level, (0, 0, 0), up=turn @ (0, 1, 0), north=turn @ (0, 0, -1))


@pytest.mark.sample(3)
@pytest.mark.parametrize("turn", TURNS)
def test_a_velocity_along_up_rises_and_one_across_it_does_not(turn: Any) -> None:
    level, state = standing(turn)
    up, speed = np.array(state.up), 5.0
    still = WALKER.commands([Command()] * 40)
    raised = state.replace(velocity=speed * up)
    assert not raised.grounded
    assert raised.ground_normal == (0.0, 0.0, 0.0)
    heights = (WALKER.run(raised, still, level)["position"] - state.position) @ up
    assert heights.max() == pytest.approx(speed**2 / (2 * WALKER.settings.gravity), abs=0.002)
    for across in ((0, 0, -1), (1, 0, 0), (0.6, 0, 0.8)):
        pushed = state.replace(velocity=speed * (turn @ across))
        assert pushed.grounded
        states = WALKER.run(pushed, still, level)
        assert ((states["position"] - state.position) @ up).max() < 1e-9
        assert states["grounded"].all()
    lowered = WALKER.state(WALKER.run(raised, still[:15], level)[-1]).replace(velocity=-3.0 * up)
    assert lowered.row()["falling"] == pytest.approx(-3.0)
    landed = WALKER.run(lowered, still, level)
    assert landed["grounded"][-1]
    assert ((landed["position"][0] - lowered.position) @ up) == pytest.approx(-3.0 / 60, abs=0.01)


@pytest.mark.sample(3)
@pytest.mark.parametrize("turn", TURNS)
def test_what_is_replaced_in_a_turned_world_walks_on_turned(turn: Any) -> None:
    rng = np.random.default_rng(5)
    (level, turned), (plain, upright) = standing(turn), standing(np.eye(3))
    rows = WALKER.commands([Command(forward=1.0, heading=3000)] * 50)
    for _ in range(12):
        velocity = rng.uniform(-6, 6, 3) * (rng.random(3) < 0.7)
        place = np.array(upright.position) + rng.uniform(0, 3, 3) * (rng.random(3) < 0.5)
        kind = rng.integers(3)
        change = {} if kind == 1 else {"velocity": velocity}
        change |= {} if kind == 0 else {"position": place}
        one = upright.replace(**change, heading=700)
        other = turned.replace(**{name: turn @ value for name, value in change.items()}, heading=700)
        assert (one.grounded, one.heading) == (other.grounded, other.heading)
        before, after = WALKER.run(one, rows, plain), WALKER.run(other, rows, level)
        assert np.abs(after["position"] @ turn - before["position"]).max() < 1e-6
        assert (after["grounded"] == before["grounded"]).all()


def test_a_heading_is_an_integer() -> None:
    _, state = standing(np.eye(3))
    assert state.replace(heading=np.int64(-1)).heading == 65535
    for wrong in (1.5, True, "north"):
        with pytest.raises(ValueError, match="heading must be an integer"):
            state.replace(heading=wrong)


def column(name: str, value: float, k: int = 0) -> Callable[[Any], None]:
    def change(row: Any) -> None:
        if row[name].ndim == 2:
            row[name][0, k] = value
        else:
            row[name] = value

    return change


def flag_byte(value: int) -> Callable[[Any], None]:
    def change(row: Any) -> None:
        row.view(np.uint8)[8 * state_row.FLAGS + 2] = value

    return change


BROKEN = [
    *((name, column(name, value, k), name) for name in ("position", "velocity", "safe", "carried", "up", "safe_north")
      for k, value in ((0, math.nan), (2, math.inf))),
    *(("radii", column("radii", value, 1), "radii") for value in (0.0, -0.9)),
    ("falling", column("falling", -math.inf), "falling"),
    *((name, column(name, 0.5, 1), name) for name in ("up", "north", "safe_up", "safe_north")),
    ("ground_normal", column("ground_normal", 0.5, 0), "ground_normal"),
    *((name, column(name, value), name) for name in ("heading", "safe_heading") for value in (-1, 65536)),
    *((name, column(name, -1), name) for name in ("tick", "coyote", "buffer")),
    ("safe_crouched", column("safe_crouched", 2), "safe_crouched"),
    ("flags", flag_byte(2), "flags"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "words"), [entry[1:] for entry in BROKEN])
def test_bytes_that_are_no_state_are_refused_by_the_name_of_the_field(change: Any, words: str) -> None:
    row = standing(np.eye(3))[1].row()
    change(row)
    with pytest.raises(ValueError, match=rf"not a walker state: {words} must be"):
        WalkerState.from_bytes(row.tobytes())


def test_north_along_up_and_bytes_of_zeros_are_refused() -> None:
    row = standing(np.eye(3))[1].row()
    row["north"] = row["up"]
    with pytest.raises(ValueError, match="north must be perpendicular to up"):
        WalkerState.from_bytes(row.tobytes())
    with pytest.raises(ValueError, match="not a walker state: radii must be above 0"):
        WalkerState.from_bytes(bytes(STATE_ROW.itemsize))
    for size in (0, 8, 240, STATE_ROW.itemsize - 8, STATE_ROW.itemsize + 8):
        with pytest.raises(ValueError, match=f"has {STATE_ROW.itemsize} bytes, not {size}"):
            WalkerState.from_bytes(bytes(size))


@pytest.mark.sample(3)
@pytest.mark.parametrize("turn", TURNS)
def test_the_bytes_of_any_state_are_read_back(turn: Any) -> None:
    level, state = standing(turn)
    rng = np.random.default_rng(2)
    rows = WALKER.commands(
        forward=rng.uniform(-1, 1, 200), heading=rng.integers(0, 65536, 200), jump=rng.random(200) < 0.1,
        crouch=rng.random(200) < 0.3,
    )  # fmt: skip
    for row in WALKER.run(state, rows, level):
        one = WALKER.state(row)
        assert WalkerState.from_bytes(one.to_bytes()) == one == pickle.loads(pickle.dumps(one))


def test_rows_that_are_no_states_are_refused_wherever_they_come_in() -> None:
    level, _ = standing(WEST)
    rows = WALKER.commands([Command()])
    shorter = np.zeros(1, STATE_ROW.descr[:-4])  # without the body at the safe place
    for row in (shorter, np.zeros(1, [("position", "f8", 3)])):
        with pytest.raises(ValueError, match="rows must be walker states"):
            WalkerState(row)
        with pytest.raises(ValueError, match="must be a 1-D array of state rows"):
            Crowd(WALKER, level, 1).step(row, rows)
