"""Values that only tests have: names, counts, walks and lists of expectations, each with its position."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from ..findings import SourceSpan, quote_text
from ..numbers import Count
from ..record import R, Record, Schema, SchemaMaker, Spot, Value, ValueFormatError, describe_node
from ..record_values import One, PlacedText
from ..values import TEXT_TYPES, parse_text
from ..yaml_nodes import YamlList, YamlMapping, YamlNode, YamlScalar

MAX_WALK_LINES = 5000


@dataclass(frozen=True, slots=True)
class CountValue:
    """A number of events: both bounds, or `all_of_them`, or names in order."""

    place: SourceSpan
    at_least: int | None = None
    at_most: int | None = None
    all_of_them: bool = False
    names: tuple[PlacedText, ...] = ()


@dataclass(frozen=True, slots=True)
class WalkValue:
    """A file, or the lines of a commands file."""

    place: SourceSpan
    file: str = ""
    lines: tuple[PlacedText, ...] = ()


def _texts_schema(field: Value[Any]) -> Schema:
    return {"type": "array", "minItems": 1, "maxItems": field.max_count, "items": {"type": TEXT_TYPES}}


class Names(Value[tuple[PlacedText, ...]]):
    """One name, or a list of names."""

    words = "a name or a list of names"
    absent = ()

    def __init__(self, doc: str, max_count: int) -> None:
        super().__init__(doc)
        self.max_count = max_count

    def parse(self, node: YamlNode) -> tuple[PlacedText, ...]:
        return _parse_names(self, node)

    def schema(self, made: SchemaMaker) -> Schema:
        return {"anyOf": [{"type": TEXT_TYPES}, _texts_schema(self)]}


def _parse_names(field: Value[Any], node: YamlNode) -> tuple[PlacedText, ...]:
    items = node.items if isinstance(node, YamlList) else [node]
    if not items:
        raise ValueFormatError(node, "the list is empty", "name at least one, or remove the field")
    field.check_count(node, len(items))
    return tuple(PlacedText(field.scalar(item), item.place) for item in items)


class CountOf(Value[CountValue | None]):
    """A number or bounds; for events with names also the word `all`, a name or a list of names.

    names: how many may be given; 0 where the events have none.
    """

    order = " Names are the order in which they happen; others may happen in between."

    def __init__(self, doc: str, record: type[Record], names: int = 0) -> None:
        super().__init__(doc + (self.order if names else ""))
        self.record: type[Record] = record
        self.choices = ("all",) if names else ()
        self.max_count = names
        self.words = f"a number, {'all, names, ' if names else ''}or {One.words}"

    def _bound(self) -> Count:
        """The field of the lower bound, as which a number is read."""
        count = self.record.fields["at_least"]
        assert isinstance(count, Count)
        return count

    def read(self, node: YamlNode, spot: Spot) -> CountValue | None:
        if isinstance(node, YamlMapping):
            bounds: Any = spot.reader.read(self.record, node, spot.key.place, spot.where)
            return bounds and CountValue(node.place, bounds.at_least, bounds.at_most)
        if isinstance(node, YamlList):
            if self.choices:
                return CountValue(node.place, names=_parse_names(self, node))
            raise ValueFormatError(node, "expected a number or { }, found a list", "write a number, or {at_most: 0}")
        text = self.scalar(node).strip()
        if text in self.choices:
            return CountValue(node.place, all_of_them=True)
        if self.choices and not re.match("[-+.(0-9]", text):
            return CountValue(node.place, names=(PlacedText(text, node.place),))
        number = self._bound().parse(node)
        return CountValue(node.place, number, number)

    def schema(self, made: SchemaMaker) -> Schema:
        names: list[Schema] = [{"type": "string"}, _texts_schema(self)] if self.choices else []
        return {"anyOf": [*self._bound().number_schema()["anyOf"], *names, made.record(self.record)]}


class Walk(Value[WalkValue | None]):
    """A file name, or a list of lines of a commands file."""

    words = "a file, or a list of lines"
    max_count = MAX_WALK_LINES

    def parse(self, node: YamlNode) -> WalkValue:
        if not isinstance(node, YamlList):
            text = self.scalar(node).strip()
            if re.match("[0-9]+( |$)|.*\n", text):
                message = f"expected a file or a list of lines, found {quote_text(text)}"
                raise ValueFormatError(node, message, f'write a list: ["{text.partition(chr(10))[0][:40]}"]')
            return WalkValue(node.place, parse_text(self, node))
        if not node.items:
            raise ValueFormatError(node, "the walk has no lines", 'write `walk: ["60 forward 1"]`')
        if len(node.items) > self.max_count:
            message = f"the walk has {len(node.items)} lines; the limit is {self.max_count}"
            raise ValueFormatError(node, message, "put them into a commands file, and write its path")
        return WalkValue(node.place, lines=tuple(map(_parse_line, node.items)))

    def schema(self, made: SchemaMaker) -> Schema:
        return {"anyOf": [{"type": TEXT_TYPES}, _texts_schema(self)]}


def _parse_line(node: YamlNode) -> PlacedText:
    """A line, with the place of its text inside its quotes."""
    if not isinstance(node, YamlScalar):
        message = f"expected a line of a commands file, found {describe_node(node)}"
        raise ValueFormatError(node, message, "put it in quotes")
    if "\n" in node.text.strip():
        message = "a line of the list has a line break"
        raise ValueFormatError(node, message, "write each line as an entry of its own")
    return PlacedText(node.text, node.locate(1, max(1, len(node.text))))


class Expect(Value[tuple[R, ...]], Generic[R]):
    """One mapping of expectations, or a list of them. The word `goal` stands for `{goal: reached}`."""

    words = "fields in { }, or a list of them"
    absent = ()

    def __init__(self, doc: str, record: type[R], max_count: int) -> None:
        super().__init__(doc, required=True)
        self.record: type[R] = record
        self.max_count = max_count

    def read(self, node: YamlNode, spot: Spot) -> tuple[R, ...]:
        items: Sequence[YamlNode] = node.items if isinstance(node, YamlList) else [node]
        example = f"for example: {self.record.example}"
        if not items or any(isinstance(item, YamlMapping) and not item.pairs for item in items):
            raise ValueFormatError(node, "nothing is expected", example)
        self.check_count(node, len(items))
        found = []
        for item in items:
            if isinstance(item, YamlScalar) and item.text == "goal":
                word = self.record.begin(item.place, spot.where)
                word.set(self.record.fields["goal"], PlacedText("reached", item.place), item.place)
                found.append(word)
            elif isinstance(item, YamlScalar):
                message = f"expected fields in {{ }}, found {describe_node(item)}"
                raise ValueFormatError(item, message, example)
            elif (record := spot.reader.read(self.record, item, item.place, spot.where)) is not None:
                found.append(record)
        return tuple(found)

    def schema(self, made: SchemaMaker) -> Schema:
        one: list[Schema] = [{"enum": ["goal"]}, {"$ref": "#/definitions/expect"}]
        many = {**_texts_schema(self), "items": {"anyOf": one}}
        return {"anyOf": [*one, many]}
