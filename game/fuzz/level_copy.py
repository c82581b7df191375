"""Copy of a level with all its files, for processes and machines that do not have it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath

from ..core.errors import WalkerError, error_reason
from ..level import Level, load

LEVEL_FOLDER = "level"  # of the level's own file in a copy; the level may name files beside this folder too
MAX_KEPT_LEVELS = 8  # loaded levels that a process keeps


class FuzzError(WalkerError):
    """A level, scheduler or worker that cannot be used. The message is one sentence with the cure."""


@dataclass(frozen=True)
class LevelCopy:
    """name: of the level, for people. file: name of the level file. files: contents by path relative to its folder."""

    name: str
    file: str
    files: Mapping[str, bytes] = field(repr=False)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the names and contents of all files, in hexadecimal."""
        found = hashlib.sha256(self.file.encode())
        for name, data in sorted(self.files.items()):
            found.update(f"\0{name}\0{len(data)}\0".encode() + data)
        return found.hexdigest()

    def __hash__(self) -> int:
        return hash(self.digest)

    def unpack(self, folder: Path) -> Path:
        """Write the files into a folder; the path of the level file."""
        for name, data in self.files.items():
            path = Path(os.path.normpath(folder / LEVEL_FOLDER / PurePosixPath(name)))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return folder / LEVEL_FOLDER / self.file


def copy_level(level: Level, name: str, text: str | None = None) -> LevelCopy:
    """The copy of a loaded level. text: of a level without a file.

    FuzzError for a file that is too far from the level, or that cannot be read. A file that is missing is left out.
    """
    path = Path(os.path.realpath(level.path))
    files = {path.name: text.encode()} if text is not None else {}
    for other in dict.fromkeys(Path(os.path.realpath(one)) for one in (path, *level.files)):
        relative = Path(os.path.relpath(other, path.parent)).as_posix()
        if relative.startswith("../../"):
            raise FuzzError(f"{other}: this file is too far from its level; copy it into the folder of the level")
        try:
            files.setdefault(relative, other.read_bytes())
        except FileNotFoundError:
            continue
        except OSError as error:
            raise FuzzError(f"{other}: {error_reason(error)}") from None
    return LevelCopy(name, path.name, files)


@lru_cache(MAX_KEPT_LEVELS)
def load_copy(copy: LevelCopy) -> Level:
    """The level of a copy, which is unpacked into a temporary folder. A process keeps the last ones."""
    with tempfile.TemporaryDirectory(prefix="walker-level-") as folder:
        level = load(copy.unpack(Path(folder)))
        level.mesh  # noqa: B018 - cooked while the files are there
        return level
