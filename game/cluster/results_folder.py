"""Folder of results: a manifest and one file for each shard. A second start with the same inputs goes on where the
first one ended, whatever ended it.

    FOLDER/manifest.json     inputs, conditions, and the key and file of each shard
    FOLDER/shards/*.npz      results
    FOLDER/walks/*.commands  walks of bots
    FOLDER/result.json       the document of --json, once all shards are there
"""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..core import atomic_files
from .errors import ClusterError
from .shard_files import Arrays, check_format, decode_shard, encode_shard
from .shards import Shard

MANIFEST, SHARDS, WALKS, RESULT = "manifest.json", "shards", "walks", "result.json"
MANIFEST_VERSION = 1
CURE = "choose another folder with -o"
_SHOWN_VALUE = 60  # characters of an input that a message quotes


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

    damaged: number of files that were cut off or damaged, and are made again.
    """

    def __init__(self, folder: Path, inputs: Mapping[str, Any], shards: Sequence[Shard], file_format: str) -> None:
        self.folder, self.shards, self.file_format = folder, shards, file_format
        self.damaged = 0
        self._manifest = manifest_text(inputs, shards, file_format)

    def open(self) -> None:
        """Create the folder and the manifest, or check that they belong to this run. ClusterError in one sentence."""
        check_format(self.file_format)
        path = self.folder / MANIFEST
        try:
            if self.folder.exists() and not self.folder.is_dir():
                raise ClusterError(f"{self.folder}: this is a file, not a folder; {CURE}")
            if path.is_file():
                self._check_manifest(path.read_bytes())
                self._check_shard_files()
            elif self.folder.is_dir() and any(not _is_partial(one) for one in self.folder.iterdir()):
                raise ClusterError(f"{self.folder}: the folder holds other files and no {MANIFEST}; {CURE}")
            else:
                if not self.folder.parent.is_dir():
                    raise ClusterError(f"{self.folder.parent}: no such folder; create it first, or {CURE}")
                self.folder.mkdir(exist_ok=True)
            atomic_files.check_target(path)
            (self.folder / SHARDS).mkdir(exist_ok=True)
            if not path.is_file() or not path.stat().st_size:
                atomic_files.write_atomic(path, self._manifest.encode())
        except OSError as error:
            raise self._folder_error(error) from None

    def _check_manifest(self, data: bytes) -> None:
        """ClusterError that names the first input that differs from this run's."""
        if data == self._manifest.encode() or (not data and self._has_only_own_shards()):
            return  # an empty one is left of a crash of the computer, and is written anew
        try:
            found = json.loads(data)
            theirs = {**found["inputs"], **found["conditions"], "format": found["format"]}
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ClusterError(f"{self.folder / MANIFEST}: this is no manifest of a run; {CURE}") from None
        mine = json.loads(self._manifest)
        wanted = {**mine["inputs"], **mine["conditions"], "format": mine["format"]}
        names = [name for name in wanted if theirs.get(name) != wanted[name]]
        if "levels" in names or "bodies" in names:
            names = [name for name in names if name != "ticks"]  # they follow from the number of shards
        differences = [_describe_difference(name, theirs.get(name), wanted[name]) for name in names]
        difference = " and ".join(differences) or "its manifest differs"
        raise ClusterError(f"{self.folder}: the folder belongs to other inputs ({difference}); {CURE}, or delete it")

    def _has_only_own_shards(self) -> bool:
        """Whether all files of shards carry the keys of this run."""
        own = {path.name for path in self._shard_files()}
        folder = self.folder / SHARDS
        return not folder.is_dir() or all(one.name in own or _is_partial(one) for one in folder.iterdir())

    def _check_shard_files(self) -> None:
        """ClusterError for a folder in the place of a shard's file."""
        for path in self._shard_files():
            if path.exists() and not path.is_file():
                raise ClusterError(f"{path}: this is not a file; delete it, or {CURE}")

    def _shard_files(self) -> Iterator[Path]:
        for number, shard in enumerate(self.shards):
            yield self.folder / shard_path(number, shard, self.file_format)

    def missing(self) -> list[int]:
        """Numbers of the shards that must be run: those without a whole file."""
        return [number for number in range(len(self.shards)) if self._read(number, counts=True) is None]

    def save(self, number: int, arrays: Arrays) -> None:
        """Write the file of a shard. ClusterError where that is impossible; the other files stay."""
        path = self.folder / shard_path(number, self.shards[number], self.file_format)
        try:
            if path.is_symlink():  # its target belongs to someone else
                path.unlink()
            atomic_files.write_atomic(path, encode_shard(arrays, self.shards[number].key, self.file_format))
        except OSError as error:
            raise self._folder_error(error) from None

    def finish(self, document: str, walks: Mapping[int, str]) -> None:
        """Write the document of the whole run, and a commands file for each walk of a bot. walks: by number of the
        shard."""
        try:
            for number, text in walks.items():
                path = self.folder / WALKS / f"{number:07d}-{self.shards[number].name}.commands"
                path.parent.mkdir(exist_ok=True)
                atomic_files.write_atomic(path, text.encode())
            atomic_files.write_atomic(self.folder / RESULT, document.encode())
        except OSError as error:
            raise self._folder_error(error) from None

    def results(self) -> Iterator[dict[str, np.ndarray[Any, Any]]]:
        """The arrays of all shards, in order. ClusterError for a file that is not whole."""
        for number, shard in enumerate(self.shards):
            arrays = self._read(number)
            if arrays is None:
                path = self.folder / shard_path(number, shard, self.file_format)
                raise ClusterError(f"{path}: this file is damaged; start again with the same command")
            yield arrays

    def _read(self, number: int, counts: bool = False) -> dict[str, np.ndarray[Any, Any]] | None:
        shard = self.shards[number]
        try:
            data = (self.folder / shard_path(number, shard, self.file_format)).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._folder_error(error) from None
        arrays = decode_shard(data, shard.key, self.file_format)
        self.damaged += counts and arrays is None
        return arrays

    def _folder_error(self, error: OSError) -> ClusterError:
        """One sentence with the cure, for a folder that is full, read-only or not to be reached."""
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            cure = "make room and start again with the same command: what is there is kept"
        else:
            cure = CURE
        reason = (error.strerror or str(error)).lower().partition(";")[0]
        return ClusterError(f"{self.folder}: {reason}; {cure}")


def _is_partial(path: Path) -> bool:
    """Whether a file is left of an interrupted write."""
    return path.name.startswith(".") and path.name.endswith(".part")


def _describe_difference(name: str, theirs: Any, wanted: Any) -> str:
    """Sentence part about an input that differs."""
    if name == "commands" and isinstance(theirs, str) and isinstance(wanted, str):
        return "its commands have other contents"
    if name == "levels":
        try:
            digests = {one["name"]: one["digest"] for one in theirs}
            names, changed = list(digests), [one["name"] for one in wanted if digests.get(one["name"]) != one["digest"]]
        except (TypeError, KeyError):
            return "its levels have other contents"
        if sorted(names) == sorted(one["name"] for one in wanted):
            if not changed:
                return "its levels have another order"
            return f"other contents of {_shown(', '.join(changed))}"
        return f"its levels are {_shown(', '.join(names))}, not {_shown(', '.join(one['name'] for one in wanted))}"
    return f"its {name} is {_shown(theirs)}, not {_shown(wanted)}"


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _SHOWN_VALUE else f"{text[:_SHOWN_VALUE]}..."
