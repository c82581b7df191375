"""The environment of many walkers: one crowd for each level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ..core.arguments import as_flag, as_instance, as_integer, describe_value
from ..core.vectors import Flags, Floats, Indices
from ..physics.character.rows import command_row, state_row
from ..sim.batched_world import REACHED, RUNNING, BatchedRuns, BatchedWorld
from ..sim.generator.integer_hash import below
from .course import LEVEL_DRAW, ROWS_IN_BLOCK, Course, make_courses
from .episode import Episode
from .observation import RAYS, Observations, observation_slices
from .options import (
    ACTIONS,
    MAX_SEED,
    Options,
    as_choice,
    check_reset_options,
    command_records,
    rewards,
    write_commands,
    write_headings,
)  # fmt: skip
from .picture import RENDER_FPS, RENDER_MODES, WalkerPicture

MAX_ENVS = 1 << 20


@dataclass(frozen=True)
class SavedRows:
    """Rows of an environment, as `save_rows` returns and `restore_rows` takes them."""

    columns: tuple[NDArray[Any], ...]
    levels: tuple[str, ...]  # hashes
    options: tuple[object, ...]  # of the environment


class EllipsoidWalkerVectorEnv(VectorEnv[Observations, Any, NDArray[Any]]):
    """Many walkers that are to reach the goals of their levels; bit for bit as so many single environments.

    num_envs: rows. max_episode_steps: decisions after which a row is truncated; None: never. autoreset_mode: of
    Gymnasium. copy: False reuses the arrays of observations. threads: default, one for each processor. record_rows:
    those whose episodes are kept, in `episodes` and `finished`. render_rows: those that `render` draws. Other options:
    `options.Options`.

    slices: columns of an observation by name. levels (N,): index of each row's level.
    """

    metadata = {  # noqa: RUF012 (as Gymnasium has it)
        "render_modes": RENDER_MODES,
        "render_fps": RENDER_FPS,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self, num_envs: int = 1, max_episode_steps: int | None = None, render_mode: str | None = None, *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, copy: bool = True, threads: int | None = None,
        record_rows: Sequence[int] = (), render_rows: Sequence[int] = (0,), width: int = 480, height: int = 320, view:
        str = "eye", **options: Any,
    ) -> None:  # fmt: skip
        """ValueError for values out of range, for a level without a goal or a way to it, and for one with balls."""
        self.num_envs = as_integer(num_envs, "num_envs", 1, MAX_ENVS)
        self._max_steps = np.inf if max_episode_steps is None else as_integer(max_episode_steps, "max_episode_steps", 1)
        names = [str(mode.value) for mode in AutoresetMode]
        chosen = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        self.autoreset_mode = AutoresetMode(as_choice(chosen, names, "autoreset_mode"))
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode, self._copies = render_mode, as_flag(copy, "copy")
        self._record_rows = self._as_rows(record_rows, "record_rows").tolist()
        self._render_rows = self._as_rows(render_rows, "render_rows").tolist()
        self.options = Options.read(options)
        self._picture = WalkerPicture(render_mode, width, height, view)
        self._courses = make_courses(self.options)
        self._worlds = [BatchedWorld(course.level, threads) for course in self._courses]
        rays = len(self.options.directions)
        self.slices = observation_slices(rays)
        self.single_observation_space = spaces.Box(-1.0, 1.0, (RAYS + rays,), np.float32)
        self.single_action_space = self.options.action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        count, targets = self.num_envs, max(len(course.level.targets) for course in self._courses)
        self._runs = BatchedRuns.empty(count, targets, max(len(course.movers or ()) for course in self._courses))
        self._left, self._places = np.full(count, np.inf), np.full(count, -1)
        self.levels, self._steps = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._seeds, self._numbers = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._has_ended, self._is_reset = np.zeros(count, np.bool_), False
        self._observations = np.zeros((count, RAYS + rays), np.float32)
        self._groups: list[tuple[int, Indices]] = []
        self.episodes: dict[int, Episode] = {}  # by row: the present one, and in same-step mode one that has just ended
        self.finished: dict[int, Episode] = {}  # by row: the last one that has ended
        self._worlds[0].crowd.compile()  # waits, and says so where it takes long; then a step needs nothing more
        first = np.zeros(1, np.int64)
        self._begin(first)
        self._run_ticks(self._by_level(first), np.zeros((count, len(ACTIONS))))
        self.episodes.clear()

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin episodes of all rows, or of those in options["reset_mask"] (N,) bool. seed: row k gets seed + k, or a
        list has one each, up to 2^63 - 1. ClosedEnvironmentError after `close`; ValueError for other options, and
        Gymnasium's Error for no seeds."""
        self._check_open()
        mask: Any = np.ones(self.num_envs, np.bool_)
        if "reset_mask" in (chosen := check_reset_options(options, "reset_mask")):
            mask = chosen["reset_mask"]
            if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
                raise ValueError(f"reset_mask must be bool, of shape ({self.num_envs},), not {describe_value(mask)}")
            if not self._is_reset and not mask.all():
                raise ResetNeeded("the first reset must be of all rows")
        rows = np.flatnonzero(mask)
        self._seed_rows(rows, seed)
        self._begin(rows)
        self._is_reset = True
        return self._result(), {}

    def _seed_rows(self, rows: Indices, seed: int | Sequence[int | None] | None) -> None:
        given: Any = seed.tolist() if isinstance(seed, (np.ndarray, np.integer)) else seed
        own = given
        if not isinstance(given, (list, tuple)):
            step = isinstance(given, int) and not isinstance(given, bool)
            given = [given + k if step else given for k in range(self.num_envs)]
        if len(given) != self.num_envs:
            raise ValueError(f"seed must be one number or {self.num_envs}, not {len(given)}")
        for number in given:
            if isinstance(number, bool):
                raise ValueError(f"seeds must be integers, not {number}")
            if not isinstance(number, int) or number < 0:
                seeding.np_random(number)  # raises Gymnasium's error, except for None
            elif number > MAX_SEED:
                raise ValueError(f"seeds must be at most {MAX_SEED}, not {describe_value(number)}")
        if not isinstance(own, (list, tuple)):
            super().reset(seed=own)
        kept = [row for row in rows.tolist() if given[row] is not None]
        self._seeds[kept], self._numbers[kept] = [given[row] for row in kept], -1
        if not self._is_reset:
            drawn = [row for row in rows.tolist() if given[row] is None]
            self._seeds[drawn] = self.np_random.integers(0, MAX_SEED, len(drawn))
            self._numbers[drawn] = -1

    def _begin(self, rows: Indices) -> None:
        """Begin the next episodes of rows (n,), and observe them."""
        self._numbers[rows] += 1
        seeds, numbers = self._seeds[rows], self._numbers[rows]
        self.levels[rows] = below(len(self._courses), seeds, numbers, LEVEL_DRAW)
        self._groups = self._by_level(np.arange(self.num_envs))
        self._steps[rows], self._has_ended[rows] = 0, False
        self._left[rows], self._places[rows] = np.inf, -1
        for number, own in self._by_level(rows):
            states, clocks = self._courses[number].draw_starts(self.options, self._seeds[own], self._numbers[own])
            self._worlds[number].begin(self._runs, own, states, clocks)
        self._look(self._by_level(rows))
        for row in set(self._record_rows) & set(rows.tolist()):
            self._begin_record(row)

    def _begin_record(self, row: int) -> None:
        state = self._runs.states[row]
        world = self._courses[self.levels[row]].world_at(state, int(self._runs.clocks[row]))
        if row in self.episodes:
            self.finished[row] = self.episodes[row]
        self.episodes[row] = Episode(world.level, world.state(), state.tobytes(), [self._observations[row].copy()])

    def _by_level(self, rows: Indices) -> list[tuple[int, Indices]]:
        """(level, rows in it) of rows (n,)."""
        if len(self._courses) == 1:
            return [(0, rows)]
        of = self.levels[rows]
        return [(number, rows[of == number]) for number in range(len(self._courses)) if (of == number).any()]

    def step(self, actions: Any) -> tuple[Observations, Floats, Flags, Flags, dict[str, Any]]:
        """A decision of every row. ResetNeeded before `reset`, and in the mode "Disabled" for rows that have ended;
        ClosedEnvironmentError after `close`; ValueError for actions of another shape or type, or with nan."""
        self._check_reset()
        given = self.options.read_actions(actions, self.num_envs)
        waiting, going, groups = np.flatnonzero(self._has_ended), np.flatnonzero(~self._has_ended), self._groups
        if len(waiting):
            if self.autoreset_mode == AutoresetMode.DISABLED:
                raise ResetNeeded(f"row {waiting[0]} has ended: reset it with options={{'reset_mask': ...}}")
            self._begin(waiting)
            groups = self._by_level(going)
        before = self._left.copy()
        flags_before = self._runs.reached.sum(axis=1, dtype=np.int64)
        self._run_ticks(groups, given)
        self._look(groups)
        reached = self._runs.reached.sum(axis=1, dtype=np.int64) - flags_before
        seconds = self.options.frame_skip / np.array([course.rate for course in self._courses])[self.levels]
        outcomes = self._runs.outcomes
        total = rewards(self.options.weights, before, self._left, reached, outcomes, seconds)
        self._steps += 1
        total[waiting], self._steps[waiting] = 0.0, 0
        terminated, truncated = outcomes != RUNNING, self._steps >= self._max_steps
        self._has_ended = terminated | truncated
        self._record(given, total, waiting)
        succeeded, stepped = outcomes == REACHED, np.ones(self.num_envs, np.bool_)
        stepped[waiting] = False
        ended, infos = np.flatnonzero(self._has_ended), dict[str, Any]()
        if len(ended) and self.autoreset_mode == AutoresetMode.SAME_STEP:
            finals = np.full(self.num_envs, None, object)
            for row in ended.tolist():
                finals[row] = self._observations[row].copy()
            mask = self._has_ended.copy()
            final_info = {"is_success": succeeded & mask, "_is_success": mask}
            infos = {"final_obs": finals, "_final_obs": mask, "final_info": final_info, "_final_info": mask}
            stepped &= ~mask
            self._begin(ended)
        infos |= {"is_success": succeeded & stepped, "_is_success": stepped}
        return self._result(), total, terminated, truncated, infos

    def _run_ticks(self, groups: list[tuple[int, Indices]], actions: Floats) -> None:
        heading = self._runs.states.view(np.int64)[:, state_row.HEADING]
        for number, rows in groups:
            columns = np.empty((len(rows), command_row.WIDTH))
            turns = write_commands(actions[rows], self._courses[number].rate, columns)
            recorded = [(row, rows == row) for row in self._record_rows if row in rows]
            for _ in range(self.options.frame_skip):
                write_headings(heading[rows], turns, columns)
                for row, own in recorded:
                    if self._runs.outcomes[row] == RUNNING:
                        self.episodes[row].commands.append(command_records(columns[own]))
                self._worlds[number].step(self._runs, rows, columns)

    def _record(self, actions: Floats, total: Floats, waiting: Indices) -> None:
        """Add the decision to the episodes that are kept."""
        for row in self._record_rows:
            if row not in waiting:
                outcome = int(self._runs.outcomes[row])
                state = self._runs.states[row].tobytes()
                self.episodes[row].add(actions[row], float(total[row]), self._observations[row], state, outcome)

    def _look(self, groups: list[tuple[int, Indices]]) -> None:
        """Write the distances to the goal and the observations of (level, rows)."""
        runs, out = self._runs, self._observations
        for number, rows in groups:

            def look(first: int, course: Course = self._courses[number], rows: Indices = rows) -> None:
                own = rows[first : first + ROWS_IN_BLOCK]
                course.progress.measure(course.level, runs.states, own, runs.reached, self._left, self._places)
                course.observe(self.options, runs.states, own, runs.mover_clocks, runs.reached, self._places, out)

            self._worlds[number].crowd._share(look, range(0, len(rows), ROWS_IN_BLOCK))

    def _result(self) -> Observations:
        return self._observations.copy() if self._copies else self._observations

    def _columns(self) -> tuple[NDArray[Any], ...]:
        """Everything that a row has."""
        runs = self._runs
        return (
            runs.states, *runs.runs.columns(), self.levels, self._steps, self._seeds, self._numbers, self._has_ended,
            self._left, self._places, self._observations,
        )  # fmt: skip

    def save_rows(self, rows: Indices | Sequence[int]) -> SavedRows:
        """The state of rows (n,), a copy, without recorded episodes. ValueError for rows that are not there."""
        self._check_reset()
        chosen = self._as_rows(rows, "rows")
        return SavedRows(tuple(column[chosen] for column in self._columns()), self._level_hashes(), self._options())

    def restore_rows(self, rows: Indices | Sequence[int], saved: SavedRows) -> Observations:
        """Put saved rows (n,) into these rows (n,); the observations (N, D). ValueError for another number of rows, and
        for rows that are recorded, are not there, or are those of an environment with other levels or options."""
        self._check_reset()
        into, saved = self._as_rows(rows, "rows"), as_instance(saved, SavedRows, "saved")
        if len(into) != len(saved.columns[0]):
            raise ValueError(f"{len(saved.columns[0])} rows are saved, not {len(into)}")
        if (saved.levels, saved.options) != (self._level_hashes(), self._options()):
            raise ValueError("these rows are those of an environment with other levels or other options")
        if set(into.tolist()) & set(self._record_rows):
            raise ValueError("rows of record_rows cannot be restored: their episodes would not be walks")
        for column, values in zip(self._columns(), saved.columns, strict=True):
            column[into] = values
        self._groups = self._by_level(np.arange(self.num_envs))
        return self._result()

    def render(self) -> Any:
        """Pictures of `render_rows`, a tuple of (height, width, 3) u1; None for "human", which shows the first."""
        self._check_reset()
        pictures = []
        for row in self._render_rows:
            course, state = self._courses[self.levels[row]], self._runs.states[row]
            clocks = int(self._runs.clocks[row]), self._runs.mover_clocks[row]
            pictures.append(self._picture.draw(course, state, *clocks, self._runs.reached[row]))
        return None if self.render_mode == "human" else tuple(pictures)

    def close_extras(self, **kwargs: Any) -> None:
        """Release the graphics."""
        self._picture.close()

    def _level_hashes(self) -> tuple[str, ...]:
        return tuple(course.level_hash for course in self._courses)

    def _options(self) -> tuple[object, ...]:
        return (*self.options.key(), self._max_steps)

    def _as_rows(self, rows: object, name: str) -> Indices:
        """Numbers of different rows (n,). ValueError for others."""
        try:
            table = np.asarray(rows)
        except ValueError:  # lists of different lengths
            table = np.empty((0, 0))
        is_list = table.ndim == 1 and (table.dtype.kind in "iu" or not len(table))
        if not is_list or len(np.unique(table)) != len(table) or not ((table >= 0) & (table < self.num_envs)).all():
            last = self.num_envs - 1
            raise ValueError(f"{name} must be different numbers from 0 to {last}, not {describe_value(rows)}")
        return table.astype(np.int64)

    def _check_reset(self) -> None:
        self._check_open()
        if not self._is_reset:
            raise ResetNeeded("call reset first")

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the environment is closed: make a new one")
