"""Folder of results: a manifest and one file for each shard. A second start with the same inputs goes on where the
first one ended, whatever ended it.

    FOLDER/manifest.json      inputs, conditions, and the key and file of each shard
    FOLDER/shards/*.npz       results
    FOLDER/walks/*.commands   walks of bots
    FOLDER/failures/*.replay  the first failure of each kind
    FOLDER/result.json        the document of --json, once all shards are there
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from ..core import atomic_files
from ..core.errors import error_reason
from .errors import ClusterError
from .input_differences import describe_differences
from .shard_files import Arrays, check_format, decode_shard, encode_shard, is_whole
from .shards import Shard

MANIFEST = "manifest.json"
SHARDS = "shards"
RESULT = "result.json"
MANIFEST_VERSION = 1
CURE = "choose another folder with -o"


def manifest_text(inputs: Mapping[str, Any], shards: Sequence[Shard], file_format: str) -> str:
    """The manifest: JSON with sorted names, the same for the same inputs."""
    document = {
        "manifest_version": MANIFEST_VERSION,
        "program": f"ellipsoid-walker {__version__}",
        "inputs": dict(inputs),
        "conditions": dict(shards[0].conditions) if shards else {},
        "format": file_format,
        "shards": [{"file": shard_path(number, one, file_format), "key": one.key} for number, one in enumerate(shards)],
    }
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=True, allow_nan=False) + "\n"


def shard_path(number: int, shard: Shard, file_format: str) -> str:
    """Path of a shard's file in the folder, with slashes."""
    return f"{SHARDS}/{number:07d}-{shard.name or shard.kind}-{shard.key[:12]}.{file_format}"


