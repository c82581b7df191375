"""Includes: the files of one level are resolved and read once each, within common bounds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ...core.user_folders import LEVEL_SUFFIXES
from .file_access import allowed_root, resolve_existing_file, resolve_path
from .findings import InputError, Severity, SourceSpan, quote_text, sanitize_text
from .level_file import LevelFields
from .pictures import PictureFinder
from .record import DEFAULT_SURFACE, FORMAT, IncludedFile, Reader, Record
from .source import MAX_LEVEL_BYTES, LevelSource, check_level_root, decode_yaml_text, read_level_bytes
from .surfaces import SurfaceFields, SurfaceTable
from .yaml_nodes import YamlScalar, compose_nodes

MAX_INCLUDED_FILES = 64
MAX_INCLUDE_LOOKUPS = 1000  # different names that the files of a level may include


class IncludeLoader:
    """Reader of a level and its included files. `included`: by real path, in the order of first use.

    kinds: of pieces, by name. decodes_pictures: see `PictureFinder`.
    """

    def __init__(self, source: LevelSource, kinds: Mapping[str, type[Record]], decodes_pictures: bool = False) -> None:
        self.report = source.report
        self.pictures = PictureFinder(source.report, source.path, self.sources, decodes_pictures)
        self.palette = SurfaceTable(self.pictures)
        self.included: dict[Path, IncludedFile] = {}
        self._source = source
        self._kinds = kinds
        self._usage = source.root.source.usage
        self._bytes = len(source.report.texts[""].encode("utf-8", "surrogatepass"))
        self._unread: list[IncludedFile] = []
        self._lookups: dict[tuple[str, str], IncludedFile | InputError] = {}  # by including file and path
        self._lookup_count = 0

    def read(self) -> tuple[LevelFields, Reader]:
        """Fields of the level and the reader of its own file. All included files are read as well."""
        reader = Reader(self.report, self, self._kinds)
        level = reader.read(LevelFields, self._source.root, SourceSpan(1, 1), "")
        assert level is not None, "it keeps its mistakes"
        self._check_format(level, "fatal")
        while self._unread:
            self._read_file(self._unread.pop(0))
        return level, reader

    def sources(self) -> dict[str, Path]:
        """Real path of each file by its `SourceSpan.file`."""
        return {"": self._source.path, **{included.display_path: included.path for included in self.included.values()}}

    def add_surfaces(self, records: dict[str, SurfaceFields], is_level: bool) -> dict[str, int]:
        return self.palette.add_surfaces(records, is_level)

    def resolve_include(self, node: YamlScalar, text: str) -> IncludedFile:
        """The included file of that path, relative to the node's file. Raises InputError where it may not be read."""
        key = (node.source.file, text)
        if key not in self._lookups:
            try:
                self._lookups[key] = self._find_file(*key)
            except InputError as error:
                self._lookups[key] = error
        result = self._lookups[key]
        if isinstance(result, InputError):
            raise result
        return result

    def _find_file(self, within: str, text: str) -> IncludedFile:
        self._lookup_count += 1
        if self._lookup_count > MAX_INCLUDE_LOOKUPS:
            raise InputError(f"the level names more than {MAX_INCLUDE_LOOKUPS} files", "remove some of them")
        file = self.sources()[within]
        try:
            root = allowed_root(self._source.path)
            level = self._source.path.resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise InputError(f"{quote_text(text)} cannot be followed: {sanitize_text(str(error), 100)}") from None
        self.report.add_dependency(
            resolve_path(file, text, LEVEL_SUFFIXES, root=root)
        )  # missing files too: they may appear later
        path = resolve_existing_file(file, text, LEVEL_SUFFIXES, MAX_LEVEL_BYTES, root=root)
        if path == level:
            raise InputError("the level includes itself", "choose another file")
        included = self.included.get(path)
        if included is None:
            if len(self.included) >= MAX_INCLUDED_FILES:
                raise InputError(f"the level includes more than {MAX_INCLUDED_FILES} files", "merge some of them")
            folder = os.path.dirname(within or str(self._source.path))
            display_path = sanitize_text(os.path.normpath(os.path.join(folder, text)), 400)
            included = self.included[path] = IncludedFile(path, display_path)
            self._unread.append(included)
        return included

    def _read_file(self, included: IncludedFile) -> None:
        """Read one included file; its findings name its own lines. A file that cannot be read has no pieces."""
        report = self.report
        report.add_dependency(included.path)
        report.texts[included.display_path] = ""
        try:
            data = read_level_bytes(included.path, report)
            self._bytes += len(data)
            if self._bytes > MAX_LEVEL_BYTES:
                message = f"with this file the level is larger than the limit, {MAX_LEVEL_BYTES // 2**20} MiB"
                raise InputError(message, "include less")
            report.texts[included.display_path] = decode_yaml_text(data)
            root = check_level_root(
                compose_nodes(report.texts[included.display_path], included.display_path, self._usage).root
            )
        except InputError as error:
            place = replace(error.place, file=included.display_path)
            report.add("dropped", place, "", error.message, error.cure)
            return
        reader = Reader(report, self, self._kinds, is_level=False)
        place = SourceSpan(1, 1, file=included.display_path)
        level = reader.read(LevelFields, root, place, "")
        assert level is not None, "it keeps its mistakes"
        if self._check_format(level, "dropped"):
            included.pieces = level.pieces
            included.surface = reader.surfaces[DEFAULT_SURFACE]

    def _check_format(self, level: LevelFields, severity: Severity) -> bool:
        """False after a finding about another version of the format."""
        if not level.is_given(LevelFields.format) or level.format == FORMAT:
            return True
        message, cure = f"format {level.format} is not supported", f"this version reads `format: {FORMAT}`"
        self.report.add(severity, level.place_of(LevelFields.format), "format", message, cure)
        return False
