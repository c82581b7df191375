"""Steps per second of the environments of docs/gym.md, beside Gymnasium's Ant-v5 in the same run.

    python -m benchmarks.peers.environments [--seconds S]

One tick a step, without a policy. Each row gives steps a second of wall time and of processor time. Ant-v5 needs MuJoCo
(pip install mujoco); its step is 0.05 s in five substeps and simulates joints, a tick is 1/60 s and does not.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from game.gym.vector import EllipsoidWalkerVectorEnv
from game.sim.bots.reach_graph import keep_graph
from game.sim.generator.proof import proven_course

ENVS, RAYS, RANGE = 1024, 16, 20.0
ANT_SECONDS = 0.05


def rate(step: Callable[[], object], count: int, seconds: float) -> tuple[float, float]:
    """Steps a second of wall time and of processor time, of a call that makes `count` steps."""
    step()
    calls, began, used = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - began < seconds:
        step()
        calls += 1
    return calls * count / (time.perf_counter() - began), calls * count / (time.process_time() - used)


def make(level: Any, envs: int = ENVS, rays: int = RAYS, ray_range: float = RANGE) -> EllipsoidWalkerVectorEnv:
    return EllipsoidWalkerVectorEnv(envs, 1000, level=level, frame_skip=1, rays=rays, ray_range=ray_range)


def measure(name: str, env: EllipsoidWalkerVectorEnv, seconds: float) -> None:
    env.reset(seed=1)
    actions = np.random.default_rng(0).uniform(-1.0, 1.0, (16, env.num_envs, 6)).astype(np.float32)
    count = iter(range(1 << 60))
    wall, used = rate(lambda: env.step(actions[next(count) // 10 % 16]), env.num_envs, seconds)
    print(f"{name:<44}{wall:>12,.0f}{used:>12,.0f}{wall / 60.0:>12,.0f}", flush=True)


def measure_parts(seconds: float) -> None:
    """Where the time of a step goes, in processor time."""
    env = make("demo")
    env.reset(seed=1)
    actions, groups = np.random.default_rng(0).uniform(-1.0, 1.0, (ENVS, 6)), env._groups
    course, runs, rows = env._courses[0], env._runs, np.arange(ENVS)
    places, seen = env._places, env._observations
    for name, part in (
        ("ticks", lambda: env._run_ticks(groups, actions)),
        (
            "distance to the goal",
            lambda: course.progress.measure(course.level, runs.states, rows, runs.reached, env._left, places),
        ),
        (
            "rays and observations",
            lambda: course.observe(env.options, runs.states, rows, runs.clocks, runs.reached, places, seen),
        ),
    ):
        print(f"  {name:<42}{1e6 / rate(part, ENVS, seconds)[1]:>12.2f} us of a processor")


def measure_ant(seconds: float) -> None:
    for mode, count in (("sync", 1), ("async", 2), ("async", 16)):
        env = gymnasium.make_vec("Ant-v5", count, vectorization_mode=mode)
        env.reset(seed=1)
        actions = env.action_space.sample()
        wall, used = rate(lambda env=env, actions=actions: env.step(actions), count, seconds)  # type: ignore[misc]
        print(f"{f'Ant-v5, {mode} {count}':<44}{wall:>12,.0f}{used:>12,.0f}{wall * ANT_SECONDS:>12,.0f}", flush=True)
        env.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0)
    seconds = parser.parse_args().seconds
    print(f"{'steps of one tick':<44}{'a second':>12}{'a processor':>12}{'simulated s':>12}")
    for level in ("demo", "lifts"):
        measure(f"{level}, {ENVS} walkers, {RAYS} rays of {RANGE:g} m", make(level), seconds)
    for envs in (1, 16, 128, 4096):
        measure(f"demo, {envs} walkers", make("demo", envs), seconds)
    for rays, far in ((0, RANGE), (64, RANGE), (RAYS, 5.0), (RAYS, 100.0)):
        measure(f"demo, {rays} rays of {far:g} m", make("demo", rays=rays, ray_range=far), seconds)
    made = [proven_course(seed, 3)[0] for seed in range(10)]
    for course in made:
        keep_graph(course.level, course.graph)
    measure("1 course by a seed", make(made[0].level), seconds)
    measure("10 courses by a seed", make([course.level for course in made]), seconds)
    measure_parts(seconds)
    if importlib.util.find_spec("mujoco") is None:
        print("Ant-v5: MuJoCo is not installed (pip install mujoco)")
    else:
        measure_ant(seconds)


if __name__ == "__main__":
    main()
