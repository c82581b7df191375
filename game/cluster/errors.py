"""Exceptions of long checks."""

from __future__ import annotations

from ..core.errors import WalkerError


class ClusterError(WalkerError):
    """A scheduler, worker, folder or setting that cannot be used. The message is one sentence with the cure."""


class ShardError(ClusterError):
    """A level in which the work of a shard cannot be done, on no machine."""
