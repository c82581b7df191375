"""All kinds of pieces, and tables of those that have something in common."""

from __future__ import annotations

from collections.abc import Callable

from .balls import BALL, BALLS
from .entities import ENTITY_RECORDS, EXHIBIT
from .groups import CONTAINER_RECORDS
from .level_file import EXIT, GOAL, SPAWN
from .movers import MOVER
from .piece_kind import NATURAL_FORMS, Form, PieceKind
from .shapes import POLYGON_RECORDS, SHAPE_RECORDS
from .surfaces import DECAL
from .zones import ZONE_KINDS

# Records at the top of a level file that are places in it: `spawn` and entries of `spawns`, `goal`, entries of `exits`
PLACE_RECORDS: dict[str, PieceKind] = {"spawn": SPAWN, "goal": GOAL, "exit": EXIT}
PIECE_RECORDS: dict[str, PieceKind] = {
    record.name: record
    for record in (
        *SHAPE_RECORDS,
        *ENTITY_RECORDS,
        DECAL,
        BALL,
        BALLS,
        *ZONE_KINDS.values(),
        EXHIBIT,
        *POLYGON_RECORDS,
        *CONTAINER_RECORDS,
        MOVER,
    )
}


def _kinds_where(has_fact: Callable[[PieceKind], bool]) -> tuple[str, ...]:
    """Names of the kinds of pieces with a fact, in the order of the schema."""
    return tuple(name for name, kind in PIECE_RECORDS.items() if has_fact(kind))


POLYGON_KINDS = _kinds_where(lambda kind: kind.form is Form.POLYGON)  # quads and triangles
SHEET_KINDS = _kinds_where(lambda kind: kind.form is Form.SHEET)  # floors
TERRAIN_KINDS = _kinds_where(lambda kind: kind.form is Form.TERRAIN)
NATURAL_KINDS = _kinds_where(lambda kind: kind.form in NATURAL_FORMS)  # terrain and models
CLOSED_KINDS = _kinds_where(lambda kind: kind.form is Form.SOLID)  # cannot be seen from behind
ROUND_KINDS = _kinds_where(lambda kind: kind.is_round)
OPENING_KINDS = _kinds_where(lambda kind: kind.has_openings)
WALL_KINDS = _kinds_where(lambda kind: kind.field("doors") is not None)  # whose faces close an opening
LOW_SPACE_KINDS = _kinds_where(lambda kind: kind.is_low_below)
NAMED_KINDS = _kinds_where(lambda kind: kind.is_named)
