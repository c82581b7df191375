"""Options of an environment, its actions and its reward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from ..core.angles import HEADING_UNITS_PER_TURN, wrap_heading
from ..core.arguments import as_flag, as_instance, as_integer, as_number, describe_value
from ..core.vectors import Floats, Indices
from ..physics.character.command import COMMAND_ROW, Rows
from ..physics.character.rows import button, command_row
from ..physics.numerics.trigonometry import heading_sin_cos

if TYPE_CHECKING:
    from ..level import Level

CONTINUOUS, DISCRETE = "continuous", "discrete"
WALKABLE, STRAIGHT = "walkable", "straight"
SPAWN, SPAWNS, ANYWHERE = "spawn", "spawns", "anywhere"
CHOICES = {"actions": (CONTINUOUS, DISCRETE), "distance": (WALKABLE, STRAIGHT), "starts": (SPAWN, SPAWNS, ANYWHERE)}
ACTIONS = ("forward", "strafe", "turn", "jump", "crouch", "sprint")
TURN_SPEED = 180.0  # degrees a second at an action of 1; to the right
DISCRETE_VALUES = (
    (-1.0, 0.0, 1.0), (-1.0, 0.0, 1.0), (-1.0, -0.3, 0.0, 0.3, 1.0), (-1.0, 1.0), (-1.0, 1.0), (-1.0, 1.0),
)  # fmt: skip
BUTTONS = (button.JUMP, button.CROUCH, button.SPRINT)
Actions = NDArray[np.float64]  # (n, 6), within -1..1

MAX_SEED = (1 << 63) - 1
LevelLike = Any  # a Level, a path or the name of a shipped level, or a sequence of them


@dataclass(frozen=True)
class Reward:
    """Weights of the reward of a decision.

    progress: for each second of walkable distance (at the speed of a sprint) that the walker is nearer to the goal.
    goal: at the goal. respawn: at a fall or another end by a respawn. target: for each target. second: for each second.
    """

    progress: float = 1.0
    goal: float = 10.0
    respawn: float = -5.0
    target: float = 2.0
    second: float = 0.0

    def __post_init__(self) -> None:
        for weight in fields(self):
            as_number(getattr(self, weight.name), f"reward.{weight.name}")


@dataclass(frozen=True)
class Options:
    """Options of an environment, as `gymnasium.make` takes them; docs/gym.md lists them. ValueError for bad values."""

    level: LevelLike = "demo"
    frame_skip: int = 4
    rays: int | ArrayLike = 16
    ray_range: float = 20.0
    actions: str = CONTINUOUS
    reward: Reward | dict[str, float] | None = None
    distance: str = WALKABLE
    show_path: bool = False
    starts: str = SPAWN
    random_clock: bool = False
    weights: Reward = field(init=False)
    directions: Floats = field(init=False)  # of the rays (n, 3): x right, y up, z back; unit vectors

    def __post_init__(self) -> None:
        as_integer(self.frame_skip, "frame_skip", 1, 1000)
        as_number(self.ray_range, "ray_range", 0.1, 1e4)
        as_flag(self.show_path, "show_path")
        as_flag(self.random_clock, "random_clock")
        for name, choices in CHOICES.items():
            as_choice(getattr(self, name), choices, name)
        reward = self.reward
        if isinstance(reward, dict):
            known = [weight.name for weight in fields(Reward)]
            if unknown := set(reward) - set(known):
                raise ValueError(f"reward has no weight {min(unknown, key=str)!r}; known: {', '.join(known)}")
            reward = Reward(**reward)
        if not isinstance(reward, (Reward, type(None))):
            raise ValueError(f"reward must be a Reward or a dict of its weights, not {describe_value(reward)}")
        object.__setattr__(self, "weights", reward or Reward())
        object.__setattr__(self, "directions", ray_directions(self.rays))

    @classmethod
    def read(cls, given: dict[str, Any]) -> Options:
        """The options of these names. ValueError for one that does not exist, and for bad values."""
        known = [option.name for option in fields(cls) if option.init]
        if unknown := [name for name in given if name not in known]:
            raise ValueError(f"there is no option {unknown[0]!r}; known: {', '.join(known)}")
        return cls(**given)

    def key(self) -> tuple[object, ...]:
        """All options but the levels, for comparisons."""
        names = ("frame_skip", "ray_range", *CHOICES, "weights", "show_path", "random_clock")
        return (*(getattr(self, name) for name in names), self.directions.tobytes())

    def levels(self) -> list[Level]:
        """The loaded levels. LevelError for one that cannot be loaded."""
        from ..level import Level, load

        given: Sequence[LevelLike] = self.level if isinstance(self.level, (list, tuple)) else [self.level]
        if not given:
            raise ValueError("level must name at least one level")
        return [one if isinstance(one, Level) else load(str(one) if isinstance(one, Path) else one) for one in given]

    def action_space(self) -> spaces.Space[Any]:
        """The space of one walker's actions."""
        if self.actions == DISCRETE:
            return spaces.MultiDiscrete([len(values) for values in DISCRETE_VALUES])
        return spaces.Box(-1.0, 1.0, (len(ACTIONS),), np.float32)

    def read_actions(self, actions: object, count: int | None) -> Actions:
        """(n, 6) f8 within -1..1 of actions of one walker (count None) or of so many.

        ValueError for a wrong shape or type, and for nan, with its row.
        """
        try:
            array = np.asarray(actions)
        except ValueError:
            array = np.empty(0, object)
        shape = (len(ACTIONS),) if count is None else (count, len(ACTIONS))
        kinds = "iu" if self.actions == DISCRETE else "fiu"
        if array.shape != shape or array.dtype.kind not in kinds:
            what = f"{'integers' if self.actions == DISCRETE else 'numbers'} of shape {shape} ({', '.join(ACTIONS)})"
            raise ValueError(f"actions must be {what}, not {array.dtype} of shape {array.shape}")
        array = array.reshape(-1, len(ACTIONS))
        if self.actions == DISCRETE:
            columns = [np.array(values) for values in DISCRETE_VALUES]
            limits = [len(values) - 1 for values in DISCRETE_VALUES]
            clipped = np.clip(array, 0, np.array(limits, array.dtype)).astype(np.int64)
            return np.stack([values[clipped[:, k]] for k, values in enumerate(columns)], axis=1)
        missing = np.isnan(array).any(axis=1)
        if missing.any():
            row = int(missing.argmax())
            name = ACTIONS[int(np.isnan(array[row]).argmax())]
            raise ValueError(f"actions{'' if count is None else f' of row {row}'}: {name} is nan")
        return np.clip(array.astype(np.float64), -1.0, 1.0)


