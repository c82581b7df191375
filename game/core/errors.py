"""The base class of the project's exceptions."""

from __future__ import annotations


class WalkerError(Exception):
    """Base class of every exception that the project defines: `except WalkerError` catches them all.

    Functions of `physics` raise ValueError itself for an argument that they cannot use. Exceptions for wrong input
    derive from ValueError too.
    """


class ReportError(WalkerError, ValueError):
    """A report or picture that cannot be made. The text names the file and says what to do."""
