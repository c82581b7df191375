"""Level made of a mesh, without a file, for `World(mesh, spawn=...)`."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN
from ..core.arguments import as_integer, describe_value
from ..core.vectors import Point, as_vector
from ..physics.environment.environment import Environment, as_environment
from ..physics.triangle_mesh import MAX_MESH_COORDINATE, TriangleMesh
from .build.level_assembly import PieceOrigin
from .format.findings import SourceSpan
from .format.surfaces import DEFAULT_LEVEL_SURFACE, Surface
from .geometry.faces import FaceArrays
from .level import KILL_DEPTH, Level, Sky, Spawn

_PACKAGE = __name__.partition(".")[0]
NO_FILE = Path()  # path of such a level


def as_level(level: Any, spawn: Any, heading: int | None, around: Environment | None) -> tuple[Level, str | None]:
    """The arguments of `World`: (the level, or one around a mesh; name of the spawn, None: the first).

    ValueError for wrong ones.
    """
    as_environment(around)
    if isinstance(level, Level):
        if heading is not None or around is not None:
            name = "heading" if heading is not None else "around"
            raise ValueError(f"{name} is for World(mesh, ...); a level file has its own")
        if spawn is not None and not isinstance(spawn, str):
            raise ValueError(f"spawn must be the name of a spawn of the level, not {describe_value(spawn)}")
        return level, spawn
    if not isinstance(level, TriangleMesh):
        cure = ""
        if isinstance(level, (str, PurePath)):
            cure = f"; load it: World(load(path)), with `load` from {_PACKAGE}.level"
        elif isinstance(level, (np.ndarray, list, tuple)):
            cure = "; wrap triangles: World(TriangleMesh(array), spawn=(x, y, z))"
        raise ValueError(f"level must be a Level or a TriangleMesh, not {describe_value(level)}{cure}")
    if level.level_parts:
        raise ValueError(f"this mesh is that of a level with {level.level_parts}: pass the level, World(level)")
    if spawn is None or isinstance(spawn, str):
        raise ValueError(f"spawn must be the feet (x, y, z) in a world of a mesh, not {describe_value(spawn)}")
    feet = as_vector(spawn, "spawn", MAX_MESH_COORDINATE)
    units = 0 if heading is None else as_integer(heading, "heading", None, None) % HEADING_UNITS_PER_TURN
    return level_of_mesh(level, feet, units), None


def level_of_mesh(mesh: TriangleMesh, feet: Point, heading: int) -> Level:
    """A level of the mesh alone, with one spawn; no goal. Kill height: 20 m below the mesh.

    Triangle indices are those of the array that the mesh was made of; dropped triangles are points at the origin.
    """
    count = len(mesh) + len(mesh.report)
    corners = np.zeros((count, 3, 3))
    corners[mesh.source] = mesh.triangles12[:, :9].reshape(-1, 3, 3)
    surfaces = _surfaces(mesh)
    kinds = np.zeros(count, np.int32)
    if len(surfaces) > 1:
        kinds[mesh.source] = mesh.surface
    zeros = np.zeros(count, np.int32)
    numbers = np.arange(count, dtype=np.int32)
    none = np.zeros(count, np.bool_)
    faces = FaceArrays(corners[:, [0, 1, 2, 2]], kinds, zeros, none, none, zeros)
    bounds = mesh.bounds
    level = Level(
        name="mesh",
        path=NO_FILE,
        spawns=(Spawn("start", feet, heading),),
        goal=None,
        exits=(),
        kill_height=(feet[1] if bounds is None else min(feet[1], bounds[0][1])) - KILL_DEPTH,
        sky=Sky(),
        surfaces=surfaces,
        triangles=corners,
        surface_index=kinds,
        quad_index=numbers,
        drawn=corners,
        drawn_surface=kinds,
        drawn_quad=numbers,
        signs=(),
        lights=(),
        targets=(),
        findings=(),
        faces=faces,
        hidden_faces=faces.select(none),
        origins=(PieceOrigin("mesh", "mesh", SourceSpan(), True, True, frozenset(), frozenset()),),
    )
    level.__dict__["mesh"] = mesh  # the cached property: this mesh, not a copy
    return level


def _surfaces(mesh: TriangleMesh) -> tuple[Surface, ...]:
    """Surfaces with the names and materials of the mesh; the default surface where it has neither."""
    names = mesh.surface_names
    rows = mesh.materials.tolist()
    if not names and not rows:
        return (DEFAULT_LEVEL_SURFACE,)
    default = DEFAULT_LEVEL_SURFACE
    surfaces = []
    for index in range(max(len(names), len(rows))):
        name = names[index] if index < len(names) else f"surface {index}"
        if index >= len(rows):
            surfaces.append(Surface(name, default.colour, default.texture, default.friction, default.footstep))
            continue
        friction, bounce, speed, east, south, rub, roll, soft = rows[index]
        look = default.colour, default.texture, friction, default.footstep
        surfaces.append(Surface(name, *look, bounce, speed, (east, south), rub, roll, soft))
    return tuple(surfaces)
