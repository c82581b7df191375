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
import weakref
from collections.abc import Callable
from functools import wraps
from threading import get_ident
from typing import Any, Concatenate, ParamSpec, TypeVar

from ..core.errors import WalkerError

P = ParamSpec("P")
R = TypeVar("R")
Owner = TypeVar("Owner")


class ConcurrentAccessError(WalkerError, RuntimeError):
    """An object with state is in use by another thread."""


class ExclusiveAccess:
    """Mark of the thread that is inside an object. A copy, also a pickled one, is free.

    The attribute `free` is there while no thread is inside. To delete it is one instruction of the interpreter, so only
    one thread succeeds, and no signal handler can run between that and the `try` that ends with setting it again, as it
    could after the call of a lock's method.
    """

    __slots__ = ("__weakref__", "free", "is_interrupted", "owner")

    def __init__(self) -> None:
        self.reset()
        _ACCESSES.add(self)

    def reset(self) -> None:
        """Free the object, whoever is inside."""
        self.free = True
        self.owner = 0  # identifier of the thread that is inside
        self.is_interrupted = False  # a thread was inside when the process forked

    def __reduce__(self) -> tuple[Any, ...]:
        return (ExclusiveAccess, ())


_ACCESSES: weakref.WeakSet[ExclusiveAccess] = weakref.WeakSet()


def _mark_interrupted() -> None:
    """In a forked child: mark what a thread of the parent is inside of."""
    for access in _ACCESSES:
        access.is_interrupted = not hasattr(access, "free") and access.owner != get_ident()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_mark_interrupted)


def exclusive(method: Callable[Concatenate[Owner, P], R]) -> Callable[Concatenate[Owner, P], R]:
    """Method of an object with an ExclusiveAccess `_access` that only one thread at a time may be inside of.

    ConcurrentAccessError for another one.
    """

    @wraps(method)
    def guarded(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        access: ExclusiveAccess = self._access
        thread = get_ident()
        if access.owner == thread:
            return method(self, *args, **kwargs)
        try:
            del access.free
        except AttributeError:
            raise _refusal(type(self).__name__, access.is_interrupted) from None
        try:
            access.owner = thread
            return method(self, *args, **kwargs)
        finally:
            access.owner = 0
            access.free = True

    return guarded


def _refusal(kind: str, is_interrupted: bool) -> ConcurrentAccessError:
    if is_interrupted:
        return ConcurrentAccessError(
            f"another thread was inside this {kind} when the process forked, so that it is in the middle of a call: "
            f"make a new {kind}, or restart a World before anything else"
        )
    return ConcurrentAccessError(
        f"another thread is inside this {kind}, which has state: make one {kind} for each thread, or let one thread "
        "wait for the other; threads can share levels, meshes, walkers, crowds and queries"
    )


def exclusive_reset(method: Callable[Concatenate[Owner, P], R]) -> Callable[Concatenate[Owner, P], R]:
    """Method as with `exclusive` that sets the whole state, so that an interrupted call does not matter."""
    guarded = exclusive(method)

    @wraps(method)
    def resetting(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if self._access.is_interrupted:
            self._access.reset()
        return guarded(self, *args, **kwargs)

    return resetting
