"""The environment of one walker, and what the vector environment has beside it."""

from __future__ import annotations

import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from game.gym import ENVIRONMENT, Episode, Reward
from game.gym.options import Options
from game.gym.single import EllipsoidWalkerEnv
from game.gym.vector import EllipsoidWalkerVectorEnv
from game.level import load
from game.physics.character.state import STATE_ROW
from game.sim import World
from game.sim.replay.replay_file import decode_replay
from game.sim.replay.verifier import verify

FLAT = """
format: 1
name: Flat
spawn: {at: [0, 0, 0], facing: north}
goal: {at: [0, 0, -6], radius: 1.0}
pieces:
  - floor: {from: [-2, -9], to: [2, 4]}
  - box: {from: [-1, 0, 2.9], to: [1, 3, 3.1]}
"""
AHEAD = np.array([1, 0, 0, -1, -1, 1], np.float32)


def flat(**options: Any) -> EllipsoidWalkerEnv:
    return EllipsoidWalkerEnv(**{"level": load(text=FLAT), "distance": "straight", **options})


def many(count: int = 4, **options: Any) -> EllipsoidWalkerVectorEnv:
    return EllipsoidWalkerVectorEnv(count, **{"level": load(text=FLAT), "distance": "straight", **options})


def begun(env: Any) -> Any:
    env.reset(seed=1)
    return env


def test_gymnasium_finds_no_fault() -> None:
    check_env(gymnasium.make(ENVIRONMENT, level="demo").unwrapped, skip_render_check=True)
    check_env(flat(actions="discrete"), skip_render_check=True)


def test_the_import_alone_loads_no_compiler() -> None:
    code = "import sys, ellipsoid_walker.gym as g; assert g.ENVIRONMENT; print('numba' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"
    assert isinstance(gymnasium.make("ellipsoid_walker.gym:EllipsoidWalker-v0").unwrapped, EllipsoidWalkerEnv)


def test_observations_are_what_the_slices_say() -> None:
    env = flat(rays=[(0, 0, -1), (0, 0, 1), (0, -1, 0)], ray_range=8.0)
    observation, _ = env.reset(seed=1)
    values = {name: observation[part].tolist() for name, part in env.slices.items()}
    assert values["goal"] == pytest.approx([0.0, 0.0, 1.0], abs=0.01)
    assert values["goal_nearness"] == [pytest.approx(10 / 16, abs=1e-4)]
    assert values["ground_normal"] == pytest.approx([0.0, 1.0, 0.0])
    assert values["flags"] == [1.0, 0.0, 0.0, 0.0, 0.0]
    eye = env.world.settings.eye_height
    assert values["rays"] == [
        1.0,
        pytest.approx(2.9 / 8.0),
        pytest.approx(eye / 8.0, rel=0.01),
    ]  # a miss reads the range
    for _ in range(4):
        observation = env.step(AHEAD)[0]
    assert observation[env.slices["velocity"]][2] > 0.1
    turned, *_ = env.step(np.array([0, 0, 1, -1, -1, -1], np.float32))
    assert turned[env.slices["goal"]][0] < -0.1  # after a turn to the right the goal is to the left


def test_the_reward_is_the_way_that_is_left() -> None:
    env = begun(flat(reward={"progress": 2.0, "goal": 7.0, "second": -0.5}))
    total, steps = 0.0, 0
    for _ in range(200):
        _, reward, terminated, _, info = env.step(AHEAD)
        total, steps = total + reward, steps + 1
        if terminated:
            break
    assert info["is_success"]
    walked = (
        6.0 - np.linalg.norm(np.array(env.world.walker_state.feet) - (0, 0, -6))
    ) / env.world.settings.sprint_speed
    assert total == pytest.approx(2.0 * walked + 7.0 - 0.5 * steps * 4 / 60)
    back = begun(flat())
    assert sum(back.step(-AHEAD * [1, 1, 1, -1, -1, -1])[1] for _ in range(10)) < -0.1


def test_a_fall_ends_the_episode_at_the_place_before_it() -> None:
    env = begun(flat())
    side = np.array([0, 1, 0, -1, -1, 1], np.float32)
    for _ in range(300):
        observation, reward, terminated, _, info = env.step(side)
        if terminated:
            break
    assert not info["is_success"]
    assert reward < -4.0
    assert not observation[env.slices["flags"]][0]
    with pytest.raises(ResetNeeded):
        env.step(side)