class ResultsFolder:
    """The folder of one run.

    reading: called with the number of each shard before its file is read.
    damaged: number of files that were cut off or damaged, and are made again.
    """

    def __init__(
        self,
        folder: Path,
        inputs: Mapping[str, Any],
        shards: Sequence[Shard],
        file_format: str,
        reading: Callable[[int], None] = lambda number: None,
    ) -> None:
        self.folder = folder
        self.shards = shards
        self.file_format = file_format
        self.damaged = 0
        self._reading = reading
        self._manifest = manifest_text(inputs, shards, file_format)

    def open(self) -> None:
        """Create the folder and the manifest, or check that they belong to this run. ClusterError in one sentence."""
        check_format(self.file_format)
        path = self.folder / MANIFEST
        try:
            if self.folder.is_symlink() and not self.folder.exists():
                raise ClusterError(f"{self.folder}: this is a link to a folder that does not exist; {CURE}")
            if self.folder.exists() and not self.folder.is_dir():
                raise ClusterError(f"{self.folder}: this is a file, not a folder; {CURE}")
            _check_place(path)
            is_current = False
            if path.is_file():
                is_current = self._is_current(path.read_bytes())
                for file in (self.folder / RESULT, *self._shard_files()):
                    _check_place(file)
            elif self.folder.is_dir() and any(not _is_partial(one) for one in self.folder.iterdir()):
                raise ClusterError(f"{self.folder}: the folder holds other files and no {MANIFEST}; {CURE}")
            else:
                if not self.folder.parent.is_dir():
                    raise ClusterError(f"{self.folder.parent}: no such folder; create it first, or {CURE}")
                self.folder.mkdir(exist_ok=True)
            atomic_files.check_target(path)
            _make_folder(self.folder / SHARDS)
            atomic_files.remove_partial_files(self.folder / SHARDS)
            if not is_current:
                _replace_file(path, self._manifest.encode())
        except OSError as error:
            raise self._folder_error(error) from None

    def _is_current(self, data: bytes) -> bool:
        """Whether the manifest in the folder is that of this run; False for a damaged one, which is counted and written
        anew. ClusterError that names each input that differs from this run's.

        A manifest that cannot be read is this run's where all files of shards carry its keys. Without any such file,
        only an empty one is: a crash of the computer leaves it, and another text may belong to another program.
        """
        if data == self._manifest.encode():
            return True
        mine = json.loads(self._manifest)
        wanted = {**mine["inputs"], **mine["conditions"], "format": mine["format"]}
        try:
            found = json.loads(data)
            theirs = {**found["inputs"], **found["conditions"], "format": found["format"]}
        except (ValueError, KeyError, TypeError, RecursionError):
            theirs = {}
        is_own = self._has_only_own_shards() and (self._has_shards() or not data or bool(theirs))
        if theirs in ({}, wanted) and is_own:
            self.damaged += 1
            return False
        if not theirs:
            raise ClusterError(f"{self.folder / MANIFEST}: this is no manifest of a run; {CURE}")
        difference = describe_differences(theirs, wanted) or "its manifest differs"
        raise ClusterError(f"{self.folder}: the folder belongs to other inputs ({difference}); {CURE}, or delete it")

    def _has_only_own_shards(self) -> bool:
        """Whether all files of shards carry the keys of this run."""
        own = {path.name for path in self._shard_files()}
        folder = self.folder / SHARDS
        return not folder.is_dir() or all(one.name in own or _is_partial(one) for one in folder.iterdir())

    def _has_shards(self) -> bool:
        """Whether there is a file in the folder of shards."""
        folder = self.folder / SHARDS
        return folder.is_dir() and any(not _is_partial(one) for one in folder.iterdir())

    def _shard_files(self) -> Iterator[Path]:
        for number, shard in enumerate(self.shards):
            yield self.folder / shard_path(number, shard, self.file_format)

    def missing(self) -> list[int]:
        """Numbers of the shards that must be run: those without a whole file."""
        return [number for number in range(len(self.shards)) if not self._has(number)]

    def _has(self, number: int) -> bool:
        """Whether the file of a shard is there and whole; counts a damaged one."""
        data = self._read(number)
        whole = data is not None and is_whole(data, self.shards[number].key, self.file_format)
        self.damaged += data is not None and not whole
        return whole

    def save(self, number: int, arrays: Arrays) -> None:
        """Write the file of a shard. ClusterError where that is impossible; the other files stay."""
        path = self.folder / shard_path(number, self.shards[number], self.file_format)
        try:
            data = encode_shard(arrays, self.shards[number].key, self.file_format)
            _replace_file(path, data, remove_leftovers=False)  # `open` removed them
        except OSError as error:
            raise self._folder_error(error) from None

    def finish(self, document: str, files: Mapping[str, bytes]) -> None:
        """Write the document of the whole run, and other files by their path in the folder."""
        try:
            for name, data in files.items():
                path = self.folder / name
                _make_folder(path.parent)
                _replace_file(path, data)
            _replace_file(self.folder / RESULT, document.encode())
        except OSError as error:
            raise self._folder_error(error) from None

    def results(self) -> Iterator[Arrays]:
        """The arrays of all shards, in order. ClusterError for a file that is not whole."""
        for number, shard in enumerate(self.shards):
            data = self._read(number)
            arrays = None if data is None else decode_shard(data, shard.key, self.file_format)
            if arrays is None:
                path = self.folder / shard_path(number, shard, self.file_format)
                raise ClusterError(f"{path}: this file is damaged; start again with the same command")
            yield arrays

    def _read(self, number: int) -> bytes | None:
        """The file of a shard; None where it is not there, or a link to something else than a file."""
        self._reading(number)
        path = self.folder / shard_path(number, self.shards[number], self.file_format)
        if path.is_symlink() and not path.is_file():
            return None
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._folder_error(error) from None

    def _folder_error(self, error: OSError) -> ClusterError:
        """One sentence with the cure, for a folder that is full, read-only or not to be reached."""
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            cure = "make room and start again with the same command: what is there is kept"
        else:
            cure = CURE
        reason = error_reason(error).partition(";")[0]
        return ClusterError(f"{self.folder}: {reason}; {cure}")


def _check_place(path: Path) -> None:
    """ClusterError for a folder, a pipe or a device in the place of a file. A link is replaced."""
    if path.exists() and not path.is_file() and not path.is_symlink():
        raise ClusterError(f"{path}: this is not a file; delete it, or {CURE}")


def _make_folder(path: Path) -> None:
    """Create a folder inside the folder of results, where it is missing. ClusterError for a file in its place."""
    try:
        path.mkdir(exist_ok=True)
    except FileExistsError:
        raise ClusterError(f"{path}: this is not a folder; delete it, or {CURE}") from None


def _replace_file(path: Path, data: bytes, remove_leftovers: bool = True) -> None:
    """Write a file. A link in its place is replaced: its target belongs to someone else."""
    if path.is_symlink():
        path.unlink()
    _check_place(path)
    atomic_files.write_atomic(path, data, remove_leftovers=remove_leftovers)


def _is_partial(path: Path) -> bool:
    """Whether a file is left of an interrupted write."""
    return path.name.startswith(".") and path.name.endswith(".part")
