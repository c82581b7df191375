"""Argument fuzzing of the public interface: `python -m tools.verify.fuzz_arguments [--examples 2000] [NAME...]`.

Calls every public function, constructor, method and property of game.physics, game.level and game.sim (their `__all__`,
and `MORE`) with the valid arguments of tools/verify/argument_examples.py, of which one to three are replaced: by values
of the parameter's annotation, or by hostile ones (nan, 1e200, 2**63, wrong shapes, types and objects). First each one
is replaced by each hostile value, then several are (Hypothesis). Each call must
return a sane result (finite, unit directions, rows in their ranges, usable in a following call), or raise ValueError,
TypeError, OSError or an error class of the project: with a sentence, and on purpose (by a `raise` statement in game/).
A NumPy warning is a failure. A target that takes more than TIMEOUT seconds ends the process with its stack printed.

Prints each kind of failure once. Exit status 1 if there is one. NAME selects targets by a substring. Needs Hypothesis
(the extra `test`).
"""

from __future__ import annotations

import argparse
import dataclasses
import faulthandler
import inspect
import linecache
import math
import re
import sys
import types
import typing
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from game import level, physics, sim
from game.core.errors import WalkerError
from game.physics import Command, Ellipsoid, Environment, Material, Motion, Mover, Movers, TriangleMesh, Walker
from game.physics.balls.balls import BALL_ROW, Balls, BallSettings
from game.physics.character.command import COMMAND_ROW
from game.physics.character.state import STATE_ROW, WalkerState
from game.physics.environment.zones import Zone, Zones
from game.physics.mesh.heightfield import HeightField
from game.physics.query.results import Hits, Touches
from game.physics.query.shapes import Shape
from tools.verify import argument_examples as examples

GAME = str(Path(physics.__file__).parents[1])
TIMEOUT = 60.0  # s for the examples of one target
ALLOWED_ERRORS = (ValueError, TypeError, OSError, WalkerError)
MAY_BE_INFINITE = {"acceleration", "deceleration"}  # of WalkerSettings
MORE = (Zone, Zones, HeightField, Balls, BallSettings)  # public classes outside of the packages' `__all__`

# Made by the project and only read by its users: their constructors take what the project computed.
RESULTS = {
    *("Contact", "Gap", "Hit", "Slide", "Touch", "Trace"),
    *("Exit", "Finding", "Goal", "Level", "LevelError", "Light", "Sign", "Sky", "Spawn", "Surface", "Target"),
    *("BallLost", "BallStruck", "BodyPose", "CheckpointReached", "Event", "ExitReached", "GoalReached", "HoledOut"),
    *("Replay", "ReplayError", "Respawned", "TargetReached", "VerifyResult"),
    *("ScriptProblem", "CommandsError", "GoalOutcome", "WalkResult"),
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
                more = dict(examples.KEYWORDS[self.name.removesuffix(".__init__")][0])
            elif parameter.kind is not inspect.Parameter.VAR_POSITIONAL:
                named[parameter.name] = examples.usual_argument(self.name, parameter)
        if more and "commands" in named:
            named = {}
        return named, more


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties of a class and its bases in game."""
    seen: set[str] = set()
    for base in kind.__mro__:
        if not base.__module__.startswith("game."):
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
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
    return Target(name, new, tuple(parameters), function.__doc__ or "", _hints(function))


def _class_targets(kind: type) -> Iterator[Target]:
    name = kind.__name__
    if name not in RESULTS:
        yield make_target(f"{name}.__init__", lambda: kind, kind.__init__)
    if name in RESULTS and kind not in examples.INSTANCES:
        return
    for member_name, member in _members(kind):
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


def is_deliberate(error: BaseException) -> bool:
    """Whether a `raise` statement in game/ raised the error."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return False
    file = trace.tb_frame.f_code.co_filename
    line = linecache.getline(file, trace.tb_lineno).strip()
    return file.startswith(GAME) and line.startswith("raise")


def complain(target: Target, error: Exception) -> str:
    """What is wrong with an exception; empty for a documented one."""
    if isinstance(error, IndexError) and "IndexError" in target.documentation and is_deliberate(error):
        return ""
    if not isinstance(error, ALLOWED_ERRORS):
        return f"{type(error).__name__}: {error}"
    if isinstance(error, OSError) or "os.PathLike" in str(error):
        return ""  # of the standard library, and in its words
    if not is_deliberate(error):
        return f"no check of its own: {type(error).__name__}: {error}"
    return "" if " " in str(error).strip() else f"no sentence: {type(error).__name__}: {error!r}"


def insane(value: Any, path: str = "result", depth: int = 4) -> Iterator[str]:
    """What is wrong with a result."""
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value) and path.rsplit(".", 1)[-1] not in MAY_BE_INFINITE:
            yield f"{path} is {value}"
    elif isinstance(value, (Hits, Touches)):
        met = value.hit if isinstance(value, Touches) else value.triangle >= 0
        columns = np.column_stack((value.distance, value.point, value.normal))[met]
        if not np.isfinite(columns).all():
            yield f"{path} has a hit that is not finite"
    elif isinstance(value, WalkerState):
        yield from insane_states(value.row(), path)
    elif isinstance(value, np.ndarray):
        if value.dtype == STATE_ROW:
            yield from insane_states(value.reshape(-1), path)
        elif value.dtype.names:
            for name in value.dtype.names:
                yield from insane(value[name], f"{path}.{name}", depth)
        elif value.dtype.kind == "f" and not np.isfinite(value).all():
            yield f"{path} is not finite"
    elif isinstance(value, Shape):
        yield from insane(value.rows, f"{path}.rows")
    elif depth and isinstance(value, (tuple, list)):
        for index, member in enumerate(value[:20]):
            yield from insane(member, f"{path}[{index}]", depth - 1)
    elif depth and isinstance(value, Iterator):
        for member in islice(value, 3):
            yield from insane(member, f"next({path})", depth - 1)
    elif depth and dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from insane(getattr(value, field.name), f"{path}.{field.name}", depth - 1)


