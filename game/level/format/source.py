"""A level file's text, read with bounds on time and memory whatever the path leads to."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping as Mapping_
from dataclasses import dataclass
from pathlib import Path

import yaml

from .file_access import LEVELS as LEVELS
from .file_access import read_bytes
from .findings import Place, Refused, Report, did_you_mean
from .schema import LEVEL
from .yaml_nodes import LOADER, Mapping, Node, Scalar, compose

MOST_BYTES = 8 * 2**20 if LOADER is not yaml.BaseLoader else 2**20  # the pure Python parser is 20 times slower

_ODD = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read: its path, its report (which quotes its lines) and the root of its YAML nodes."""

    path: Path
    report: Report
    root: Mapping


def find_level(level: str | os.PathLike[str]) -> Path:
    """The path itself, or the shipped level of that name: `demo`, or `golf/one` for levels/golf/one.yaml."""
    path = Path(level)
    name = os.fspath(level)
    if re.fullmatch("([A-Za-z0-9_-]{1,60}/)?[A-Za-z0-9_-]{1,60}", name) and not os.path.lexists(path):
        for folder in (LEVELS, LEVELS / "museum"):
            shipped = folder / f"{name}.yaml"
            if shipped.is_file():
                return _short(shipped)
    return path


def read_source(level: str | os.PathLike[str], instead: Mapping_[Path, bytes] | None = None) -> Source:
    """Read and compose. Raises LevelError with one finding when this is no YAML mapping within the bounds.

    instead: as in Report.
    """
    path = find_level(level)
    report = Report(str(path))
    report.instead.update(instead or {})
    report.reads(path)
    try:
        data = level_bytes(path, report)
    except Refused as refused:
        missing = not os.path.lexists(path) if "\0" not in str(path) else False
        report.refuse(refused.message, _near_names(path) if missing else refused.cure)
    try:
        report.texts[""] = decode(data)
        root = compose(report.texts[""])
        return Source(path, report, level_root(root))
    except Refused as refused:
        report.refuse(refused.message, refused.cure, refused.place)


def level_bytes(path: Path, report: Report) -> bytes:
    """What a level file says, or what the report has in its place. Raises Refused."""
    if report.instead:
        said = report.instead.get(Path(os.path.realpath(path)))
        if said is not None:
            return said
    return read_bytes(path, MOST_BYTES)


def level_root(root: Node | None) -> Mapping:
    """The root where it may be that of a level. Raises Refused."""
    begin = "start with `format: 1`; docs/level_format.md has an example"
    if root is None:
        raise Refused("there is nothing in this file", begin)
    if not isinstance(root, Mapping) or not _any_known(root):
        raise Refused("this is not a level: it has no `format:` and no `pieces:`", begin, root.place)
    return root


def _any_known(root: Mapping) -> bool:
    """Whether a single field of a level is in it: else it is some other file, and one sentence will do."""
    return any(isinstance(key, Scalar) and LEVEL.field(key.text.lower()) for key, _ in root.pairs)


def _short(path: Path) -> Path:
    """Relative to the working folder when that is shorter to read."""
    try:
        return path.relative_to(Path.cwd())
    except (ValueError, OSError):
        return path


def _near_names(path: Path) -> str:
    shipped = sorted(file.stem for folder in (LEVELS, LEVELS / "museum") for file in folder.glob("*.yaml"))
    name = path.name.removesuffix(".yaml").removesuffix(".yml")
    try:
        siblings = [entry.name for entry in path.parent.glob("*.y*ml")][:1000]
    except (OSError, ValueError):
        siblings = []
    names = f"shipped levels: {', '.join(shipped[:12])}" if shipped else ""
    return did_you_mean(path.name, siblings) or did_you_mean(name, shipped) or names


def decode(data: bytes) -> str:
    """UTF-8 text, without a byte order mark, of characters that YAML allows. Raises Refused."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise Refused("this text is UTF-16", "save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        message = f"not UTF-8 text: byte 0x{data[error.start]:02x}"
        raise Refused(message, "save it as UTF-8", Place(line, column)) from None
    odd = _ODD.search(text)
    if odd:
        start = odd.start()
        place = Place(text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1)
        raise Refused(f"a control character (U+{ord(odd.group()):04X}): this is no text file, or damaged", "", place)
    return text
