"""Memory of the process: the allocator of the GNU C library, and what it gives back once a level was left.

Elsewhere the functions only collect garbage.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # of malloc.h
LARGE_BLOCK = 1 << 20  # bytes: a larger block is a mapping of its own, which goes back to the system when it is freed
MAX_ARENAS = 2  # heaps; each thread that loads something would get one of its own, up to eight for each processor


def limit_allocator() -> None:
    """Let large blocks go back to the system at once, and threads share their heaps.

    By default the library raises the threshold up to 32 MiB as blocks are freed. The arrays and textures of a level
    then come from its heap, and leave holes there.
    """
    with contextlib.suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        library.mallopt(M_ARENA_MAX, MAX_ARENAS)


def return_memory() -> None:
    """Free the objects of a level that was left, and return the free memory to the system. Takes 0.1 s.

    Objects that `gc.freeze` has set aside are collected too: the first level is among them.
    """
    gc.unfreeze()
    gc.collect()
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
