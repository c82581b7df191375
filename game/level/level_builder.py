"""Builder of levels in Python: pieces and fields as in a level file, read by the same schema."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ..core.arguments import as_text, describe_value
from .format.findings import (
    Edit,
    Finding,
    FindingCollector,
    InputError,
    LevelError,
    Severity,
    SourceSpan,
    Suggestion,
)
from .format.schema import FORMAT
from .format.source import MAX_LEVEL_BYTES, LevelSource, check_level_root
from .format.text_source import text_path
from .format.written_values import format_scalar, format_text
from .format.yaml_nodes import MAX_DEPTH, YamlList, YamlMapping, YamlNode, YamlScalar, compose_nodes
from .level import Level
from .loader import check_source, level_from_source

LevelValue: TypeAlias = (
    str | float | np.generic | np.ndarray[Any, Any] | os.PathLike[str] | Sequence[Any] | Mapping[str, Any]
)
"""Value of a field: text, a number, a bool, a list (a point, pieces) or a dictionary (fields in { }) of such values."""

BUILT_NAME = "<built>"  # stands for the file name of a built level
MAX_LINE_WIDTH = 110  # characters of a line of the text; longer lists and mappings take several lines
MAX_VALUE_DEPTH = MAX_DEPTH - 4  # `pieces`, its list, the piece and its fields are around a value


@dataclass(frozen=True, slots=True)
class CallSpan(SourceSpan):
    """Place of a call in Python code. piece: index of the piece, -1 for a field of the level. node: of its value."""

    piece: int = -1
    node: int = 0


class LevelBuilder:
    """Level under construction: the fields of a level file as keyword arguments, and pieces by `add`.

    >>> builder = LevelBuilder(spawn={"at": (0, 0, 6)}, surfaces={"wood": {"texture": "planks"}})
    >>> builder.add("floor", from_=(-8, -8), to=(8, 8), surface="wood")
    0
    >>> level = builder.build()

    Fields, pieces, units and limits are those of the level format (docs/level_format.md); `format` is added. A field
    that is a Python keyword takes an underscore, `from_`, or stands in a dictionary, which may come first:
    add("floor", {"from": (-8, -8), "to": (8, 8)}). Pieces inside pieces are as in a file: `of=[{"box": {...}}]`.
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
        self._set(_join_fields(fields, more, "the level"), self._start)

    def set(self, fields: Mapping[str, LevelValue] | None = None, /, **more: LevelValue) -> None:
        """Give fields of the level (spawn, goal, sky, ...) a value, instead of an earlier one."""
        self._set(_join_fields(fields, more, "the level"), _find_call())

    def add(self, kind: str, fields: Mapping[str, LevelValue] | None = None, /, **more: LevelValue) -> int:
        """Append a piece of a kind ("floor", "stairs", "mover", ...); its index, which findings name."""
        values = _join_fields(fields, more, as_text(kind, "kind"))
        self._pieces.append((_plain_text(kind, "kind"), values, _find_call(len(self._pieces))))
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
            lines += _yaml_lines(name, value, 0)
        if self._pieces:
            lines.append("pieces:")
        for kind, fields, _ in self._pieces:
            lines += _item_lines(kind, fields, 1)
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
        """Source with the nodes of `text`, placed at the calls. Raises LevelError where the text exceeds a bound."""
        report = CallFindings(self._start, str(self._path))
        report.add_dependency(self._path)
        text = report.texts[""] = self.text
        for _, call in (*self._fields.values(), *((None, call) for _, _, call in self._pieces), (None, self._start)):
            if call.file not in report.texts:
                report.texts[call.file] = "".join(linecache.getlines(call.file))
        try:
            if len(text.encode()) > MAX_LEVEL_BYTES:
                raise InputError(f"the level is larger than the limit, {MAX_LEVEL_BYTES / 2**20:g} MiB as text")
            root = check_level_root(compose_nodes(text).root)
        except InputError as error:
            report.raise_fatal(error.message, error.cure)
        calls: dict[str, CallSpan | list[CallSpan]] = {name: call for name, (_, call) in self._fields.items()}
        calls["pieces"] = [call for _, _, call in self._pieces]
        return LevelSource(self._path, report, _place_root(root, self._start, calls))


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


