"""The base class of the project's exceptions, mistakes of the user, and the words for an error of the system."""

from __future__ import annotations


class WalkerError(Exception):
    """Base class of every exception that the project defines: `except WalkerError` catches them all.

    Functions of `physics` raise ValueError itself for an argument that they cannot use. Exceptions for wrong input
    derive from ValueError too.
    """


def error_reason(error: BaseException) -> str:
    """What the system says of an error, to stand after a colon: "permission denied". Else the exception's message."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error)


class UserError(WalkerError):
    """A mistake that the user can correct. The message names the file and says what to do. code: exit status of a
    command that it ends."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code
