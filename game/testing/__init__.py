"""Tests in level files: a walk or a bot in a level, and what is expected of it.

`run_test(level, test)` runs one of `level.tests`; `walker test` and the pytest plugin run those of many levels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .runner import TestRun, TestStatus, run_test

__all__ = ["TestRun", "TestStatus", "run_test"]


def __getattr__(name: str) -> Any:
    """Load the runner on first use: the pytest plugin of this package must not load the physics in every session."""
    if name in __all__:
        from . import runner

        return getattr(runner, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
