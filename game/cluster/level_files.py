"""Files of a level: their digest, and copies of them for machines that do not have the level."""

from __future__ import annotations

import hashlib
import os
import threading
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Protocol

from ..core.errors import error_reason
from ..level import Level, LevelError, load
from ..level.format.level_tests.level_test import WalkPlayer
from .errors import ClusterError
from .shards import canonical_json

MAX_KEPT_LEVELS = 8  # loaded levels that a process keeps
_CONTROL = ("Cc", "Cf", "Cs", "Zl", "Zp")  # Unicode: control, format, half of a pair, line and paragraph separator
LEVEL_FOLDER = "level"  # folder of the level's own file in a copy; the level may name files beside this folder too


@dataclass(frozen=True, slots=True)
class LevelFiles:
    """A level and all its files.

    path: of the level file, as the user wrote it. text: of a level without a file, which stands for `path`.
    files: contents by path relative to the level's folder; None for a file that the level names and that is missing.
    label: name for people, which tells it from the other levels of a run; empty: `shown_name` is the file name.
    """

    path: str
    text: str | None
    files: Mapping[str, bytes | None] = field(repr=False)
    digest: str
    label: str = ""

    @property
    def name(self) -> str:
        """File name of the level."""
        return Path(self.path).name

    @property
    def shown_name(self) -> str:
        """Name for people: the label, else the file name; of the model, for a level around one."""
        return self.label or (self.name if self.text is None else self.stem)

    @property
    def stem(self) -> str:
        """File name of the level without its suffix."""
        return Path(self.path).stem

    @property
    def file_stem(self) -> str:
        """`stem` for names of other files: `_` in place of control characters."""
        return "".join("_" if unicodedata.category(char) in _CONTROL else char for char in self.stem)

    def unpack(self, folder: Path) -> Path:
        """Write the files into a folder that is created; the path of the level file."""
        base = folder / LEVEL_FOLDER
        base.mkdir(parents=True, exist_ok=True)
        for name, data in self.files.items():
            if data is not None:
                path = Path(os.path.normpath(base / PurePosixPath(name)))
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        return base / self.name


def collect_level_files(level: Level, text: str | None = None) -> LevelFiles:
    """The files of a level that was loaded. text: of a level without a file.

    ClusterError for a file that is too far from the level, or that cannot be read.
    """
    path = Path(os.path.realpath(level.path))
    others = [*level.files, *(one.path for one in level.exits)]
    players = [test.player for test in level.tests]
    others += [one.path for one in players if isinstance(one, WalkPlayer) and one.path is not None]
    files: dict[str, bytes | None] = {}
    for other in dict.fromkeys(Path(os.path.realpath(one)) for one in others):
        if other != path:
            files[_relative_name(other, path.parent)] = _read(other)
    files[path.name] = text.encode() if text is not None else _read(path)
    return LevelFiles(str(level.path), text, files, level_files_digest(path.name, files))


def _relative_name(path: Path, folder: Path) -> str:
    """Path relative to a folder, with slashes."""
    name = Path(os.path.relpath(path, folder)).as_posix()
    if name.startswith("../../"):
        raise ClusterError(f"{path}: this file is too far from its level; copy it into the folder of the level")
    return name


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None
    except OSError as error:
        raise ClusterError(f"{path}: {error_reason(error)}") from None


def level_files_digest(name: str, files: Mapping[str, bytes | None]) -> str:
    """SHA-256 of the names and contents of a level's files. name: of the level file."""
    contents = {path: None if data is None else hashlib.sha256(data).hexdigest() for path, data in files.items()}
    return hashlib.sha256(canonical_json([name, contents])).hexdigest()


class LevelStore(Protocol):
    """Access to levels by the digest of their files. ClusterError where one is not there, or was changed."""

    def load(self, digest: str) -> Level: ...

    def original_name(self, digest: str, text: str) -> str:
        """A text with the paths of a level's files as the user knows them."""
        ...


_kept: dict[str, Level] = {}
_lock = threading.Lock()


def _keep_level(key: str, level: Level) -> Level:
    """Keep a level for the next shard of this process."""
    level.mesh  # noqa: B018 - cooked once, before threads use it
    while len(_kept) >= MAX_KEPT_LEVELS:
        del _kept[next(iter(_kept))]
    _kept[key] = level
    return level


@dataclass(frozen=True, slots=True)
class LocalLevels:
    """Levels of this machine, which every process reads where they are. sources: (path, text) by digest."""

    sources: Mapping[str, tuple[str, str | None]]

    @classmethod
    def of(cls, levels: Iterable[LevelFiles]) -> LocalLevels:
        """The store of some levels."""
        return cls({one.digest: (one.path, one.text) for one in levels})

    def load(self, digest: str) -> Level:
        """The level; ClusterError where its files were changed since the start."""
        with _lock:
            if digest in _kept:
                return _kept[digest]
            path, text = self.sources[digest]
            try:
                level = load(path) if text is None else load(text=text, base=path)
            except LevelError:
                level = None
            if level is None or collect_level_files(level, text).digest != digest:
                raise ClusterError(f"{path}: the level was changed during the run; start again")
            return _keep_level(digest, level)

    def original_name(self, digest: str, text: str) -> str:
        """The same text: the files are where the user has them."""
        return text


class UnpackedLevels:
    """Levels of another machine, unpacked into a folder of this one."""

    def __init__(self, levels: Iterable[LevelFiles], folder: Path) -> None:
        self._levels = {one.digest: one for one in levels}
        self._folder = folder

    def unpack(self) -> None:
        """Write the files of all levels. OSError where that is impossible."""
        for one in self._levels.values():
            one.unpack(self._folder / one.digest[:16])

    def path(self, digest: str) -> Path:
        """The unpacked level file. ClusterError where it is not there."""
        one = self._levels.get(digest)
        path = None if one is None else self._folder / digest[:16] / LEVEL_FOLDER / one.name
        if path is None or not path.is_file():
            raise ClusterError("the level is not on this worker")
        return path

    def load(self, digest: str) -> Level:
        with _lock:
            key = f"{self._folder}/{digest}"
            if key in _kept:
                return _kept[key]
            try:
                level = load(self.path(digest))
            except LevelError as error:
                raise ClusterError(f"the level is damaged on this worker: {error}") from None
            return _keep_level(key, level)

    def original_name(self, digest: str, text: str) -> str:
        """A text with the paths of the unpacked files as the user knows them."""
        base = self._folder / digest[:16]
        folder = os.path.dirname(self._levels[digest].path)
        for unpacked, own in ((base / LEVEL_FOLDER, folder), (base, os.path.normpath(os.path.join(folder, "..")))):
            text = text.replace(f"{unpacked}{os.sep}", "" if own in ("", ".") else f"{own}{os.sep}")
        return text
