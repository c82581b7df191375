"""Walks whose every bit is known: a change of the physics that was not meant shows here."""

from __future__ import annotations

import pytest

from game.sim.replay import fingerprint
from tools.verify import golden

KEPT = golden.kept().get(fingerprint.machine(), {})
AGAIN = "if the physics was meant to change: python -m tools.verify.golden"

pytestmark = [
    pytest.mark.jit,
    pytest.mark.skipif(
        not KEPT, reason=f"no golden hashes of {fingerprint.machine()} yet: python -m tools.verify.golden adds them"
    ),
]


def test_there_is_a_hash_of_every_walk_and_of_nothing_else():
    assert sorted(KEPT) == sorted(golden.names()), AGAIN


@pytest.mark.parametrize("name", sorted(KEPT.keys() & golden.names().keys()))
def test_every_bit_of_the_walk_is_as_it_was(name):
    now = golden.names()[name]()
    assert now == KEPT[name], f"{name} goes otherwise than it did; {AGAIN}"


def test_differences_are_named():
    old, new = {"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "9", "d": "4"}
    assert golden.differences(old, new) == [
        "b: was 2, is 9",
        "c: there is no such walk any more",
        "d: new, 4",
    ]