def as_choice(value: object, choices: Sequence[str], name: str) -> str:
    """A value that is one of the choices. ValueError for another."""
    if not isinstance(value, str) or value not in choices:
        listed = ", ".join(repr(str(choice)) for choice in choices)
        raise ValueError(f"{name} must be one of {listed}, not {describe_value(value)}")
    return value


def check_reset_options(options: object, *known: str) -> dict[str, Any]:
    """The options of `reset`, where they are known. ValueError for others."""
    given = {} if options is None else as_instance(options, dict, "options")
    if unknown := [key for key in given if key not in known]:
        raise ValueError(f"options of reset: {unknown[0]!r} is unknown; known: {', '.join(known) or 'none'}")
    return given


def ray_directions(rays: object) -> Floats:
    """Unit vectors (n, 3) of a number of rays or of directions. ValueError for others."""
    if isinstance(rays, (int, np.integer)) and not isinstance(rays, bool):
        count = as_integer(int(rays), "rays", 0, 1024)
        level = (count + 1) // 2
        down, along = heading_sin_cos(HEADING_UNITS_PER_TURN // 12)
        found = []
        for k in range(count):
            of, number = (level, k) if k < level else (count - level, k - level)
            right, ahead = heading_sin_cos(number * HEADING_UNITS_PER_TURN // of)
            found.append((right, 0.0, -ahead) if k < level else (right * along, -down, -ahead * along))
        return np.array(found, np.float64).reshape(-1, 3)
    try:
        directions = np.array(rays, np.float64)
        directions = directions.reshape(-1, 3) if not directions.size else directions
    except (TypeError, ValueError):
        directions = np.empty(0)
    lengths = np.sqrt((directions * directions).sum(axis=-1)) if directions.ndim == 2 else np.zeros(1)
    if directions.ndim != 2 or directions.shape[1] != 3 or not (np.isfinite(lengths) & (lengths > 0.0)).all():
        raise ValueError(f"rays must be a number or directions (n, 3) that are not zero, not {describe_value(rays)}")
    return directions / lengths[:, None]


def write_commands(actions: Actions, rate: float, columns: Floats) -> Indices:
    """Write actions (n, 6) into rows of `command_columns`, without a heading; the heading units (n,) that each body
    turns to the right in a tick. rate: ticks a second."""
    columns[:, command_row.FORWARD], columns[:, command_row.STRAFE] = actions[:, 0], actions[:, 1]
    columns[:, command_row.BUTTONS] = (actions[:, 3:] > 0.0) @ np.array(BUTTONS)
    columns[:, command_row.PITCH] = 0.0
    return np.rint(actions[:, 2] * (TURN_SPEED / 360.0 * HEADING_UNITS_PER_TURN / rate)).astype(np.int64)


def write_headings(headings: Indices, turns: Indices, columns: Floats) -> None:
    """Write the headings of the next tick into rows of `command_columns`. headings, turns (n,): of the bodies, and what
    `write_commands` returned."""
    columns[:, command_row.HEADING] = (headings - turns) % HEADING_UNITS_PER_TURN


def command_records(columns: Floats) -> Rows:
    """Command rows (n,) of rows of `command_columns`."""
    records = np.zeros(len(columns), COMMAND_ROW)
    for name in ("forward", "strafe", "heading", "pitch", "buttons"):
        records[name] = columns[:, getattr(command_row, name.upper())]
    records["heading"] = wrap_heading(columns[:, command_row.HEADING].astype(np.int64))
    return records


def rewards(
    weights: Reward, before: Floats, after: Floats, targets: Indices, outcomes: NDArray[np.uint8], seconds: Floats
) -> Floats:
    """(n,) rewards of a decision.

    before, after (n,): seconds to the goal; targets (n,): reached in it. outcomes (n,): of `sim.batched_world`. seconds
    (n,): that it lasted.
    """
    progress = np.where(targets > 0, 0.0, before - after)  # the way to the next target is another one
    total: Floats = weights.progress * progress + weights.target * targets + weights.second * seconds
    total += np.where(outcomes == 1, weights.goal, 0.0) + np.where(outcomes == 2, weights.respawn, 0.0)
    return total
