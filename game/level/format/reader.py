"""Reader: YAML nodes become checked values by the schema. Every problem becomes a finding, all in one pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from . import values
from .findings import FindingCollector, InputError, Severity, SourceSpan, join_alternatives, latin_letters, quote_text
from .mistakes.outdented_fields import outdented_field_cure, outdented_piece_cure
from .mistakes.value_cures import curly_quoted, joined_field_cure, with_fraction, writing_cure
from .pictures import read_picture_value
from .records import IncludedFile, PieceRecord, Prefab, RecordValues
from .schema import DEFAULT_SURFACE, PIECE_RECORDS
from .schema.fields import SYNONYMS, SchemaField, SchemaRecord, ValueKind
from .schema.other_names import field_cure, piece_cure, prefab_cure
from .values import ValueFormatError
from .yaml_nodes import YamlList, YamlMapping, YamlNode, YamlScalar, duplicate_message, join_lists

MAX_NAME_LENGTH = 60  # characters in the name of a surface or prefab
DRAWN_TEXTS = ("name", "text", "about", "aim")  # fields whose text the game draws
MATERIALS = (("metal", "iron", "steel"), ("wood", "timber", "planks"), ("stone", "rock"))  # words for one look
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
    surfaces: index of each surface that its pieces may name; used_surfaces: the names that they do; prefab_places,
    used_prefabs: those of `define`. misnamed: fields of the file that an unknown name probably stands for.
    """

    def __init__(self, report: FindingCollector, files: FileResolver, is_level: bool = True) -> None:
        self.report = report
        self.files = files
        self.is_level = is_level
        self.surfaces: dict[str, int] = {DEFAULT_SURFACE: 0}
        self.used_surfaces: set[str] = set()
        self._surface_letters: dict[str, list[str]] = {}  # names by what they look like
        self.prefabs: dict[str, Prefab] = {}
        self.prefab_places: dict[str, SourceSpan] = {}
        self.used_prefabs: set[str] = set()
        self._checked_texts: set[str] = set()
        self.misnamed: set[str] = set()

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
                cure = writing_cure(value) or error.cure
                self.report.add(severity, error.place, f"{where}.{name}" if where else name, error.message, cure)
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
                self.report.add(severity, place, where, f"`{field.name}` is missing", _missing_field_cure(field))
        self._check_fonts(record_values)
        self._check_quotes(record_values, {name: value for name, (_, value) in entries.items()})
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

    def _check_quotes(self, record_values: RecordValues, nodes: Mapping[str, YamlNode]) -> None:
        """Warn of each text whose curly quotation marks are part of it."""
        for name, node in nodes.items():
            if isinstance(record_values.value(name), str) and (quoted := curly_quoted(node)):
                where = f"{record_values.where}.{name}" if record_values.where else name
                cure = f'use straight quotes: write "{quoted}"'
                self.report.add("warning", node.place, where, "the curly quotation marks are part of the text", cure)

    def read_pieces(self, node: YamlNode, field: SchemaField, where: str) -> tuple[PieceRecord, ...]:
        """Pieces of a list. Unusable ones are reported and left out."""
        if not isinstance(node, YamlList):
            cure = ""
            if isinstance(node, YamlMapping):
                kind = node.first_name if node.first_name in PIECE_RECORDS else "box"
                cure = f"write `{field.name}: [{kind}: {{...}}]`, or start each piece with `- `"
                if node.pairs and node.pairs[0][1].place.line > node.place.line:
                    cure = f"start each piece with `- `, and indent its fields further than `{kind}`"
            raise ValueFormatError(node, f"expected a list of pieces, found {values.describe_node(node)}", cure)
        if len(node.items) > field.max_count:
            raise ValueFormatError(
                node, f"the list has {len(node.items)} entries; the limit is {field.max_count}", "use `array` or `tile`"
            )
        if not node.items:
            raise ValueFormatError(node, "the list has no pieces")
        pieces = [self._read_piece(item, where) for item in node.items]
        self.report.has_gaps = self.report.has_gaps or None in pieces
        return tuple(piece for piece in pieces if piece is not None)

    def _read_piece(self, node: YamlNode, where: str) -> PieceRecord | None:
        if not isinstance(node, YamlMapping) or not node.pairs:
            message = f"expected a piece, found {values.describe_node(node)}"
            text = node.text if isinstance(node, YamlScalar) else ""
            cure = (
                f"write `{text}: {{...}}`" if text in PIECE_RECORDS else "write `- floor: {from: [0, 0], to: [4, 4]}`"
            )
            self.report.add("dropped", node.place, where, message, cure)
            return None
        key, value = node.pairs[0]
        kind = key.text if isinstance(key, YamlScalar) else ""
        if kind not in PIECE_RECORDS:
            name, colon, rest = kind.partition(":")
            cure = (
                (
                    f"write {quote_text(f'{name}: {rest}')}, with a space after the colon"
                    if colon and name in PIECE_RECORDS
                    else ""
                )
                or piece_cure(kind, value.text if isinstance(value, YamlScalar) else "", PIECE_RECORDS)
                or self.report.suggest_word_if_room(kind, PIECE_RECORDS, SYNONYMS)
                or f"the pieces are {', '.join(PIECE_RECORDS)}"
            )
            self.report.add("dropped", key.place, where, f"there is no piece {quote_text(kind)}", cure)
            return None
        if len(node.pairs) > 1:
            other = node.pairs[1][0]
            key_text = quote_text(other.text) if isinstance(other, YamlScalar) else "this"
            rest = f", and all to line {node.pairs[-1][0].place.line}, two spaces" if len(node.pairs) > 2 else ""
            cure = outdented_field_cure(other, node, node.pairs[-1][0]) or "start each piece with `- `"
            if isinstance(value, YamlScalar) and not value.text:
                cure = f"indent {key_text}{rest} further than `{kind}`"
            self.report.add("dropped", other.place, kind, f"{key_text} is next to `{kind}`, not inside it", cure)
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
        bare_numbers = sum(isinstance(key, YamlScalar) and key.text.rstrip(")").isdigit() for key, _ in pairs) > 1
        unknown: dict[tuple[str, bool, str], list[tuple[SourceSpan, str]]] = {}  # by cure
        last = ""
        before: YamlNode | None = None  # the value of the field before, whether that is known or not
        for key, value in pairs:
            name = key.text if isinstance(key, YamlScalar) else ""
            before, previous = value, before
            if name in entries:
                first, earlier = entries[name]
                message = duplicate_message(name, first.place)
                both = join_lists(earlier, value)
                entries[name] = (first, both or earlier)
                cure = "remove this line: the two lists are read as one" if both else "keep one of them"
                self.report.add("warning" if both else "dropped", key.place, where, message, cure)
            elif name in names:
                entries[name] = (key, value)
                last = name
            elif previous is not None and (whole := with_fraction(previous, key, value)) is not None:
                if last and entries[last][1] is previous:
                    entries[last] = (entries[last][0], whole)
            else:
                outdented = outdented_piece_cure(key, previous) if f"{name}s" not in names else None
                self.report.has_gaps |= outdented is not None
                fitting = outdented or joined_field_cure(name, names)
                suggestion, replaced = fitting or field_cure(record, name, PIECE_RECORDS)
                suggested.update(replaced)
                suggestion = suggestion or self.report.suggest_word_if_room(name, names, SYNONYMS)
                meant = {field for field in names if suggestion.startswith(f"did you mean `{field}`?")}
                suggested |= meant
                cure = (
                    suggestion
                    or ('use straight quotes: "..."' if name.endswith(("”", "“")) else "")
                    or ("put points in square brackets: [x, y, z]" if bare_numbers and name[:1].isdigit() else "")
                    or ('put an expression with a comma in quotes: "min(1, 2)"' if name.endswith(")") else "")
                    or f"the fields of {record.name} are {', '.join(names)}"
                )
                if record.name == "level" and meant:
                    self.misnamed |= meant
                    self.report.has_gaps = True
                is_fatal = record.name == "level" and self.is_level and bool(meant & needed)
                unknown.setdefault((cure, is_fatal, name if meant else ""), []).append((key.place, name))
        for (cure, is_fatal, _), found in unknown.items():
            listed = join_alternatives(dict.fromkeys(quote_text(name) for _, name in found))
            message = f"there is no field {listed}" if found[0][1] else "this is not a field name"
            self.report.add("fatal" if is_fatal else "dropped", found[0][0], where, message, cure)
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
        self.used_surfaces.update(self._surface_letters.get(latin_letters(name), ()))
        alike = next((words for words in MATERIALS if name.lower() in words), ())
        synonyms = {name.lower(): surface for surface in self.surfaces if surface.lower() in alike}
        cure = (
            self.report.suggest_word_if_room(name, self.surfaces, synonyms)
            or f"define {quote_text(name)} under `surfaces:`"
        )
        self.report.add("dropped", node.place, where, f"there is no surface {quote_text(name)}", cure)
        return None

    def _read_paint(self, field: SchemaField, node: YamlNode, where: str) -> dict[str, tuple[int, SourceSpan]]:
        """By material name of a model: index of the surface, and position of the name."""
        if not isinstance(node, YamlMapping):
            raise ValueFormatError(
                node, f"expected names with surfaces, found {values.describe_node(node)}", "write {wood: planks}"
            )
        if len(node.pairs) > field.max_count:
            raise ValueFormatError(node, f"the list has {len(node.pairs)} entries; the limit is {field.max_count}")
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
        if len(node.items) > field.max_count:
            raise ValueFormatError(node, f"the list has {len(node.items)} entries; the limit is {field.max_count}")
        if len(node.items) < field.min_count:
            raise ValueFormatError(node, "the list is empty", f"add an entry, for example {field.record.example}")
        entries = (self.read_record(field.record, item, item.place, where) for item in node.items)
        return tuple(entry for entry in entries if entry is not None)

    def _read_name_mapping(
        self, field: SchemaField, node: YamlNode, where: str, content: str, cure: str
    ) -> list[tuple[str, YamlNode, YamlNode]]:
        """Names that the author chose, each once, with the nodes of key and value."""
        if not isinstance(node, YamlMapping):
            raise ValueFormatError(node, f"expected names with {content}, found {values.describe_node(node)}", cure)
        if len(node.pairs) > field.max_count:
            raise ValueFormatError(node, f"the list has {len(node.pairs)} entries; the limit is {field.max_count}")
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
        self._surface_letters = {latin_letters(known): [known] for known in self.surfaces}
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
            self.used_prefabs.add(name)
            return self.prefabs[name]
        if "define" in self.misnamed:
            return None
        if name in self.prefab_places:
            line = self.prefab_places[name].line
            message = f"{quote_text(name)} is not defined yet here; its definition is on line {line}"
            cure = "a prefab can place only prefabs defined above it"
        else:
            message = f"there is no prefab {quote_text(name)}"
            near = self.report.suggest_word_if_room(name, self.prefabs)
            cure = near or prefab_cure(name, PIECE_RECORDS, self.prefabs)
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
