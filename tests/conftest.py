"""What every test may need."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """The whole tick compiled before the first test, so that none waits for it; nothing with the JIT off."""
    from game.physics import prepare

    prepare.compile_whole()
