"""A real `Level` of bare triangles, without a file: for tests of the simulation and the application."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from game.level import Exit, Goal, Level, Sky, Spawn
from game.level.build.entities.movers import LevelMover, MoverSpec
from game.level.build.level_assembly import PieceOrigin
from game.level.format.findings import SourceSpan
from game.level.format.surfaces import DEFAULT_LEVEL_SURFACE
from game.level.geometry.faces import FaceArrays
from game.physics.environment.motion import Motion

ORIGIN_SPAWN = Spawn("start", (0.0, 0.0, 0.0), 0)


def quad(a: Any, b: Any, c: Any, d: Any) -> list[list[Any]]:
    """Two triangles of a quad, its corners counter-clockwise seen from the front."""
    return [[a, b, c], [a, c, d]]


def build_level(triangles: Any, **level_fields: Any) -> Level:
    """A level whose colliding and drawn triangles are these (N,3,3); `level_fields` replace other fields.

    Defaults: one spawn at the origin looking north, no goal, kill height -10 m, the plain surface.
    """
    corners = np.asarray(triangles, dtype=np.float64).reshape(-1, 3, 3)
    count = len(corners)
    zeros, numbers, none = np.zeros(count, np.int32), np.arange(count, dtype=np.int32), np.zeros(count, np.bool_)
    faces = FaceArrays(corners[:, [0, 1, 2, 2]], zeros, zeros, none, none, zeros)
    origin = PieceOrigin("mesh", "mesh", SourceSpan(), True, True, frozenset(), frozenset())
    defaults: dict[str, Any] = {
        "name": "built",
        "path": Path("built.yaml"),
        "spawns": (ORIGIN_SPAWN,),
        "goal": None,
        "exits": (),
        "kill_height": -10.0,
        "sky": Sky(),
        "surfaces": (DEFAULT_LEVEL_SURFACE,),
        "triangles": corners,
        "surface_index": zeros,
        "quad_index": numbers,
        "drawn": corners,
        "drawn_surface": zeros,
        "drawn_quad": numbers,
        "signs": (),
        "lights": (),
        "targets": (),
        "findings": (),
        "faces": faces,
        "hidden_faces": faces.select(none),
        "origins": (origin,),
    }
    return Level(**(defaults | level_fields))


def floor_with_wall(*more: Any, **level_fields: Any) -> Level:
    """A floor of 40 x 40 m at height 0, a wall across it at z = -10, and `more` triangles; beyond the rim one falls."""
    triangles = quad((-20, 0, 20), (20, 0, 20), (20, 0, -20), (-20, 0, -20))
    triangles += quad((-20, 0, -10), (20, 0, -10), (20, 4, -10), (-20, 4, -10))
    return build_level([*triangles, *more], **({"name": "floor"} | level_fields))


def goal_at(x: float, y: float, z: float, radius: float, after: str = "") -> Goal:
    """A goal; after: as in `Goal`."""
    return Goal((x, y, z), radius, after)


def exit_at(at: tuple[float, float, float], radius: float) -> Exit:
    """An exit to a level file `x.yaml` that does not exist."""
    return Exit(at, radius, "x.yaml", Path("x.yaml"), "x", "")


def level_mover(triangles: Any, at: tuple[float, float, float], motion: Motion, name: str) -> LevelMover:
    """A moving platform of these triangles (metres from `at`)."""
    spec = MoverSpec(name, **{part.name: getattr(motion, part.name) for part in fields(motion)})
    corners = np.asarray(triangles, dtype=np.float64).reshape(-1, 3, 3)
    zeros = np.zeros(len(corners), np.int32)
    return LevelMover(name, at, spec, corners, zeros, corners, zeros, (DEFAULT_LEVEL_SURFACE,))
