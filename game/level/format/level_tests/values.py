"""Parser of the values in the tests of a level: names, counts and walks, each with its position."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from ..findings import FindingCollector, SourceSpan, quote_text
from ..records import RecordValues
from ..schema.fields import SchemaField, SchemaRecord, ValueKind
from ..values import (
    ValueFormatError,
    check_count,
    describe_node,
    parse_choice,
    parse_integer,
    parse_scalar,
    parse_text,
)
from ..yaml_nodes import YamlList, YamlMapping, YamlNode, YamlScalar


@dataclass(frozen=True, slots=True)
class PlacedText:
    """Text of a file with its position."""

    text: str
    place: SourceSpan


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


class FieldReader(Protocol):
    """Reader of the records inside a value (`RecordReader`)."""

    report: FindingCollector

    def read_record(
        self, record: SchemaRecord, node: YamlNode, place: SourceSpan, where: str
    ) -> RecordValues | None: ...


def read_test_value(reader: FieldReader, field: SchemaField, node: YamlNode, key: SourceSpan, where: str) -> object:
    """Value of a field of a kind that only tests have; None after a finding was added. Raises ValueFormatError."""
    match field.kind:
        case ValueKind.NAMES:
            return parse_names(node, field)
        case ValueKind.WALK:
            return parse_walk(node, field)
        case ValueKind.COUNT:
            return _read_count(reader, field, node, key, where)
        case ValueKind.WORD_OR_RECORD:
            return _read_word_or_record(reader, field, node, key, where)
        case ValueKind.EXPECT:
            return _read_expectations(reader, field, node, where)
    raise AssertionError(field.kind)


def _read_count(
    reader: FieldReader, field: SchemaField, node: YamlNode, key: SourceSpan, where: str
) -> CountValue | None:
    """A number or bounds; for a field with the word `all`, also that word, a name or a list of names."""
    record = field.record
    assert record is not None
    if isinstance(node, YamlMapping):
        bounds = reader.read_record(record, node, key, where)
        if bounds is None:
            return None
        least, most = (bounds.integer(name) if bounds.is_given(name) else None for name in ("at_least", "at_most"))
        return CountValue(node.place, least, most)
    if isinstance(node, YamlList):
        if field.choices:
            return CountValue(node.place, names=parse_names(node, field))
        raise ValueFormatError(node, "expected a number or { }, found a list", "write a number, or {at_most: 0}")
    text = parse_scalar(node, field).strip()
    if text in field.choices:
        return CountValue(node.place, all_of_them=True)
    if field.choices and not re.match("[-+.(0-9]", text):
        return CountValue(node.place, names=(PlacedText(text, node.place),))
    number = parse_integer(node, record.fields[0])
    return CountValue(node.place, number, number)


def _read_word_or_record(
    reader: FieldReader, field: SchemaField, node: YamlNode, key: SourceSpan, where: str
) -> PlacedText | RecordValues | None:
    """One of the field's words (any text if it has none), or its record."""
    if isinstance(node, YamlScalar) and node.text.strip():
        parse = parse_choice if field.choices else parse_text
        return PlacedText(parse(node, field).strip(), node.place)
    assert field.record is not None
    return reader.read_record(field.record, node, key, where)


def _read_expectations(reader: FieldReader, field: SchemaField, node: YamlNode, where: str) -> tuple[RecordValues, ...]:
    """One mapping of expectations, or a list of them. The word `goal` stands for `{goal: reached}`."""
    assert field.record is not None
    items = node.items if isinstance(node, YamlList) else [node]
    if not items or any(isinstance(item, YamlMapping) and not item.pairs for item in items):
        raise ValueFormatError(node, "nothing is expected", f"for example: {field.record.example}")
    check_count(node, len(items), field)
    found = []
    for item in items:
        if isinstance(item, YamlScalar) and item.text == "goal":
            word = RecordValues(field.record, item.place, where)
            word.set("goal", PlacedText("reached", item.place), item.place)
            found.append(word)
        elif isinstance(item, YamlScalar):
            message = f"expected fields in {{ }}, found {describe_node(item)}"
            raise ValueFormatError(item, message, f"for example: {field.record.example}")
        elif (record := reader.read_record(field.record, item, item.place, where)) is not None:
            found.append(record)
    return tuple(found)


def parse_names(node: YamlNode, field: SchemaField) -> tuple[PlacedText, ...]:
    """One name, or a list of names."""
    items = node.items if isinstance(node, YamlList) else [node]
    if not items:
        raise ValueFormatError(node, "the list is empty", "name at least one, or remove the field")
    check_count(node, len(items), field)
    return tuple(PlacedText(parse_scalar(item, field), item.place) for item in items)


def parse_walk(node: YamlNode, field: SchemaField) -> WalkValue:
    """A file name, or a list of lines of a commands file."""
    if not isinstance(node, YamlList):
        text = parse_scalar(node, field).strip()
        if re.match("[0-9]+( |$)|.*\n", text):
            message = f"expected a file or a list of lines, found {quote_text(text)}"
            raise ValueFormatError(node, message, f'write a list: ["{text.partition(chr(10))[0][:40]}"]')
        return WalkValue(node.place, parse_text(node, field))
    if not node.items:
        raise ValueFormatError(node, "the walk has no lines", 'write `walk: ["60 forward 1"]`')
    if len(node.items) > field.max_count:
        message = f"the walk has {len(node.items)} lines; the limit is {field.max_count}"
        raise ValueFormatError(node, message, "put them into a commands file, and write its path")
    return WalkValue(node.place, lines=tuple(map(_parse_line, node.items)))


def _parse_line(node: YamlNode) -> PlacedText:
    """A line, with the place of its text inside its quotes."""
    if not isinstance(node, YamlScalar):
        message = f"expected a line of a commands file, found {describe_node(node)}"
        raise ValueFormatError(node, message, "put it in quotes")
    if "\n" in node.text.strip():
        message = "a line of the list has a line break"
        raise ValueFormatError(node, message, "write each line as an entry of its own")
    return PlacedText(node.text, node.locate(1, max(1, len(node.text))))
