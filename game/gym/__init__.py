"""Environments for Gymnasium: a walker learns to reach the goal of a level. See docs/gym.md.

The import registers `EllipsoidWalker-v0`, and loads neither Numba nor the physics.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gymnasium.envs.registration import register

if TYPE_CHECKING:
    from .episode import Episode
    from .options import Reward
    from .single import EllipsoidWalkerEnv
    from .vector import EllipsoidWalkerVectorEnv

ENVIRONMENT = "EllipsoidWalker-v0"
MAX_EPISODE_STEPS = 1000
_MODULES = {
    "Episode": "episode",
    "Reward": "options",
    "EllipsoidWalkerEnv": "single",
    "EllipsoidWalkerVectorEnv": "vector",
}

register(
    id=ENVIRONMENT,
    entry_point=f"{__name__}.single:EllipsoidWalkerEnv",
    vector_entry_point=f"{__name__}.vector:EllipsoidWalkerVectorEnv",
    max_episode_steps=MAX_EPISODE_STEPS,
)

__all__ = [
    "ENVIRONMENT",
    "EllipsoidWalkerEnv",
    "EllipsoidWalkerVectorEnv",
    "Episode",
    "Reward",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
