"""Tests in level files: each has a walk or a bot, and states what must happen.

`run_test(level, test)` runs one of `level.tests`. `write_artefacts` writes a replay and a picture of a failed test.
`walker test` and the pytest plugin run the tests of many levels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .artefacts import write_artefacts
    from .runner import TestRun, TestStatus, run_test

__all__ = ["TestRun", "TestStatus", "run_test", "write_artefacts"]


def __getattr__(name: str) -> Any:
    """Load the runner on first use: the pytest plugin of this package must not load the physics in every session."""
    if name in __all__:
        from . import artefacts, runner

        return getattr(artefacts if name == "write_artefacts" else runner, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