def insane_states(rows: Any, path: str) -> Iterator[str]:
    """What is wrong with walker states."""
    for name in ("position", "velocity", "ground_normal", "radii", "safe", "falling", "up", "north", "carried"):
        if not np.isfinite(rows[name]).all():
            yield f"{path}.{name} is not finite"
            return
    if not (rows["radii"] > 0.0).all():
        yield f"{path}.radii are {rows['radii'].tolist()}"
    for name in ("up", "north"):
        if not np.allclose((rows[name] ** 2).sum(axis=1), 1.0, atol=1e-5):
            yield f"{path}.{name} is no unit vector: {rows[name].tolist()}"
    if not np.allclose((rows["up"] * rows["north"]).sum(axis=1), 0.0, atol=1e-5):
        yield f"{path}: north is not perpendicular to up"
    if not ((rows["heading"] >= 0) & (rows["heading"] < 65536)).all():
        yield f"{path}.heading is {rows['heading'].tolist()}"


def _step_with(command: Command) -> Any:
    """Speed of a tick with this command: it has the direction and size of the command's vector, cut to length 1."""
    world = physics.bare()
    walker = Walker(world)
    size = math.hypot(command.forward, command.strafe)
    start = walker.state(examples.state().row())
    after = walker.step(start, command, examples.mesh())[0]
    wished = min(1.0, size) * (world.crouch_speed if command.crouch else world.sprint_speed if command.sprint else 4.0)
    if not command.jump:
        assert math.isclose(math.hypot(*after.velocity), wished, rel_tol=1e-6, abs_tol=1e-9), (
            f"moves at {math.hypot(*after.velocity):g} m/s, not at {wished:g}"
        )
    return after


def _queries_of(mesh: TriangleMesh) -> Any:
    hit = mesh.raycast((0.1, 5.0, 0.1), (0.0, -1.0, 0.0))
    return mesh.bounds, hit, examples.walker().step(examples.state(), Command(), mesh)[0]


def _mesh_with(material: Material) -> Any:
    made = TriangleMesh(examples.FLOOR, [0, 0], [material])
    return examples.walker().step(examples.state(), Command(forward=1.0), made)[0]


def _movers_with(mover: Mover) -> Any:
    made = Movers([mover])
    after = examples.walker().step(examples.state(), Command(), examples.mesh(), Environment(None, made), 7)[0]
    return made.poses(3.5), made.motions, after


def _zones_with(zone: Zone) -> Any:
    made = Zones([zone])
    after = examples.walker().step(examples.state(), Command(), examples.mesh(), Environment(made), 7)[0]
    return made.rows, made.gravity((0.0, 1.0, 0.0)), after


def _walk_with(chosen: physics.WalkerSettings) -> Any:
    made = Walker(chosen)
    start = made.spawn(examples.mesh(), (0.0, 1.0, 2.0))
    return start, made.run(start, made.commands(forward=[1.0] * 3, jump=[True, False, False]), examples.mesh())


USES: dict[type, Callable[[Any], Any]] = {  # what an accepted object must do
    Command: _step_with,
    Material: _mesh_with,
    Motion: lambda motion: _movers_with(Mover(examples.movers()[0].mesh, motion=motion)),
    Mover: _movers_with,
    Movers: lambda movers: (movers.motions, movers.poses(3.5), list(movers)),
    Zone: _zones_with,
    Zones: lambda zones: (zones.rows, zones.gravity((0.0, 1.0, 0.0))),
    Environment: lambda around: examples.walker().step(examples.state(), Command(), examples.mesh(), around, 3)[0],
    physics.WalkerSettings: _walk_with,
    Walker: lambda walker: walker.spawn(examples.mesh(), (0.0, 1.0, 0.0)),
    WalkerState: lambda state: examples.walker().step(state, Command(forward=1.0), examples.mesh())[0],
    Ellipsoid: lambda body: examples.mesh().sweep(body, (0.0, 3.0, 0.0), 0.1, (0.0, -4.0, 0.0)),
    TriangleMesh: _queries_of,
    physics.Crowd: lambda crowd: crowd.step([examples.state()], [Command()]),
    BallSettings: lambda made: Balls(made).step(Balls.rows([(0.0, 1.0, 0.0)]), examples.mesh()),
    HeightField: lambda field: field.row(0),
    sim.World: lambda world: (world.step(Command()), world.walker_state),
    sim.Session: lambda session: (session.tick(Command()), session.pose()),
}


