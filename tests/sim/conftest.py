"""Small levels made of triangles, so that a failure here is the simulation's and not the level reader's."""

import pytest

from tests.support.level_builder import floor_with_wall


@pytest.fixture
def level():
    return floor_with_wall()


@pytest.fixture
def level_with():
    return floor_with_wall
