"""Advisory file lock of the operating system, which releases it when the process that holds it ends in any way."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import errno
    import msvcrt

    LOCK_BYTES = 2**31 - 1

    def _try_lock(descriptor: int, shared: bool) -> bool:
        # There are no shared locks here: a sharer locks the byte of its process id, an exclusive lock takes all bytes.
        os.lseek(descriptor, os.getpid() % LOCK_BYTES if shared else 0, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1 if shared else LOCK_BYTES)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EDEADLOCK):
                return False
            raise
        return True
else:
    import fcntl

    def _try_lock(descriptor: int, shared: bool) -> bool:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class FileLock:
    """Lock on a file, exclusive or shared by several processes. The file is created if it is missing, and stays."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.descriptor: int | None = None  # of the open file while the lock is held

    def acquire(self, shared: bool = False) -> bool:
        """Take the lock without waiting; True if it is held now, False while another holder is in the way.

        OSError where the file cannot be opened or its file system has no locks.
        """
        if self.descriptor is not None:
            return True
        descriptor, is_held = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666), False
        try:
            is_held = _try_lock(descriptor, shared)
        finally:
            if not is_held:
                os.close(descriptor)
        self.descriptor = descriptor if is_held else None
        return is_held

    def release(self) -> None:
        """Close the file. The lock ends once no process that inherited the open file holds it any more."""
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None
