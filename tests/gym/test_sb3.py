"""Stable-Baselines3 learns by its adapter. It needs torch, so that it is not installed with the tests."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("stable_baselines3", reason="needs stable-baselines3 (pip install stable-baselines3)")

from game.gym.sb3 import StableBaselinesVecEnv
from game.gym.vector import EllipsoidWalkerVectorEnv
from game.level import load
from tests.support.example_script import load_example

AHEAD = np.tile(np.array([1, 0, 0, -1, -1, 1], np.float32), (2, 1))


@pytest.fixture(scope="module")
def example() -> SimpleNamespace:
    return load_example("learning/ppo")


def field(example: SimpleNamespace, limit: int, **options: Any) -> EllipsoidWalkerVectorEnv:
    level = load(text=example.FIELD.replace("west", "north"))
    return EllipsoidWalkerVectorEnv(2, limit, level=level, distance="straight", rays=2, **options)


def test_rows_that_end_have_their_last_observation(example: SimpleNamespace) -> None:
    env = StableBaselinesVecEnv(field(example, 5, autoreset_mode="SameStep"))
    plain = field(example, 5)
    env.seed(3)
    assert (env.reset() == plain.reset(seed=3)[0]).all()
    for _ in range(5):
        observations, rewards, dones, infos = env.step(AHEAD)
        last = plain.step(AHEAD)[0]
    assert dones.all()
    assert rewards.dtype == np.float32
    for row, info in enumerate(infos):
        assert (info["terminal_observation"] == last[row]).all()
        assert info["TimeLimit.truncated"]
        assert not info["is_success"]
    assert (observations != last).any()


def test_the_goal_is_no_truncation(example: SimpleNamespace) -> None:
    env = StableBaselinesVecEnv(field(example, 500, autoreset_mode="SameStep"))
    env.reset()
    while True:
        _, _, dones, infos = env.step(AHEAD)
        if dones.any():
            break
    assert infos[0]["is_success"]
    assert not infos[0]["TimeLimit.truncated"]


@pytest.mark.full
def test_ppo_learns(example: SimpleNamespace) -> None:
    example.torch.set_num_threads(1)
    model = example.PPO("MlpPolicy", example.environment(), n_steps=64, batch_size=512, seed=1, device="cpu")
    before = example.success(model, 1)
    model.learn(20_000)
    assert before < 0.2
    assert example.success(model, 1) > 0.8
