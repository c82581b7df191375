"""File of the hints that the player has used, in the data folder."""

from __future__ import annotations

import json
from pathlib import Path

from ...core import user_folders
from ..launch.shared_files import SharedFile

FILE_NAME = "hints.json"
FORMAT_VERSION = 1
MAX_BYTES = 1 << 16
MAX_NAMES = 200


class HintMemory:
    """Names of the used hints; the file is read at the first question and written with each change."""

    def __init__(self, path: Path | None = None) -> None:
        self._file: SharedFile[set[str]] = SharedFile(
            FILE_NAME,
            MAX_BYTES,
            "All hints are shown again: their file",
            "The hints that you have used",
            set,
            _parse_names,
            _encode_names,
            path,
        )
        self._used: set[str] | None = None
        self._problem = ""

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def used(self) -> set[str]:
        if self._used is None:
            self._used = set(self._file.read())
        return self._used

    def add(self, name: str) -> None:
        """Remember that a hint was used. Another game may have written the file meanwhile: its names stay."""
        if name not in self.used:
            self.used.add(name)
            self._problem = self._file.update(lambda names: names | self.used)
            self._used = self.used | self._file.read()

    def forget(self) -> None:
        """Forget all, so that every hint is shown again."""
        self._used = set()
        self._problem = self._file.update(lambda names: set())

    def take_problem(self) -> str:
        """A sentence for the player about a damaged or unwritable file, once; empty where there is none."""
        problem = " ".join([*self._file.take_notes(), *filter(None, [self._problem])])
        self._problem = ""
        return problem


def _parse_names(data: bytes) -> tuple[set[str], str]:
    names = (user_folders.decode_object(data, MAX_BYTES) or {}).get("used")
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return set(names[:MAX_NAMES]), ""
    return set(), "not a list of hints"


def _encode_names(names: set[str]) -> bytes:
    return (json.dumps({"format": FORMAT_VERSION, "used": sorted(names)}, indent=1) + "\n").encode()
