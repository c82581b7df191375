"""What every test may need."""

from __future__ import annotations

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """The whole tick compiled before the first test (and before any helping process), so that none waits for it."""
    from game.physics import prepare

    if not session.config.option.collectonly:
        prepare.compile_whole()
