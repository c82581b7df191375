"""Access to the fields of one piece in a document: read and write in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....level.build.pieces import PIECES
from ....level.edit import DocumentEntry, EditRefused, YamlDocument
from ....level.format.level_file import PLACES
from ....level.format.numbers import Corners, Plan, Ranged, number_of
from ....level.format.record import Value
from ....level.format.yaml_nodes import YamlAlias, YamlList, YamlMapping, YamlNode, YamlScalar

PATH = "path"  # stops of a mover
DEFAULT_PATH = ((0.0, 0.0, 0.0),)  # of a mover without one
Written = str | float | Sequence["Written"]


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

    def node(self, name: str, *path: str | int) -> YamlNode | None:
        """Node of a field, or of a part of its value: by index of a list, by name in an entry. None if not written."""
        node = self.entry.field_node(name)
        for step in path:
            if node is None:
                return None
            if isinstance(step, int):
                items = _as_items(node, name)
                if step >= len(items):
                    raise EditRefused(f"a part of `{name}` is not written here any more")
                node = items[step]
            elif isinstance(node, YamlMapping):
                node = next((value for _, value in node.find(step)), None)
            else:
                _refuse_alias(node, name)
                return None
        return node

    def text(self, name: str, *path: str | int) -> str | None:
        """Text of a scalar, without quotes."""
        node = self.node(name, *path)
        return None if node is None else _as_scalar(node, name)

    def number(self, name: str, *path: str | int) -> float | None:
        """Value of a number, or its default; None without either."""
        text = self.text(name, *path)
        if text is not None:
            field = self._field_at(name, path)
            return field.value_of(text) if isinstance(field, Ranged) else number_of(text)
        default = self._default(name, *path)
        return float(default) if isinstance(default, (int, float)) else None

    def vector(self, name: str, *path: str | int) -> list[float] | None:
        """Value of a point, or of one in a list, or its default; None without either."""
        node = self.node(name, *path)
        if node is not None:
            return [number_of(_as_scalar(item, name)) for item in _as_items(node, name)]
        default = self._default(name, *path)
        return list(default) if isinstance(default, tuple) else None

    def ends(self) -> tuple[list[float], list[float]]:
        """Values of `from` and `to`, of a kind that requires them."""
        start, end = self.vector("from"), self.vector("to")
        assert start is not None
        assert end is not None
        return start, end

    def rows(self, name: str) -> list[list[float]]:
        """Value of a list of points, or its default."""
        node = self.node(name)
        if node is None:
            return [list(point) for point in self._default(name) or ()]
        return [[number_of(_as_scalar(value, name)) for value in _as_items(row, name)] for row in _as_items(node, name)]

    def entries(self, name: str) -> range:
        """Indices of the entries of a list: of doors, holes."""
        node = self.node(name)
        return range(0 if node is None else len(_as_items(node, name)))

    def plans(self, name: str) -> list[tuple[int, str]]:
        """Places in a list of records (holes, cups) that are points [x, z]: index of the entry and name in it."""
        field = self.field(name)
        inner = field.record.fields.values() if field is not None and field.record is not None else ()
        names = [one.name for one in inner if isinstance(one, Plan)]
        return [(index, each) for index in self.entries(name) for each in names] if names else []

    def _default(self, name: str, *path: str | int) -> Any:
        """Default of a field, or a part of it; None without one."""
        field = self.field(name)
        value: Any = DEFAULT_PATH if name == PATH else None if field is None else field.default
        for step in path:
            value = value[step] if isinstance(value, tuple) and isinstance(step, int) else None
        return value

    def _field_at(self, name: str, path: Sequence[str | int]) -> Value[Any] | None:
        """The field, or that of a record in its list."""
        field = self.field(name)
        names = [step for step in path if isinstance(step, str)]
        return field.record.fields.get(names[0]) if names and field is not None and field.record is not None else field

    # Writing: a value that does not change keeps its text, which may be an expression

    def set(self, name: str, value: Written, *path: str | int) -> None:
        """Write a number, a point or a list of points: a field, or a part of its value. Text is YAML."""
        node = self.node(name, *path)
        if node is not None and path:
            self.set_parts(name, {path: value})
        elif not path:
            self.document.set_field(self.entry, name, self._flow(self.field(name), value, node, name))
        else:  # a part of the default, which is written whole
            whole: Any = [list(part) if isinstance(part, tuple) else part for part in self._default(name)]
            inside = whole
            for step in path[:-1]:
                inside = inside[step]
            inside[path[-1]] = value
            self.set(name, whole)

    def set_parts(self, name: str, changes: Mapping[tuple[str | int, ...], Written]) -> None:
        """Write parts of a field's value in one step. Parts that are not written stay so."""
        edits = []
        for path, value in changes.items():
            node = self.node(name, *path)
            if node is not None:
                edits.append((node, self._flow(self._field_at(name, path), value, node, name)))
        self.document.set_values(edits)

    def _flow(self, field: Value[Any] | None, value: Written, node: YamlNode | None, name: str) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, (int, float)):
            assert isinstance(field, Ranged)
            return field.write(value, None if node is None else _as_scalar(node, name))
        old: Sequence[YamlNode | None] = _as_items(node, name) if node is not None else ()
        if len(old) != len(value):
            old = [None] * len(value)
        return f"[{', '.join(self._flow(field, one, item, name) for one, item in zip(value, old, strict=True))}]"


def _refuse_alias(node: YamlNode, name: str) -> None:
    if isinstance(node, YamlAlias):
        raise EditRefused(f"`{name}` has the alias `*{node.name}`: edit the anchor it refers to")


def _as_scalar(node: YamlNode, name: str) -> str:
    _refuse_alias(node, name)
    if not isinstance(node, YamlScalar):
        raise EditRefused(f"`{name}` is not written as a number")
    return node.text.strip()


def _as_items(node: YamlNode, name: str) -> list[YamlNode]:
    _refuse_alias(node, name)
    if not isinstance(node, YamlList):
        raise EditRefused(f"`{name}` is not written as a list")
    return node.items
