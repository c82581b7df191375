"""The files that one level is made of: what it includes is found, read once each, and bounded all together."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from .file_access import allowed_root, resolve_existing_file, resolve_path
from .findings import InputError, SourceSpan, quote_text, sanitize_text
from .reader import RecordReader
from .records import IncludedFile, RecordValues
from .schema import DEFAULT_SURFACE, FORMAT, LEVEL, MAX_INCLUDED_FILES
from .source import MAX_LEVEL_BYTES, LevelSource, check_level_root, decode_yaml_text, read_level_bytes
from .surfaces import SurfaceTable
from .yaml_nodes import YamlScalar, compose_nodes

INCLUDE_EXTENSIONS = (".yaml", ".yml")
MAX_INCLUDE_LOOKUPS = 1000  # names of files that are looked for
FIELDS_READ_FIRST = ("format", "surfaces", "define")  # fields that others speak of


class IncludeLoader:
    """Reads a level and its parts; `parts` by their real paths, in the order in which they are asked for."""

    def __init__(self, source: LevelSource) -> None:
        self.report = source.report
        self.palette = SurfaceTable()
        self.parts: dict[Path, IncludedFile] = {}
        self._source = source
        self._usage = source.root.source.usage
        self._bytes = len(source.report.texts[""].encode("utf-8", "surrogatepass"))
        self._unread: list[IncludedFile] = []
        self._lookups: dict[tuple[str, str], IncludedFile | InputError] = {}  # by the file that asks and what it says
        self._lookup_count = 0

    def read(self) -> tuple[RecordValues, RecordReader]:
        """The level's own fields; and its reader, which knows the names in it. All that it includes is read too."""
        reader = RecordReader(self.report, self)
        values = reader.read_record(
            LEVEL, self._source.root, SourceSpan(1, 1), "", first=FIELDS_READ_FIRST, lenient=True
        )
        assert values is not None, "a lenient record is always read"
        if values.is_given("format") and values.integer("format") != FORMAT:
            self.report.add("fatal", values.place_of("format"), "format", *_unknown_format_message(values))
        while self._unread:
            self._read_file(self._unread.pop(0))
        return values, reader

    def sources(self) -> dict[str, Path]:
        """The real path of each file by `Place.file`."""
        return {"": self._source.path, **{part.shown: part.path for part in self.parts.values()}}

    def add_surfaces(self, named: dict[str, RecordValues], own: bool) -> dict[str, int]:
        return self.palette.add_surfaces(named, own)

    def resolve_include(self, node: YamlScalar, text: str) -> IncludedFile:
        """The part that is included by that path; raises Refused where no such file may be read."""
        asked = (node.source.file, text)
        if asked not in self._lookups:
            try:
                self._lookups[asked] = self._find_file(*asked)
            except InputError as refused:
                self._lookups[asked] = refused
        found = self._lookups[asked]
        if isinstance(found, InputError):
            raise found
        return found

    def _find_file(self, within: str, text: str) -> IncludedFile:
        self._lookup_count += 1
        if self._lookup_count > MAX_INCLUDE_LOOKUPS:
            raise InputError(f"the level names more than {MAX_INCLUDE_LOOKUPS} files", "remove some of them")
        file = self.sources()[within]
        try:
            home, level = allowed_root(self._source.path), self._source.path.resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise InputError(f"{quote_text(text)} cannot be followed: {sanitize_text(str(error), 100)}") from None
        self.report.add_dependency(
            resolve_path(file, text, INCLUDE_EXTENSIONS, home=home)
        )  # found or not: it may come to be
        path = resolve_existing_file(file, text, INCLUDE_EXTENSIONS, MAX_LEVEL_BYTES, home=home)
        if path == level:
            raise InputError("the level includes itself", "choose another file")
        part = self.parts.get(path)
        if part is None:
            if len(self.parts) >= MAX_INCLUDED_FILES:
                raise InputError(f"the level includes more than {MAX_INCLUDED_FILES} files", "merge some of them")
            folder = os.path.dirname(within or str(self._source.path))
            shown = sanitize_text(os.path.normpath(os.path.join(folder, text)), 400)
            part = self.parts[path] = IncludedFile(path, shown)
            self._unread.append(part)
        return part

    def _read_file(self, part: IncludedFile) -> None:
        """What is wrong in it is told where it stands there; what makes it unreadable leaves it without pieces."""
        report = self.report
        report.add_dependency(part.path)
        report.texts[part.shown] = ""
        try:
            data = read_level_bytes(part.path, report)
            self._bytes += len(data)
            if self._bytes > MAX_LEVEL_BYTES:
                message = f"with this file the level is larger than the limit, {MAX_LEVEL_BYTES // 2**20} MiB"
                raise InputError(message, "include less")
            report.texts[part.shown] = decode_yaml_text(data)
            root = check_level_root(compose_nodes(report.texts[part.shown], part.shown, self._usage))
        except InputError as refused:
            place = replace(refused.place, file=part.shown)
            report.add("dropped", place, "", refused.message, refused.cure)
            return
        reader = RecordReader(report, self, own=False)
        values = reader.read_record(
            LEVEL, root, SourceSpan(1, 1, file=part.shown), "", first=FIELDS_READ_FIRST, lenient=True
        )
        assert values is not None, "a lenient record is always read"
        if values.is_given("format") and values.integer("format") != FORMAT:
            report.add("dropped", values.place_of("format"), "format", *_unknown_format_message(values))
            return
        part.pieces = values.pieces("pieces")
        part.surface = reader.surfaces[DEFAULT_SURFACE]


def _unknown_format_message(values: RecordValues) -> tuple[str, str]:
    return f"format {values.integer('format')} is not supported", f"this version reads `format: {FORMAT}`"
