"""A level file's text, read with bounds on time and memory whatever the path leads to."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

import yaml

from game.level.findings import Place, Report, did_you_mean, harmless
from game.level.nodes import LOADER, Mapping, Scalar, compose
from game.level.schema import LEVEL

MOST_BYTES = 8 * 2**20 if LOADER is not yaml.BaseLoader else 2**20  # the pure Python parser is 20 times slower

LEVELS = Path(__file__).resolve().parents[2] / "levels"  # the shipped ones

_ODD = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read: its path, its report (which quotes its lines) and the root of its YAML nodes."""

    path: Path
    report: Report
    root: Mapping


def find_level(level: str | os.PathLike[str]) -> Path:
    """The path itself, or the shipped level of that name (`demo` is levels/demo.yaml)."""
    path = Path(level)
    name = os.fspath(level)
    if re.fullmatch("[A-Za-z0-9_-]{1,60}", name) and not os.path.lexists(path):
        for folder in (LEVELS, LEVELS / "museum"):
            shipped = folder / f"{name}.yaml"
            if shipped.is_file():
                return _short(shipped)
    return path


def read_source(level: str | os.PathLike[str]) -> Source:
    """Read and compose. Raises LevelError with one finding when this is no YAML mapping within the bounds."""
    path = find_level(level)
    text = _decode(_read_bytes(path), path)
    report = Report(str(path), text)
    root = compose(text, report)
    begin = "start with `format: 1`; docs/level_format.md has an example"
    if root is None:
        report.refuse("there is nothing in this file", begin)
    if not isinstance(root, Mapping) or not _any_known(root):
        report.refuse("this is not a level: it has no `format:` and no `pieces:`", begin, root.place)
    return Source(path, report, root)


def _any_known(root: Mapping) -> bool:
    """Whether a single field of a level is in it: else it is some other file, and one sentence will do."""
    return any(isinstance(key, Scalar) and LEVEL.field(key.text) for key, _ in root.pairs)


def _short(path: Path) -> Path:
    """Relative to the working folder when that is shorter to read."""
    try:
        return path.relative_to(Path.cwd())
    except (ValueError, OSError):
        return path


def _read_bytes(path: Path) -> bytes:
    report = Report(str(path))
    try:
        kind = os.stat(path).st_mode  # before opening: a pipe would keep us waiting
        if stat.S_ISDIR(kind):
            report.refuse("this is a folder, not a level file", "name one of the .yaml files in it")
        if not stat.S_ISREG(kind):
            report.refuse("this is a device or a pipe, not a level file")
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                report.refuse("this is a device or a pipe, not a level file")
            size = os.fstat(file.fileno()).st_size
            data = file.read(MOST_BYTES + 1) if size <= MOST_BYTES else b""
    except FileNotFoundError:
        report.refuse("there is no such file", _near_names(path))
    except PermissionError:
        report.refuse("this file may not be read", "its permissions say no; change them or run as its owner")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        report.refuse(f"this file cannot be read: {harmless(reason, 100)}")
    if size > MOST_BYTES or len(data) > MOST_BYTES:
        report.refuse(f"this file is larger than a level may be ({MOST_BYTES // 2**20} MiB)")
    return data


def _near_names(path: Path) -> str:
    shipped = sorted(file.stem for folder in (LEVELS, LEVELS / "museum") for file in folder.glob("*.yaml"))
    name = path.name.removesuffix(".yaml").removesuffix(".yml")
    try:
        siblings = [entry.name for entry in path.parent.glob("*.y*ml")][:1000]
    except (OSError, ValueError):
        siblings = []
    names = f"shipped levels: {', '.join(shipped[:12])}" if shipped else ""
    return did_you_mean(path.name, siblings) or did_you_mean(name, shipped) or names


def _decode(data: bytes, path: Path) -> str:
    """UTF-8 text, without a byte order mark, of characters that YAML allows."""
    report = Report(str(path))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        report.refuse("this text is UTF-16", "save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        report.refuse(f"not UTF-8 text: byte 0x{data[error.start]:02x}", "save it as UTF-8", Place(line, column))
    odd = _ODD.search(text)
    if odd:
        start = odd.start()
        place = Place(text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1)
        report.refuse(
            f"a control character (U+{ord(odd.group()):04X}): this is no text file, or damaged",
            "",
            place,
        )
    return text
