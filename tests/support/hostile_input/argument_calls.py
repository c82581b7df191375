"""Calls of the public interface with hostile arguments, and what is wrong with their results.

Each target of `argument_targets.py` is called with valid arguments, of which one to three are replaced: by values of
the parameter's annotation, or by hostile ones (nan, 1e200, 2**63, wrong shapes, types and objects). First each one is
replaced by each hostile value, then several are (Hypothesis). Each call must return a sane result (finite, unit
directions, rows in their ranges, usable in a following call), or raise ValueError, TypeError, OSError or an error class
of the project: with a sentence, and on purpose (by a `raise` statement in game/). The physics names the argument that
it refuses. A NumPy warning is a failure. A target that takes more than TIMEOUT seconds ends the process with its stack
printed.
"""

from __future__ import annotations

import dataclasses
import faulthandler
import linecache
import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings

from game import physics, sim
from game.core.errors import WalkerError
from game.physics import (
    Command,
    Ellipsoid,
    Environment,
    Material,
    Motion,
    Mover,
    Movers,
    TriangleMesh,
    Walker,
    WalkerHits,
    Zone,
    Zones,
)
from game.physics.balls.balls import Balls, BallSettings
from game.physics.character.state import STATE_ROW, WalkerState
from game.physics.mesh.heightfield import HeightField
from game.physics.query.results import Hits, Touches
from game.physics.query.shapes import Shape
from tests.support.hostile_input import argument_examples as examples
from tests.support.hostile_input.argument_targets import (
    LEFT_OUT,
    Target,
    class_members,
    several_changes,
    single_changes,
)

GAME = str(Path(physics.__file__).parents[1])
TIMEOUT = 60.0  # s for the examples of one target
ALLOWED_ERRORS = (ValueError, TypeError, OSError, WalkerError)
MAY_BE_INFINITE = {"acceleration", "deceleration"}  # of WalkerSettings


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


SAID_INSTEAD = {  # by the name of an argument, of one class or of all: what some refusals call it, as a pattern
    "Balls.state": r"ball rows|of ball \d+",
    "Balls.states": r"ball rows|of ball \d+",
    "Crowd.states": r"for each of \d+ walkers",
    "data": "bytes",
    "heading": "degrees",
    "most": "half_sizes",
    "other": "Sphere, Capsule or Box",
    "positions": "position of ball",
    "rows": "commands",
    "tick": "clock",
    "vertices": "faces",
    "view": "rows",
}


def is_named(owner: str, argument: str, error: Exception) -> bool:
    """Whether the text of an error names an argument of a class."""
    names = (argument, *(SAID_INSTEAD[key] for key in (argument, f"{owner}.{argument}") if key in SAID_INSTEAD))
    return re.search(rf"\b({'|'.join(names)})\b", str(error)) is not None


def complain(target: Target, changes: Mapping[str, Any], error: Exception) -> str:
    """What is wrong with an exception; empty for a documented one."""
    if isinstance(error, IndexError) and "IndexError" in target.documentation and is_deliberate(error):
        return ""
    if not isinstance(error, ALLOWED_ERRORS):
        return f"{type(error).__name__}: {error}"
    if isinstance(error, OSError) or "os.PathLike" in str(error):
        return ""  # of the standard library, and in its words
    if not is_deliberate(error):
        return f"no check of its own: {type(error).__name__}: {error}"
    if " " not in str(error).strip():
        return f"no sentence: {type(error).__name__}: {error!r}"
    owner = target.name.partition(".")[0]
    of_physics = hasattr(physics, owner) or owner in ("Balls", "BallSettings")
    if of_physics and len(changes) == 1 and not is_named(owner, next(iter(changes)), error):
        return f"does not name the argument: {type(error).__name__}: {error}"
    return ""


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
    elif isinstance(value, WalkerHits):
        columns = np.concatenate((value.distance[..., None], value.point, value.normal), axis=-1)[value.hit]
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
    if kind.__module__.startswith("ellipsoid_walker."):
        repr(result)
        for name, member in class_members(kind):
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
            result = _call(target, arguments)
        except Exception as error:
            return complain(target, changes, error)
        try:
            problem = next(insane(result), "") or _use(target, arguments, result)
        except AssertionError as error:
            problem = str(error)
        except Exception as error:
            if isinstance(error, ValueError) and is_deliberate(error):
                return ""  # refused by the next door: no room for this body, too fast for a mover
            problem = f"in use {type(error).__name__}: {error}"
    return f"accepted, and {problem}" if problem else ""


def _call(target: Target, arguments: dict[str, Any]) -> Any:
    """The result of a call with arguments by name."""
    named = dict(arguments)
    first = [p.name for p in target.parameters if p.kind is p.POSITIONAL_ONLY and p.name in named]
    return target.new()(*(named.pop(name) for name in first), **named)


def find_failures(target: Target, count: int) -> list[str]:
    """Failures of a target, one of each kind: with `single_changes`, and with `count` cases of `several_changes`, which
    are the same each time."""
    found: dict[tuple[str, ...], str] = {}

    def attempt(changes: Mapping[str, Any]) -> None:
        problem = try_once(target, changes)
        if problem:
            kind = (*sorted(changes), re.sub("[0-9.e+-]+|'[^']*'", "#", problem)[:50])
            found.setdefault(kind, f"{target.name}: {problem:.300} (arguments: {_describe(changes)})")

    @settings(
        max_examples=count,
        derandomize=True,
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
        for changes in single_changes(target):
            attempt(changes)
        run()
    finally:
        faulthandler.cancel_dump_traceback_later()
    return list(found.values())


def _describe(changes: Mapping[str, Any]) -> str:
    texts = []
    for name, value in changes.items():
        with suppress(ValueError):  # repr of an integer of thousands of digits
            texts.append(f"{name}={value!r:.60}")
    return ", ".join(texts)