@pytest.mark.parametrize(
    "level", ["demo", "escher", *(pytest.param(name, marks=pytest.mark.full) for name in ("lifts", "waters"))]
)
def test_the_walkable_way_of_shipped_levels_is_known(level: str) -> None:
    env = begun(EllipsoidWalkerEnv(level=level, rays=0))
    assert 2.0 < env.seconds_left < 400.0
    assert (level == "lifts") == any("lift" in name for name in env.course.progress.crossed)


def test_episodes_are_replays() -> None:
    env = flat(starts="anywhere", distance="walkable", random_clock=True)
    for seed in range(3):
        env.reset(seed=seed)
        random = np.random.default_rng(seed)
        for _ in range(40):
            if env.step(random.uniform(-1, 1, 6).astype(np.float32))[2]:
                break
        assert env.episode.is_practice
        env.episode.replay()
    fair = begun(EllipsoidWalkerEnv(level="demo"))
    for _ in range(30):
        fair.step(AHEAD)
    assert not fair.episode.is_practice
    replay = decode_replay(fair.episode.replay(), Path("episode.replay"))
    result = verify(replay, lambda part: load("demo"))
    assert result.divergence is None
    assert result.ticks == 120


def test_an_episode_that_cheats_makes_no_replay(tmp_path: Path) -> None:
    env = begun(flat())
    for _ in range(5):
        env.step(AHEAD)
    true = env.episode
    false = Episode(true.level, true.start, true.end, true.observations, true.actions, true.rewards, true.commands[1:])
    with pytest.raises(ValueError, match="do not lead to its end"):
        false.replay()
    moved = np.frombuffer(true.end, STATE_ROW).copy()
    moved["position"] += 0.001
    with pytest.raises(ValueError, match="do not lead to its end"):
        Episode(true.level, true.start, moved.tobytes(), [], [], [], true.commands).replay()
    true.write_npz(tmp_path / "rows.npz")
    with np.load(tmp_path / "rows.npz") as kept:
        assert kept["observations"].shape == (6, env.observation_space.shape[0])  # type: ignore[index]
        assert kept["actions"].shape == (5, 6)
        assert len(kept["commands"]) == 20


def test_recorded_rows_are_replays_too() -> None:
    env = many(
        3, record_rows=[1], max_episode_steps=15, autoreset_mode="SameStep", starts="anywhere", distance="walkable"
    )
    env.reset(seed=3)
    random = np.random.default_rng(2)
    for _ in range(40):
        env.step(random.uniform(-1, 1, (3, 6)).astype(np.float32))
    assert len(env.finished[1].actions) <= 15
    assert env.finished[1].replay()
    assert env.episodes[1].replay()


def test_saved_rows_go_on_in_other_rows() -> None:
    env = many(4, starts="anywhere", distance="walkable", max_episode_steps=20)
    env.reset(seed=3)
    random = np.random.default_rng(2)
    actions = random.uniform(-1, 1, (30, 4, 6)).astype(np.float32)
    for k in range(7):
        env.step(actions[k])
    saved = env.save_rows([0, 1])
    first = [env.step(actions[k])[:2] for k in range(7, 30)]
    env.restore_rows([2, 3], saved)
    for k in range(7, 30):
        observations, rewards, *_ = env.step(actions[k][[2, 3, 0, 1]])
        assert (observations[2:] == first[k - 7][0][:2]).all()
        assert (rewards[2:] == first[k - 7][1][:2]).all()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_infos_are_those_of_single_environments(mode: AutoresetMode) -> None:
    """A row that is only reset in a step has no `is_success`; the key is always there."""
    ours = many(3, autoreset_mode=mode, max_episode_steps=6, starts="anywhere", distance="walkable")
    makers = [lambda: gymnasium.make(ENVIRONMENT, level=load(text=FLAT), starts="anywhere", max_episode_steps=6)] * 3
    theirs = gymnasium.vector.SyncVectorEnv(makers, autoreset_mode=mode)
    ours.reset(seed=1)
    theirs.reset(seed=1)
    for _ in range(20):
        actions = np.tile(AHEAD, (3, 1))
        infos, expected = ours.step(actions)[-1], theirs.step(actions)[-1]
        nothing = np.zeros(3, np.bool_)
        for key in ("is_success", "_is_success", "_final_obs", "_final_info"):
            if key in infos:
                assert (infos[key] == expected.get(key, nothing)).all(), key
            else:
                assert key not in expected, key


def test_observations_are_new_arrays_unless_asked() -> None:
    env = many()
    before, _ = env.reset(seed=1)
    kept = before.copy()
    env.step(np.tile(AHEAD, (4, 1)))
    assert (before == kept).all()
    shared = many(copy=False)
    before, _ = shared.reset(seed=1)
    after, *_ = shared.step(np.tile(AHEAD, (4, 1)))
    assert before is after


