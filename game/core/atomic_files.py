"""Atomic file replacement: a file holds either all of its old or all of its new bytes, also after a crash."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

STALE_SECONDS = 3600.0  # s after which a temporary file belongs to a killed process, also where that cannot be asked
_PROCESS_PATTERN = re.compile(r"\.([0-9]{1,9})\.part$")
_MAX_NAME = 40  # characters of the target's name in the temporary name, which must fit into 255 bytes


def write_atomic(
    path: str | os.PathLike[str],
    data: bytes,
    *,
    mode: int | None = None,
    before_replace: Callable[[], None] | None = None,
    remove_leftovers: bool = True,
) -> None:
    """Replace the contents of `path` by `data`.

    Writes a temporary file in the same folder, syncs it to disk, renames it over the target and syncs the folder.
    Follows a symbolic link. A target that exists and is no regular file (a device, a pipe) is written directly.

    mode: permission bits of the new file; None takes those of the file that it replaces, or the process's default.
    before_replace: called after `data` is on disk and before the rename; an exception from it cancels the write.
    remove_leftovers: remove the temporary files that killed processes left for this target. It lists the whole folder;
    who writes thousands of files there calls `remove_partial_files` once.
    Raises OSError, which names the target, or the folder that is missing. The target is then unchanged and no temporary
    file remains.
    """
    try:
        existing = os.stat(path).st_mode
    except FileNotFoundError:
        existing = 0
    except NotADirectoryError as error:
        raise _explain_open_error(error, Path(os.path.realpath(path))) from error
    if existing and not stat.S_ISREG(existing):
        _write_in_place(path, data)
        return
    if mode is None and existing:
        mode = stat.S_IMODE(existing)
    target = Path(os.path.realpath(path))
    temporary = _temporary_path(target)
    if remove_leftovers:
        _remove_leftovers(target)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(temporary, flags, 0o666 if mode is None else 0o600)
    except OSError as error:
        raise _explain_open_error(error, target) from error
    with _replacing(temporary, target):
        with _named_errors(path), os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(temporary, mode)
        if before_replace is not None:
            before_replace()


@contextlib.contextmanager
def _replacing(temporary: Path, target: Path) -> Iterator[None]:
    """A block after which the temporary file becomes the target; after an exception, which names the target, it is
    removed."""
    try:
        yield
        os.replace(temporary, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.filename == str(temporary):
            raise OSError(error.errno, error.strerror, str(target)) from error
        raise
    _sync_folder(target.parent)


@contextlib.contextmanager
def replace_when_done(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary file in the folder of `path`, for content that is written over minutes, also by another program.

    The file is empty at first. At the end of the block it is synced and renamed over `path`; an exception removes it,
    and `path` stays as it was. Raises the OSErrors of `write_atomic`.
    """
    check_target(path)
    target = Path(os.path.realpath(path))
    temporary = _temporary_path(target)
    _remove_leftovers(target)
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except OSError as error:
        raise _explain_open_error(error, target) from error
    os.close(handle)
    with _replacing(temporary, target):
        yield temporary
        _sync(temporary, os.O_RDWR)


def temporary_path(path: str | os.PathLike[str], process: int) -> Path:
    """The temporary file that another process uses for this target: what is left of it when it was killed."""
    return _temporary_path(Path(os.path.realpath(path)), process)


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise the OSError with which `write_atomic` would refuse this path; write nothing. For files written much later.

    It names a folder that is missing or no folder, a target that is a folder, or a folder without permission to write.
    """
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise _explain_open_error(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)), target)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if (target.is_file() or not target.exists()) and not os.access(target.parent, os.W_OK):
        is_read_only = hasattr(os, "statvfs") and os.statvfs(target.parent).f_flag & os.ST_RDONLY
        reason = errno.EROFS if is_read_only else errno.EACCES
        raise OSError(reason, os.strerror(reason), str(target))


def _explain_open_error(error: OSError, target: Path) -> OSError:
    """The error of a temporary file in the user's terms: about the folder that is missing, else about the target."""
    folder = target.parent
    missing = next((part for part in (*reversed(folder.parents), folder) if not part.is_dir()), None)
    if missing is None:
        return OSError(error.errno, error.strerror, str(target))
    if missing.exists():
        return NotADirectoryError(errno.ENOTDIR, "is a file, not a folder; choose another folder", str(missing))
    return FileNotFoundError(errno.ENOENT, "No such folder; create it first", str(missing))


def _write_in_place(path: str | os.PathLike[str], data: bytes) -> None:
    with _named_errors(path), open(path, "wb", buffering=0) as file:
        view = memoryview(data)
        while view:
            view = view[file.write(view) or 0 :]


@contextlib.contextmanager
def _named_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """A block whose OSErrors name the file: those of a full disk do not."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise


def _temporary_path(target: Path, process: int | None = None) -> Path:
    return target.with_name(f".{target.name[:_MAX_NAME]}.{process or os.getpid()}.part")


def _sync_folder(folder: Path) -> None:
    """Sync a folder's entries to disk: without this, a power cut can undo the rename."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with contextlib.suppress(OSError):
        _sync(folder, os.O_RDONLY | os.O_DIRECTORY)


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove_leftovers(target: Path) -> None:
    """Remove temporary files for `target` of this process number and of processes that no longer run."""
    with contextlib.suppress(OSError):
        os.unlink(_temporary_path(target))
    pattern = re.compile(re.escape(f".{target.name[:_MAX_NAME]}.") + r"([0-9]{1,9})\.part")
    with contextlib.suppress(OSError):
        for entry in os.listdir(target.parent):
            match = pattern.fullmatch(entry)
            if match and not is_process_alive(int(match[1])):
                with contextlib.suppress(OSError):
                    os.unlink(target.with_name(entry))


def remove_partial_files(folder: Path, now: float | None = None, names: str = ".*.part") -> None:
    """Remove the temporary files of a folder whose process no longer runs, and those older than STALE_SECONDS.

    now: seconds since 1970; None: their age does not count
    names: pattern of the names, for a folder that others use too
    """
    with contextlib.suppress(OSError):
        for path in folder.glob(names):
            match = _PROCESS_PATTERN.search(path.name)
            with contextlib.suppress(OSError):
                is_left = match is not None and not is_process_alive(int(match[1]))
                if is_left or (now is not None and now - path.stat().st_mtime > STALE_SECONDS):
                    path.unlink()


def is_process_alive(process: int) -> bool:
    """Whether a process of this number runs; True where that cannot be asked."""
    if os.name != "posix":  # there os.kill(process, 0) ends the process
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
