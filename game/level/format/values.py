"""Values that are words, texts, colours, pictures and names of surfaces.

YAML types are never guessed: `on`, `1:30` and `.nan` are text until a field asks for a number or a flag.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, cast, overload

from ...core import vectors
from .findings import SourceSpan, Suggestion, closest_words, join_alternatives, quote_text
from .numbers import Ranged
from .record import EMPTY, KnownNames, Record, Schema, SchemaMaker, Spot, Value, ValueFormatError, describe_node
from .yaml_layout import EditRefused, define_surface
from .yaml_nodes import YamlList, YamlMapping, YamlNode, YamlScalar, duplicate_message

MIN_PICTURE_METRES = 0.01
MAX_PICTURE_METRES = 1000.0
MAX_PICTURE_PATH = 200  # characters
FLAG_WORDS = {
    "true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false",
}  # fmt: skip
TEXT_TYPES = ["string", "number", "boolean"]  # JSON types that a text field accepts
_TEXT_LAYOUT = "\xad\u200b\u200c\u200d\u200e\u200f\u2060"  # soft hyphen, joiners, marks of direction
_FILE_NAME = re.compile(r".*\.[A-Za-z][A-Za-z0-9]{0,9}\s*", re.DOTALL)  # ends as a file does and no number

NAMED_COLOURS = {
    "black": 0x000000, "white": 0xFFFFFF, "grey": 0x808080, "gray": 0x808080, "silver": 0xC0C0C0,
    "lightgrey": 0xD3D3D3, "darkgrey": 0x505050, "red": 0xC8322B, "maroon": 0x7A1F1F, "brown": 0x7B4F2E,
    "orange": 0xE08A2B, "gold": 0xD4AF37, "yellow": 0xE6CF3E, "olive": 0x7A7A2C, "lime": 0x8BC34A,
    "green": 0x3F8F4A, "darkgreen": 0x2B5A33, "teal": 0x2F8080, "cyan": 0x4CC3D0, "skyblue": 0x87CEEB,
    "blue": 0x2F62B5, "navy": 0x1F2F5F, "purple": 0x6B4A9A, "magenta": 0xB0459A, "pink": 0xE8A7B8,
    "beige": 0xE4DCC4, "ivory": 0xF4F0E0, "sand": 0xD8C596, "tan": 0xC8A878, "terracotta": 0xB5613F,
}  # fmt: skip


class Flag(Value[bool]):
    words = "true or false"
    word_rank = 3

    def parse(self, node: YamlNode) -> bool:
        text = self.scalar(node).strip().lower()
        if text not in FLAG_WORDS:
            raise ValueFormatError(node, f"{quote_text(text)} is not true or false")
        return FLAG_WORDS[text] == "true"

    def schema(self, made: SchemaMaker) -> Schema:
        pattern = "^(yes|no|on|off|Yes|No|On|Off|YES|NO|ON|OFF)$"
        return {"anyOf": [{"type": "boolean"}, {"type": "string", "pattern": pattern}]}

    def known_words(self, names: KnownNames) -> tuple[str, ...]:
        return "true", "false"

    def typed_word(self, typed: str, names: KnownNames) -> str:
        if typed.lower() not in FLAG_WORDS:
            raise EditRefused(f"`{self.name}` is true or false")
        return FLAG_WORDS[typed.lower()]

    def next_word(self, present: str, sense: int, names: KnownNames) -> str:
        return super().next_word(FLAG_WORDS.get(present.lower(), present), sense, names)


class Text(Value[str]):
    """Text of bounded length without control characters other than line breaks. It may hold every kind of space, and
    the characters that join, separate and direct others. Without it the value is empty.
    """

    words = "text"
    absent = ""
    word_rank = 5

    def __init__(self, doc: str, required: bool = False, min_count: int = 0, max_count: int = 80) -> None:
        super().__init__(doc, required=required)
        self.min_count, self.max_count = min_count, max_count

    def parse(self, node: YamlNode) -> str:
        return parse_text(self, node)

    def schema(self, made: SchemaMaker) -> Schema:
        least = {"minLength": 1} if self.min_count else {}
        return {"type": TEXT_TYPES, "maxLength": self.max_count, **least}


def parse_text(field: Value[Any], node: YamlNode) -> str:
    """Text of at most `max_count` characters."""
    text = field.scalar(node)
    if len(text) > field.max_count:
        raise ValueFormatError(node, f"the text has {len(text)} characters; the limit is {field.max_count}")
    control = next((char for char in text if not char.isprintable() and not _is_text_layout(char)), None)
    if control is not None:
        raise ValueFormatError(node, f"the text contains a control character (U+{ord(control):04X})", "remove it")
    if not text.strip():
        raise ValueFormatError(node, "the text is blank")
    return text


def _is_text_layout(char: str) -> bool:
    """Whether an unprintable character belongs into a text."""
    return char == "\n" or char in _TEXT_LAYOUT or unicodedata.category(char) == "Zs"


class Choice(Value[str]):
    """One of some words; empty without a default."""

    item_words = "a word"
    absent = ""
    word_rank = 2

    def __init__(self, doc: str, choices: Sequence[str], default: str | None = None, required: bool = False) -> None:
        self.choices = tuple(choices)
        self.words = f"one of {', '.join(choices)}"
        super().__init__(doc, default, required)

    def parse(self, node: YamlNode) -> str:
        return parse_word(self, node)

    def schema(self, made: SchemaMaker) -> Schema:
        return {"enum": list(self.choices)}

    def limits(self) -> str:
        return join_alternatives(self.choices)


class Choices(Value[tuple[str, ...]]):
    """Some of a list of words; a single word needs no list."""

    item_words = "a list of words"
    absent = ()

    def __init__(self, doc: str, choices: Sequence[str]) -> None:
        super().__init__(doc)
        self.choices = tuple(choices)
        self.words = f"some of {', '.join(choices)}"

    def parse(self, node: YamlNode) -> tuple[str, ...]:
        items = node.items if isinstance(node, YamlList) else [node]
        return tuple(parse_word(self, item) for item in items)

    def schema(self, made: SchemaMaker) -> Schema:
        words = {"enum": list(self.choices)}
        return {"anyOf": [words, {"type": "array", "items": words}]}


def parse_word(field: Value[Any], node: YamlNode) -> str:
    """One of the field's words."""
    word = field.scalar(node).strip()
    if word not in field.choices:
        cure = Suggestion(word, closest_words(word, field.choices))
        raise ValueFormatError(node, f"{quote_text(word)} is not one of {join_alternatives(field.choices)}", cure)
    return word


