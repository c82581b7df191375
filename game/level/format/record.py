"""Records of a level file: classes whose attributes are fields, and the reader that makes objects of them.

A field is a `Value`: it reads a YAML node, and describes itself for the JSON schema and the page of the format. All
problems become findings, in one pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar, cast, overload

from ...core.errors import WalkerError
from .findings import (
    Edit,
    FindingCollector,
    Severity,
    SourceSpan,
    Suggestion,
    join_alternatives,
    quote_text,
    suggest_word,
)
from .plain_values import LevelValue, Plain, format_text, join_fields, plain_value, python_text
from .yaml_layout import EditRefused, add_format
from .yaml_nodes import YamlList, YamlMapping, YamlNode, YamlScalar, duplicate_message, lone_node

T = TypeVar("T")
Schema = dict[str, Any]  # JSON schema

DEFAULT_SURFACE = "default"
FORMAT = 1  # version of the file format
EMPTY: Mapping[str, Any] = {}  # names with values, where none are written
MAX_SHOWN_CHARACTERS = 6  # of a text, which need a font of the system
RECORD_STATE = ("place", "where", "has_errors", "places", "written")  # attributes of a record that are no fields
DRAWN_TEXTS = ("name", "text", "about", "aim")  # fields whose text the game draws


class ValueFormatError(WalkerError):
    """A value of the wrong kind, or outside its range."""

    def __init__(
        self, node: YamlNode, message: str, cure: str | Suggestion = "", place: SourceSpan | None = None
    ) -> None:
        super().__init__(message)
        self.place: SourceSpan = place or node.place
        self.message = message
        self.cure = cure


def describe_node(node: YamlNode) -> str:
    """Short description of a node, for messages."""
    if isinstance(node, YamlList):
        return "a list"
    if isinstance(node, YamlMapping):
        return "a mapping"
    return quote_text(node.text) if isinstance(node, YamlScalar) and node.text else "nothing"


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Names that a field may refer to: surfaces of the level, prefabs under `define`."""

    surfaces: tuple[str, ...] = ()
    prefabs: tuple[str, ...] = ()


