"""The environment of one walker, which steps a `World`."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ClosedEnvironmentError, ResetNeeded

from ..core.arguments import as_integer
from ..physics.character.rows import command_row
from ..physics.character.state import as_floats
from ..sim import World
from ..sim.batched_world import REACHED, RESPAWNED, RUNNING
from ..sim.generator.integer_hash import below
from ..sim.replay.verifier import command_of
from .course import LEVEL_DRAW, Course, make_courses
from .episode import Episode, outcome_of
from .observation import RAYS, Observations, observation_slices
from .options import MAX_SEED, Options, check_reset_options, command_records, rewards, write_commands, write_headings
from .picture import RENDER_FPS, RENDER_MODES, WalkerPicture


class EllipsoidWalkerEnv(gymnasium.Env[Observations, Any]):
    """A walker that is to reach the goal of a level. Options: `options.Options`; `docs/gym.md` explains them.

    slices: columns of the observation by name. course, world, episode: since the last reset; ResetNeeded before the
    first.
    """

    course: Course
    world: World
    episode: Episode

    metadata = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self, render_mode: str | None = None, *, width: int = 480, height: int = 320, view: str = "eye", **options: Any
    ) -> None:
        self.render_mode = render_mode
        self.options = Options.read(options)
        self._picture = WalkerPicture(render_mode, width, height, view)
        self._courses = make_courses(self.options)
        self._worlds: dict[Course, World] = {}
        rays = len(self.options.directions)
        self.slices = observation_slices(rays)
        self.observation_space = spaces.Box(-1.0, 1.0, (RAYS + rays,), np.float32)
        self.action_space = self.options.action_space()
        self._seed, self._number, self._is_closed, self._has_ended = 0, 0, False, False
        self._left, self._places = np.full(1, np.inf), np.full(1, -1)

    def __getattr__(self, name: str) -> Any:
        if name in ("course", "world", "episode"):
            raise ResetNeeded("call reset first")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def seconds_left(self) -> float:
        """Seconds to the goal along the way of the reward."""
        return float(self._left[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode. ClosedEnvironmentError after `close`; ValueError for a seed above 2^63 - 1 and for options,
        of which there are none."""
        self._check_open()
        check_reset_options(options)
        seed = int(seed) if isinstance(seed, np.integer) else seed
        super().reset(seed=seed)
        if seed is not None or "course" not in vars(self):
            self._seed = self.np_random_seed & MAX_SEED if seed is None else as_integer(seed, "seed", 0, MAX_SEED)
            self._number = -1
        self._number += 1
        seeds, numbers = np.array([self._seed]), np.array([self._number])
        self.course = course = self._courses[int(below(len(self._courses), seeds, numbers, LEVEL_DRAW)[0])]
        states, clocks = course.draw_starts(self.options, seeds, numbers)
        self.world = self._worlds[course] = course.world_at(states[0], int(clocks[0]), self._worlds.get(course))
        self._has_ended = False
        self._read_world()
        self._left[0], self._places[0] = np.inf, -1
        self._measure()
        observation = self._observe()
        self.episode = Episode(course.level, self.world.state(), self._state.tobytes(), [observation])
        if self.render_mode == "human":
            self.render()
        return observation, {}

    def step(self, action: Any) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """A decision, which lasts `frame_skip` ticks or until the episode ends. ResetNeeded before `reset` and after
        the end, ClosedEnvironmentError after `close`; ValueError for actions of another shape or type, or with nan."""
        self._check_open()
        course = self.course
        if self._has_ended:
            raise ResetNeeded("the episode has ended: call reset before the next step")
        actions = self.options.read_actions(action, None)
        columns = np.zeros((1, command_row.WIDTH))
        turns = write_commands(actions, course.rate, columns)
        outcome, flags_before = RUNNING, self._flags
        ticks = 0
        while ticks < self.options.frame_skip and outcome == RUNNING:
            ticks += 1
            write_headings(np.array([self.world.walker_state.heading]), turns, columns)
            outcome = self._tick(columns[0])
        before = self._left.copy()
        self._measure()
        reached = self._flags.sum(axis=1, dtype=np.int64) - flags_before.sum(axis=1, dtype=np.int64)
        outcomes, seconds = np.array([outcome], np.uint8), np.array([self.options.frame_skip / course.rate])
        reward = float(rewards(self.options.weights, before, self._left, reached, outcomes, seconds)[0])
        self._has_ended = outcome != RUNNING
        observation = self._observe()
        self.episode.add(actions[0], reward, observation, self._state.tobytes(), outcome)
        if self.render_mode == "human":
            self.render()
        return observation, reward, self._has_ended, False, {"is_success": outcome == REACHED}

    def _tick(self, row: np.ndarray[Any, Any]) -> int:
        """Step the world with a row of `command_columns`; the outcome."""
        record = command_records(row[None])
        self.episode.commands.append(record)
        events = self.world.step(command_of(record[0]))
        outcome = outcome_of(events)
        if outcome != RESPAWNED:  # else the state before it stays the observed one
            self._read_world()
        return outcome

    def _read_world(self) -> None:
        """Keep what is observed of the world."""
        world = self.world
        self._state, self._clock, self._movers = as_floats(world.walker_state.row()), world.tick, world.mover_clocks
        self._flags = world.reached_targets[None].copy()

    def _measure(self) -> None:
        rows = np.zeros(1, np.int64)
        self.course.progress.measure(self.course.level, self._state, rows, self._flags, self._left, self._places)

    def _observe(self) -> Observations:
        out, rows = np.empty((1, RAYS + len(self.options.directions)), np.float32), np.zeros(1, np.int64)
        self.course.observe(self.options, self._state, rows, self._movers[None], self._flags, self._places, out)
        observation: Observations = out[0]
        return observation

    def render(self) -> Any:
        """The picture (height, width, 3) u1 for "rgb_array"; None for "human", which shows it."""
        self._check_open()
        return self._picture.draw(self.course, self._state[0], self._clock, self._movers, self._flags[0], self.world)

    def close(self) -> None:
        """Close the window and the graphics context. The environment cannot be used afterwards."""
        self._picture.close()
        self._is_closed = True

    def _check_open(self) -> None:
        if self._is_closed:
            raise ClosedEnvironmentError("the environment is closed: make a new one")