class Colour(Value[vectors.Colour]):
    """sRGB colour, each component 0 to 1. default: its name or digits."""

    words = 'a colour ("#rrggbb" or a name)'
    cure_of_nothing = 'put colours in quotes, "#8d8a83": an unquoted # begins a comment'
    word_rank = 4

    def parse(self, node: YamlNode) -> vectors.Colour:
        word = self.scalar(node).strip().lower()
        colour = colour_of(word)
        if colour is None:
            otherwise = 'write a colour name or six hexadecimal digits in quotes: "#8d8a83"'
            cure = Suggestion(word, closest_words(word, NAMED_COLOURS), otherwise)
            raise ValueFormatError(node, f"{quote_text(word)} is not a colour", cure)
        return colour

    def schema(self, made: SchemaMaker) -> Schema:
        pattern = "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"
        return {"anyOf": [{"enum": sorted(NAMED_COLOURS)}, {"type": "string", "pattern": pattern}]}


def colour_of(word: str) -> vectors.Colour | None:
    """sRGB colour of a name or of hexadecimal digits in lower case, each component 0 to 1; None for other words."""
    if re.fullmatch("#[0-9a-f]{6}", word):
        value = int(word[1:], 16)
    elif re.fullmatch("#[0-9a-f]{3}", word):
        value = int("".join(2 * digit for digit in word[1:]), 16)
    elif word in NAMED_COLOURS:
        value = NAMED_COLOURS[word]
    else:
        return None
    return (value >> 16 & 255) / 255, (value >> 8 & 255) / 255, (value & 255) / 255


# Pictures


class Picture(Text):
    """Path of a picture as it is written."""

    words = "a picture (PNG, JPEG or WebP), relative to this file"
    word_rank = 0

    def __init__(self, doc: str, required: bool = False) -> None:
        super().__init__(doc, required, 1, MAX_PICTURE_PATH)

    def parse(self, node: YamlNode) -> str:
        if not isinstance(node, YamlScalar) or not node.text.strip():
            message = f"expected a picture, found {describe_node(node)}"
            raise ValueFormatError(node, message, "write its path, relative to this file: textures/brick.png")
        return parse_text(self, node)

    def schema(self, made: SchemaMaker) -> Schema:
        pattern = r"\.([pP][nN][gG]|[jJ][pP][eE]?[gG]|[wW][eE][bB][pP])$"
        return {"type": "string", "pattern": pattern, "maxLength": self.max_count}


class Factor(Ranged[float | str | None]):
    """A number from 0 to 1, or the path of a picture."""

    words = "a number, or a picture"

    def __init__(self, doc: str) -> None:
        super().__init__(doc, low=0, high=1)
        self.required = False
        self.picture = Picture(doc)

    def parse(self, node: YamlNode) -> float | str:
        if _is_file_name(node):
            return self.picture.parse(node)
        try:
            return self.number(node)
        except ValueFormatError as error:
            error.cure = error.cure or f"write a number from 0 to 1, or a picture: {self.name}.png"
            raise

    def schema(self, made: SchemaMaker) -> Schema:
        return {"anyOf": [*self.number_schema()["anyOf"], self.picture.schema(made)]}


