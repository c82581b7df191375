"""Reader: YAML nodes become checked values by the schema. Every problem becomes a finding, all in one pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from . import values
from .findings import (
    FindingCollector,
    InputError,
    Severity,
    SourceSpan,
    Suggestion,
    join_alternatives,
    quote_text,
)
from .pictures import read_picture_value
from .records import IncludedFile, PieceRecord, Prefab, RecordValues
from .schema import DEFAULT_SURFACE, FORMAT, PIECE_RECORDS
from .schema.fields import SchemaField, SchemaRecord, ValueKind
from .values import ValueFormatError
from .yaml_layout import add_format, define_surface
from .yaml_nodes import YamlList, YamlMapping, YamlNode, YamlScalar, duplicate_message

MAX_NAME_LENGTH = 60  # characters in the name of a surface or prefab
DRAWN_TEXTS = ("name", "text", "about", "aim")  # fields whose text the game draws
POINT_AXES = ("x", "y", "z")  # the numbers of a point, for messages
RADII_AXES = ("right", "up", "ahead")  # the three radii, for messages


class FileResolver(Protocol):
    """Access of a reader to other files and to the surfaces that all files of a level share."""

    def resolve_include(self, node: YamlScalar, text: str) -> IncludedFile:
        """Included file of that path, relative to the node's file. It is read later. Raises InputError."""

    def add_surfaces(self, records: dict[str, RecordValues], is_level: bool) -> dict[str, int]:
        """Index of each surface of a file by its name."""


