"""Targets of argument fuzzing: the public functions, constructors and methods, and the values that are passed.

`targets` lists every public callable of game.physics, game.level and game.sim (their `__all__`, and `MORE`).
`single_changes` and `several_changes` replace some of its valid arguments (`argument_examples.py`): by
values of the parameter's annotation, or by those of `HOSTILE`.
"""

from __future__ import annotations

import inspect
import math
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from game import level, physics, sim
from game.physics import Command, Ellipsoid
from game.physics.balls.balls import BALL_ROW, Balls, BallSettings
from game.physics.character.command import COMMAND_ROW
from game.physics.character.state import STATE_ROW
from game.sim import headless_run
from tests.support.hostile_input import argument_examples as examples

MORE = (Balls, BallSettings, headless_run.encode_walk)  # public names outside of the packages' `__all__`

# Made by the project and only read by its users: their constructors take what the project computed.
RESULTS = {
    *("Contact", "Gap", "Hit", "Slide", "Touch", "Trace"),
    *("Exit", "Finding", "Goal", "Level", "LevelError", "Light", "Sign", "Sky", "Spawn", "Surface", "Target"),
    *("BallLost", "BallStruck", "BodyPose", "CheckpointReached", "ExitReached", "GoalReached", "HoledOut"),
    *("Replay", "ReplayError", "Respawned", "TargetReached", "VerifyResult", "Divergence", "FieldDifference"),
    *("BallLossReason", "RespawnReason", "TickReport", "Gaps", "Hits", "Touches"),
    *("WalkerHits", "EnvironmentWarning", "SaveError"),
    *("GoalOutcome", "WalkResult"),
}

HOSTILE: tuple[Any, ...] = (
    *(math.nan, math.inf, -math.inf, 1e200, -1e200, 1e308, 1e-300, 5e-324, 0, 0.0, -0.0, -1, -1.5, 0.5, 2, 1e9, 1e7),
    *(2**31, 2**32, 2**40, 2**53 + 1, 2**63, -(2**63) - 1, 2**64, 10**400, True, False, None, 1j),
    *("", "text", "123", b"", b"\0\1", (), [], {}, set(), object(), Command(), Ellipsoid((1.0, 1.0, 1.0))),
    *(
        (0.0, 0.0),
        (0.0, 0.0, 0.0),
        (0.0, 1.0, 0.0),
        (0.0, 2.0, 0.0),
        (1.0, 2.0, 3.0),
        (1.0, 2.0, 3.0, 4.0),
        ("1", "2", "3"),
    ),
    *((math.nan, 0.0, 0.0), (0.0, math.inf, 0.0), (1e200, 0.0, 0.0), (1e-300, 0.0, 0.0), (1e9, 1e9, 1e9), (None,) * 3),
    *((2**63, 0, 0), (10**400, 0, 0), ((0.0, 0.0, 0.0),), [[1.0, 2.0], [3.0]], [2**40], [2**63], [-1], [1e200], [None]),
    *(
        np.zeros(0),
        np.zeros(2),
        np.zeros(3),
        np.zeros((2, 3)),
        np.zeros((0, 3)),
        np.zeros((2, 3, 3)),
        np.zeros((1,) * 4),
    ),
    *(np.float32(0.5), np.float64(math.nan), np.int8(-128), np.uint64(2**63), np.array(3), np.array(None, object)),
    *(np.zeros(3, bool), np.array(["a", "b", "c"]), np.zeros(3, complex), np.full((2, 3), math.nan), np.full(3, 1e200)),
    *(np.zeros(2, STATE_ROW), np.zeros(2, COMMAND_ROW), np.zeros(1, BALL_ROW), np.zeros((2, 2), COMMAND_ROW)),
    *(np.array("2020-01-01", "M8[D]"), np.ma.masked_array([1.0, 2.0, 3.0], [True, False, False]), Path("missing.yaml")),
)


LEFT_OUT = object()  # as an argument: not passed


