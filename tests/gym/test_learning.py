"""An agent learns: the return rises, and does not where the reward has the other sign or actions are ignored."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from game.gym.vector import EllipsoidWalkerVectorEnv
from game.level import load
from tests.support.example_script import load_example

FIELD = """
format: 1
name: Field
spawn: {at: [0, 0, 0], facing: west}
goal: {at: [0, 0, -8], radius: 1.0}
pieces: [floor: {from: [-30, -30], to: [30, 30]}]
"""
GENERATIONS, RISE = 8, 0.4


@pytest.fixture(scope="module")
def example() -> SimpleNamespace:
    return load_example("learning/walk_courses")


def field() -> EllipsoidWalkerVectorEnv:
    return EllipsoidWalkerVectorEnv(48, 24, level=load(text=FIELD), distance="straight", rays=4, frame_skip=5)


def rise(curve: list[float]) -> float:
    return float(np.mean(curve[-2:]) - np.mean(curve[:2]))


def test_the_return_rises(example: SimpleNamespace) -> None:
    assert rise(example.train(field(), GENERATIONS, 3)[1]) > RISE
    assert rise(example.train(field(), GENERATIONS, 3, sign=-1.0)[1]) < 0.0
    deaf: Any = field()
    step = deaf.step
    deaf.step = lambda actions: step(np.zeros_like(actions))
    assert abs(rise(example.train(deaf, GENERATIONS, 3)[1])) < RISE / 4


def test_the_same_seed_gives_the_same_curve(example: SimpleNamespace) -> None:
    assert example.train(field(), 2, 5)[1] == example.train(field(), 2, 5)[1]