Plain: TypeAlias = "str | list[Plain] | dict[str, Plain]"


class PlainWord(str):
    """Text of a number or bool, which needs no quotes."""


def _join_fields(fields: Mapping[str, LevelValue] | None, more: dict[str, LevelValue], what: str) -> dict[str, Plain]:
    """Both as plain values by field name, without the underscore at the end of a keyword."""
    if fields is not None and not isinstance(fields, Mapping):
        raise ValueError(f"{what}: expected a dictionary of fields, not {describe_value(fields)}")
    joined: dict[str, Plain] = {}
    for name, value in (*(fields or {}).items(), *((name.removesuffix("_"), value) for name, value in more.items())):
        if not isinstance(name, str):
            raise ValueError(f"{what}: the name of a field must be text, not {describe_value(name)}")
        if name in joined:
            raise ValueError(f"{what}: the field {name} is given twice")
        joined[_plain_text(name, what)] = _plain_value(value, f"{what}: {name}")
    return joined


def _plain_value(value: Any, name: str, depth: int = 0) -> Plain:
    """A copy of text, words, lists and dictionaries. ValueError for other types."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if isinstance(value, bool):
        return PlainWord("true" if value else "false")
    if isinstance(value, int | float):
        return PlainWord(repr(float(value) if isinstance(value, float) else int(value)))
    if isinstance(value, str):
        return _plain_text(value, name)
    if isinstance(value, os.PathLike):
        return _plain_text(Path(value).as_posix(), name)
    if depth >= MAX_VALUE_DEPTH:
        raise ValueError(f"{name}: the value has more than {MAX_VALUE_DEPTH} lists inside each other")
    if isinstance(value, Mapping):
        return {_plain_key(key, name): _plain_value(one, f"{name}.{key}", depth + 1) for key, one in value.items()}
    if isinstance(value, np.ndarray):
        return _plain_value(value.tolist(), name, depth)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return [_plain_value(one, f"{name}[{index}]", depth + 1) for index, one in enumerate(value)]
    cure = "; leave the field out" if value is None else "; use a list" if isinstance(value, set | Iterator) else ""
    raise ValueError(f"{name} must be text, a number, a list or a dictionary, not {describe_value(value)}{cure}")


def _plain_key(key: Any, name: str) -> str:
    if not isinstance(key, str):
        raise ValueError(f"{name}: the name of a field must be text, not {describe_value(key)}")
    return _plain_text(key, name)


def _plain_text(text: str, name: str) -> str:
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise ValueError(f"{name}: {describe_value(text)} has half of a surrogate pair, which is no character")
    return str(text)


def _yaml_lines(key: str, value: Plain, indent: int) -> list[str]:
    """Lines of `key: value`, on one line where there is room."""
    pad = "  " * indent
    name = format_scalar(key)
    flow = _flow_text(value)
    if not isinstance(value, (list, dict)) or not value or len(pad) + len(name) + 2 + len(flow) <= MAX_LINE_WIDTH:
        return [f"{pad}{name}: {flow}"]
    lines = [f"{pad}{name}:"]
    if isinstance(value, dict):
        for inner, one in value.items():
            lines += _yaml_lines(inner, one, indent + 1)
        return lines
    for one in value:
        if isinstance(one, dict) and len(one) == 1:
            lines += _item_lines(*next(iter(one.items())), indent + 1)
        else:
            lines.append(f"{pad}  - {_flow_text(one)}")
    return lines


def _item_lines(key: str, value: Plain, indent: int) -> list[str]:
    """Lines of `- key: value`."""
    lines = _yaml_lines(key, value, indent + 1)
    return ["  " * indent + "- " + lines[0].lstrip(" "), *lines[1:]]


def _flow_text(value: Plain) -> str:
    """The value on one line, in YAML's flow style."""
    if isinstance(value, PlainWord):
        return str(value)
    if isinstance(value, str):
        return format_text(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_flow_text, value))}]"
    return f"{{{', '.join(f'{format_scalar(key)}: {_flow_text(one)}' for key, one in value.items())}}}"


