"""What every test may need."""

from __future__ import annotations

import os
import tempfile

import pytest

FOLDERS = tempfile.TemporaryDirectory(prefix="walker-tests-")  # settings and progress of no real player


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """The physics compiled before the first test (and before any helping process), so that none waits for it."""
    os.environ["WALKER_CONFIG"] = FOLDERS.name
    os.environ.pop("WALKER_DATA", None)
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):  # else each helping process compiles every module anew
        os.environ.setdefault("PYTHONPYCACHEPREFIX", os.path.join(FOLDERS.name, "bytecode"))
    from tests.support import compiled_kernels

    if not session.config.option.collectonly:
        compiled_kernels.compile_all(everything=session.config.args_source is pytest.Config.ArgsSource.TESTPATHS)
