"""Threads that decode pictures beside the frames. Pillow and NumPy release the interpreter's lock meanwhile."""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable

from ...core.background import run_in_thread
from .picture_decoder import DecodedPicture, TextureKey, decode_picture

THREADS = 2
MAX_DECODED = 6  # pictures that wait for their upload: bounds memory
NICENESS = 3  # added to the priority value of the frames, so that these get two thirds of a processor

Decoder = Callable[[TextureKey, int, bool], DecodedPicture | None]


class PictureLoader:
    """Queue of pictures to decode. `request` adds one, `take` returns those that are done, in any order.

    longest, powers_of_two: see decode_picture. A thread ends when nothing is left to do.
    """

    def __init__(self, longest: int, powers_of_two: bool = False, decode: Decoder = decode_picture) -> None:
        self._longest, self._powers_of_two, self._decode = longest, powers_of_two, decode
        self._lock = threading.Lock()
        self._waiting: deque[TextureKey] = deque()
        self._threads = 0  # that run
        self._decoded: queue.SimpleQueue[tuple[TextureKey, DecodedPicture | None]] = queue.SimpleQueue()
        self._free_places = threading.Semaphore(MAX_DECODED)
        self._stopped = False
        self.pending = 0  # requested and not yet taken

    def request(self, keys: Iterable[TextureKey]) -> None:
        """Decode these pictures, in this order."""
        with self._lock:
            for key in keys:
                self._waiting.append(key)
                self.pending += 1
                if self._threads < min(THREADS, len(self._waiting)) and not self._stopped:
                    self._threads += 1
                    run_in_thread("pictures", self._run)

    def take(self, wait: bool = False) -> tuple[TextureKey, DecodedPicture | None] | None:
        """A picture that is done, with None where it cannot be read; None if there is none. wait: for the next one."""
        if not self.pending:
            return None
        try:
            result = self._decoded.get(block=wait)
        except queue.Empty:
            return None
        self._free_places.release()
        self.pending -= 1
        return result

    def stop(self) -> None:
        """Drop all requests. Threads end after their present picture."""
        with self._lock:
            self._stopped = True
            self._waiting.clear()
        self.pending = 0
        for _ in range(THREADS):
            self._free_places.release()

    def _run(self) -> None:
        if sys.platform.startswith("linux"):  # elsewhere a thread has the priority of its process
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICENESS)
        while True:
            self._free_places.acquire()
            with self._lock:
                if not self._waiting:
                    self._threads -= 1
                    self._free_places.release()
                    return
                key = self._waiting.popleft()
            self._decoded.put((key, self._decode(key, self._longest, self._powers_of_two)))
