"""New pieces: an entry of the palette is written into the document, with its foot at a point."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....core.vectors import Vector
from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_scalar
from ....level.format.level_file import PLACE_LISTS, LevelFields
from ....level.format.piece_kind import Pull, Turn
from . import transforms
from .palette_entries import SURFACE_TOKEN, PaletteEntry
from .piece_fields import PieceFields

_HANGING_HEIGHT = re.compile(r"\bat: \[[^,]+, ([0-9.]+),")


def insert_piece(
    document: YamlDocument,
    palette_entry: PaletteEntry,
    position: Vector,
    facing: float,
    surface: str = "",
    after: DocumentEntry | None = None,
) -> DocumentEntry:
    """Append a piece to the level's list, with its foot at `position` and its direction (degrees), if it has one.

    surface: of a piece that names none. after: a piece in whose list, and in whose axes, the new one stands; None for
    the level's list. Surfaces of the entry that the level does not have are added.
    """
    if palette_entry.is_place:
        return _insert_place(document, palette_entry, position, facing)
    add_missing_surfaces(document, palette_entry.surfaces)
    token = f", surface: {format_scalar(surface)}" if surface else ""
    entry = document.insert_piece_after(after, palette_entry.text.replace(SURFACE_TOKEN, token))
    fields = PieceFields(document, entry)
    kind = fields.record
    if facing % 360.0 and kind.turns is Turn.FACING and fields.field("facing") is not None:
        transforms.rotate_piece(document, entry, (facing - (fields.number("facing") or 0.0)) % 360.0)
    elif facing % 180.0 and kind.turns is Turn.AS_A_WHOLE:
        if entry.kind == "array":
            step = fields.vector("step")
            if step is not None:
                fields.set("step", transforms.rotate_point(step, (0.0, 0.0, 0.0), facing))
        else:
            transforms.rotate_piece(document, entry, facing % 360.0)
    if kind.has_corners():  # a turn may have exchanged them
        low, high = zip(*map(sorted, zip(*fields.ends(), strict=True)), strict=True)
        fields.set_all({("from",): low, ("to",): high})
    foot = piece_foot(document, entry)
    offset = (position[0] - foot[0], position[1] - foot[1], position[2] - foot[2])
    transforms.move_piece(document, entry, offset)
    goal = fields.vector(kind.destination) if kind.destination else None  # stays behind when the piece is moved later
    if goal is not None:
        fields.set(kind.destination, [a + b for a, b in zip(goal, offset, strict=True)])
    return entry


def _insert_place(document: YamlDocument, new: PaletteEntry, position: Vector, facing: float) -> DocumentEntry:
    """Add a spawn, goal or exit. EditRefused for a second goal."""
    kind, _, text = new.text.partition(":")
    listed = PLACE_LISTS.get(kind, "")
    if kind in LevelFields.fields and not any(document.top_entry(name) for name in (kind, listed)):
        entry = document.add_top_field(kind, text.strip())
    elif listed:
        entry = document.add_record(listed, text.strip())
    else:
        raise EditRefused(f"the level has its {kind} already: move that one")
    fields = PieceFields(document, entry)
    fields.set("at", position)
    if fields.field("facing") is not None:
        fields.set("facing", facing)
    if fields.is_written("name"):
        fields.set("name", format_scalar(transforms.free_name(document, kind)))
    return entry


def add_missing_surfaces(document: YamlDocument, surfaces: Sequence[tuple[str, str]]) -> None:
    """Add surfaces, by names and texts of their fields, that the level does not have."""
    entry = document.top_entry("surfaces")
    missing = [(format_scalar(name), text) for name, text in surfaces if entry is None or name not in entry.fields]
    if missing and entry is not None:
        document.add_fields(entry, missing)
    elif missing:
        document.add_top_field("surfaces", f"{{{', '.join(f'{name}: {fields}' for name, fields in missing)}}}")


def piece_foot(document: YamlDocument, entry: DocumentEntry) -> Vector:
    """Centre of the base of a piece, from its numbers."""
    fields = PieceFields(document, entry)
    if entry.kind == "array":
        if not fields.number("turn"):
            return piece_foot(document, transforms.child_pieces(document, entry)[0])
        x, y, z = fields.vector("around") or (0.0, 0.0, 0.0)
        return (x, y, z)
    if outline := fields.outline():
        rows = fields.rows(outline)
        x, _, z = (sum(values) / len(rows) for values in zip(*rows, strict=True))
        return (x, min(row[1] for row in rows), z)
    if fields.field("from") is not None and fields.field("to") is not None:
        start, end = fields.vector("from") or [], fields.vector("to") or []
        middle = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
        if len(middle) == 3:
            return (middle[0], min(start[1], end[1]) - _height_above_ground(fields), middle[2])
        height = fields.number("y") or 0.0
        depth = (fields.number("thickness") or 0.0) if fields.record.pull is Pull.SLAB else 0.0  # below `y`
        return (middle[0], height - depth, middle[1])
    x, y, z = fields.vector("at") or (0.0, 0.0, 0.0)
    return (x, y - _height_above_ground(fields), z)


def _height_above_ground(fields: PieceFields) -> float:
    """Height of the piece above the ground in the palette's text (m)."""
    point = (fields.vector("at") or fields.vector("from")) if fields.record.hangs else None
    return point[1] if point else 0.0


def height_above_ground(palette_entry: PaletteEntry) -> float:
    """Height (m) above the ground at which a new light, sign, target or ball hangs; 0 for other pieces."""
    match = _HANGING_HEIGHT.search(palette_entry.text)
    return float(match[1]) if match and palette_entry.kind is not None and palette_entry.kind.hangs else 0.0
