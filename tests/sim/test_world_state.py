"""States of worlds: those of another level are refused in words, those of other versions of a level are not."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from game.level import load
from game.physics import Command, TriangleMesh
from game.sim import World
from tests.support.scenes import floor

LEVEL = """\
format: 1
name: {name}
spawn: {{at: [0, 0, {z}]}}
pieces:
  - floor: {{from: [-20, -20], to: [20, 20]}}
"""


@pytest.fixture
def make(tmp_path):
    """A function that makes a world of a level file with a name."""

    def make_world(file, name, z=0):
        path = tmp_path / file
        path.write_text(LEVEL.format(name=name, z=z), encoding="utf-8")
        return World(load(path))

    return make_world


def mesh_world():
    return World(TriangleMesh(np.array(floor(-20, -20, 20, 20))), spawn=(0.0, 0.0, 0.0))


def passed_on(state):
    """The state as it reaches another world: as it is, copied, and from another process."""
    return state, copy.deepcopy(state), pickle.loads(pickle.dumps(state))


def test_the_state_of_another_level_is_refused_with_both_names(make):
    first, second = make("first.yaml", "Cellar"), make("second.yaml", "Attic")
    second.step(Command(forward=1.0))
    before = second.state()
    for state in passed_on(first.state()):
        with pytest.raises(
            ValueError, match=r"of the level 'Cellar' \(.*first.yaml\).*of the level 'Attic' \(.*second"
        ):
            second.restore(state)
        assert second.state() == before


def test_a_mesh_and_a_level_refuse_the_state_of_each_other(make):
    level, mesh = make("level.yaml", "Cellar"), mesh_world()
    with pytest.raises(ValueError, match=r"of the level 'Cellar' .*this world is of a mesh"):
        mesh.restore(level.state())
    with pytest.raises(ValueError, match=r"of a mesh, and this world is of the level 'Cellar'"):
        level.restore(mesh.state())


def test_the_state_of_another_version_of_a_level_is_restored(make):
    saved = make("level.yaml", "Cellar")
    saved.step(Command(forward=1.0))
    state = saved.state()
    others = [
        make("level.yaml", "Cellar"),  # loaded again
        make("level.yaml", "Cellar", z=5),  # edited
        make("level.yaml", "Attic"),  # with another name
        make("copy.yaml", "Cellar"),  # in another file
    ]
    for world in others:
        for value in passed_on(state):
            world.restart()
            world.restore(value)
            assert world.state() == state
    other_mesh = mesh_world()
    other_mesh.restore(mesh_world().state())


def test_plain_bytes_are_restored_as_before(make):
    first, second = make("first.yaml", "Cellar"), make("second.yaml", "Attic")
    for value in (bytes(first.state()), bytearray(first.state()), memoryview(first.state())):
        second.restore(value)
    with pytest.raises(ValueError, match="not a saved state of this world"):
        second.restore(bytes(first.state())[:-1])


def test_a_state_is_equal_to_its_bytes_and_hashes_like_them(make):
    world = make("level.yaml", "Cellar")
    state = world.state()
    assert state == bytes(state)
    assert hash(state) == hash(bytes(state))
    assert isinstance(state, bytes)
