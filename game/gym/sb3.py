"""Adapter of a vector environment to the `VecEnv` of Stable-Baselines3, which has to be installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from .vector import EllipsoidWalkerVectorEnv


class StableBaselinesVecEnv(VecEnv):  # type: ignore[misc]
    """A `VecEnv` of a vector environment in the mode "SameStep".

    The `infos` of a row that has ended hold `terminal_observation`, `TimeLimit.truncated` and `is_success`.
    """

    def __init__(self, environment: EllipsoidWalkerVectorEnv) -> None:
        """ValueError for an environment in another mode."""
        if environment.autoreset_mode != AutoresetMode.SAME_STEP:
            raise ValueError('the environment must reset in the same step: pass autoreset_mode="SameStep"')
        self.environment = environment
        self._seed: int | None = None
        self._actions: Any = None
        self.render_mode = environment.render_mode
        super().__init__(environment.num_envs, environment.single_observation_space, environment.single_action_space)

    def reset(self) -> Any:
        """The observations (N, D) at the start of new episodes."""
        self._seed, seed = None, self._seed
        return self.environment.reset(seed=seed)[0]

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Use this seed for the next reset: row k gets seed + k."""
        self._seed = seed
        return [None if seed is None else seed + k for k in range(self.num_envs)]

    def step_async(self, actions: Any) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """(observations, rewards, dones, infos) of a step."""
        observations, rewards, terminated, truncated, infos = self.environment.step(self._actions)
        done = terminated | truncated
        rows: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(done).tolist():
            rows[row] = {
                "terminal_observation": infos["final_obs"][row],
                "TimeLimit.truncated": bool(truncated[row] and not terminated[row]),
                "is_success": bool(infos["final_info"]["is_success"][row]),
            }
        return observations, rewards.astype(np.float32), done, rows

    def close(self) -> None:
        """Close the environment."""
        self.environment.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The environment's attribute, for each row."""
        return [getattr(self.environment, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """AttributeError: all rows are one environment."""
        raise AttributeError("the rows are one environment: set the attribute of `environment`")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """AttributeError: all rows are one environment."""
        raise AttributeError("the rows are one environment: call the method of `environment`")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """False for each row."""
        return [False for _ in self._get_indices(indices)]
