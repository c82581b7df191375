"""What every test may need."""

from __future__ import annotations

import os
import sys
import tempfile

import pytest

FOLDERS = tempfile.TemporaryDirectory(prefix="walker-tests-")  # settings and progress of no real player


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """The physics compiled before the first test (and before any helping process), so that none waits for it."""
    os.environ["WALKER_CONFIG"] = FOLDERS.name
    os.environ.pop("WALKER_DATA", None)
    os.environ["WALKER_FONTS"] = "shipped"  # pictures are the same on each machine
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):  # else each process compiles all modules and tests anew
        from game.core import user_folders

        folder = os.environ.setdefault("PYTHONPYCACHEPREFIX", str(user_folders.cache_folder() / "bytecode"))
        sys.pycache_prefix, sys.dont_write_bytecode = folder, False
    from tests.support import compiled_kernels

    if not session.config.option.collectonly:
        compiled_kernels.compile_all(everything=session.config.args_source is pytest.Config.ArgsSource.TESTPATHS)
