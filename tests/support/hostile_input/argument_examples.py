"""Valid arguments for the public functions of game.physics, game.level and game.sim: what argument fuzzing starts from.

`usual_argument` gives one valid value for a parameter, `instance` an object whose methods are called. Arguments that
take any number of names (`**columns`) are listed in `KEYWORDS`.
"""

from __future__ import annotations

import inspect
import itertools
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from game.level import Level, LevelBuilder, LevelError, load
from game.physics import (
    Box,
    Capsule,
    Command,
    Crowd,
    Ellipsoid,
    Environment,
    Material,
    Motion,
    Mover,
    Movers,
    Sphere,
    TriangleMesh,
    Walker,
    WalkerSettings,
    WalkerState,
    Zone,
    Zones,
)
from game.physics.balls.balls import Balls, BallSettings
from game.physics.mesh.heightfield import HeightField
from game.sim import History, Replay, Session, World
from game.sim.command_script import CommandScript, CommandSpan, parse_script
from game.sim.headless_run import WalkResult, run_walk
from game.sim.replay.replay_file import ReplayWriter, decode_replay

LEVEL_TEXT = """format: 1
name: Arguments
spawn: {at: [0, 0, 0], facing: north}
goal: {at: [0, 0, -5], radius: 1}
pieces:
  - floor: {from: [-6, -6], to: [6, 6]}
  - box: {from: [2, 0, -3], to: [3, 1, -2]}
"""
FLOOR = (((-8.0, 0.0, -8.0), (-8.0, 0.0, 8.0), (8.0, 0.0, 8.0)), ((-8.0, 0.0, -8.0), (8.0, 0.0, 8.0), (8.0, 0.0, -8.0)))
WALL = (((-8.0, 0.0, -3.0), (8.0, 0.0, -3.0), (8.0, 3.0, -3.0)),)
SLAB = tuple(tuple((0.1 * x, y, 0.1 * z) for x, y, z in triangle) for triangle in FLOOR)


@cache
def mesh() -> TriangleMesh:
    """A floor and a wall."""
    return TriangleMesh(FLOOR + WALL, surface_names=["stone"])


@cache
def movers() -> Movers:
    """A slab that moves to and fro."""
    return Movers([Mover(TriangleMesh(SLAB), (4.0, 0.5, 0.0), Motion(((0.0, 0.0, 0.0), (0.0, 1.0, 0.0))), "lift")])


@cache
def zones() -> Zones:
    """A box of water and one of turned gravity."""
    half = (1.0, 1.0, 1.0)
    return Zones([Zone((5.0, 0.0, 5.0), half, water=True), Zone((-5.0, 1.0, 0.0), half, down=(1, 0, 0))])


@cache
def walker() -> Walker:
    """The default walker."""
    return Walker()


@cache
def state() -> WalkerState:
    """A walker that stands on the floor."""
    return walker().spawn(mesh(), (0.0, 0.0, 0.0))


@cache
def level_path() -> Path:
    """File of a small level; the folder is removed when the process ends."""
    folder = tempfile.TemporaryDirectory(prefix="walker-arguments-")
    _FOLDERS.append(folder)
    path = Path(folder.name) / "arguments.yaml"
    path.write_text(LEVEL_TEXT)
    path.with_suffix(".commands").write_text("10 forward 1\n")
    return path


_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


@cache
def level() -> Level:
    """The small level."""
    return load(level_path())


def session() -> Session:
    """A session whose clock has been read once."""
    made = Session(World(level()))
    made.advance(1.0, Command)
    return made


def history() -> History:
    """A history of three ticks."""
    made = History(World(level()))
    made.run([Command(forward=1.0)] * 3)
    return made


@cache
def replay_bytes() -> bytes:
    """A replay of three ticks."""
    return history().data()


def replay_path() -> Path:
    """File of `replay_bytes`."""
    path = level_path().with_suffix(".replay")
    path.write_bytes(replay_bytes())
    return path


def stepped_world() -> World:
    """A world after its first tick."""
    made = World(level())
    made.step(Command(forward=1.0))
    return made


def replay() -> Replay:
    """The replay of `replay_bytes`."""
    return decode_replay(replay_bytes(), Path("arguments.replay"))


def walk() -> WalkResult:
    """The result of a headless walk of two ticks."""
    return run_walk(World(level()), parse_script("2 forward 1\n"))


def level_error() -> LevelError:
    """The error of a level that cannot be read."""
    try:
        load("no such level")
    except LevelError as error:
        return error
    raise AssertionError("a level of this name exists")


def level_builder() -> LevelBuilder:
    """A builder with a floor."""
    builder = LevelBuilder(spawn={"at": (0.0, 0.0, 0.0)})
    builder.add("floor", from_=(-2.0, -2.0), to=(2.0, 2.0))
    return builder


