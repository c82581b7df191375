"""Trains an agent that walks courses it has never seen, by an evolution strategy (CMA-ES, the package `cma`).

    python examples/learning/walk_courses.py train agent.npz --minutes 8 --seed 1
    python examples/learning/walk_courses.py table agent.npz
    python examples/learning/walk_courses.py replay agent.npz walk.replay --level 1000

The policy is a small network. All members of a generation walk at the same time, in one vector environment.
"""

from __future__ import annotations

import argparse
import sys
import time
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

import cma
import numpy as np
from ellipsoid_walker.gym.vector import EllipsoidWalkerVectorEnv
from ellipsoid_walker.sim.bots.reach_graph import keep_graph
from ellipsoid_walker.sim.generator.courses import GeneratedCourse
from ellipsoid_walker.sim.generator.proof import proven_course

HIDDEN, DECISIONS, TICKS = 10, 130, 5  # units; decisions of an episode; ticks of a decision
INPUTS = ("goal", "goal_nearness", "velocity", "flags", "rays")
OUTPUTS = 4  # forward, strafe, turn, jump
MEMBERS, EPISODES = 24, 8  # of a generation; of each member
TRAINING_COURSES, FIRST_HELD_OUT, DIFFICULTY = 64, 1000, 3


def courses(first: int, count: int, difficulty: int | None = None) -> list[GeneratedCourse]:
    """Courses of seeds from `first` on; difficulty: default 0 to DIFFICULTY in turn. Their distances are kept."""
    made = []
    for seed in range(first, first + count):
        course, _ = proven_course(seed, seed % (DIFFICULTY + 1) if difficulty is None else difficulty)
        keep_graph(course.level, course.graph)
        made.append(course)
    return made


def environment(levels: list[Any], rows: int, starts: str = "anywhere", **options: Any) -> EllipsoidWalkerVectorEnv:
    """The environment of training and tests."""
    return EllipsoidWalkerVectorEnv(
        rows, DECISIONS, level=levels, frame_skip=TICKS, starts=starts, random_clock=True, **options
    )


class Policy:
    """Networks of one hidden layer, one for each row: parameters (M, P) for M equal shares of the rows."""

    def __init__(self, slices: dict[str, slice], parameters: Any) -> None:
        self.columns = np.concatenate([np.arange(slices[name].start, slices[name].stop) for name in INPUTS])
        width = len(self.columns)
        self.first = parameters[:, : width * HIDDEN].reshape(-1, width, HIDDEN)
        rest = parameters[:, width * HIDDEN :]
        self.bias, self.second = rest[:, None, :HIDDEN], rest[:, HIDDEN:].reshape(-1, HIDDEN + 1, OUTPUTS)

    @staticmethod
    def size(slices: dict[str, slice]) -> int:
        """Number of parameters of a network."""
        width = sum(slices[name].stop - slices[name].start for name in INPUTS)
        return int(width * HIDDEN + HIDDEN + (HIDDEN + 1) * OUTPUTS)

    def __call__(self, observations: Any) -> Any:
        """The mean actions (N, 6)."""
        inputs = observations[:, self.columns].reshape(len(self.first), -1, len(self.columns))
        hidden = np.tanh(inputs @ self.first + self.bias)
        outputs = np.tanh(hidden @ self.second[:, :HIDDEN] + self.second[:, None, HIDDEN])
        actions = np.full((*outputs.shape[:2], 6), -1.0, np.float32)
        actions[:, :, :OUTPUTS] = outputs
        return actions.reshape(-1, 6)


def walk(env: EllipsoidWalkerVectorEnv, policy: Any, seeds: list[int]) -> tuple[Any, Any]:
    """(returns, successes) (N,) of an episode of each row."""
    observations, _ = env.reset(seed=seeds)
    total, success, going = np.zeros(env.num_envs), np.zeros(env.num_envs, bool), np.ones(env.num_envs, bool)
    for _ in range(DECISIONS):
        observations, rewards, terminated, truncated, infos = env.step(policy(observations))
        total += rewards * going
        success |= infos["is_success"] & going
        going &= ~(terminated | truncated)
        if not going.any():
            break
    return total, success


def train(
    env: EllipsoidWalkerVectorEnv,
    generations: int,
    seed: int,
    seconds: float = np.inf,
    sign: float = 1.0,
    report: Any = None,
    begin: Any = None,
) -> tuple[Any, list[float]]:
    """(parameters of the mean, mean return of each generation). sign: -1 learns the opposite. begin: parameters to go
    on from."""
    size, members = Policy.size(env.slices), MEMBERS
    options = {"popsize": members, "seed": seed + 1, "verbose": -9, "CMA_diagonal": True}
    strategy = cma.CMAEvolutionStrategy(
        np.zeros(size) if begin is None else begin, 0.3 if begin is None else 0.1, options
    )
    curve, began = [], time.monotonic()
    for generation in range(generations):
        if time.monotonic() - began > seconds:
            break
        asked = np.array(strategy.ask())
        each = env.num_envs // members
        seeds = [1_000_000 * seed + generation * each + k for k in range(each)] * members
        total, success = walk(env, Policy(env.slices, asked), seeds)
        fitness = total.reshape(members, each).mean(axis=1)
        strategy.tell(asked, list(-sign * fitness))
        curve.append(float(fitness.mean()))
        if report is not None:
            report(generation, curve[-1], float(success.mean()), time.monotonic() - began, strategy.mean)
    return strategy.mean, curve