class Value(Generic[T]):
    """A kind of value, and one field of a record: `rise = Length("Height of one step.", 0.18)`.

    On a record it is the written value, or else `absent`; on the class it is the field itself. It is in the record's
    own `__dict__` where it is written. default: as it is given in Python; None if there is none, or if `doc` tells it.
    words: kind of the value, for messages and the page. absent: the value of the default; that of the class without
    one.
    """

    words: str = ""
    item_words: ClassVar[str] = ""  # kind of the scalars in it, if that is another one
    cure_of_nothing: ClassVar[str] = ""  # where its text is empty
    absent: Any = None
    word_rank: ClassVar[int] = 0  # place among the rows of the editor that take a word or text; 0 for none
    reading_rank: ClassVar[int] = 0  # those with a lower one are read first, because the others need them
    is_number: ClassVar[bool] = False  # whether it is one number, which can be stepped
    axes: ClassVar[tuple[str, ...]] = ()  # names of the coordinates of a point
    noun: ClassVar[str] = ""  # of what a word names, for messages; "" for the name of the field
    unit: str = ""
    low: float = 0.0
    high: float = 0.0
    choices: tuple[str, ...] = ()
    record: type[Record] | None = None
    min_count: int = 0  # entries of a list, or characters of a text
    max_count: int = 80
    instead: str = ""  # name of the field that may be written in its place, but not beside it
    name: str = ""  # in a file
    attribute: str = ""  # in Python: with an underscore where the name is a keyword

    def __init__(self, doc: str, default: Any = None, required: bool = False) -> None:
        self.doc = doc
        self.default = default
        self.required = required
        if default is not None:
            self.absent = self.parse(lone_node(plain_value(default, "default")))

    def optional(self) -> Value[T | None]:
        """The same field, which need not be written."""
        self.required = False
        return cast("Value[T | None]", self)

    def unless(self, name: str) -> Self:
        """The same field, in whose place that one may be written."""
        self.instead = name
        return self

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute = attribute
        self.name = attribute.removesuffix("_")

    @overload
    def __get__(self, record: None, owner: type) -> Value[T]: ...
    @overload
    def __get__(self, record: Record, owner: type) -> T: ...
    def __get__(self, record: Record | None, owner: type) -> Value[T] | T:
        if record is None:
            return self
        if record.written and self.name in record.written:
            raise AttributeError(f"{record.kind}: {self.name} is known when the level is built")
        return cast(T, self.absent)

    def read(self, node: YamlNode, spot: Spot) -> T | None:
        """The value of a node; None after a finding was added. Raises ValueFormatError."""
        return self.parse(node)

    def parse(self, node: YamlNode) -> T:
        """As `read`, of a kind that needs to know no more than the node."""
        raise NotImplementedError

    def made(self, value: object, node: YamlNode, name: str) -> T | None:
        """The value given to a record in Python; None where only a level knows it. name: of the field, for messages.

        Raises ValueFormatError, and ValueError for a record of another class.
        """
        return self.parse(node) if type(self).read is Value.read else None

    def scalar(self, node: YamlNode) -> str:
        """Text of a node that is neither list nor mapping."""
        words = self.item_words or self.words
        if not isinstance(node, YamlScalar):
            raise ValueFormatError(node, f"expected {words}, found {describe_node(node)}")
        text = node.text.strip() if node.plain else node.text
        if not text:
            raise ValueFormatError(node, f"expected {words}, found nothing", self.cure_of_nothing)
        return text

    def check_count(self, node: YamlNode, count: int, noun: str = "entries") -> None:
        """Raise ValueFormatError for a list or mapping with more or fewer entries than the field allows."""
        low, high = self.min_count, self.max_count
        if not low <= count <= high:
            if not count:
                raise ValueFormatError(node, "the list is empty")
            expected = f"{low}" if low == high else f"at least {low}" if count < low else f"at most {high}"
            raise ValueFormatError(node, f"expected {expected} {noun}, found {count}")

    # In the editor

    def limits(self) -> str:
        """What it may be, for a message: "a number from 0.01 to 10 m"."""
        return self.words

    def known_words(self, names: KnownNames) -> tuple[str, ...]:
        """Words that may be typed; empty for free text."""
        return self.choices

    def typed_word(self, typed: str, names: KnownNames) -> str:
        """YAML text of a typed word, name or text. EditRefused with the known words, or with what `parse` says."""
        known = self.known_words(names)
        if known and typed not in known:
            hint = suggest_word(typed, known) or f"known are {join_alternatives(known[:8])}"
            raise EditRefused(f"there is no {self.noun or f'`{self.name}`'} `{typed[:40]}`: {hint}")
        if type(self).read is Value.read:
            try:
                self.parse(lone_node(typed))
            except ValueFormatError as error:
                raise EditRefused(f"{error.message}: `{self.name}` is {self.limits()}") from None
        return format_text(typed)

    def next_word(self, present: str, sense: int, names: KnownNames) -> str:
        """YAML text of the word after or before the present one. EditRefused where there are none."""
        words = self.known_words(names)
        if not words:
            raise EditRefused(f"`{self.name}` is {self.limits()}: type it")
        at = words.index(present) + sense if present in words else 0 if sense > 0 else len(words) - 1
        return self.typed_word(words[at % len(words)], names)

    # Its description

    def schema(self, made: SchemaMaker) -> Schema:
        """JSON schema of the value, without words and default."""
        raise NotImplementedError

    def description(self) -> str:
        """The field in one or more sentences."""
        kind = self.kind_text()
        return f"{self.doc} {kind[:1].upper()}{kind[1:]}."

    def kind_text(self) -> str:
        """Its kind, unit and limits: "a number (m), 0 to 100"."""
        return self.words + self.measure_text()

    def measure_text(self) -> str:
        """Its unit and limits, as they follow its kind: " (m), 0 to 100"."""
        limits = self.range_text()
        return (f" ({self.unit})" if self.unit else "") + (f", {limits}" if limits else "")

    def range_text(self) -> str:
        """Its limits; empty where it has none."""
        return ""

    def default_text(self) -> str:
        """Its default as it is written in a file; empty without one."""
        if isinstance(self.default, tuple):
            return "[" + ", ".join(f"{part:g}" for part in self.default) + "]"
        if self.default is None:
            return ""
        if isinstance(self.default, bool):
            return "true" if self.default else "false"
        return f"{self.default:g}" if isinstance(self.default, float) else str(self.default)


class SchemaMaker(Protocol):
    """Maker of the JSON schema of a file."""

    def record(self, record: type[Record]) -> Schema:
        """JSON schema of a record."""


