"""Trains with the PPO of Stable-Baselines3 (`pip install stable-baselines3`) to walk to a goal on a field.

python examples/learning/ppo.py [--steps N] [--seed S]
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from ellipsoid_walker.gym.sb3 import StableBaselinesVecEnv
from stable_baselines3 import PPO

from ellipsoid_walker.level import load

FIELD = """
format: 1
name: Field
spawn: {at: [0, 0, 0], facing: west}
goal: {at: [0, 0, -8], radius: 1.0}
pieces: [floor: {from: [-30, -30], to: [30, 30]}]
"""
WALKERS, DECISIONS, TICKS = 32, 40, 5


def environment() -> StableBaselinesVecEnv:
    """The field for many walkers; the goal is 8 m to the right of where they look."""
    envs: Any = gymnasium.make_vec(
        "ellipsoid_walker.gym:EllipsoidWalker-v0", WALKERS, vectorization_mode="vector_entry_point",
        level=load(text=FIELD), distance="straight", rays=4, frame_skip=TICKS, max_episode_steps=DECISIONS,
        autoreset_mode="SameStep",
    )  # fmt: skip
    return StableBaselinesVecEnv(envs)


def success(model: PPO, seed: int) -> float:
    """Share of the walkers that reach the goal with the mean action, in an episode each."""
    env = environment()
    env.seed(seed)
    observations, ended, reached = env.reset(), np.zeros(WALKERS, bool), np.zeros(WALKERS, bool)
    for _ in range(DECISIONS):
        observations, _, dones, infos = env.step(model.predict(observations, deterministic=True)[0])
        reached |= ~ended & np.array([info.get("is_success", False) for info in infos])
        ended |= dones
    return float(reached.mean())


def main() -> None:
    """Train, and print the success before and after."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)  # for so small a network more threads only wait for each other
    model = PPO("MlpPolicy", environment(), n_steps=64, batch_size=512, seed=options.seed, device="cpu")
    print(f"before: {success(model, options.seed):.0%} reach the goal")
    began = time.monotonic()
    model.learn(options.steps)
    seconds = time.monotonic() - began
    print(f"after {model.num_timesteps} steps in {seconds:.0f} s: {success(model, options.seed):.0%} reach the goal")


if __name__ == "__main__":
    main()