def read_agent(file: Path, slices: dict[str, slice]) -> Any:
    """The parameters of an agent. ValueError for another file."""
    try:
        with np.load(file, allow_pickle=False) as content:
            parameters = content["parameters"]
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{file} is no agent: {error}") from error
    if parameters.shape != (Policy.size(slices),) or not np.isfinite(parameters).all():
        raise ValueError(f"{file} is no agent of this program: it has other numbers")
    return parameters


def follow_arrow(slices: dict[str, slice], observations: Any) -> Any:
    """A script that walks along the arrow to the goal."""
    goal = observations[:, slices["goal"]]
    actions = np.full((len(goal), 6), -1.0, np.float32)
    actions[:, 0], actions[:, 1] = goal[:, 2], goal[:, 0]
    actions[:, 2] = np.arctan2(goal[:, 0], goal[:, 2])
    return actions


def success_rate(levels: list[Any], make_policy: Any, first_seed: int) -> float:
    """Share of the levels whose goal is reached, each from its spawn with the doors at a drawn tick."""
    reached = []
    for number, level in enumerate(levels):
        env = environment([level], 1, "spawn")
        reached.append(bool(walk(env, make_policy(env.slices), [first_seed + number])[1][0]))
    return float(np.mean(reached))


def table(parameters: Any, count: int = 100) -> dict[str, float]:
    """Success of several walkers on courses that were never trained on."""
    made = courses(FIRST_HELD_OUT, count, DIFFICULTY)
    levels = [course.level for course in made]
    random = np.random.default_rng(0)
    return {
        "agent": success_rate(levels, lambda slices: Policy(slices, parameters[None]), 50_000),
        "random": success_rate(levels, lambda _: lambda seen: random.uniform(-1, 1, (len(seen), 6)), 50_000),
        "arrow": success_rate(levels, lambda slices: partial(follow_arrow, slices), 50_000),
        "bots": 1.0,  # each course has a proof: a bot's walk
    }


def begin_agent(file: Path | None) -> Any:
    """The parameters to go on from; None for none."""
    if file is None:
        return None
    return read_agent(file, environment([courses(0, 1, 0)[0].level], 1).slices)


def train_agent(options: argparse.Namespace) -> None:
    """The command `train`."""
    agent, curves = begin_agent(options.begin), []
    with open(options.agent, "ab"):  # now, not after the training: whether it can be written
        pass
    # A curriculum: from anywhere in courses of all difficulties, then from the spawns of the hardest.
    for difficulty, starts in ((None, "anywhere"), (DIFFICULTY, "spawn"))[options.begin is not None :]:
        levels = [course.level for course in courses(0, TRAINING_COURSES, difficulty)]
        env = environment(levels, MEMBERS * EPISODES, starts, threads=options.threads)

        def report(generation: int, mean: float, success: float, seconds: float, mean_agent: Any) -> None:
            if generation % 10 == 0:
                print(f"{generation:4d}  return {mean:7.3f}  success {success:.3f}  {seconds:6.1f} s", flush=True)
                save_agent(options.agent, mean_agent, [])

        seconds = 60.0 * options.minutes / (2 if options.begin is None else 1)
        agent, curve = train(env, 100_000, options.seed, seconds, report=report, begin=agent)
        curves += curve
    save_agent(options.agent, agent, curves)


def save_agent(file: Path, parameters: Any, curve: list[float]) -> None:
    """Write an agent."""
    with open(file, "wb") as out:  # a name without .npz stays as it is
        np.savez(out, parameters=parameters, curve=curve)


def replay_agent(options: argparse.Namespace) -> None:
    """The command `replay`."""
    path = options.replay.with_suffix(".yaml")
    course, _ = proven_course(options.level, DIFFICULTY)
    if path == options.replay or (path.exists() and path.read_bytes() != course.text.encode()):
        raise ValueError(f"the level would replace {path}; choose another name for the replay")
    path.write_text(course.text, encoding="utf-8")
    keep_graph(course.level, course.graph)
    env = EllipsoidWalkerVectorEnv(1, DECISIONS, level=str(path), frame_skip=TICKS, record_rows=[0])
    success = walk(env, Policy(env.slices, read_agent(options.agent, env.slices)[None]), [0])[1][0]
    env.finished.get(0, env.episodes[0]).write_replay(options.replay)
    print(f"{options.replay}: {'reaches the goal' if success else 'does not reach the goal'}; level {path}")


def minutes(text: str) -> float:
    """A time that an option takes."""
    value = float(text)
    if not 0.0 < value <= 10_000.0:
        raise ValueError
    return value


def main() -> None:
    """Run a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("train", "table", "replay"))
    parser.add_argument("agent", type=Path, help="file of the agent: written by train, read by the others")
    parser.add_argument("replay", type=Path, nargs="?", help="file to write; its level is written beside it")
    parser.add_argument("--minutes", type=minutes, default=8.0, help="of training (default: 8)")
    parser.add_argument("--seed", type=int, default=1, help="of the training, 0 or more (default: 1)")
    parser.add_argument("--begin", type=Path, help="an agent to go on from, in the second half of the curriculum")
    parser.add_argument("--threads", type=int, default=2, help="of the training (default: 2)")
    parser.add_argument("--level", type=int, default=FIRST_HELD_OUT, help="seed of the course that replay walks")
    options = parser.parse_args()
    if options.seed < 0 or options.level < 0:
        parser.error("a seed is 0 or more")
    if (options.command == "replay") != (options.replay is not None):
        parser.error("replay needs a file to write, and only replay")
    try:
        if options.command == "train":
            train_agent(options)
        elif options.command == "replay":
            replay_agent(options)
        else:
            for name, share in table(begin_agent(options.agent)).items():
                print(f"{name:8} {100 * share:5.1f} %")
    except (ValueError, OSError) as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")


if __name__ == "__main__":
    main()
