"""Palette of new pieces: the schema's example of each kind, placed at the aimed point."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.vectors import Vector
from ...level.edit import DocumentEntry, YamlDocument
from ...level.format.schema import PIECE_RECORDS
from . import transforms
from .field_access import PieceFields

# Not in the palette: kinds that need a file or a prefab of the author, and kinds without faces or that move, which
# could not be selected again.
EXCLUDED_KINDS = frozenset((
    "include", "model", "gravity", "current", "water", "ladder", "pad", "checkpoint", "kill", "teleport", "exhibit",
    "ball", "balls", "mover",
))  # fmt: skip
# Smaller examples for kinds whose example in the schema covers a whole level.
SMALLER_EXAMPLES = {
    "floor": "floor: {from: [-2, -2], to: [2, 2], thickness: 0.2}",
    "terrain": 'terrain: {from: [-5, -5], to: [5, 5], formula: "0.4 * noise(x / 4, z / 4) + 0.5", thickness: 0.5}',
    "room": "room: {from: [-3, 0, -3], to: [3, 2.8, 3], doors: [{wall: south}]}",
}


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """Entry of the palette and the text that it writes."""

    label: str
    text: str


def palette_entries(document: YamlDocument | None) -> list[PaletteEntry]:
    """All kinds of pieces, and the prefabs of the level by name."""
    found = [
        PaletteEntry(name, SMALLER_EXAMPLES.get(name, record.example))
        for name, record in PIECE_RECORDS.items()
        if name not in EXCLUDED_KINDS and name != "place"
    ]
    for name in prefab_names(document) if "place" in PIECE_RECORDS and document is not None else []:
        found.append(PaletteEntry(f"place {name}", f"place: {{what: {name}, at: [0, 0, 0]}}"))
    return found


def prefab_names(document: YamlDocument | None) -> list[str]:
    """Names under `define`."""
    entry = document.top_entry("define") if document is not None else None
    return list(entry.fields) if entry is not None else []


def insert_piece(document: YamlDocument, palette_entry: PaletteEntry, position: Vector, facing: float) -> DocumentEntry:
    """Append a piece to the level's list, with its foot at `position` and its direction (degrees), if it has one."""
    entry = document.insert_piece_after(None, palette_entry.text)
    fields = PieceFields(document, entry)
    if fields.field("facing") is not None and entry.kind != "box" and facing % 360.0:
        transforms.rotate_piece(document, entry, (facing - (fields.number("facing") or 0.0)) % 360.0)
    foot = piece_foot(document, entry)
    transforms.move_piece(document, entry, (position[0] - foot[0], position[1] - foot[1], position[2] - foot[2]))
    return entry


def piece_foot(document: YamlDocument, entry: DocumentEntry) -> Vector:
    """Centre of the base of a piece, from its numbers."""
    fields = PieceFields(document, entry)
    if entry.kind == "array":
        x, y, z = fields.vector("around") or (0.0, 0.0, 0.0)
        return (x, y, z)
    if fields.field("corners") is not None:
        rows = fields.rows("corners")
        x, _, z = (sum(values) / len(rows) for values in zip(*rows, strict=True))
        return (x, min(row[1] for row in rows), z)
    if fields.field("from") is not None and fields.field("to") is not None:
        start, end = fields.vector("from") or [], fields.vector("to") or []
        middle = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
        if len(middle) == 3:
            return (middle[0], min(start[1], end[1]), middle[2])
        height = fields.number("y") or 0.0
        return (middle[0], height - _depth_below(fields), middle[1])
    x, y, z = fields.vector("at") or (0.0, 0.0, 0.0)
    return (x, y - _height_above_ground(fields), z)


def _depth_below(fields: PieceFields) -> float:
    """Depth of a slab below its `y` (m)."""
    return (fields.number("thickness") or 0.0) if fields.entry.kind == "floor" else 0.0


def _height_above_ground(fields: PieceFields) -> float:
    """Height of `at` above the ground in the piece's example (m)."""
    if fields.entry.kind in ("sign", "light", "target"):
        point = fields.vector("at")
        return point[1] if point else 0.0
    return 0.0
