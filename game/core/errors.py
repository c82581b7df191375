"""The base class of the project's exceptions, and the words for one of the system's."""

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


class ReportError(WalkerError, ValueError):
    """A report or picture that cannot be made. The text names the file and says what to do."""
