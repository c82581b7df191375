"""Cause of a difference: the surface that only one of two walks touched in the tick, or what both touched otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum

import numpy as np

from ...core.angles import DEGREES_PER_HEADING_UNIT
from ...core.vectors import Floats
from ...core.walker_settings import WalkerSettings
from ...level import Level
from ...sim.replay.tick_report import TouchedSurface
from ...sim.world import World
from .walk_source import TickExplanation

SAME_NORMAL = 1e-6  # difference of the unit normals of one plane
SAME_PLANE = 1e-6  # m between the planes of one surface
START_FIELDS = ("position", "heading", "radii", "north")  # north turns with the heading of the spawn


class CauseKind(StrEnum):
    """What made the difference."""

    SURFACE = "surface"  # a surface that only one walk touched
    MATERIAL = "material"  # a surface of both, with other properties
    SETTINGS = "settings"  # another body
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Cause:
    """kind; side: "a", "b", "both" or empty; text: a sentence; surface: where there is one."""

    kind: CauseKind
    side: str
    text: str
    surface: TouchedSurface | None = None


def find_cause(a: TickExplanation | None, b: TickExplanation | None) -> Cause:
    """The cause of the first tick that differs, from the traces of both walks."""
    if a is None and b is None:
        return Cause(CauseKind.UNKNOWN, "", "the tick cannot be simulated again, so nothing is known of its surfaces")
    surfaces_a = a.report.surfaces if a is not None else ()
    surfaces_b = b.report.surfaces if b is not None else ()
    changed = [] if a is None or b is None else changed_settings(a.world.settings, b.world.settings)
    unique = [("b", surface) for surface in surfaces_b if not _is_among(surface, surfaces_a)]
    unique += [("a", surface) for surface in surfaces_a if not _is_among(surface, surfaces_b)]
    if unique:
        side, surface = max(unique, key=lambda pair: _weight(pair[0], pair[1], {"a": a, "b": b}))
        other = "a" if side == "b" else "b"
        which = "stops the body" if surface.stopped else "is touched"
        text = f"{describe_surface(surface)} {which} in {side.upper()} and not in {other.upper()}"
        if (a if other == "a" else b) is None:
            text = f"{describe_surface(surface)} {which} in {side.upper()}; no trace of {other.upper()}"
        if changed:
            text += f"; the bodies differ too ({', '.join(changed)})"
        return Cause(CauseKind.SURFACE, side, text, surface)
    assert a is not None
    assert b is not None
    if changed:
        return Cause(CauseKind.SETTINGS, "both", f"the bodies differ: {', '.join(changed)} (A / B)")
    for surface in surfaces_b:
        materials = [
            _material(one.world, next((own for own in own_surfaces if _is_same(own, surface)), surface))
            for one, own_surfaces in ((a, surfaces_a), (b, surfaces_b))
        ]
        if None not in materials and materials[0] != materials[1]:
            text = f"{describe_surface(surface)} has other properties: {materials[0]} in A, {materials[1]} in B"
            return Cause(CauseKind.MATERIAL, "both", text, surface)
    touched = "the same surfaces" if surfaces_b else "no surface"
    return Cause(
        CauseKind.UNKNOWN,
        "",
        f"both touch {touched} in this tick; zones, movers, rules or the kind of machine may differ",
    )


def _weight(side: str, surface: TouchedSurface, walks: dict[str, TickExplanation | None]) -> tuple[bool, ...]:
    """Order of the surfaces that only one walk touched: those that only one level has, those that stopped the body,
    walls, those of B."""
    other = walks["a" if side == "b" else "b"]
    is_new = other is not None and _find_triangle(other.world, surface) is None
    return is_new, surface.stopped, surface.kind != "walkable", side == "b"


def describe_surface(surface: TouchedSurface) -> str:
    """`box (wall), yard.yaml:5`."""
    text = f"{surface.piece or 'a surface'} ({surface.kind})"
    return f"{text}, {surface.place}," if surface.place else text


def surface_line(surface: TouchedSurface) -> int:
    """Line of the piece; 0 where it has none."""
    tail = surface.place.rpartition(":")[2]
    return int(tail) if surface.file and tail.isdecimal() else 0


def changed_settings(a: WalkerSettings, b: WalkerSettings) -> list[str]:
    """`step_height 0.3 / 0.2` for each setting that differs."""
    pairs = [(field.name, getattr(a, field.name), getattr(b, field.name)) for field in fields(a)]
    return [f"{name} {one} / {other}" for name, one, other in pairs if one != other]


def common_share(a: Level, b: Level) -> float:
    """Share (0..1) of the triangles of the smaller level that the other one has too; 1 for a level without any."""
    rows = [set(map(tuple, np.round(level.mesh.triangles12[:, :9], 6).tolist())) for level in (a, b)]
    count = min(map(len, rows))
    return len(rows[0] & rows[1]) / count if count else 1.0


def start_differences(
    a: np.void, b: np.void, feet: tuple[Floats, Floats], names: Sequence[str], settings: Sequence[str]
) -> str:
    """What differs between two states before the first tick. feet: of both; names: of the fields that differ; settings:
    those of the bodies that differ."""
    parts = []
    moved = float(np.linalg.norm(feet[1] - feet[0]))
    if moved > SAME_PLANE:
        where = "the spawn" if not a["tick"] and not b["tick"] else "the start"
        parts.append(f"{where} moved by {moved:.3g} m")
    if "heading" in names:
        degrees = [float(row["heading"]) * DEGREES_PER_HEADING_UNIT for row in (a, b)]
        parts.append(f"the heading is {degrees[0]:.2f}° in A and {degrees[1]:.2f}° in B")
    if "radii" in names or settings:
        parts.append(f"the bodies differ ({', '.join(settings) or 'radii'})")
    others = [name.replace("_", " ") for name in names if name not in START_FIELDS and not name.startswith("safe")]
    if others:
        parts.append(f"other values of {', '.join(others)}")
    return ", ".join(parts) or "the safe place"


def _is_among(surface: TouchedSurface, others: tuple[TouchedSurface, ...]) -> bool:
    return any(_is_same(surface, other) for other in others)


def _is_same(a: TouchedSurface, b: TouchedSurface) -> bool:
    """Whether two surfaces are of one plane, also where their triangles are cut otherwise."""
    if a.kind != b.kind or max(abs(x - y) for x, y in zip(a.normal, b.normal, strict=True)) > SAME_NORMAL:
        return False
    apart = sum(n * (x - y) for n, x, y in zip(a.normal, a.corners[0], b.corners[0], strict=True))
    if a.feature != "face" or b.feature != "face":  # the contact plane of an edge is not that of its triangle
        return _corner_set(a) == _corner_set(b)
    return abs(apart) <= SAME_PLANE


def _corner_set(surface: TouchedSurface) -> set[tuple[float, ...]]:
    return {tuple(round(value, 6) for value in corner) for corner in surface.corners}


def _find_triangle(world: World, surface: TouchedSurface) -> int | None:
    """Row of the surface's triangle in the mesh of a level; None where the level has none like it, as of movers."""
    mesh = world.mesh
    if not len(mesh):
        return None
    corners = np.array(surface.corners).reshape(9)
    rows = np.flatnonzero((np.abs(mesh.triangles12[:, :9] - corners) < SAME_PLANE).all(axis=1))
    return int(rows[0]) if len(rows) else None


def _material(world: World, surface: TouchedSurface) -> str | None:
    """Properties of the material of a surface of the level itself; None for movers."""
    row, mesh = _find_triangle(world, surface), world.mesh
    if row is None or not len(mesh.materials):
        return None
    friction, bounce, speed, *_ = mesh.materials[int(mesh.surface[row])].tolist()
    return f"friction {friction:g}, bounce {bounce:g}, speed {speed:g}"
