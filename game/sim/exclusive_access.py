"""Exclusive access to objects with state: a thread that enters one which another thread is inside of is refused.

    class Account:
        def __init__(self):
            self._access = ExclusiveAccess()

        @exclusive
        def book(self, sum): ...

A thread that is inside may call further methods of the object. The refused call changes nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from ..core.errors import WalkerError

P = ParamSpec("P")
R = TypeVar("R")
Owner = TypeVar("Owner")


class ConcurrentAccessError(WalkerError, RuntimeError):
    """An object with state is in use by another thread."""


class ExclusiveAccess:
    """Mark of the thread that is inside an object. A copy, also a pickled one, is free."""

    __slots__ = ("acquire", "release")

    def __init__(self) -> None:
        lock = threading.RLock()
        self.acquire: Callable[[bool], bool] = lock.acquire
        self.release: Callable[[], None] = lock.release

    def __reduce__(self) -> tuple[Any, ...]:
        return (ExclusiveAccess, ())


def exclusive(method: Callable[Concatenate[Owner, P], R]) -> Callable[Concatenate[Owner, P], R]:
    """Method of an object with an ExclusiveAccess `_access` that only one thread at a time may be inside of.

    ConcurrentAccessError for another one.
    """

    @wraps(method)
    def guarded(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        access: ExclusiveAccess = self._access
        if not access.acquire(False):
            kind = type(self).__name__
            raise ConcurrentAccessError(
                f"another thread is inside this {kind}, which has state: make one {kind} for each thread, or let one "
                "thread wait for the other; threads can share levels, meshes, walkers, crowds and queries"
            )
        try:
            return method(self, *args, **kwargs)
        finally:
            access.release()

    return guarded