@dataclass(frozen=True)
class Target:
    """One public callable; `new` makes it with the object it belongs to. parameters: name, annotation, valid value."""

    name: str
    new: Callable[[], Callable[..., Any]]
    parameters: tuple[inspect.Parameter, ...]
    documentation: str
    hints: Mapping[str, Any]

    def usual(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Valid arguments: those with a name in the signature, and those of `**names`."""
        named, more = {}, {}
        for parameter in self.parameters:
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                more = dict(examples.KEYWORDS[self.name.removesuffix(".__init__")])
            elif parameter.kind is not inspect.Parameter.VAR_POSITIONAL:
                named[parameter.name] = examples.usual_argument(self.name, parameter)
        if more and "commands" in named:
            named = {}
        return named, more


def class_members(kind: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties of a class and its bases in game."""
    seen: set[str] = set()
    for base in kind.__mro__:
        if not base.__module__.startswith("ellipsoid_walker."):
            continue
        for name, member in vars(base).items():
            if not name.startswith("_") and name not in seen:
                seen.add(name)
                yield name, member


def _hints(function: Any) -> dict[str, Any]:
    """Annotations as types; as far as they can be evaluated."""
    try:
        return typing.get_type_hints(function)
    except (NameError, TypeError):
        return {}


def make_target(name: str, new: Callable[[], Callable[..., Any]], function: Any) -> Target:
    """A target: `new` makes the callable, `function` has its signature."""
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
    return Target(name, new, tuple(parameters), function.__doc__ or "", _hints(function))


def _class_targets(kind: type) -> Iterator[Target]:
    name = kind.__name__
    if name not in RESULTS:
        yield make_target(f"{name}.__init__", lambda: kind, kind.__init__)
    if name in RESULTS and kind not in examples.INSTANCES:
        return
    for member_name, member in class_members(kind):
        if isinstance(member, (classmethod, staticmethod)):
            yield make_target(
                f"{name}.{member_name}", lambda at=member_name: getattr(kind, at), getattr(kind, member_name)
            )
        elif inspect.isfunction(member):
            yield make_target(
                f"{name}.{member_name}", lambda at=member_name: getattr(examples.instance(kind), at), member
            )


def public_objects() -> Iterator[tuple[str, Any]]:
    """Public classes and functions, each once."""
    seen: set[int] = set()
    waiting: list[Any] = [getattr(package, name) for package in (physics, level, sim) for name in package.__all__]
    for value in (*waiting, *MORE):
        members = [value]
        if isinstance(value, types.ModuleType):
            members = [
                member
                for name, member in vars(value).items()
                if not name.startswith("_") and getattr(member, "__module__", "") == value.__name__
            ]
        for member in members:
            if (isinstance(member, type) or inspect.isfunction(member)) and id(member) not in seen:
                seen.add(id(member))
                yield member.__name__, member


def targets() -> list[Target]:
    """All targets in a fixed order."""
    found: list[Target] = []
    for name, value in public_objects():
        if isinstance(value, type):
            found += _class_targets(value)
        else:
            found.append(make_target(name, lambda at=value: at, value))
    return sorted(found, key=lambda target: target.name)


SIMPLE: dict[Any, st.SearchStrategy[Any]] = {
    float: st.floats() | st.floats(-2.0, 2.0),
    int: st.integers(),
    bool: st.booleans(),
    str: st.text(max_size=8),
}


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of an annotation, as far as it says something."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint in SIMPLE:
        return SIMPLE[hint]
    if origin in (typing.Union, types.UnionType):
        return st.one_of([values_of(argument) for argument in arguments])
    if origin is tuple and arguments and arguments[-1] is not Ellipsis:
        return st.tuples(*(values_of(argument) for argument in arguments))
    if isinstance(origin, type) and issubclass(origin, (tuple, list, typing.Sequence, typing.Iterable)) and arguments:  # type: ignore[arg-type]
        return st.lists(values_of(arguments[0]), max_size=3)
    if isinstance(hint, type) and hint in examples.INSTANCES:
        return st.builds(examples.INSTANCES[hint])
    return st.sampled_from(HOSTILE) | st.lists(st.floats(), max_size=4) | st.floats() | st.integers()


def single_changes(target: Target) -> Iterator[dict[str, Any]]:
    """Each argument replaced by each hostile value, one at a time."""
    named, more = target.usual()
    for name in {**named, **more}:
        for value in HOSTILE:
            yield {name: value}


@st.composite
def several_changes(draw: st.DrawFn, target: Target) -> dict[str, Any]:
    """One to three arguments replaced, by hostile values or by those of their annotations."""
    named, more = target.usual()
    arguments = sorted({**named, **more})
    names = draw(st.lists(st.sampled_from(arguments), min_size=1, max_size=3, unique=True)) if arguments else []
    changes = {name: draw(st.sampled_from(HOSTILE) | values_of(target.hints.get(name, Any))) for name in names}
    if more and (absent := draw(st.sampled_from([None, *more]))) is not None:  # `**names` may be left out
        changes[absent] = LEFT_OUT
    return changes
