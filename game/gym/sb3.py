"""Adapter of a vector environment to the `VecEnv` of Stable-Baselines3, which has to be installed."""

from __future__ import annotations

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
        if getattr(environment, "metadata", {}).get("autoreset_mode") != AutoresetMode.SAME_STEP:
            raise ValueError('environment must be a vector environment that was made with autoreset_mode="SameStep"')
        self.environment = environment
        super().__init__(environment.num_envs, environment.single_observation_space, environment.single_action_space)

    def reset(self) -> Any:
        """The observations (N, D) at the start of new episodes, with the seeds of `seed`: row k has seed + k."""
        observations, _ = self.environment.reset(seed=self._seeds)
        self._reset_seeds()
        return observations

    def step_async(self, actions: Any) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """(observations, rewards, dones, infos) of a step."""
        observations, rewards, terminated, truncated, infos = self.environment.step(self._actions)
        rows: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(terminated | truncated).tolist():
            rows[row] = {
                "terminal_observation": infos["final_obs"][row],
                "TimeLimit.truncated": bool(truncated[row] and not terminated[row]),
                "is_success": bool(infos["final_info"]["is_success"][row]),
            }
        return observations, rewards.astype(np.float32), terminated | truncated, rows

    def close(self) -> None:
        self.environment.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The environment's attribute, for each row."""
        return [getattr(self.environment, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """AttributeError: all rows are one environment."""
        raise AttributeError(f"{attr_name}: all rows are one environment; set the attribute of `environment`")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """AttributeError: all rows are one environment."""
        raise AttributeError(f"{method_name}: all rows are one environment; call the method of `environment`")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """False for each row."""
        return [False for _ in self._get_indices(indices)]