def test_environments_pickle() -> None:
    env: Any
    for env in (flat(), many(2)):
        env.reset(seed=1)
        action = AHEAD if env.action_space.shape == (6,) else np.tile(AHEAD, (2, 1))
        env.step(action)
        copy = pickle.loads(pickle.dumps(env))
        assert (copy.step(action)[0] == env.step(action)[0]).all()


def test_seeds_and_starts() -> None:
    env = many(64, starts="anywhere", distance="walkable")
    first, _ = env.reset(seed=5)
    again, _ = env.reset(seed=5)
    other, _ = env.reset(seed=6)
    assert (first == again).all()
    assert (first[1:] == other[:-1]).all()  # row k has the seed 5 + k
    assert len(np.unique(first.round(3), axis=0)) > 40
    assert (env.reset()[0] != other).any()


NAN = AHEAD.copy()
NAN[2] = np.nan


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.stack([AHEAD, AHEAD, NAN, AHEAD]), "actions of row 2: turn is nan"),
        (np.zeros((4, 5)), r"numbers of shape \(4, 6\).*, not float64 of shape \(4, 5\)"),
        (np.zeros((3, 6)), "not float64 of shape"),
        (np.full((4, 6), "x"), "not <U1"),
        ([[1.0]] * 4, "of shape"),
    ],
)
def test_actions_that_do_not_fit(actions: Any, message: str) -> None:
    env = begun(many())
    with pytest.raises(ValueError, match=message):
        env.step(actions)


def test_actions_out_of_range_are_clipped() -> None:
    one, other = begun(flat()), begun(flat())
    assert (one.step(AHEAD * 100)[0] == other.step(AHEAD)[0]).all()
    discrete = begun(flat(actions="discrete"))
    assert (discrete.step(np.array([2, 1, 2, 0, 0, 1]))[0] == begun(flat()).step(AHEAD)[0]).all()
    with pytest.raises(ValueError, match="integers"):
        discrete.step(AHEAD)


GOALLESS = FLAT.replace("goal: {at: [0, 0, -6], radius: 1.0}\n", "")
UNREACHABLE = FLAT.replace("at: [0, 0, -6], radius: 1.0", "at: [0, 30, -6], radius: 1.0")
BURIED = FLAT.replace("at: [0, 0, -6], radius: 1.0", "at: [0, -0.8, -6], radius: 0.2")
BEHIND_WALL = (
    FLAT.replace("1.0}", "1.0, after: targets}")
    + """
  - room: {from: [-1, 0, -5], to: [1, 3, -3.2]}
  - target: {at: [0, 1, -4], radius: 0.3}
"""
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"level": load(text=GOALLESS)}, "has no goal: add"),
        ({"level": load(text=UNREACHABLE), "distance": "walkable"}, 'pass distance="straight"'),
        ({"level": load(text=BURIED), "distance": "walkable"}, r"to the goal at \(0.0, -0.8, -6.0\) is known: bots"),
        ({"level": load(text=BEHIND_WALL), "distance": "walkable"}, r"to the target at \(0.0, 1.0, -4.0\) is known"),
        ({"level": "ballroom"}, "use a single environment"),
        ({"level": []}, "at least one level"),
        ({"distance": "short"}, "distance must be one of 'walkable', 'straight'"),
        ({"reward": {"gaol": 1.0}}, "no weight 'gaol'; known: progress, goal"),
        ({"frame_skip": 0}, "frame_skip"),
        ({"rays": [(0, 0, 0)]}, "rays must be a number or directions"),
        ({"starts": "anywhere"}, 'needs distance="walkable"'),
        ({"render_mode": "gif"}, "render_mode must be one of human, rgb_array, or None, not 'gif'"),
        ({"num_envs": -1}, "num_envs must be at least 1, not -1"),
        ({"num_envs": 1.5}, "num_envs must be an integer, not 1.5"),
        ({"num_envs": True}, "num_envs must be an integer, not True"),
        ({"record_rows": 1}, "record_rows must be different numbers from 0 to 1, not 1"),
        ({"render_rows": [2]}, r"render_rows must be different numbers from 0 to 1, not \[2\]"),
        ({"autoreset_mode": "never"}, "autoreset_mode must be one of 'NextStep', 'SameStep', 'Disabled', not 'never'"),
        ({"distance": np.zeros(3)}, "distance must be one of 'walkable', 'straight', not"),
        ({"reward": {1: 2.0, "a": 3.0}}, "reward has no weight 1; known: progress, goal"),
        ({"framskip": 4}, "there is no option 'framskip'; known: level, frame_skip, rays"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EllipsoidWalkerVectorEnv(**{"num_envs": 2, "level": load(text=FLAT), "distance": "straight", **options})


@pytest.mark.parametrize("make", [flat, partial(many, 2)])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": 1.5}, "Seed must be a python integer, actual type: <class 'float'>"),
        ({"seed": -1}, "Seed must be greater or equal to zero"),
        ({"seed": "1"}, "Seed must be a python integer"),
        ({"seed": 2**63}, f"must be at most {2**63 - 1}"),
        ({"options": "x"}, "options must be a dict, not 'x'"),
        ({"options": 5}, "options must be a dict, not 5"),
        ({"options": {"unknown": 1}}, "options of reset: 'unknown' is unknown; known: (none|reset_mask)"),
    ],
)
def test_arguments_of_reset_that_do_not_fit(make: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, gymnasium.error.Error), match=message):
        make().reset(**arguments)


