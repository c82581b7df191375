"""A session of pytest inside a test, for the tests of the pytest plugin."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from types import ModuleType

import pytest

_imported: dict[str, ModuleType] = {}  # by the sessions inside the present test


@pytest.fixture
def modules_stay() -> Iterator[None]:
    """The modules that `run_inside` imports stay after the test. Used before `pytester`, which forgets them.

    Otherwise the next session has the project's classes twice, and numba cannot import twice what it loads at its first
    compilation.
    """
    _imported.clear()
    yield
    for name, module in _imported.items():
        sys.modules.setdefault(name, module)


class _ModuleKeeper:
    """Notes what is imported at the end of a session, other than modules of its own folder."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def pytest_unconfigure(self) -> None:
        for name, module in list(sys.modules.items()):
            if not str(getattr(module, "__file__", "")).startswith(self.folder):
                _imported.setdefault(name, module)


def run_inside(pytester: pytest.Pytester, *arguments: str, plugins: Sequence[object] = ()) -> pytest.RunResult:
    """Run pytest in this process, with more plugins."""
    result = pytester.runpytest_inprocess(*arguments, plugins=[_ModuleKeeper(str(pytester.path)), *plugins])
    for name, module in _imported.items():
        sys.modules.setdefault(name, module)
    return result