def _spawn_keeps(arguments: Mapping[str, Any], state: Any) -> None:
    for name, default in (("up", (0.0, 1.0, 0.0)), ("north", (0.0, 0.0, -1.0))):
        given_axis = np.array(arguments.get(name, default), float)
        assert np.allclose(getattr(state, name), given_axis, atol=1e-5), f"{name} is {getattr(state, name)}"


def _rows_keep(arguments: Mapping[str, Any], rows: Any) -> None:
    if arguments.get("commands") is not None:
        return
    for name in ("forward", "strafe", "pitch"):
        if name in arguments:
            wanted = np.broadcast_to(np.asarray(arguments[name]), len(rows))
            assert np.array_equal(rows[name], wanted), f"{name} is {rows[name]}, not {wanted}"
    if "heading" in arguments:
        turned = [int(value) % 65536 for value in np.broadcast_to(np.asarray(arguments["heading"]), len(rows))]
        assert (rows["heading"] % 65536).tolist() == turned, "heading differs"


KEEPS: dict[str, Callable[[Mapping[str, Any], Any], None]] = {  # how a result shows that the arguments counted
    "Walker.spawn": _spawn_keeps,
    "Walker.commands": _rows_keep,
}


def _use(target: Target, arguments: Mapping[str, Any], result: Any) -> str:
    """Use an accepted result: what is wrong with it, or an empty text."""
    if target.name in KEEPS:
        KEEPS[target.name](arguments, result)
    kind = type(result)
    if kind in USES:
        for problem in insane(USES[kind](result)):
            return f"in use {problem}"
    if kind.__module__.startswith("game."):
        repr(result)
        for name, member in _members(kind):
            if isinstance(member, property):
                for problem in insane(getattr(result, name), name):
                    return problem
    return ""


def try_once(target: Target, changes: Mapping[str, Any]) -> str:
    """One call with changed arguments: what is wrong with it, or an empty text."""
    named, more = target.usual()
    arguments = {name: value for name, value in {**named, **more, **changes}.items() if value is not LEFT_OUT}
    if isinstance(arguments.get("ticks"), int):  # as many as asked for are run: keep it short
        arguments["ticks"] = min(arguments["ticks"], 10) if arguments["ticks"] < 2**62 else arguments["ticks"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            result = target.new()(**arguments)
        except Exception as error:
            return complain(target, error)
        try:
            problem = next(insane(result), "") or _use(target, arguments, result)
        except AssertionError as error:
            problem = str(error)
        except Exception as error:
            if isinstance(error, ValueError) and is_deliberate(error):
                return ""  # refused by the next door: no room for this body, too fast for a mover
            problem = f"in use {type(error).__name__}: {error}"
    return f"accepted, and {problem}" if problem else ""


def find_failures(target: Target, count: int, chosen_seed: int | None = None, singles: bool = True) -> list[str]:
    """Failures of a target, one of each kind: with `single_changes`, and with `count` cases of `several_changes`.

    Without a seed the cases are the same each time.
    """
    found: dict[tuple[str, ...], str] = {}

    def attempt(changes: Mapping[str, Any]) -> None:
        problem = try_once(target, changes)
        if problem:
            kind = (*sorted(changes), re.sub("[0-9.e+-]+|'[^']*'", "#", problem)[:50])
            found.setdefault(kind, f"{target.name}: {problem:.300} (arguments: {_describe(changes)})")

    @settings(
        max_examples=count,
        derandomize=chosen_seed is None,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(several_changes(target))
    def run(changes: Mapping[str, Any]) -> None:
        attempt(changes)

    faulthandler.dump_traceback_later(TIMEOUT, exit=True)
    try:
        for changes in single_changes(target) if singles else ():
            attempt(changes)
        (run if chosen_seed is None else seed(chosen_seed)(run))()
    finally:
        faulthandler.cancel_dump_traceback_later()
    return list(found.values())


def _describe(changes: Mapping[str, Any]) -> str:
    texts = []
    for name, value in changes.items():
        with suppress(ValueError):  # repr of an integer of thousands of digits
            texts.append(f"{name}={value!r:.60}")
    return ", ".join(texts)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only targets with one of these in their name")
    parser.add_argument("--examples", type=int, default=2000, help="cases of several changes a target (default: 2000)")
    parser.add_argument("--seed", type=int, help="other calls than the tests make")
    options = parser.parse_args()
    failures = 0
    chosen = [t for t in targets() if not options.names or any(name in t.name for name in options.names)]
    for target in chosen:
        for failure in find_failures(target, options.examples, options.seed):
            failures += 1
            print(failure, flush=True)
    print(f"{len(chosen)} targets, {options.examples} cases of several changes each, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
