"""Error of a report: an input or output that cannot be used, in one sentence with the cure."""

from __future__ import annotations

from ..core.errors import WalkerError


class ReportError(WalkerError, ValueError):
    """A report that cannot be made. The text names the file and says what to do."""