@pytest.mark.parametrize("mask", [[True, False], np.array([1, 0]), np.array([True]), None])
def test_masks_that_do_not_fit(mask: Any) -> None:
    env = begun(many(2))
    with pytest.raises(ValueError, match=r"reset_mask must be bool, of shape \(2,\)"):
        env.reset(options={"reset_mask": mask})


@pytest.mark.parametrize("make", [flat, partial(many, 2)])
def test_steps_out_of_order(make: Any) -> None:
    env = make()
    with pytest.raises(ResetNeeded):
        env.step(env.action_space.sample())
    with pytest.raises(ResetNeeded):
        env.render()
    if isinstance(env, EllipsoidWalkerEnv):
        asks = [lambda: env.episode, lambda: env.world, lambda: env.course]
    else:
        asks = [lambda: env.save_rows([0]), lambda: env.restore_rows([0], None)]
    for ask in asks:
        with pytest.raises(ResetNeeded):
            ask()
    env.reset(seed=1)
    env.close()
    with pytest.raises(ClosedEnvironmentError):
        env.step(env.action_space.sample())
    with pytest.raises(ClosedEnvironmentError):
        env.reset()


def test_a_single_environment_has_balls() -> None:
    env = begun(EllipsoidWalkerEnv(level="ballroom", distance="straight", rays=2))
    env.step(AHEAD)
    assert env.world.balls


def test_rays_of_an_observation_are_those_of_a_crowd() -> None:
    env = begun(EllipsoidWalkerEnv(level="lifts", rays=24, distance="straight"))
    world = World(load("lifts"))
    crowd = EllipsoidWalkerVectorEnv(1, level="lifts", distance="straight")._worlds[0].crowd
    for _ in range(30):
        observation = env.step(AHEAD)[0]
        hits = crowd.raycast([env.world.walker_state], Options(rays=24).directions, 20.0, clock=env.world.tick)
        expected = np.where(hits.hit[0], hits.distance[0], 20.0) / 20.0
        assert observation[env.slices["rays"]] == pytest.approx(expected, abs=1e-6)
    assert world.tick == 0
    assert Reward().progress == 1.0


@pytest.mark.parametrize("rows", [[-1], [0, 0], [2], [0.9], np.array([True, False]), [[0, 1]], "a", None, 0])
def test_rows_that_are_not_there_are_neither_saved_nor_restored(rows):
    env = begun(many(2))
    saved = env.save_rows([0])
    for ask in (lambda: env.save_rows(rows), lambda: env.restore_rows(rows, saved)):
        with pytest.raises(ValueError, match="rows must be different numbers from 0 to 1"):
            ask()


def test_rows_of_other_levels_or_options_are_refused_and_change_nothing():
    other_options = [
        {"level": load(text=FLAT.replace("-9]", "-8]"))}, {"rays": 4}, {"ray_range": 30.0}, {"frame_skip": 2},
        {"starts": "spawns"}, {"show_path": True}, {"random_clock": True}, {"actions": "discrete"},
        {"reward": {"goal": 1.0}}, {"max_episode_steps": 9},
    ]  # fmt: skip
    env, others = many(2), [many(2, **options) for options in other_options]
    env.reset(seed=1)
    before = [column.copy() for column in env._columns()]
    for other in others:
        other.reset(seed=2)
        with pytest.raises(ValueError, match="other levels or other options"):
            env.restore_rows([0, 1], other.save_rows([0, 1]))
    with pytest.raises(ValueError, match="saved must be a SavedRows"):
        env.restore_rows([0], None)
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(before, env._columns(), strict=True))