class Record:
    """A mapping of a level file: the level, a piece, a door. Its docstring describes it.

    The fields stand in the order in which the class names them, then those of its bases.

    kind: its name in messages. keeps_broken: it is read even where a required field is missing or wrong. instead: what
    to write instead, by names that are no fields.
    place: of the record, of a piece that of its kind. where: as findings name it ("stairs").
    has_errors: whether there was a finding, other than a warning, about it or anything in it.
    written: the values given in Python, as in a file; None for a record of a file. A record does not change, and two
    that were made in Python are equal if their classes and the values given to them are.
    """

    fields: ClassVar[dict[str, Value[Any]]] = {}  # by name
    kind: ClassVar[str] = ""
    example: ClassVar[str] = ""
    is_piece: ClassVar[bool] = False  # whether it stands in lists of pieces, after its kind
    keeps_broken: ClassVar[bool] = False
    instead: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls) -> None:
        cls.fields = {}
        for base in cls.__mro__:
            for value in vars(base).values():
                if isinstance(value, Value):
                    cls.fields.setdefault(value.name, value)

    def __init__(self, /, **fields: LevelValue) -> None:
        """A record made in Python, for `LevelBuilder`: `Stairs(at=(0, 0, 0), steps=6)`. ValueError for a wrong value.

        Names of surfaces, prefabs and files are looked up when the level is built: until then they are no attributes.
        """
        written = join_fields(None, fields, self.kind)
        self._begin(SourceSpan(), self.kind, written)
        for name, value in zip(written, fields.values(), strict=True):
            field = self.fields.get(name)
            if field is None:
                cure = suggest_word(name, self.fields) or f"the fields are {', '.join(self.fields)}"
                raise ValueError(f"{self.kind}: there is no field {name}; {cure}")
            node = lone_node(written[name])
            try:
                made = field.made(value, node, f"{self.kind}: {name}")
            except ValueFormatError as error:
                cure = f"; {error.cure}" if str(error.cure) else ""
                raise ValueError(f"{self.kind}: {name}: {error.message}{cure}") from None
            if made is not None:
                self.set(field, made, self.place)
        for name, field in self.fields.items():
            if field.instead in written and name in written:
                raise ValueError(f"{self.kind}: {name} and {field.instead} are not written together")
            if field.required and not written.keys() & {name, field.instead}:
                raise ValueError(f"{self.kind}: {field.attribute} is missing: {field.words}. {field.doc}")

    @classmethod
    def begin(cls, place: SourceSpan, where: str) -> Self:
        """A record whose values are then set."""
        record = cls.__new__(cls)
        record._begin(place, where, None)
        return record

    def _begin(self, place: SourceSpan, where: str, written: dict[str, Plain] | None) -> None:
        self.place = place
        self.where = where
        self.has_errors = False
        self.places: dict[str, SourceSpan] = {}  # of the written values, by name of the field
        self.written = written

    def __setattr__(self, name: str, value: object) -> None:
        if name not in RECORD_STATE:
            raise AttributeError(f"{self.kind}: a record does not change; make another {type(self).__name__}(...)")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def _values(self) -> dict[str, object]:
        """The values given in Python; as they are written where only a level knows them."""
        written = self.written or {}
        return {name: self.__dict__.get(self.fields[name].attribute, value) for name, value in written.items()}

    def __eq__(self, other: object) -> bool:
        if self.written is None or type(self) is not type(other):
            return self is other
        return isinstance(other, Record) and other.written is not None and self._values() == other._values()

    def __hash__(self) -> int:
        return id(self) if self.written is None else hash((self.kind, *sorted(self.written)))

    def __repr__(self) -> str:
        if self.written is None:
            return f"<{self.where or self.kind} in line {self.place.line}>"
        given = self._values()
        parts = []
        for name, value in self.written.items():
            field = self.fields[name]
            parts.append(f"{field.attribute}={python_text(value if field.record is None else given[name])}")
        return f"{type(self).__name__}({', '.join(parts)})"

    def as_plain(self) -> Plain:
        """The values given in Python; of a piece with its kind, as in a list of pieces."""
        return {self.kind: self.given()} if self.is_piece else self.given()

    def given(self) -> dict[str, Plain]:
        """The values given in Python. ValueError for a record of a file."""
        if self.written is None:
            raise ValueError(f"{self!r} was read from a file: make another {type(self).__name__}(...)")
        return dict(self.written)

    @classmethod
    def describe(cls) -> str:
        """Its docstring on one line."""
        return " ".join((cls.__doc__ or "").split())

    @classmethod
    def add_field(cls, attribute: str, value: Value[Any]) -> None:
        """A further field, from a table."""
        setattr(cls, attribute, value)
        value.__set_name__(cls, attribute)
        cls.fields[value.name] = value

    def set(self, field: Value[Any], value: object, place: SourceSpan) -> None:
        self.__dict__[field.attribute] = value
        self.places[field.name] = place

    def is_given(self, field: Value[Any]) -> bool:
        """Whether the field is written."""
        return field.name in self.places

    def place_of(self, field: Value[Any]) -> SourceSpan:
        """Position of the value; of the record if the field is not written."""
        return self.places.get(field.name, self.place)

    def where_of(self, field: Value[Any]) -> str:
        """The field as findings name it ("stairs.rise")."""
        return f"{self.where}.{field.name}" if self.where else field.name


