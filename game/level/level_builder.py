"""Builder of levels in Python: pieces and fields as in a level file, read by the same classes."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ..core.arguments import describe_value
from .build.pieces import PIECES
from .format.findings import Edit, Finding, FindingCollector, LevelError, Severity, SourceSpan, Suggestion
from .format.piece_kind import Piece
from .format.plain_values import (
    LevelValue,
    Plain,
    PlainWord,
    item_lines,
    join_fields,
    plain_text,
    yaml_lines,
)
from .format.record import FORMAT, Record
from .format.source import MAX_LEVEL_BYTES, LevelSource
from .format.text_source import text_path
from .format.yaml_nodes import (
    MAX_NODES,
    TOO_MANY_NODES,
    YamlList,
    YamlMapping,
    YamlNode,
    YamlScalar,
    YamlText,
    YamlUsage,
    make_node,
)
from .level import Level
from .loader import check_source, level_from_source

BUILT_NAME = "<built>"  # stands for the file name of a built level


@dataclass(frozen=True, slots=True)
class CallSpan(SourceSpan):
    """Place of a call in Python code. piece: index of the piece, -1 for a field of the level. node: of its value."""

    piece: int = -1
    node: int = 0


class LevelBuilder:
    """Level under construction: the fields of a level file as keyword arguments, and pieces by `add`.

    >>> builder = LevelBuilder(spawn={"at": (0, 0, 6)}, surfaces={"wood": {"texture": "planks"}})
    >>> builder.add(Floor(from_=(-8, -8), to=(8, 8), surface="wood"))
    0
    >>> level = builder.build()

    Fields, pieces, units and limits are those of the level format (docs/level_format.md); `format` is added. A field
    that is a Python keyword takes an underscore, `from_`, or stands in a dictionary, which may come first:
    add("floor", {"from": (-8, -8), "to": (8, 8)}). The classes of the pieces are in `level.build.pieces`: they check
    their values at once. Pieces inside pieces are in a list: `of=[Box(...)]`, or as in a file `of=[{"box": {...}}]`.
    Values are copied when they are given: numbers and arrays of NumPy are numbers and lists, paths are text.

    Problems of the level are findings, as those of a file. They name the line of the call in Python, and the piece by
    its index, `pieces[3].stairs.rise`. So do `Level.origin` and the messages of `check`.

    base: path of the level file that this level stands for, as for `load`. ValueError: a value of a type that the
    format does not have, a field that is given twice in one call.
    """

    def __init__(
        self,
        fields: Mapping[str, LevelValue] | None = None,
        /,
        *,
        base: str | os.PathLike[str] | None = None,
        **more: LevelValue,
    ) -> None:
        self._path = text_path(base, BUILT_NAME)
        self._start = _find_call()
        self._fields: dict[str, tuple[Plain, CallSpan]] = {}
        self._pieces: list[tuple[str, Plain, CallSpan]] = []
        self._set(join_fields(fields, more, "the level"), self._start)

    def set(self, fields: Mapping[str, LevelValue] | None = None, /, **more: LevelValue) -> None:
        """Give fields of the level (spawn, goal, sky, ...) a value, instead of an earlier one."""
        self._set(join_fields(fields, more, "the level"), _find_call())

    def add(self, kind: str | Piece, fields: Mapping[str, LevelValue] | None = None, /, **more: LevelValue) -> int:
        """Append a piece: `add(Stairs(at=(0, 0, 0), steps=6))`, or its kind and its fields; its index, which findings
        name. Fields with records in them, such as doors, are checked at once, as by the class."""
        if isinstance(kind, Piece):
            if fields is not None or more:
                raise ValueError(f"{kind.kind}: give its fields to the piece")
            name, values = kind.kind, kind.given()
        else:
            name = plain_text(_as_kind(kind), "kind")
            values = join_fields(fields, more, name)
            given = [*(fields or {}).values(), *more.values()]
            if name in PIECES and any(_has_record(value) for value in given):
                PIECES[name](**{**(fields or {}), **more})
        self._pieces.append((name, values, _find_call(len(self._pieces))))
        return len(self._pieces) - 1

    def __len__(self) -> int:
        """Number of pieces."""
        return len(self._pieces)

    def __repr__(self) -> str:
        return f"<LevelBuilder: {len(self)} pieces>"

    @property
    def text(self) -> str:
        """The level file of this level, in YAML. It loads to the same level."""
        lines = [f"format: {FORMAT}"]
        for name, (value, _) in self._fields.items():
            lines += yaml_lines(name, value, 0)
        if self._pieces:
            lines.append("pieces:")
        for kind, fields, _ in self._pieces:
            lines += item_lines(kind, fields, 1)
        return "\n".join(lines) + "\n"

    def build(self) -> Level:
        """The level. Raises LevelError with `.findings` as `load` does. The builder can be extended and used again."""
        return level_from_source(self._make_source())

    def check(self) -> list[Finding]:
        """All findings, as `level.check` has them for a file."""
        try:
            return check_source(self._make_source())
        except LevelError as error:
            return list(error.findings)

    def _set(self, fields: dict[str, Plain], call: CallSpan) -> None:
        if "pieces" in fields:
            pieces = fields.pop("pieces")
            if not isinstance(pieces, list) or not all(isinstance(one, dict) and len(one) == 1 for one in pieces):
                raise ValueError("pieces: expected a list of {kind: {field: value}}; or add each with add(kind, ...)")
            for piece in pieces:
                ((kind, values),) = piece.items()  # type: ignore[union-attr]
                span = CallSpan(call.line, call.column, call.length, call.file, len(self._pieces))
                self._pieces.append((kind, values, span))
        for name, value in fields.items():
            if name != "format" or value != str(FORMAT):
                self._fields[name] = (value, call)

    def _make_source(self) -> LevelSource:
        """Source with the nodes of the values, placed at the calls. Raises LevelError where they exceed a bound."""
        report = CallFindings(self._start, str(self._path))
        report.add_dependency(self._path)
        text = report.texts[""] = self.text
        usage = YamlUsage()
        pairs: list[tuple[YamlNode, YamlNode]] = []

        def node(value: Plain, call: CallSpan) -> YamlNode:
            if call.file not in report.texts:
                report.texts[call.file] = "".join(linecache.getlines(call.file))
            return make_node(value, _CallText(call, usage), _CallScalar, _CallList, _CallMapping)

        start = _CallText(self._start, usage)
        for name, (value, call) in {"format": (PlainWord(FORMAT), self._start), **self._fields}.items():
            pairs.append((node(name, call), node(value, call)))
        if self._pieces:
            pieces = _CallList(start, 0, 0, None, True)
            pieces.items = [node({kind: values}, call) for kind, values, call in self._pieces]
            pairs.append((node("pieces", self._start), pieces))
        if len(text.encode()) > MAX_LEVEL_BYTES:
            report.raise_fatal(f"the level is larger than the limit, {MAX_LEVEL_BYTES / 2**20:g} MiB as text")
        if usage.nodes > MAX_NODES:
            report.raise_fatal(TOO_MANY_NODES)
        root = _CallMapping(start, 0, 0, None, True)
        root.pairs = pairs
        return LevelSource(self._path, report, root)


class CallFindings(FindingCollector):
    """Findings of a built level: at the calls, those of a piece with its index. start: the call of the constructor."""

    def __init__(self, start: CallSpan, file: str) -> None:
        super().__init__(file)
        self._start = start

    def add(
        self,
        severity: Severity,
        place: SourceSpan,
        where: str,
        message: str,
        cure: str | Suggestion = "",
        edit: Edit | None = None,
    ) -> None:
        """As the base class, without an edit: the text is a program."""
        if isinstance(place, CallSpan):
            if place.piece >= 0:
                where = f"pieces[{place.piece}].{where}"
        elif not place.file:
            place = self._start
        super().add(severity, place, where, message, str(cure))


def _has_record(value: object) -> bool:
    """Whether a value is a record, or a list with one in it."""
    return isinstance(value, Record) or (isinstance(value, list | tuple) and any(map(_has_record, value)))


def _as_kind(kind: object) -> str:
    """The kind of a piece. ValueError for what is none, such as a door or a class."""
    if not isinstance(kind, str):
        message = "expected a piece, such as Stairs(at=(0, 0, 0), steps=6), or its kind"
        raise ValueError(f"{message}, not {describe_value(kind)}")
    return kind


class _CallText(YamlText):
    """The values of one call, which all stand in its line."""

    __slots__ = ("call",)

    def __init__(self, call: CallSpan, usage: YamlUsage) -> None:
        super().__init__("", "", usage)
        self.call = call


class _AtCall:
    """Place of a node that a call gave."""

    __slots__ = ()
    source: YamlText
    start: int

    @property
    def place(self) -> SourceSpan:
        assert isinstance(self.source, _CallText)
        return replace(self.source.call, node=self.start)

    def locate(self, column: int, length: int = 1) -> SourceSpan:
        """The call: a column of the value has no place in it."""
        return self.place


class _CallScalar(_AtCall, YamlScalar):
    __slots__ = ()


class _CallList(_AtCall, YamlList):
    __slots__ = ()


class _CallMapping(_AtCall, YamlMapping):
    __slots__ = ()


def _find_call(piece: int = -1) -> CallSpan:
    """Line of the call of the function that called this one."""
    frame = sys._getframe(2)
    name = frame.f_code.co_filename
    path = Path(name)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        name = str(path.relative_to(Path.cwd()))
    line = linecache.getline(name, frame.f_lineno).rstrip()
    indent = len(line) - len(line.lstrip())
    return CallSpan(frame.f_lineno, indent + 1, max(1, len(line) - indent), name, piece)
