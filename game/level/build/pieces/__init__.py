"""Pieces: a class for each kind, with its fields, its example and `build`. A new kind is its class and a line here."""

from __future__ import annotations

from collections.abc import Callable

from ...format.piece_kind import NATURAL_FORMS, Form, Piece
from .containers import Array, Group, IncludePiece, Mover, Place
from .flat import Box, Floor, Pillar, Quad, Ramp, Triangle
from .model import Model
from .point_entities import Ball, Balls, ExhibitPiece, Light, Target
from .rail import Rail
from .rooms import Room
from .signs_and_decals import Decal, Sign
from .stairs import SpiralStairs, Stairs
from .terrain import Terrain
from .walls import Arch, Wall
from .zones import Checkpoint, Current, Gravity, Kill, Ladder, Pad, Teleport, Water

# All kinds, in the order of the schema and of the pages
__all__ = [  # noqa: RUF022
    "Floor", "Wall", "Box", "Room", "Stairs", "SpiralStairs", "Ramp", "Rail", "Pillar", "Arch",
    "Sign", "Terrain", "Model", "Light", "Target", "Decal", "Ball", "Balls",
    "Gravity", "Current", "Water", "Ladder", "Pad", "Checkpoint", "Kill", "Teleport",
    "ExhibitPiece", "Quad", "Triangle", "Group", "Array", "Place", "IncludePiece", "Mover",
]  # fmt: skip
PIECES: dict[str, type[Piece]] = {kind.kind: kind for kind in (globals()[name] for name in __all__)}


def _kinds_where(has_fact: Callable[[type[Piece]], bool]) -> tuple[str, ...]:
    """Names of the kinds of pieces with a fact, in the order of the schema."""
    return tuple(name for name, kind in PIECES.items() if has_fact(kind))


POLYGON_KINDS = _kinds_where(lambda kind: kind.form is Form.POLYGON)  # quads and triangles
SHEET_KINDS = _kinds_where(lambda kind: kind.form is Form.SHEET)  # floors
TERRAIN_KINDS = _kinds_where(lambda kind: kind.form is Form.TERRAIN)
MODEL_KINDS = _kinds_where(lambda kind: kind.form is Form.MODEL)
NATURAL_KINDS = _kinds_where(lambda kind: kind.form in NATURAL_FORMS)  # terrain and models
CLOSED_KINDS = _kinds_where(lambda kind: kind.form is Form.SOLID)  # cannot be seen from behind
ROUND_KINDS = _kinds_where(lambda kind: kind.is_round)
ARCHED_KINDS = _kinds_where(lambda kind: kind.is_arched)
WALL_KINDS = _kinds_where(lambda kind: "doors" in kind.fields)  # whose faces close an opening
NAMED_KINDS = _kinds_where(lambda kind: kind.is_named)
