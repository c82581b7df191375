"""Fields of one piece in a document: values are read and written in place, by the path to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....level.build.pieces import PIECES
from ....level.edit import DocumentEntry, EditRefused, YamlDocument
from ....level.format.level_file import PLACES
from ....level.format.numbers import Corners, Ranged
from ....level.format.record import Value
from ....level.format.record_values import Many
from ....level.format.yaml_nodes import YamlAlias, YamlList, YamlMapping, YamlNode, YamlScalar

POSITION_FIELDS = frozenset(("at", "from", "to"))  # fields with a position; other points are directions
PATH = "path"  # stops of a mover
DEFAULT_PATH = ((0.0, 0.0, 0.0),)  # of a mover without one
FieldPath = tuple[str | int, ...]  # name of a field; then indices of lists and names in their entries
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

    def field(self, *path: str | int) -> Value[Any] | None:
        """The field at a path; that of the list for its items."""
        fields = self.record.fields
        found: Value[Any] | None = None
        for name in path:
            if isinstance(name, str):
                found = fields.get(name)
                fields = {} if found is None or found.record is None else found.record.fields
        return found

    def outline(self) -> str:
        """Name of the field with the points that the piece consists of; "" for most kinds."""
        fields, ahead = self.record.fields.values(), self.record.relative_points
        return next((field.name for field in fields if isinstance(field, Corners) and field.name not in ahead), "")

    def positions(self) -> Iterator[FieldPath]:
        """Paths of the positions in the axes of the parent: points, lists of points, and points of entries (holes)."""
        for field in self.record.fields.values():
            if field.name in self.record.relative_points:
                continue
            if isinstance(field, Corners) or (field.axes and field.name in POSITION_FIELDS):
                yield (field.name,)
            elif isinstance(field, Many):
                names = [inner.name for inner in field.record.fields.values() if inner.axes]
                yield from ((field.name, index, name) for index in self.entries(field.name) for name in names)

    # Reading

    def node(self, *path: str | int) -> YamlNode | None:
        """Node of a value; None if it is not written."""
        name = str(path[0])
        node = self.entry.field_node(name)
        for step in path[1:]:
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

    def is_written(self, *path: str | int) -> bool:
        return self.node(*path) is not None

    def text(self, *path: str | int) -> str | None:
        """Text of a scalar, without quotes; None if it is not written."""
        node = self.node(*path)
        return None if node is None else _as_scalar(node, str(path[0]))

    def value(self, *path: str | int) -> Any:
        """A number, point or list of points, as lists of floats, or its default; None without either."""
        node = self.node(*path)
        if node is not None:
            return self._numbers(node, self.field(*path), str(path[0]))
        field = self.field(*path)
        value: Any = DEFAULT_PATH if path[0] == PATH else None if field is None else field.default
        if isinstance(field, Ranged) and isinstance(value, str):
            value = field.value_of(value)  # north
        for step in path:
            if isinstance(step, int) and isinstance(value, tuple):
                value = value[step]
        return _as_lists(value)

    def _numbers(self, node: YamlNode, field: Value[Any] | None, name: str) -> Any:
        if isinstance(node, YamlList):
            return [self._numbers(item, field, name) for item in node.items]
        if not isinstance(field, Ranged):
            raise EditRefused(f"`{name}` is not a number")
        return field.value_of(_as_scalar(node, name))

    def number(self, *path: str | int) -> float | None:
        value = self.value(*path)
        return float(value) if isinstance(value, (int, float)) else None

    def vector(self, *path: str | int) -> list[float] | None:
        """A point, or one in a list."""
        value = self.value(*path)
        return value if isinstance(value, list) else None

    def rows(self, name: str) -> list[list[float]]:
        """A list of points."""
        value: list[list[float]] | None = self.value(name)
        return value or []

    def ends(self) -> tuple[list[float], list[float]]:
        """Values of `from` and `to`, of a kind that requires them."""
        start, end = self.vector("from"), self.vector("to")
        if start is None or end is None:
            raise EditRefused("its corners are not written as points")
        return start, end

    def entries(self, name: str) -> range:
        """Indices of the entries of a list: of doors, holes."""
        node = self.node(name)
        return range(0 if node is None else len(_as_items(node, name)))

    # Writing: a value that does not change keeps its text, which may be an expression

    def set(self, place: str | FieldPath, value: Written) -> None:
        """Write a number, a point or a list of points. Text is YAML. place: name of a field, or a path."""
        path = (place,) if isinstance(place, str) else place
        name, node = path[-1], self.node(*path)
        if isinstance(name, str):
            self.document.set_field(self._owner(path), name, self._flow(self.field(*path), value, node, str(path[0])))
        elif node is not None:
            self.set_all({path: value})
        else:  # a part of the default, which is written whole
            whole = self.value(*path[:-1])
            whole[name] = value
            self.set(path[:-1], whole)

    def set_all(self, changes: Mapping[FieldPath, Written]) -> None:
        """Write several values, those that are written in one step."""
        nodes = {path: self.node(*path) for path in changes}
        self.document.set_values([
            (node, self._flow(self.field(*path), changes[path], node, str(path[0])))
            for path, node in nodes.items() if node is not None
        ])  # fmt: skip
        for path, node in nodes.items():
            if node is None:
                self.set(path, changes[path])

    def remove(self, *path: str | int) -> None:
        """Remove a field, which then has its default."""
        self.document.remove_field(self._owner(path), str(path[-1]))

    def _owner(self, path: FieldPath) -> DocumentEntry | YamlNode:
        """The piece, or the entry of a list, that a field belongs to."""
        owner = self.entry if len(path) == 1 else self.node(*path[:-1])
        if owner is None:
            raise EditRefused(f"`{path[0]}` is not written here")
        return owner

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


def _as_lists(value: Any) -> Any:
    return [_as_lists(part) for part in value] if isinstance(value, tuple) else value


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
