"""The vector environment has the bits of as many single ones, each of which steps a world."""

from __future__ import annotations

from functools import cache
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from game.gym import ENVIRONMENT
from game.gym.vector import EllipsoidWalkerVectorEnv
from game.level import Level, load

# A spinning floor with a gravity zone, a launch pad and a kill zone on movers, a sliding door, a teleport, targets, a
# lift with a current and a door that wait for the player.
ROUGH = """
format: 1
name: Rough
spawns: [{name: a, at: [0, 0, 3], facing: north}, {name: b, at: [1, 0, -9], facing: north}, {name: c, at: [-4, 0, -4]}]
goal: {at: [0, 0, -12], radius: 2.5, after: targets}
kill_height: -6
pieces:
  - floor: {from: [-8, -15], to: [6, 5]}
  - floor: {from: [10, -18], to: [26, 6], y: 2}
  - kill: {from: [-7, 0, -7], to: [-5, 3, -5]}
  - teleport: {from: [4, 0, -3], to: [6, 2, 0], arrive: [18, 2, 0], facing: west}
  - teleport: {from: [11, 2, -7], to: [17, 4, 3], arrive: [0, 0, 2]}
  - target: {at: [0, 1, 1], radius: 2.5}
  - target: {at: [2, 1, -9], radius: 2.5}
  - mover: {at: [0, 0, -4], path: [[0, 0, 0], [3, 0, 0]], seconds: 1, pause: 0.4, of: [box: {from: [-2, 0, 0], to: [2, 2.4, 0.2]}]}
  - mover: {at: [-4, 0, 0], spin: 40, of: [box: {from: [-2, 0, -2], to: [2, 0.2, 2]}, current: {from: [-2, 0.2, -2], to: [2, 3, 2], velocity: [0, 6, -2]}]}
  - mover: {at: [4, 0, 3], path: [[0, 0, 0], [0, 0, -9]], seconds: 4, of: [kill: {from: [0, 0, -1], to: [1, 2, 1]}, box: {from: [0, 0, 0], to: [1, 0.1, 0.1]}]}
  - mover: {at: [3, 0, -8], path: [[0, 0, 0], [0, 1.5, 0]], seconds: 0.6, pause: 0.1, starts: ridden, of: [box: {from: [-1.8, 0, -1.8], to: [1.8, 0.15, 1.8]}, current: {from: [-1.8, 0.15, -1.8], to: [1.8, 2, 1.8], velocity: [1, 0, -1]}]}
  - mover: {at: [-3, 0, -10], path: [[0, 0, 0], [-2, 0, 0]], seconds: 0.5, pause: 0.1, starts: near, near: 0.8, of: [box: {from: [-1, 0, 0], to: [1, 2.4, 0.2]}]}
"""  # noqa: E501


@cache
def level(name: str) -> Level:
    return load(text=ROUGH) if name == "rough" else load(name)


def environments(count: int, mode: AutoresetMode, **options: Any) -> tuple[EllipsoidWalkerVectorEnv, list[Any]]:
    options = {"starts": "spawns", "random_clock": True, "max_episode_steps": 60, **options}
    vector: Any = gymnasium.make_vec(
        ENVIRONMENT, count, vectorization_mode="vector_entry_point", autoreset_mode=mode, **options
    )
    return vector, [gymnasium.make(ENVIRONMENT, disable_env_checker=True, **options) for _ in range(count)]


def compare(
    count: int, steps: int, mode: AutoresetMode = AutoresetMode.NEXT_STEP, seed: int = 7, **options: Any
) -> dict[str, int]:
    """Step both with random actions; how often things happened."""
    vector, singles = environments(count, mode, **options)
    observations, _ = vector.reset(seed=seed)
    for row, single in enumerate(singles):
        assert (single.reset(seed=seed + row)[0] == observations[row]).all()
    random, ended = np.random.default_rng(seed), np.zeros(count, np.bool_)
    happened = {"terminated": 0, "truncated": 0, "is_success": 0}
    for step in range(steps):
        if step % 25 == 0:
            actions = random.uniform(-1.0, 1.0, (count, 6)).astype(np.float32)
            actions[:, 0], actions[:, 2] = 1.1, actions[:, 2] / 8.0
        if mode == AutoresetMode.DISABLED and ended.any():
            observations, _ = vector.reset(options={"reset_mask": ended})
            for row in np.flatnonzero(ended).tolist():
                assert (singles[row].reset()[0] == observations[row]).all()
            ended[:] = False
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        for row, single in enumerate(singles):
            if ended[row] and mode == AutoresetMode.NEXT_STEP:
                own = single.reset()[0], 0.0, False, False
            else:
                own = single.step(actions[row])[:4]
            shown = observations[row]
            if mode == AutoresetMode.SAME_STEP and (own[2] or own[3]):
                assert infos["_final_obs"][row]
                assert infos["final_info"]["is_success"][row] == (own[2] and own[1] > 5.0)
                shown = infos["final_obs"][row]
                assert (single.reset()[0] == observations[row]).all()
            assert (own[0] == shown).all(), (step, row)
            assert own[1:] == (rewards[row], terminated[row], truncated[row]), (step, row)
        ended = terminated | truncated
        happened["terminated"] += int(terminated.sum())
        happened["truncated"] += int(truncated.sum())
        success = infos["final_info"]["is_success"] if "final_info" in infos else infos.get("is_success", 0)
        happened["is_success"] += int(np.count_nonzero(success))
    return happened


@pytest.mark.sample(1)
@pytest.mark.parametrize("mode", AutoresetMode)
def test_rows_have_the_bits_of_single_environments(mode: AutoresetMode) -> None:
    levels = [level("rough"), level("lifts")]
    options = {"level": levels, "distance": "straight", "frame_skip": 2, "rays": 6, "max_episode_steps": 120}
    happened = compare(16, 350, mode, **options)
    assert happened["terminated"] > 4
    assert happened["truncated"] > 4


@pytest.mark.full
def test_rows_have_the_same_bits_along_the_walkable_way() -> None:
    compare(
        16,
        230,
        level=[level("demo"), level("lifts"), level("escher")],
        starts="anywhere",
        show_path=True,
        frame_skip=1,
        rays=4,
    )


@pytest.mark.full
@pytest.mark.parametrize("seed", range(16))
def test_a_million_steps_have_the_same_bits(seed: int) -> None:
    levels = [level(name) for name in ("rough", "demo", "lifts", "waters", "escher")]
    compare(
        64,
        1_000_000 // 16 // 64 + 1,
        seed=seed,
        level=levels,
        distance="straight",
        frame_skip=1,
        rays=2,
        max_episode_steps=400,
    )