def _find_call(piece: int = -1) -> CallSpan:
    """Place of the call of the function that called this one."""
    frame = sys._getframe(2)
    name = frame.f_code.co_filename
    path = Path(name)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        name = str(path.relative_to(Path.cwd()))
    line, end_line, column, end_column = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))
    if line is None or column is None or end_column is None:
        return CallSpan(frame.f_lineno, 1, 1, name, piece)
    return CallSpan(line, column + 1, end_column - column if line == end_line else 1, name, piece)


def _place_root(root: YamlMapping, start: CallSpan, calls: dict[str, CallSpan | list[CallSpan]]) -> YamlMapping:
    """Copy of the tree of nodes with each field, and each item of `pieces`, placed at its call."""
    pairs: list[tuple[YamlNode, YamlNode]] = []
    for key, value in root.pairs:
        assert isinstance(key, YamlScalar)
        call = calls.get(key.text, start)
        if isinstance(call, list):
            assert isinstance(value, YamlList)
            placed = _CallList(start, value)
            placed.items = [_Placer(one).copy(item) for item, one in zip(value.items, call, strict=True)]
            pairs.append((_CallScalar(start, key), placed))
        else:
            placer = _Placer(call)
            pairs.append((placer.copy(key), placer.copy(value)))
    copy = _CallMapping(start, root)
    copy.pairs = pairs
    return copy


class _Placer:
    """Copies nodes to the place of a call, with a number for each node."""

    def __init__(self, call: CallSpan) -> None:
        self.call = call
        self.count = 0

    def copy(self, node: YamlNode) -> YamlNode:
        call = self.call
        self.count += 1
        span = CallSpan(call.line, call.column, call.length, call.file, call.piece, self.count)
        if isinstance(node, YamlMapping):
            mapping = _CallMapping(span, node)
            mapping.pairs = [(self.copy(key), self.copy(value)) for key, value in node.pairs]
            return mapping
        if isinstance(node, YamlList):
            copied = _CallList(span, node)
            copied.items = [self.copy(item) for item in node.items]
            return copied
        assert isinstance(node, YamlScalar)
        return _CallScalar(span, node)


class _AtCall:
    """Place of a node that a call gave."""

    __slots__ = ()
    _call: CallSpan

    @property
    def place(self) -> SourceSpan:
        return self._call


class _CallScalar(_AtCall, YamlScalar):
    """Scalar at the place of a call."""

    __slots__ = ("_call",)

    def __init__(self, call: CallSpan, node: YamlScalar) -> None:
        super().__init__(node.source, node.start, node.end, node.anchor, node.text, node.plain)
        self._call = call

    def locate(self, column: int, length: int = 1) -> SourceSpan:
        """The call: a column of the value has no place in it."""
        return self._call


class _CallList(_AtCall, YamlList):
    """List at the place of a call."""

    __slots__ = ("_call",)

    def __init__(self, call: CallSpan, node: YamlList) -> None:
        super().__init__(node.source, node.start, node.end, node.anchor, node.flow)
        self.nodes = node.nodes
        self._call = call


class _CallMapping(_AtCall, YamlMapping):
    """Mapping at the place of a call."""

    __slots__ = ("_call",)

    def __init__(self, call: CallSpan, node: YamlMapping) -> None:
        super().__init__(node.source, node.start, node.end, node.anchor, node.flow)
        self.nodes = node.nodes
        self._call = call
