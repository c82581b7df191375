"""The numbers of one piece, read from the text where it is written, and written back there."""

from __future__ import annotations

from collections.abc import Sequence

from ...level.edit import Draft, EditRefused, Entry, shown, written
from ...level.edit.yaml_tree import Alias, List, Mapping, Node, Scalar
from ...level.format import expressions
from ...level.format.schema import PIECES
from ...level.format.schema.fields import Field, Kind, Record
from ...level.format.values import FACINGS

SAME = 5e-5  # half of the last decimal that is written
WORDS = {angle: word for word, angle in FACINGS.items()}


def number_of(text: str) -> float:
    """What a number or a sum comes to. EditRefused where it is neither."""
    try:
        return float(expressions.parse(text).value())
    except expressions.SumError as error:
        raise EditRefused(f"`{text[:40]}` is no number: {error.message}") from None


class Written:
    """A piece in a draft with the table of its fields. Raises EditRefused for what cannot be read or written."""

    def __init__(self, draft: Draft, entry: Entry) -> None:
        self.draft, self.entry = draft, entry
        record = PIECES.get(entry.kind)
        if record is None:
            raise EditRefused(f"`{entry.kind}` is no piece")
        self.record: Record = record

    def given(self, name: str) -> bool:
        """Whether the field is written."""
        return self.entry.node(name) is not None

    def field(self, name: str) -> Field | None:
        return self.record.field(name)

    def _node(self, name: str) -> Node | None:
        node = self.entry.node(name)
        if isinstance(node, Alias):
            raise EditRefused(f"`{name}` is written as `*{node.name}`: edit it where that is written")
        return node

    def text(self, name: str) -> str | None:
        """A field of one value as it is written, without quotes."""
        node = self._node(name)
        return None if node is None else _scalar(node, name)

    def number(self, name: str) -> float | None:
        """A number as it is written, or its default; None where there is neither."""
        text = self.text(name)
        if text is not None:
            return FACINGS[text] if text in FACINGS and self._is(name, Kind.ANGLE) else number_of(text)
        field = self.field(name)
        return float(field.default) if field is not None and isinstance(field.default, (int, float)) else None

    def _is(self, name: str, kind: Kind) -> bool:
        field = self.field(name)
        return field is not None and field.kind is kind

    def vector(self, name: str) -> list[float] | None:
        """A point as it is written, or its default; None where there is neither."""
        node = self._node(name)
        if node is None:
            field = self.field(name)
            default = field.default if field is not None else None
            return list(default) if isinstance(default, tuple) else None
        return [number_of(_scalar(item, name)) for item in _items(node, name)]

    def rows(self, name: str) -> list[list[float]]:
        """A list of points."""
        node = self._node(name)
        if node is None:
            return []
        return [[number_of(_scalar(value, name)) for value in _items(row, name)] for row in _items(node, name)]

    def records(self, name: str) -> list[Mapping]:
        """The entries of a list of fields: doors, holes."""
        node = self._node(name)
        if node is None:
            return []
        found = []
        for item in _items(node, name):
            if isinstance(item, Alias):
                raise EditRefused(f"a part of `{name}` is written as `*{item.name}`: edit it where that is written")
            if isinstance(item, Mapping):
                found.append(item)
        return found

    # Writing: a value that stays the same keeps its text, also where it is a sum

    def set_number(self, name: str, value: float) -> None:
        """Write a number; nothing happens where it has that value."""
        if self.text(name) is None or abs((self.number(name) or 0.0) - value) > SAME:
            self.draft.set(self.entry, name, shown(value))

    def set_facing(self, degrees: float, name: str = "facing") -> None:
        """Write a direction: as a word where there is one and no number stands there."""
        turn = round(degrees, 4) % 360.0
        old = self.text(name)
        worded = turn in WORDS and (old is None or old in FACINGS)
        self.draft.set(self.entry, name, WORDS[turn] if worded else shown(turn))

    def set_vector(self, name: str, values: Sequence[float]) -> None:
        """Write a point."""
        node = self._node(name)
        old = _items(node, name) if node is not None else []
        parts = []
        for index, value in enumerate(values):
            was = old[index] if index < len(old) else None
            parts.append(_kept(was, value, name))
        self.draft.set(self.entry, name, f"[{', '.join(parts)}]")

    def set_rows(self, name: str, rows: Sequence[Sequence[float]]) -> None:
        """Write a list of points."""
        node = self._node(name)
        assert node is not None
        written_rows = []
        for row, values in zip(_items(node, name), rows, strict=True):
            parts = [_kept(was, value, name) for was, value in zip(_items(row, name), values, strict=True)]
            written_rows.append(f"[{', '.join(parts)}]")
        self.draft.set(self.entry, name, f"[{', '.join(written_rows)}]")

    def set_within(self, name: str, changes: dict[int, str]) -> None:
        """Write other texts for some scalars, by the id of their nodes, inside a field's value."""
        node = self._node(name)
        assert node is not None
        self.draft.set(self.entry, name, flow(node, changes))


def change(node: Node, value: float, changes: dict[int, str], name: str) -> None:
    """Note another number for a scalar, unless it has that value already."""
    if abs(number_of(_scalar(node, name)) - value) > SAME:
        changes[id(node)] = shown(value)


def flow(node: Node, changes: dict[int, str]) -> str:
    """A value in [ ] and { }, with other texts for some of its scalars."""
    if isinstance(node, Scalar):
        return changes.get(id(node), written(node.text))
    if isinstance(node, List):
        return f"[{', '.join(flow(item, changes) for item in node.items)}]"
    if isinstance(node, Mapping):
        return f"{{{', '.join(f'{flow(key, {})}: {flow(value, changes)}' for key, value in node.pairs)}}}"
    raise EditRefused("a part of it is written as an alias: edit it where that is written")


def part(record: Mapping, name: str) -> Node | None:
    """The value of a field of a nested record."""
    found = record.find(name)
    return found[0][1] if found else None


def plain(node: Node, name: str) -> float:
    """The number that a scalar says."""
    return number_of(_scalar(node, name))


def _kept(was: Node | None, value: float, name: str) -> str:
    if was is not None:
        text = _scalar(was, name)
        if abs(number_of(text) - value) <= SAME:
            return written(text)
    return shown(value)


def _scalar(node: Node, name: str) -> str:
    if isinstance(node, Alias):
        raise EditRefused(f"a part of `{name}` is written as `*{node.name}`: edit it where that is written")
    if not isinstance(node, Scalar):
        raise EditRefused(f"`{name}` is not written as a number")
    return node.text.strip()


def _items(node: Node, name: str) -> list[Node]:
    if isinstance(node, Alias):
        raise EditRefused(f"a part of `{name}` is written as `*{node.name}`: edit it where that is written")
    if not isinstance(node, List):
        raise EditRefused(f"`{name}` is not written as a list")
    return node.items
