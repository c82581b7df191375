"""Files of the player that several games at once read, change and replace: they take turns."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Generic, TypeVar

from ...core import atomic_files, user_folders
from ...core.errors import error_reason
from ...core.file_lock import FileLock
from ...core.file_reading import read_at_most

POLL_SECONDS = 0.005  # s between two tries

Content = TypeVar("Content")


@contextlib.contextmanager
def hold_lock(path: Path, seconds: float = 2.0) -> Iterator[bool]:
    """Hold the exclusive lock on a file, for a file that several games read, change and replace; whether it is held.

    Goes on without the lock where another holder keeps it for so many seconds, or where it cannot be made: the change
    matters more.
    """
    lock = FileLock(path)
    end = time.monotonic() + seconds
    try:
        with contextlib.suppress(OSError):
            while not lock.acquire() and time.monotonic() < end:
                time.sleep(POLL_SECONDS)
        yield lock.descriptor is not None
    finally:
        lock.release()


class SharedFile(Generic[Content]):
    """A file in the data folder that is read often and changed seldom. Each change reads it again and replaces it, so
    that games at once keep each other's changes, and a killed game leaves a whole file.

    limit: bytes that are read. file_title, content_title: beginnings of sentences for the player. parse: the valid
    content of the bytes, and a description of what is invalid (empty if all is valid).
    """

    def __init__(
        self,
        name: str,
        limit: int,
        file_title: str,
        content_title: str,
        empty: Callable[[], Content],
        parse: Callable[[bytes], tuple[Content, str]],
        encode: Callable[[Content], bytes],
        path: Path | None = None,
    ) -> None:
        self.name = name
        self.limit = limit
        self._file_title = file_title
        self._content_title = content_title
        self._empty = empty
        self._parse = parse
        self._encode = encode
        self._path = path
        self._lock = threading.RLock()
        self._latest: tuple[Path, tuple[int, int, int], Content] | None = None
        self._notes: list[str] = []

    @property
    def path(self) -> Path:
        return user_folders.data_folder() / self.name if self._path is None else self._path

    def read(self) -> Content:
        """The valid content; the same object while the file is the same. A copy of a damaged file is kept."""
        try:
            return self._read()
        except OSError:
            return self._empty()

    def update(self, change: Callable[[Content], Content]) -> str:
        """Read the file, change its content and replace it; a sentence for the player where that fails, else empty."""
        path = self.path
        with self._lock:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with hold_lock(path.with_name(f".{self.name}.lock")):
                    atomic_files.write_atomic(path, self._encode(change(self._read())))
            except OSError as error:
                where = user_folders.describe_file(path)
                return f"{self._content_title} cannot be saved in {where}: {error_reason(error)}."
        return ""

    def take_notes(self) -> list[str]:
        """Sentences for the player about damaged files, found since the last call."""
        with self._lock:
            notes = list(dict.fromkeys(self._notes))
            self._notes.clear()
        return notes

    def _read(self) -> Content:
        """OSError for a file that exists and cannot be opened: it must not be overwritten."""
        path = self.path
        with self._lock:
            try:
                found = path.stat()
                mark = found.st_mtime_ns, found.st_size, found.st_ino
                if self._latest is not None and self._latest[:2] == (path, mark):
                    return self._latest[2]
                data = read_at_most(path, self.limit)
            except (FileNotFoundError, NotADirectoryError):
                return self._empty()
            content, problem = self._parse(data)
            if problem:
                copy = user_folders.keep_damaged(path, data, self.limit)
                where = user_folders.describe_file(copy)
                self._notes.append(f"{self._file_title} was damaged ({problem}) and was saved as {where}.")
            self._latest = path, mark, content
            return content
