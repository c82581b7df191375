"""The files that one level is made of: what it includes is found, read once each, and bounded all together."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from .file_access import beside, home_of, target
from .findings import Place, Refused, harmless, quoted
from .reader import Reader
from .records import Part, Values
from .schema import DEFAULT_SURFACE, FORMAT, LEVEL, MOST_FILES
from .source import MOST_BYTES, Source, decode, level_bytes, level_root
from .surfaces import Palette
from .yaml_nodes import Scalar, compose

ENDINGS = (".yaml", ".yml")
MOST_LOOKS = 1000  # names of files that are looked for
FIRST = ("format", "surfaces", "define")  # fields that others speak of


class Library:
    """Reads a level and its parts; `parts` by their real paths, in the order in which they are asked for."""

    def __init__(self, source: Source) -> None:
        self.report = source.report
        self.palette = Palette()
        self.parts: dict[Path, Part] = {}
        self._source = source
        self._tally = source.root.source.tally
        self._bytes = len(source.report.texts[""].encode("utf-8", "surrogatepass"))
        self._unread: list[Part] = []
        self._asked: dict[tuple[str, str], Part | Refused] = {}  # by the file that asks and what it says
        self._looks = 0

    def read(self) -> tuple[Values, Reader]:
        """The level's own fields; and its reader, which knows the names in it. All that it includes is read too."""
        reader = Reader(self.report, self)
        values = reader.record(LEVEL, self._source.root, Place(1, 1), "", first=FIRST, lenient=True)
        assert values is not None, "a lenient record is always read"
        if values.given("format") and values.integer("format") != FORMAT:
            self.report.add("fatal", values.at("format"), "format", *_unknown(values))
        while self._unread:
            self._read(self._unread.pop(0))
        return values, reader

    def sources(self) -> dict[str, Path]:
        """The real path of each file by `Place.file`."""
        return {"": self._source.path, **{part.shown: part.path for part in self.parts.values()}}

    def surfaces(self, named: dict[str, Values], own: bool) -> dict[str, int]:
        return self.palette.add(named, own)

    def want(self, node: Scalar, text: str) -> Part:
        """The part that is included by that path; raises Refused where no such file may be read."""
        asked = (node.source.file, text)
        if asked not in self._asked:
            try:
                self._asked[asked] = self._found(*asked)
            except Refused as refused:
                self._asked[asked] = refused
        found = self._asked[asked]
        if isinstance(found, Refused):
            raise found
        return found

    def _found(self, within: str, text: str) -> Part:
        self._looks += 1
        if self._looks > MOST_LOOKS:
            raise Refused(f"more than {MOST_LOOKS} names of files in one level", "take some of them out")
        file = self.sources()[within]
        try:
            home, level = home_of(self._source.path), self._source.path.resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise Refused(f"{quoted(text)} cannot be followed: {harmless(str(error), 100)}") from None
        self.report.reads(target(file, text, ENDINGS, home=home))  # found or not: it may come to be
        path = beside(file, text, ENDINGS, MOST_BYTES, home=home)
        if path == level:
            raise Refused("this is the level itself, which would include itself for ever", "name another file")
        part = self.parts.get(path)
        if part is None:
            if len(self.parts) >= MOST_FILES:
                raise Refused(f"more than {MOST_FILES} files in one level", "join some of them")
            folder = os.path.dirname(within or str(self._source.path))
            shown = harmless(os.path.normpath(os.path.join(folder, text)), 400)
            part = self.parts[path] = Part(path, shown)
            self._unread.append(part)
        return part

    def _read(self, part: Part) -> None:
        """What is wrong in it is told where it stands there; what makes it unreadable leaves it without pieces."""
        report = self.report
        report.reads(part.path)
        report.texts[part.shown] = ""
        try:
            data = level_bytes(part.path, report)
            self._bytes += len(data)
            if self._bytes > MOST_BYTES:
                message = f"with this file the level is larger than a level may be ({MOST_BYTES // 2**20} MiB)"
                raise Refused(message, "include less")
            report.texts[part.shown] = decode(data)
            root = level_root(compose(report.texts[part.shown], part.shown, self._tally))
        except Refused as refused:
            place = replace(refused.place, file=part.shown)
            report.add("dropped", place, "", refused.message, refused.cure)
            return
        reader = Reader(report, self, own=False)
        values = reader.record(LEVEL, root, Place(1, 1, file=part.shown), "", first=FIRST, lenient=True)
        assert values is not None, "a lenient record is always read"
        if values.given("format") and values.integer("format") != FORMAT:
            report.add("dropped", values.at("format"), "format", *_unknown(values))
            return
        part.pieces = values.pieces("pieces")
        part.surface = reader.surfaces[DEFAULT_SURFACE]


def _unknown(values: Values) -> tuple[str, str]:
    return f"format {values.integer('format')} is not known here", f"this game reads `format: {FORMAT}`"