R = TypeVar("R", bound=Record)


@dataclass(frozen=True, eq=False, slots=True)
class Prefab:
    """Named pieces from `define`."""

    name: str
    pieces: tuple[Record, ...]


@dataclass(eq=False, slots=True)
class IncludedFile:
    """Included level file: its real path, displayed path and, once read, its pieces.

    surface: index of the surface for pieces that name none; 0 for that of the including file.
    """

    path: Path
    display_path: str
    pieces: tuple[Record, ...] = ()
    surface: int = 0


class FileResolver(Protocol):
    """Access of a reader to other files and to the surfaces that all files of a level share."""

    def resolve_include(self, node: YamlScalar, text: str) -> IncludedFile:
        """Included file of that path, relative to the node's file. It is read later. Raises InputError."""

    def add_surfaces(self, records: dict[str, Any], is_level: bool) -> dict[str, int]:
        """Index of each surface of a file by its name."""


class Spot(NamedTuple):
    """Where a value stands: the reader of its file, its key, and its field as findings name it."""

    reader: Reader
    key: YamlNode
    where: str


class Reader:
    """Reader of the records of one file.

    kinds: of pieces, by name. is_level: False for an included file, whose missing fields are never fatal.
    surfaces: index of each surface that its pieces may name; used_surfaces: the names that they do; new_surfaces: edits
    that define those that are missing, by name (to find one takes long in a large file). prefab_places: of `define`.
    unread: fields of the file that are wrong, or that an unknown name probably stands for. terms: that the present
    record names.
    """

    def __init__(
        self,
        report: FindingCollector,
        files: FileResolver,
        kinds: Mapping[str, type[Record]],
        is_level: bool = True,
    ) -> None:
        self.report = report
        self.files = files
        self.kinds = kinds
        self.is_level = is_level
        self.surfaces: dict[str, int] = {DEFAULT_SURFACE: 0}
        self.used_surfaces: set[str] = set()
        self.new_surfaces: dict[str, Edit | None] = {}
        self.prefabs: dict[str, Prefab] = {}
        self.prefab_places: dict[str, SourceSpan] = {}
        self.terms: dict[str, Any] = {}
        self._checked_texts: set[str] = set()
        self.unread: set[str] = set()
        self.root: YamlMapping | None = None  # of the text of the file, for edits

    def read(self, kind: type[R], node: YamlNode, place: SourceSpan, where: str) -> R | None:
        """Record of a mapping, without the fields whose values are wrong; None if a required field is missing or
        wrong."""
        errors_before = self.report.error_count
        if not where and isinstance(node, YamlMapping) and node.source.text:
            self.root = node
        empty = isinstance(node, YamlScalar) and not node.text
        if not isinstance(node, YamlMapping) and not empty:
            self.report.add(
                "dropped", node.place, where, f"expected fields in {{ }}, found {describe_node(node)}",
                f"for example: {kind.example}" if kind.example else "",
            )  # fmt: skip
            return None
        record = kind.begin(place, where)
        entries, suggested = self._find_fields(node.pairs if isinstance(node, YamlMapping) else [], kind, where)
        severity: Severity
        outer_terms = self.terms
        for field in sorted((kind.fields[name] for name in entries), key=lambda field: field.reading_rank):
            name = field.name
            key, value = entries[name]
            field_where = f"{where}.{name}" if where else name
            try:
                result = field.read(value, Spot(self, key, field_where))
            except ValueFormatError as error:
                severity = "fatal" if field.required and not where and self.is_level else "dropped"
                self.report.add(severity, error.place, field_where, error.message, error.cure)
                self.unread |= set() if where else {name}
                continue
            if result is not None:
                record.set(field, result, value.place)
        self.terms = outer_terms
        is_complete = True
        for field in kind.fields.values():
            if field.instead in entries and field.name in entries:
                is_complete = False
                key, message = entries[field.name][0], f"`{field.name}` and `{field.instead}` are not written together"
                self.report.add("dropped", key.place, record.where_of(field), message, "remove one of them")
            if field.required and not record.places.keys() & {field.name, field.instead}:
                is_complete = False
                if field.name in suggested or entries.keys() & {field.name, field.instead}:
                    continue
                severity = "fatal" if not where and self.is_level else "dropped"
                cure = f"add `{field.name}`: {' / '.join(field.choices) or field.words}. {field.doc}"
                edit = None
                if field.name == "format":
                    cure = f"write `format: {FORMAT}` as the first line"
                    edit = None if where else add_format(node, FORMAT)
                self.report.add(severity, place, where, f"`{field.name}` is missing", cure, edit)
        self._check_fonts(record)
        record.has_errors = self.report.error_count > errors_before
        return record if is_complete or kind.keeps_broken else None

    def _find_fields(
        self, pairs: list[tuple[YamlNode, YamlNode]], kind: type[Record], where: str
    ) -> tuple[dict[str, tuple[YamlNode, YamlNode]], set[str]]:
        """Known fields of a mapping, each once, and the fields suggested for unknown names; the others are reported."""
        entries: dict[str, tuple[YamlNode, YamlNode]] = {}
        suggested: set[str] = set()
        given = {key.text for key, _ in pairs if isinstance(key, YamlScalar)}
        needed = {field.name for field in kind.fields.values() if field.required} - given
        needed |= {"spawn", "spawns"} if given.isdisjoint(("spawn", "spawns")) else set()
        unknown: list[tuple[SourceSpan, str]] = []  # names that are like none of the fields
        for key, value in pairs:
            name = key.text if isinstance(key, YamlScalar) else ""
            if name in entries:
                message = duplicate_message(name, entries[name][0].place)
                self.report.add("dropped", key.place, where, message, "keep one of them")
            elif name in kind.fields:
                entries[name] = (key, value)
            elif name in kind.instead:
                message = f"there is no field {quote_text(name)}"
                self.report.add("dropped", key.place, where, message, kind.instead[name])
            elif meant := self.report.closest_words(name, kind.fields):
                cure = Suggestion(name, meant)
                is_free = suggested.isdisjoint(meant) and given.isdisjoint(meant)
                suggested.update(meant)
                severity: Severity = "dropped"
                if kind.kind == "level":
                    self.unread.update(meant)
                    severity = "fatal" if self.is_level and not needed.isdisjoint(meant) else "dropped"
                message = f"there is no field {quote_text(name)}"
                self.report.add(severity, key.place, where, message, cure if is_free else str(cure))
            else:
                unknown.append((key.place, name))
        if unknown:
            place, first = unknown[0]
            listed = join_alternatives(dict.fromkeys(quote_text(name) for _, name in unknown))
            message = f"there is no field {listed}" if first else "this is not a field name"
            self.report.add("dropped", place, where, message, f"the fields of {kind.kind} are {', '.join(kind.fields)}")
        return entries, suggested

    def _check_fonts(self, record: Record) -> None:
        """Warn of each text that the game draws and that its own fonts do not, once for each text."""
        for name in DRAWN_TEXTS:
            text = record.__dict__.get(name)
            if not isinstance(text, str) or text.isascii() or text in self._checked_texts:
                continue
            self._checked_texts.add(text)
            from ...text.shipped_fonts import characters_without_font

            missing = characters_without_font(text)
            if not missing or "font" in getattr(record, "intended", ()):
                continue
            shown = ", ".join(f"`{char}` (U+{ord(char):04X})" for char in missing[:MAX_SHOWN_CHARACTERS])
            more = len(missing) - MAX_SHOWN_CHARACTERS
            shown += f" and {more} more" if more > 0 else ""
            pronoun = "it" if len(missing) == 1 else "them"
            message = f"{shown} may need a system font: the fonts of the game do not have {pronoun}"
            cure = "a player whose system has no such font sees a box"
            cure += "; if that is fine, add `intended: [font]`" if "intended" in record.fields else ""
            field = record.fields[name]
            self.report.add("warning", record.place_of(field), record.where_of(field), message, cure)
