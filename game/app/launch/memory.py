"""Memory of the process: limits of the allocator, and the return of free memory to the system."""

from __future__ import annotations

import contextlib
import ctypes
import gc

M_MMAP_THRESHOLD = -3  # of malloc.h
M_ARENA_MAX = -8  # of malloc.h
LARGE_BLOCK = 1 << 20  # bytes: a larger block is a mapping of its own, which goes back to the system when it is freed
MAX_ARENAS = 2  # heaps; each thread that loads something would get one of its own, up to eight for each processor


def limit_allocator() -> None:
    """With the GNU C library: let large blocks go back to the system at once, and threads share their heaps.

    By default the library raises the threshold up to 32 MiB as blocks are freed. The arrays and textures of a level
    then come from its heap, and leave holes there.
    """
    _call_allocator("mallopt", M_MMAP_THRESHOLD, LARGE_BLOCK)
    _call_allocator("mallopt", M_ARENA_MAX, MAX_ARENAS)


def return_memory() -> None:
    """Free the objects of a level that was left, and return the free memory to the system. Takes 0.1 s.

    Objects that `gc.freeze` has set aside are collected too: the first level is among them.
    """
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
        _call_allocator("malloc_trim", 0)
        gc.freeze()


def _call_allocator(name: str, *arguments: int) -> None:
    """Call a function of the GNU C library. On systems without it nothing happens."""
    with contextlib.suppress(AttributeError, OSError, TypeError):  # Windows raises TypeError for the name None
        getattr(ctypes.CDLL(None), name)(*arguments)