INSTANCES: dict[type, Callable[[], Any]] = {
    LevelBuilder: level_builder,
    Ellipsoid: lambda: Ellipsoid((0.35, 0.9, 0.25)),
    Sphere: lambda: Sphere((0.0, 1.0, 0.0), 0.5),
    Capsule: lambda: Capsule((0.0, 0.5, 0.0), (0.0, 1.5, 0.0), 0.3),
    Box: lambda: Box((0.0, 1.0, 0.0), (0.5, 0.4, 0.3)),
    Command: lambda: Command(forward=1.0),
    WalkerSettings: WalkerSettings,
    Walker: walker,
    WalkerState: state,
    TriangleMesh: mesh,
    Crowd: lambda: Crowd(walker(), mesh(), threads=1),
    Environment: lambda: Environment(zones(), movers()),
    Material: lambda: Material(friction=0.5),
    Motion: lambda: Motion(((0.0, 0.0, 0.0), (0.0, 1.0, 0.0))),
    Mover: lambda: movers()[0],
    Movers: movers,
    Zone: lambda: Zone((0.0, 1.0, 0.0), (1.0, 1.0, 1.0)),
    Zones: zones,
    HeightField: lambda: HeightField.of_grid(np.zeros((3, 3)))[1],
    Balls: Balls,
    BallSettings: BallSettings,
    Level: level,
    LevelError: level_error,
    World: lambda: World(level()),
    Session: session,
    History: history,
    Replay: replay,
    CommandScript: lambda: parse_script("10 forward 1\n5 turn 90 jump\n"),
    CommandSpan: lambda: CommandSpan(3, 1.0),
}

# A key "class.method.parameter" or "class.parameter" goes before the parameter alone.
USUAL: dict[str, Callable[[], Any]] = {
    "reason": lambda: "stopped",
    "preset": lambda: "slim",
    "triangles": lambda: np.array(FLOOR + WALL),
    "HeightField.triangles": lambda: np.zeros((1, 1, 2), np.int32),
    "TriangleMesh.surfaces": lambda: [0, 0, 0],
    "surface_names": lambda: ("stone",),
    "TriangleMesh.part.surfaces": lambda: "stone",
    "TriangleMesh.raycast.surfaces": lambda: ["stone"],
    "TriangleMesh.closest.surfaces": lambda: None,
    "TriangleMesh.closest.ignore": lambda: "stone",
    "directions": lambda: [(0.0, 0.0, -1.0), (1.0, 0.0, 0.0)],
    "displacements": lambda: (0.0, -1.0, -2.0),
    "view": lambda: [Command(heading=500), Command(pitch=90)],
    "Crowd.raycast.states": lambda: [state(), state()],
    "Crowd.sweep.states": lambda: [state(), state()],
    "World.heading": lambda: None,
    "World.is_in_zone.zone": lambda: load("waters").all_zones[0],
    "degrees": lambda: 30.0,
    "Level.environment_at.ticks_per_second": lambda: 60.0,
    "degrees_from_heading.heading": lambda: 1000,
    "materials": lambda: [Material()],
    "radii": lambda: (0.35, 0.9, 0.25),
    "position": lambda: (0.0, 1.0, 0.0),
    "yaw": lambda: 0.3,
    "displacement": lambda: (0.0, -2.0, -1.0),
    "origin": lambda: (0.0, 1.0, 0.0),
    "HeightField.origin": lambda: (0.0, 0.0),
    "across": lambda: (1.0, 0.0),
    "HeightField.down": lambda: (0.0, 1.0),
    "heights": lambda: np.zeros((3, 3)),
    "direction": lambda: (0.0, -1.0, 0.1),
    "max_distance": lambda: 10.0,
    "point": lambda: (0.5, 1.0, 0.5),
    "point_in_polygon.point": lambda: (0.5, 0.5),
    "polygon": lambda: [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)],
    "reach": lambda: 10.0,
    "steepest": lambda: 45.0,
    "up": lambda: (0.0, 1.0, 0.0),
    "feet": lambda: (0.5, 0.2, 1.0),
    "heading": lambda: 1000,
    "commands": lambda: [Command(forward=1.0), Command(jump=True)],
    "rows": lambda: walker().commands(forward=[1.0, 0.5], heading=[0, 70]),
    "Crowd.step.states": lambda: np.concatenate((state().row(), state().row())),
    "Balls.trace.state": lambda: Balls.rows([(0.0, 2.0, 0.0)]),
    "Balls.trace.bounds": lambda: ((-9.0, -9.0, -9.0), (9.0, 9.0, 9.0)),
    "Balls.step.states": lambda: Balls.rows([(0.0, 2.0, 0.0), (0.3, 2.0, 0.0)]),
    "Balls.run.states": lambda: Balls.rows([(0.0, 2.0, 0.0), (0.3, 2.0, 0.0)]),
    "Balls.energy.states": lambda: Balls.rows([(0.0, 2.0, 0.0)]),
    "Balls.rows.radius": lambda: 0.12,
    "positions": lambda: [(0.0, 2.0, 0.0)],
    "row": lambda: state().row(),
    "data": lambda: state().to_bytes(),
    "velocity": lambda: (1.0, 0.0, 0.0),
    "threads": lambda: 1,
    "centre": lambda: (0.0, 1.0, 0.0),
    "half": lambda: (1.0, 1.0, 1.0),
    "half_sizes": lambda: (0.5, 0.4, 0.3),
    "turn": lambda: 0.2,
    "Movers.turn.number": lambda: 0,
    "radius": lambda: 0.5,
    "start": lambda: (0.0, 0.5, 0.0),
    "end": lambda: (0.0, 1.5, 0.0),
    "least": lambda: (0.0, 0.0, 0.0),
    "most": lambda: (1.0, 1.0, 1.0),
    "other": lambda: Sphere((0.2, 0.0, 0.0), 0.5),
    "by": lambda: (1.0, 0.0, 0.0),
    "movers": movers,
    "Movers.movers": lambda: list(movers()),
    "zones": zones,
    "Zones.zones": lambda: list(zones()),
    "tick": lambda: 2,
    "far": lambda: 1.0,
    "triangle": lambda: 0,
    "quad": lambda: 0,
    "ticks": lambda: 2,
    "load.level": level_path,
    "check.level": level_path,
    "find_level.level": lambda: "demo",
    "findings": tuple,
    "value": lambda: World(level()).state(),
    "clock_seconds": lambda: 1.05,
    "may_continue": lambda: lambda: False,
    "History.columns.end": lambda: 2,
    "History.data.end": lambda: 2,
    "History.save.end": lambda: 2,
    "History.view.position": lambda: 1.5,
    "sample": lambda: Command,
    "alpha": lambda: 0.5,
    "History.cut.tick": lambda: 1,
    "levels": lambda: lambda part: level(),
    "run_walk.ticks": lambda: 3,
    "read_script.path": lambda: level_path().with_suffix(".commands"),
    "read_replay.path": replay_path,
    "describe_tick.world": stepped_world,
    "save_walk.path": lambda: level_path().with_suffix(".npz"),
    "Motion.path": lambda: ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    "result": walk,
    "table": walk,
    "first": lambda: 0,
    "suffix": lambda: ".csv",
    "text": lambda: "10 forward 1\n",
    "spans": lambda: (CommandSpan(3),),
    "load.text": lambda: None,
    "check.text": lambda: None,
    "History.save.path": lambda: level_path().with_suffix(".replay"),
    "writer": lambda: ReplayWriter(lambda data: None),
    "Level.save.path": lambda: level_path().with_name("saved.yaml"),
    "Level.to_glb.path": lambda: level_path().with_suffix(".glb"),
    "Level.to_obj.path": lambda: level_path().with_suffix(".obj"),
    "kind": lambda: "box",
    "vertices": lambda: [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)],
    "faces": lambda: [(0, 2, 1)],
    "TriangleMesh.from_faces.surfaces": lambda: [0],
    "TriangleMesh.from_trimesh.mesh": lambda: mesh().to_trimesh(),
    "TriangleMesh.from_trimesh.materials": lambda: None,
    "TriangleMesh.from_trimesh.up": lambda: "y",
}

