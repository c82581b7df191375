"""Access to the fields of one piece in a document: read and write in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....level.build.pieces import PIECES
from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_number, format_scalar
from ....level.format import expressions
from ....level.format.level_file import PLACES
from ....level.format.numbers import FACING_DEGREES, Angle
from ....level.format.record import Value
from ....level.format.yaml_nodes import YamlAlias, YamlList, YamlMapping, YamlNode, YamlScalar

ROUNDING_TOLERANCE = 5e-5  # half of the last decimal that is written


def parse_number(text: str) -> float:
    """Value of a number or of an expression. EditRefused if it is neither."""
    try:
        return float(expressions.parse_expression(text).evaluate())
    except expressions.ExpressionError as error:
        raise EditRefused(f"`{text[:40]}` is not a number: {error.message}") from None


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

    def _node(self, name: str) -> YamlNode | None:
        node = self.entry.field_node(name)
        if isinstance(node, YamlAlias):
            raise EditRefused(f"`{name}` is the alias `*{node.name}`: edit the anchor it refers to")
        return node

    def text(self, name: str) -> str | None:
        """Text of a scalar field, without quotes."""
        node = self._node(name)
        return None if node is None else _as_scalar(node, name)

    def number(self, name: str) -> float | None:
        """Value of a number, or its default; None without either."""
        text = self.text(name)
        field = self.field(name)
        if text is not None:
            is_word = isinstance(field, Angle) and text in FACING_DEGREES
            return FACING_DEGREES[text] if is_word else parse_number(text)
        return float(field.default) if field is not None and isinstance(field.default, (int, float)) else None

    def vector(self, name: str) -> list[float] | None:
        """Value of a point, or its default; None without either."""
        node = self._node(name)
        if node is None:
            field = self.field(name)
            default = field.default if field is not None else None
            return list(default) if isinstance(default, tuple) else None
        return [parse_number(_as_scalar(item, name)) for item in _as_items(node, name)]

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
        return [
            [parse_number(_as_scalar(value, name)) for value in _as_items(row, name)] for row in _as_items(node, name)
        ]

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

    def set_number(self, name: str, value: float) -> None:
        """Write a number unless it has that value."""
        if self.text(name) is None or abs((self.number(name) or 0.0) - value) > ROUNDING_TOLERANCE:
            self.document.set_field(self.entry, name, format_number(value))

    def set_facing(self, degrees: float, name: str = "facing") -> None:
        """Write a direction, as a word if there is one and the field is not a number."""
        field = self.field(name)
        assert isinstance(field, Angle)
        self.document.set_field(self.entry, name, field.write(degrees, self.text(name)))

    def set_vector(self, name: str, values: Sequence[float]) -> None:
        """Write a point."""
        node = self._node(name)
        old = _as_items(node, name) if node is not None else []
        texts = []
        for index, value in enumerate(values):
            old_item = old[index] if index < len(old) else None
            texts.append(_keep_expression(old_item, value, name))
        self.document.set_field(self.entry, name, f"[{', '.join(texts)}]")

    def set_rows(self, name: str, rows: Sequence[Sequence[float]]) -> None:
        """Write a list of points."""
        node = self._node(name)
        assert node is not None
        written_rows = []
        for row, values in zip(_as_items(node, name), rows, strict=True):
            items = zip(_as_items(row, name), values, strict=True)
            texts = [_keep_expression(item, value, name) for item, value in items]
            written_rows.append(f"[{', '.join(texts)}]")
        self.document.set_field(self.entry, name, f"[{', '.join(written_rows)}]")

    def set_within(self, name: str, changes: dict[int, str]) -> None:
        """Replace the texts of scalars inside a field's value, by the id of their nodes."""
        node = self._node(name)
        assert node is not None
        self.document.set_field(self.entry, name, render_flow(node, changes))


def set_scalar(node: YamlNode, value: float, changes: dict[int, str], name: str) -> None:
    """Record a new number for a scalar unless it has that value."""
    if abs(parse_number(_as_scalar(node, name)) - value) > ROUNDING_TOLERANCE:
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
    return parse_number(_as_scalar(node, name))


def _keep_expression(node: YamlNode | None, value: float, name: str) -> str:
    if node is not None:
        text = _as_scalar(node, name)
        if abs(parse_number(text) - value) <= ROUNDING_TOLERANCE:
            return format_scalar(text)
    return format_number(value)


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
