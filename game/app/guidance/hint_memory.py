"""File of the hints that the player has used, in the data folder."""

from __future__ import annotations

import json
from pathlib import Path

from ...core import atomic_files, user_folders
from ..launch.shared_files import hold_lock

FILE_NAME = "hints.json"
FORMAT_VERSION = 1
MAX_BYTES = 1 << 16
MAX_NAMES = 200


class HintMemory:
    """Names of the used hints; the file is read at the first question and written with each change.

    problem   a sentence for the player about a damaged or unwritable file, empty where there is none
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._used: set[str] | None = None
        self.problem = ""

    @property
    def path(self) -> Path:
        """The file."""
        return user_folders.data_folder() / FILE_NAME if self._path is None else self._path

    @property
    def used(self) -> set[str]:
        """Names of the used hints."""
        if self._used is None:
            self._used = self._read()
        return self._used

    def add(self, name: str) -> None:
        """Remember that a hint was used. Another game may have written the file meanwhile: its names stay."""
        if name not in self.used:
            with hold_lock(self.path.with_name(f".{self.path.name}.lock")):
                self._used = self.used | self._read() | {name}
                self._write()

    def forget(self) -> None:
        """Forget all, so that every hint is shown again."""
        self._used = set()
        self._write()

    def take_problem(self) -> str:
        """The sentence for the player, once."""
        problem, self.problem = self.problem, ""
        return problem

    def _read(self) -> set[str]:
        try:
            data = user_folders.read_file(self.path, MAX_BYTES)
        except OSError:
            return set()
        names = (user_folders.decode_object(data, MAX_BYTES) or {}).get("used")
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            return set(names[:MAX_NAMES])
        copy = user_folders.keep_damaged(self.path, data, MAX_BYTES)
        self.problem = f"The file of the hints was damaged and was saved as {copy}. All hints are shown again."
        return set()

    def _write(self) -> None:
        text = json.dumps({"format": FORMAT_VERSION, "used": sorted(self.used)}, indent=1) + "\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            atomic_files.write_atomic(self.path, text.encode())
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            self.problem = f"The hints that you have used cannot be saved in {self.path.parent}: {reason}."
