"""An author in the editor."""

from __future__ import annotations

import pytest

from tests.support.editor_author import Author, write_level


@pytest.fixture
def author(tmp_path):
    """In a level with one of everything."""
    return Author(write_level(tmp_path))