KEYWORDS: dict[str, dict[str, Any]] = {  # values by name
    "preset_settings": {"jump_height": 0.5, "walk_speed": 3.0},
    "Walker.commands": {
        **{"forward": [1.0, 0.5], "strafe": 0.0, "heading": [0, 100], "pitch": 5},
        **{"jump": True, "crouch": False, "sprint": False, "use": False, "buttons": 0},
    },
    "slim": {"walk_speed": 4.0, "ticks_per_second": 60.0},
    "LevelBuilder": {"spawn": {"at": (0.0, 0.0, 0.0)}, "ghosts": True},
    "LevelBuilder.set": {"kill_height": -5.0},
    "LevelBuilder.add": {"to": (1.0, 1.0, 1.0), "from_": (0.0, 0.0, 0.0)},
    "bare": {"walk_speed": 4.0, "ticks_per_second": 60.0},
}


def instance(kind: type) -> Any:
    """An object of a class whose methods are called. KeyError where none is listed."""
    return INSTANCES[kind]()


def usual_argument(owner: str, parameter: inspect.Parameter) -> Any:
    """A valid value for a parameter of `owner` ("class.method" or "function"): the listed one, else its default, else
    an instance of the class that it is annotated with."""
    parts = [part for part in owner.split(".") if part != "__init__"]
    names = [".".join(parts[:count]) + "." + parameter.name for count in range(len(parts), 0, -1)]
    for name in itertools.chain(names, (parameter.name,)):
        if name in USUAL:
            return USUAL[name]()
    if parameter.default is not inspect.Parameter.empty:
        return parameter.default
    kind = str(parameter.annotation).partition(" | ")[0]
    for known, make in INSTANCES.items():
        if known.__name__ == kind:
            return make()
    raise KeyError(f"{owner}({parameter.name}): add a valid value to {__name__}.USUAL")
