"""Groups and movers that new pieces are put into: the one around a selection, and its axes."""

from __future__ import annotations

from dataclasses import replace

from ....core.vectors import Vector
from ....level.edit import DocumentEntry, YamlDocument
from ....level.edit.yaml_tree import TreeList
from ....level.format.findings import SourceSpan
from ....level.geometry.instance_transform import PieceInstance
from ..document.field_access import PieceFields
from ..pieces.transforms import rotate_point
from ..selection import Selection, entry_location

CONTAINERS = frozenset(("group", "mover"))
ORIGIN = (0.0, 0.0, 0.0)


def find_container(picked: Selection | None) -> Selection | None:
    """The group or mover that is selected, or that the selected piece is in; None in arrays, prefabs and includes."""
    if picked is None:
        return None
    depth = picked.depth if picked.kind in CONTAINERS else picked.depth - 1
    if depth < 0 or any(kind not in CONTAINERS for kind, _ in picked.links[: depth + 1]):
        return None
    return replace(picked, depth=depth, part=None)


def to_container(document: YamlDocument, container: Selection, point: Vector, facing: float) -> tuple[Vector, float]:
    """A place (m, world) and a direction (degrees, rounded to quarter turns) in the axes of a container's pieces."""
    for _, place in container.links[: container.depth + 1]:
        fields = PieceFields(document, document.find_piece(place.line, place.column))
        turn = fields.number("facing") or 0.0
        offset = [a - b for a, b in zip(point, fields.vector("at") or ORIGIN, strict=True)]
        x, y, z = (a / b for a, b in zip(rotate_point(offset, ORIGIN, -turn), _scale(fields), strict=True))
        point = (round(x, 4), round(y, 4), round(z, 4))
        facing -= turn
    return point, round(facing / 90.0) % 4 * 90.0


def _scale(fields: PieceFields) -> list[float]:
    """Scale factors of a container."""
    if fields.field("scale") is None or not fields.is_written("scale"):
        return [1.0] * 3
    if isinstance(fields.entry.field_node("scale"), TreeList):
        return fields.vector("scale") or [1.0] * 3
    return [fields.number("scale") or 1.0] * 3


def select_inside(document: YamlDocument, container: Selection, new: DocumentEntry) -> Selection:
    line, column = entry_location(document, new)
    links = container.links[: container.depth + 1]
    place = SourceSpan(line, column, len(new.kind), container.source_place.file)
    return Selection((*links, (new.kind, place)), len(links), PieceInstance(within=links), new.kind)
