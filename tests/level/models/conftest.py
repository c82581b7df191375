"""Fixtures that write levels with models."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.support.model_files import Place, level_with


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Writes files and a level with the given model piece into a folder."""
    return partial(level_with, tmp_path)
