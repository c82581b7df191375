"""Exclusive access to objects with state: a thread that enters one which another thread is inside of is refused.

    class Account:
        def __init__(self):
            self._access = ExclusiveAccess()

        @exclusive
        def book(self, sum): ...

A thread that is inside may call further methods of the object. The refused call changes nothing. Where a process forks
while another thread is inside, the child has the object in the middle of that call, and only a method with
`@exclusive_reset`, which sets the whole state, makes it usable there.
"""

from __future__ import annotations

import os
import threading
import weakref
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

    __slots__ = ("__weakref__", "acquire", "is_interrupted", "release")

    def __init__(self) -> None:
        self.reset()
        _ACCESSES.add(self)

    def reset(self) -> None:
        """Free the object, whoever is inside."""
        lock = threading.RLock()
        self.acquire: Callable[[bool], bool] = lock.acquire
        self.release: Callable[[], None] = lock.release
        self.is_interrupted = False  # a thread was inside when the process forked

    def __reduce__(self) -> tuple[Any, ...]:
        return (ExclusiveAccess, ())


_ACCESSES: weakref.WeakSet[ExclusiveAccess] = weakref.WeakSet()


def _mark_interrupted() -> None:
    """In a forked child: mark what a thread of the parent is inside of."""
    for access in _ACCESSES:
        if access.acquire(False):
            access.release()
        else:
            access.is_interrupted = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_mark_interrupted)


def exclusive(method: Callable[Concatenate[Owner, P], R]) -> Callable[Concatenate[Owner, P], R]:
    """Method of an object with an ExclusiveAccess `_access` that only one thread at a time may be inside of.

    ConcurrentAccessError for another one.
    """

    @wraps(method)
    def guarded(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        access: ExclusiveAccess = self._access
        if not access.acquire(False):
            kind = type(self).__name__
            if access.is_interrupted:
                raise ConcurrentAccessError(
                    f"another thread was inside this {kind} when the process forked, so that it is in the middle of a "
                    f"call: make a new {kind}, or restart a World before anything else"
                )
            raise ConcurrentAccessError(
                f"another thread is inside this {kind}, which has state: make one {kind} for each thread, or let one "
                "thread wait for the other; threads can share levels, meshes, walkers, crowds and queries"
            )
        try:
            return method(self, *args, **kwargs)
        finally:
            access.release()

    return guarded


def exclusive_reset(method: Callable[Concatenate[Owner, P], R]) -> Callable[Concatenate[Owner, P], R]:
    """Method as with `exclusive` that sets the whole state, so that an interrupted call does not matter."""
    guarded = exclusive(method)

    @wraps(method)
    def resetting(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if self._access.is_interrupted:
            self._access.reset()
        return guarded(self, *args, **kwargs)

    return resetting
