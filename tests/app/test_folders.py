"""Where the user's things are kept, and which variables say otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.app import folders
from game.physics import jit

VARIABLES = (folders.CONFIG_VARIABLE, folders.DATA_VARIABLE, folders.CACHE_VARIABLE)


@pytest.mark.parametrize(
    ("given", "elsewhere"),
    [
        ((), ()),
        ((folders.CONFIG_VARIABLE,), (folders.config, folders.data)),
        ((folders.DATA_VARIABLE,), (folders.data,)),
        ((folders.CACHE_VARIABLE,), (folders.cache,)),
        (VARIABLES, (folders.config, folders.data, folders.cache)),
    ],
)
def test_a_variable_moves_what_it_names_and_the_data_go_with_the_settings(monkeypatch, given, elsewhere):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    usual = {where: where() for where in (folders.config, folders.data, folders.cache)}
    for name in given:
        monkeypatch.setenv(name, f"/somewhere/{name}")
    for where, was in usual.items():
        assert (where() != was) == (where in elsewhere)
        assert was.name == folders.NAME or was.parent.name == folders.NAME  # Windows has a folder in it for the cache
    if folders.DATA_VARIABLE in given:
        assert folders.data() == Path("/somewhere", folders.DATA_VARIABLE)


def test_the_physics_looks_for_its_kernels_there():
    assert folders.CACHE_VARIABLE == jit.CACHE_VARIABLE