class RecordReader:
    """Reader of the records of one file.

    is_level: False for an included file, whose missing fields are never fatal.
    surfaces: index of each surface that its pieces may name; used_surfaces: the names that they do; prefab_places: of
    `define`. misnamed: fields of the file that an unknown name probably stands for.
    """

    def __init__(self, report: FindingCollector, files: FileResolver, is_level: bool = True) -> None:
        self.report = report
        self.files = files
        self.is_level = is_level
        self.surfaces: dict[str, int] = {DEFAULT_SURFACE: 0}
        self.used_surfaces: set[str] = set()
        self.prefabs: dict[str, Prefab] = {}
        self.prefab_places: dict[str, SourceSpan] = {}
        self._checked_texts: set[str] = set()
        self.misnamed: set[str] = set()
        self._root: YamlMapping | None = None

    def read_record(
        self,
        record: SchemaRecord,
        node: YamlNode,
        place: SourceSpan,
        where: str,
        first: tuple[str, ...] = (),
        lenient: bool = False,
    ) -> RecordValues | None:
        """Checked fields of a mapping; None if a required field is missing or a value is wrong.

        lenient: return the record anyway, with defaults for wrong values. first: names of fields to read first.
        """
        errors_before = self.report.error_count
        if not where and isinstance(node, YamlMapping):
            self._root = node
        empty = isinstance(node, YamlScalar) and not node.text
        if not isinstance(node, YamlMapping) and not empty:
            self.report.add(
                "dropped", node.place, where, f"expected fields in {{ }}, found {values.describe_node(node)}",
                f"for example: {record.example}" if record.example else "",
            )  # fmt: skip
            return None
        record_values = RecordValues(record, place, where)
        entries, suggested = self._read_fields(node.pairs if isinstance(node, YamlMapping) else [], record, where)
        complete = True
        severity: Severity
        for name in sorted(entries, key=lambda name: first.index(name) if name in first else len(first)):
            field = record.field(name)
            assert field is not None
            key, value = entries[name]
            try:
                result = self._read_value(field, value, key.place, f"{where}.{name}" if where else name)
            except ValueFormatError as error:
                severity = "fatal" if field.required and not where and self.is_level else "dropped"
                self.report.add(severity, error.place, f"{where}.{name}" if where else name, error.message, error.cure)
                complete = complete and record.keeps_defaults and not field.required
                continue
            if result is None:
                complete = complete and field.kind is not ValueKind.RECORD and not field.required
                continue
            record_values.set(name, result, value.place)
        for field in record.fields:
            if field.required and field.name not in entries:
                complete = False
                severity = "fatal" if not where and self.is_level else "dropped"
                if field.name in suggested:
                    continue
                edit = add_format(node, FORMAT) if field.name == "format" and not where else None
                cure = _missing_field_cure(field)
                self.report.add(severity, place, where, f"`{field.name}` is missing", cure, edit)
        self._check_fonts(record_values)
        record_values.has_errors = self.report.error_count > errors_before
        if complete or lenient or record.keeps_broken:
            return record_values
        self.report.has_gaps = self.report.has_gaps or not where.startswith("tests")
        return None

    def _check_fonts(self, record_values: RecordValues) -> None:
        """Warn of each text that the game draws and that its own fonts do not, once for each text."""
        for name in DRAWN_TEXTS:
            text = record_values.value(name)
            if not isinstance(text, str) or text.isascii() or text in self._checked_texts:
                continue
            self._checked_texts.add(text)
            message, cure = values.font_warning(text)
            can_intend = record_values.has_field("intended")
            if message and not (can_intend and "font" in record_values.word_list("intended")):
                where = f"{record_values.where}.{name}" if record_values.where else name
                cure += "; if that is fine, add `intended: [font]`" if can_intend else ""
                self.report.add("warning", record_values.place_of(name), where, message, cure)

    def read_pieces(self, node: YamlNode, field: SchemaField, where: str) -> tuple[PieceRecord, ...]:
        """Pieces of a list. Unusable ones are reported and left out."""
        if not isinstance(node, YamlList):
            message = f"expected a list of pieces, found {values.describe_node(node)}"
            raise ValueFormatError(node, message, "start each piece with `- `")
        if not node.items:
            raise ValueFormatError(node, "the list has no pieces")
        values.check_count(node, len(node.items), field, "pieces")
        pieces = [self._read_piece(item, where) for item in node.items]
        self.report.has_gaps = self.report.has_gaps or None in pieces
        return tuple(piece for piece in pieces if piece is not None)

    def _read_piece(self, node: YamlNode, where: str) -> PieceRecord | None:
        if not isinstance(node, YamlMapping) or not node.pairs:
            message = f"expected a piece, found {values.describe_node(node)}"
            self.report.add("dropped", node.place, where, message, "write `- floor: {from: [0, 0], to: [4, 4]}`")
            return None
        key, value = node.pairs[0]
        kind = key.text if isinstance(key, YamlScalar) else ""
        if kind not in PIECE_RECORDS:
            known = f"the pieces are {', '.join(PIECE_RECORDS)}"
            cure = Suggestion(kind, self.report.closest_words(kind, PIECE_RECORDS), known)
            self.report.add("dropped", key.place, where, f"there is no piece {quote_text(kind)}", cure)
            return None
        if len(node.pairs) > 1:
            other = node.pairs[1][0]
            key_text = quote_text(other.text) if isinstance(other, YamlScalar) else "this"
            advice = f"indent a field of the {kind} further than `{kind}`; start another piece with `- `"
            self.report.add("dropped", other.place, kind, f"{key_text} is next to `{kind}`, not inside it", advice)
            return None
        place = key.place
        record_values = self.read_record(PIECE_RECORDS[kind], value, place, kind)
        return PieceRecord(kind, record_values, place) if record_values is not None else None

    def _read_fields(
        self, pairs: list[tuple[YamlNode, YamlNode]], record: SchemaRecord, where: str
    ) -> tuple[dict[str, tuple[YamlNode, YamlNode]], set[str]]:
        """Known fields of a mapping, each once, and the fields suggested for unknown names; the others are reported."""
        entries: dict[str, tuple[YamlNode, YamlNode]] = {}
        suggested: set[str] = set()
        names = [field.name for field in record.fields]
        given = {key.text for key, _ in pairs if isinstance(key, YamlScalar)}
        needed = {field.name for field in record.fields if field.required} - given
        needed |= {"spawn", "spawns"} if given.isdisjoint(("spawn", "spawns")) else set()
        unknown: list[tuple[SourceSpan, str]] = []  # names that are like none of the fields
        for key, value in pairs:
            name = key.text if isinstance(key, YamlScalar) else ""
            if name in entries:
                message = duplicate_message(name, entries[name][0].place)
                self.report.add("dropped", key.place, where, message, "keep one of them")
                self.report.has_gaps |= record.name == "level"
            elif name in names:
                entries[name] = (key, value)
            elif name in record.instead:
                message = f"there is no field {quote_text(name)}"
                self.report.add("dropped", key.place, where, message, record.instead[name])
            elif meant := self.report.closest_words(name, names):
                cure = Suggestion(name, meant)
                is_free = suggested.isdisjoint(meant) and given.isdisjoint(meant)
                suggested.update(meant)
                severity: Severity = "dropped"
                if record.name == "level":
                    self.misnamed.update(meant)
                    self.report.has_gaps = True
                    severity = "fatal" if self.is_level and not needed.isdisjoint(meant) else "dropped"
                message = f"there is no field {quote_text(name)}"
                self.report.add(severity, key.place, where, message, cure if is_free else str(cure))
            else:
                unknown.append((key.place, name))
        if unknown:
            place, first = unknown[0]
            listed = join_alternatives(dict.fromkeys(quote_text(name) for _, name in unknown))
            message = f"there is no field {listed}" if first else "this is not a field name"
            self.report.add("dropped", place, where, message, f"the fields of {record.name} are {', '.join(names)}")
        return entries, suggested

    def _read_value(self, field: SchemaField, node: YamlNode, key: SourceSpan, where: str) -> object:
        """Value of one field by its kind; None after a finding was added. Raises ValueFormatError."""
        match field.kind:
            case ValueKind.NUMBER:
                return values.parse_number(node, field)
            case ValueKind.INTEGER:
                return values.parse_integer(node, field)
            case ValueKind.TEXT:
                return values.parse_text(node, field)
            case ValueKind.FLAG:
                return values.parse_flag(node, field)
            case ValueKind.POINT:
                return values.parse_point(node, field, RADII_AXES if field.name == "radii" else POINT_AXES)
            case ValueKind.PLAN:
                return values.parse_point(node, field, ("x", "z"))
            case ValueKind.CORNERS:
                return values.parse_corners(node, field)
            case ValueKind.SCALE:
                return values.parse_scale(node, field)
            case ValueKind.FORMULA:
                return values.parse_formula(node, field)
            case ValueKind.SPAN:
                return values.parse_span(node, field)
            case ValueKind.GRID:
                return values.parse_grid(node, field)
            case ValueKind.ANGLE:
                return values.parse_angle(node, field)
            case ValueKind.COLOUR:
                return values.parse_colour(node, field)
            case ValueKind.CHOICE:
                return values.parse_choice(node, field)
            case ValueKind.CHOICES:
                return values.parse_choices(node, field)
            case ValueKind.SURFACE:
                return self._read_surface_name(field, node, where)
            case ValueKind.PAINT:
                return self._read_paint(field, node, where)
            case ValueKind.PIECES:
                return self.read_pieces(node, field, where)
            case ValueKind.RECORD:
                assert field.record is not None
                return self.read_record(field.record, node, key, where, lenient=field.name in ("sky", "sun"))
            case ValueKind.RECORDS:
                return self._read_records(field, node, where)
            case ValueKind.NAMED:
                return self._read_surfaces(field, node, where)
            case ValueKind.PREFABS:
                return self._read_prefabs(field, node, where)
            case ValueKind.PREFAB:
                return self._read_prefab_name(field, node, where)
            case ValueKind.PART:
                return self._read_include(field, node)
            case ValueKind.PICTURE | ValueKind.FACTOR | ValueKind.GLOW | ValueKind.SIZE | ValueKind.PAIR:
                return read_picture_value(node, field)
            case _:  # kinds of tests and `player`, which most levels do not have
                from .level_tests.values import read_test_value

                return read_test_value(self, field, node, key, where)

    def _read_surface_name(self, field: SchemaField, node: YamlNode, where: str) -> int | None:
        name = values.parse_scalar(node, field)
        if name in self.surfaces:
            self.used_surfaces.add(name)
            return self.surfaces[name]
        if "surfaces" in self.misnamed:
            return None
        near = self.report.closest_words(name, self.surfaces)
        cure = Suggestion(name, near, f"define {quote_text(name)} under `surfaces:`")
        edit = define_surface(self._root, name) if self._root is not None and not near else None
        self.report.add("dropped", node.place, where, f"there is no surface {quote_text(name)}", cure, edit)
        return None

    def _read_paint(self, field: SchemaField, node: YamlNode, where: str) -> dict[str, tuple[int, SourceSpan]]:
        """By material name of a model: index of the surface, and position of the name."""
        if not isinstance(node, YamlMapping):
            raise ValueFormatError(
                node, f"expected names with surfaces, found {values.describe_node(node)}", "write {wood: planks}"
            )
        values.check_count(node, len(node.pairs), field)
        paint: dict[str, tuple[int, SourceSpan]] = {}
        for key, value in node.pairs:
            name = key.text if isinstance(key, YamlScalar) else ""
            if name in paint:
                self.report.add(
                    "dropped", key.place, where, duplicate_message(name, paint[name][1]), "keep one of them"
                )
                continue
            try:
                surface = self._read_surface_name(field, value, f"{where}.{name}")
            except ValueFormatError as error:
                self.report.add("dropped", error.place, f"{where}.{name}", error.message, error.cure)
                continue
            if surface is not None:
                paint[name] = (surface, key.place)
        return paint

    def _read_records(self, field: SchemaField, node: YamlNode, where: str) -> tuple[RecordValues, ...]:
        assert field.record is not None
        if not isinstance(node, YamlList):
            raise ValueFormatError(
                node, f"expected a list, found {values.describe_node(node)}", "put it in [ ], or start it with `- `"
            )
        if not node.items and field.min_count:
            raise ValueFormatError(node, "the list is empty", f"add an entry, for example {field.record.example}")
        values.check_count(node, len(node.items), field)
        entries = (self.read_record(field.record, item, item.place, where) for item in node.items)
        return tuple(entry for entry in entries if entry is not None)

    def _read_name_mapping(
        self, field: SchemaField, node: YamlNode, where: str, content: str, cure: str
    ) -> list[tuple[str, YamlNode, YamlNode]]:
        """Names that the author chose, each once, with the nodes of key and value."""
        if not isinstance(node, YamlMapping):
            raise ValueFormatError(node, f"expected names with {content}, found {values.describe_node(node)}", cure)
        values.check_count(node, len(node.pairs), field)
        entries: dict[str, tuple[str, YamlNode, YamlNode]] = {}
        for key, value in node.pairs:
            name = key.text if isinstance(key, YamlScalar) else ""
            if not name or len(name) > MAX_NAME_LENGTH or not name.isprintable():
                self.report.add(
                    "dropped", key.place, where, f"{quote_text(name)} is not a valid name", "use up to 60 letters"
                )
            elif name in entries:
                message = duplicate_message(name, entries[name][1].place)
                self.report.add("dropped", key.place, where, message, "give it another name")
            else:
                entries[name] = (name, key, value)
        return list(entries.values())

    def _read_surfaces(self, field: SchemaField, node: YamlNode, where: str) -> dict[str, RecordValues]:
        """Records of `surfaces`. Their indices become known to the pieces of this file."""
        assert field.record is not None
        records: dict[str, RecordValues] = {}
        for name, key, value in self._read_name_mapping(field, node, where, "fields", f"write {field.record.example}"):
            record_values = self.read_record(field.record, value, key.place, f"{where}.{name}", lenient=True)
            if record_values is not None:
                records[name] = record_values
        self.surfaces = self.files.add_surfaces(records, self.is_level)
        return records

    def _read_prefabs(self, field: SchemaField, node: YamlNode, where: str) -> dict[str, Prefab]:
        """Prefabs of `define`. Each may place those before it."""
        assert field.record is not None
        names = self._read_name_mapping(field, node, where, "pieces", f"write {field.record.example}")
        self.prefab_places = {name: key.place for name, key, _ in names}
        inner = field.record.fields[0]
        for name, key, value in names:
            pieces: tuple[PieceRecord, ...] = ()
            prefab_path = f"{where}.{name}"
            try:
                if isinstance(value, YamlMapping) and value.first_name not in PIECE_RECORDS:
                    record_values = self.read_record(field.record, value, key.place, prefab_path)
                    pieces = record_values.pieces(inner.name) if record_values is not None else ()
                else:
                    pieces = self.read_pieces(value, replace(inner, name=name), prefab_path)
            except ValueFormatError as error:
                self.report.add("dropped", error.place, prefab_path, error.message, error.cure)
            self.prefabs[name] = Prefab(name, pieces)
        return self.prefabs

    def _read_prefab_name(self, field: SchemaField, node: YamlNode, where: str) -> Prefab | None:
        name = values.parse_scalar(node, field)
        if name in self.prefabs:
            return self.prefabs[name]
        if "define" in self.misnamed:
            return None
        cure: str | Suggestion
        if name in self.prefab_places:
            line = self.prefab_places[name].line
            message = f"{quote_text(name)} is not defined yet here; its definition is on line {line}"
            cure = "a prefab can place only prefabs defined above it"
        else:
            message = f"there is no prefab {quote_text(name)}"
            near = self.report.closest_words(name, self.prefabs)
            cure = Suggestion(name, near, f"define {quote_text(name)} under `define:`")
        self.report.add("dropped", node.place, where, message, cure)
        return None

    def _read_include(self, field: SchemaField, node: YamlNode) -> IncludedFile:
        text = values.parse_text(node, field)
        assert isinstance(node, YamlScalar)
        try:
            return self.files.resolve_include(node, text)
        except InputError as error:
            raise ValueFormatError(node, error.message, error.cure) from None


def _missing_field_cure(field: SchemaField) -> str:
    if field.name == "format":
        return "write `format: 1` as the first line"
    return f"add `{field.name}`: {' / '.join(field.choices) or field.kind.value}. {field.doc}"
