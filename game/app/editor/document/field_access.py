"""Access to the fields of one piece in a document: read and write in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....level.build.pieces import PIECES
from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_number, format_scalar
from ....level.format.level_file import PLACES
from ....level.format.numbers import ROUNDING_TOLERANCE, Corners, Ranged, number_of
from ....level.format.record import Value
from ....level.format.yaml_nodes import YamlAlias, YamlList, YamlMapping, YamlNode, YamlScalar


class PieceFields:
    """Fields of a piece, or of a spawn, goal or exit, in a document. EditRefused for what cannot be read or written."""

    def __init__(self, document: YamlDocument, entry: DocumentEntry) -> None:
        self.document = document
        self.entry = entry
        record = PIECES.get(entry.kind) or PLACES.get(entry.kind)
        if record is None:
            raise EditRefused(f"`{entry.kind}` is not a kind of piece")
        self.record = record

    def is_written(self, name: str) -> bool:
        """Whether the field is present."""
        return self.entry.field_node(name) is not None

    def field(self, name: str) -> Value[Any] | None:
        return self.record.fields.get(name)

    def outline(self) -> str:
        """Name of the field with the points that the piece consists of; "" for most kinds."""
        fields, ahead = self.record.fields.values(), self.record.relative_points
        return next((field.name for field in fields if isinstance(field, Corners) and field.name not in ahead), "")

    def _node(self, name: str) -> YamlNode | None:
        node = self.entry.field_node(name)
        if isinstance(node, YamlAlias):
            raise EditRefused(f"`{name}` is the alias `*{node.name}`: edit the anchor it refers to")
        return node

    def text(self, name: str) -> str | None:
        """Text of a scalar field, without quotes."""
        node = self._node(name)
        return None if node is None else _as_scalar(node, name)

    def shown(self, field: Value[Any]) -> str:
        """Text of a field, or its default in brackets; empty for one that is written in another form."""
        try:
            text = self.text(field.name)
        except EditRefused:
            return ""
        return field.shown_default() if text is None else text

    def number(self, name: str) -> float | None:
        """Value of a number, or its default; None without either."""
        text = self.text(name)
        field = self.field(name)
        if text is not None:
            return field.value_of(text) if isinstance(field, Ranged) else number_of(text)
        return float(field.default) if field is not None and isinstance(field.default, (int, float)) else None

    def vector(self, name: str) -> list[float] | None:
        """Value of a point, or its default; None without either."""
        node = self._node(name)
        if node is None:
            field = self.field(name)
            default = field.default if field is not None else None
            return list(default) if isinstance(default, tuple) else None
        return [number_of(_as_scalar(item, name)) for item in _as_items(node, name)]

    def ends(self) -> tuple[list[float], list[float]]:
        """Values of `from` and `to`, of a kind that requires them."""
        start, end = self.vector("from"), self.vector("to")
        assert start is not None
        assert end is not None
        return start, end

    def rows(self, name: str) -> list[list[float]]:
        """Value of a list of points."""
        node = self._node(name)
        if node is None:
            return []
        return [[number_of(_as_scalar(value, name)) for value in _as_items(row, name)] for row in _as_items(node, name)]

    def records(self, name: str) -> list[YamlMapping]:
        """Entries of a list of records: doors, holes."""
        node = self._node(name)
        if node is None:
            return []
        found = []
        for item in _as_items(node, name):
            if isinstance(item, YamlAlias):
                raise EditRefused(f"a part of `{name}` is the alias `*{item.name}`: edit the anchor it refers to")
            if isinstance(item, YamlMapping):
                found.append(item)
        return found

    # Writing: a value that does not change keeps its text, which may be an expression

    def _ranged(self, name: str) -> Ranged[Any]:
        field = self.field(name)
        assert isinstance(field, Ranged)
        return field

    def set_number(self, name: str, value: float) -> None:
        """Write a number or a direction."""
        self.document.set_field(self.entry, name, self._ranged(name).write(value, self.text(name)))

    def set_vector(self, name: str, values: Sequence[float]) -> None:
        """Write a point."""
        node = self._node(name)
        old = [_as_scalar(item, name) for item in _as_items(node, name)] if node is not None else [""] * len(values)
        texts = [self._ranged(name).write(value, text) for value, text in zip(values, old, strict=True)]
        self.document.set_field(self.entry, name, f"[{', '.join(texts)}]")

    def set_rows(self, name: str, rows: Sequence[Sequence[float]]) -> None:
        """Write a list of points."""
        node = self._node(name)
        assert node is not None
        written_rows = []
        for row, values in zip(_as_items(node, name), rows, strict=True):
            old = (_as_scalar(item, name) for item in _as_items(row, name))
            texts = [self._ranged(name).write(value, text) for value, text in zip(values, old, strict=True)]
            written_rows.append(f"[{', '.join(texts)}]")
        self.document.set_field(self.entry, name, f"[{', '.join(written_rows)}]")

    def set_within(self, name: str, changes: dict[int, str]) -> None:
        """Replace the texts of scalars inside a field's value, by the id of their nodes."""
        node = self._node(name)
        assert node is not None
        self.document.set_field(self.entry, name, render_flow(node, changes))


def set_scalar(node: YamlNode, value: float, changes: dict[int, str], name: str) -> None:
    """Record a new number for a scalar unless it has that value."""
    if abs(number_of(_as_scalar(node, name)) - value) > ROUNDING_TOLERANCE:
        changes[id(node)] = format_number(value)


def render_flow(node: YamlNode, changes: dict[int, str]) -> str:
    """Flow-style text of a value ([ ] and { }), with some scalars replaced."""
    if isinstance(node, YamlScalar):
        return changes.get(id(node), format_scalar(node.text))
    if isinstance(node, YamlList):
        return f"[{', '.join(render_flow(item, changes) for item in node.items)}]"
    if isinstance(node, YamlMapping):
        return f"{{{', '.join(f'{render_flow(key, {})}: {render_flow(value, changes)}' for key, value in node.pairs)}}}"
    raise EditRefused("a part of it is an alias: edit the anchor it refers to")


def nested_value(record: YamlMapping, name: str) -> YamlNode | None:
    found = record.find(name)
    return found[0][1] if found else None


def scalar_text(node: YamlNode | None) -> str:
    """Text of a scalar; empty for other nodes."""
    return node.text if isinstance(node, YamlScalar) else ""


def scalar_number(node: YamlNode, name: str) -> float:
    return number_of(_as_scalar(node, name))


def _as_scalar(node: YamlNode, name: str) -> str:
    if isinstance(node, YamlAlias):
        raise EditRefused(f"a part of `{name}` is the alias `*{node.name}`: edit the anchor it refers to")
    if not isinstance(node, YamlScalar):
        raise EditRefused(f"`{name}` is not written as a number")
    return node.text.strip()


def _as_items(node: YamlNode, name: str) -> list[YamlNode]:
    if isinstance(node, YamlAlias):
        raise EditRefused(f"a part of `{name}` is the alias `*{node.name}`: edit the anchor it refers to")
    if not isinstance(node, YamlList):
        raise EditRefused(f"`{name}` is not written as a list")
    return node.items