class Glow(Value[vectors.Colour | str | None]):
    """An sRGB colour, or the path of a picture."""

    words = "a colour or a picture"

    def parse(self, node: YamlNode) -> vectors.Colour | str:
        return (Picture(self.doc) if _is_file_name(node) else Colour(self.doc)).parse(node)

    def schema(self, made: SchemaMaker) -> Schema:
        return {"anyOf": [*Colour(self.doc).schema(made)["anyOf"], Picture(self.doc).schema(made)]}


def _is_file_name(node: YamlNode) -> bool:
    return isinstance(node, YamlScalar) and _FILE_NAME.fullmatch(node.text[:400]) is not None


class Size(Ranged[tuple[float, float]]):
    """Metres (across, up) of a picture; up is 0 for the picture's own proportions."""

    words = "a number or [across, up]"

    def __init__(self, doc: str) -> None:
        super().__init__(doc, 1.0, "m", MIN_PICTURE_METRES, MAX_PICTURE_METRES)

    def parse(self, node: YamlNode) -> tuple[float, float]:
        if not isinstance(node, YamlList):
            return self.number(node), 0.0
        try:
            return cast(tuple[float, float], self.point(node, ("across", "up")))
        except ValueFormatError as error:
            error.cure = error.cure or "write one number, or [across, up] in metres"
            raise

    def schema(self, made: SchemaMaker) -> Schema:
        return {"anyOf": [*self.number_schema()["anyOf"], self.row_schema(2)]}


# Names that the level defines


class Surface(Value[int]):
    """Index of a surface. Without it that of the field `otherwise` of the record, or else `absent`."""

    words = "the name of a surface"
    noun = "surface"
    word_rank = 1

    def known_words(self, names: KnownNames) -> tuple[str, ...]:
        return names.surfaces

    def __init__(self, doc: str, otherwise: str = "", required: bool = False, absent: int = 0) -> None:
        super().__init__(doc, required=required)
        self.otherwise = otherwise
        self.absent = absent

    @overload
    def __get__(self, record: None, owner: type) -> Value[int]: ...
    @overload
    def __get__(self, record: Record, owner: type) -> int: ...
    def __get__(self, record: Record | None, owner: type) -> Value[int] | int:
        if record is None:
            return self
        absent = super().__get__(record, owner)
        return cast(int, getattr(record, self.otherwise)) if self.otherwise else absent

    def read(self, node: YamlNode, spot: Spot) -> int | None:
        return read_surface_name(self, node, spot)

    def schema(self, made: SchemaMaker) -> Schema:
        return {"type": TEXT_TYPES}


def read_surface_name(field: Value[Any], node: YamlNode, spot: Spot) -> int | None:
    """Index of the surface with that name; None after a finding."""
    reader = spot.reader
    name = field.scalar(node)
    if name in reader.surfaces:
        reader.used_surfaces.add(name)
        return reader.surfaces[name]
    if "surfaces" in reader.unread:
        return None
    near = reader.report.closest_words(name, reader.surfaces)
    cure = Suggestion(name, near, f"define {quote_text(name)} under `surfaces:`")
    if reader.root is not None and not near and name not in reader.new_surfaces and not reader.report.is_full:
        reader.new_surfaces[name] = define_surface(reader.root, name)
    edit = None if near else reader.new_surfaces.get(name)
    reader.report.add("dropped", node.place, spot.where, f"there is no surface {quote_text(name)}", cure, edit)
    return None


class Paint(Value[dict[str, tuple[int, SourceSpan]]]):
    """By material name of a model: index of the surface, and position of the name."""

    words = "material names, each with a surface"
    absent = EMPTY
    max_count = 250

    def read(self, node: YamlNode, spot: Spot) -> dict[str, tuple[int, SourceSpan]]:
        report = spot.reader.report
        if not isinstance(node, YamlMapping):
            message = f"expected names with surfaces, found {describe_node(node)}"
            raise ValueFormatError(node, message, "write {wood: planks}")
        self.check_count(node, len(node.pairs))
        paint: dict[str, tuple[int, SourceSpan]] = {}
        for key, value in node.pairs:
            name = key.text if isinstance(key, YamlScalar) else ""
            where = f"{spot.where}.{name}"
            if name in paint:
                message = duplicate_message(name, paint[name][1])
                report.add("dropped", key.place, spot.where, message, "keep one of them")
                continue
            try:
                surface = read_surface_name(self, value, spot._replace(where=where))
            except ValueFormatError as error:
                report.add("dropped", error.place, where, error.message, error.cure)
                continue
            if surface is not None:
                paint[name] = (surface, key.place)
        return paint

    def schema(self, made: SchemaMaker) -> Schema:
        return {"type": "object", "maxProperties": self.max_count, "additionalProperties": {"type": TEXT_TYPES}}
