"""Exits: their fields, and the files that they may lead to. What is refused is in the corpus: files/exit ..."""

from __future__ import annotations

import os

import pytest

from game.level import Exit, check, load
from game.level.format.file_access import SHIPPED_LEVELS, is_tests_file

FLOOR = "format: 1\nspawn: {at: [0, 0, 5], name: door}\npieces: [floor: {from: [-9, -9], to: [9, 9]}]\n"


@pytest.fixture
def house(tmp_path):
    """Function that writes levels/rooms/here.yaml with the given exits, among other files, and returns its path."""

    def build(exits):
        folder = tmp_path / "levels" / "rooms"
        for name in ("here.yaml", "stairs.yaml", "../hall.yaml", "../../secret.yaml", "inner/deep.yml"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(FLOOR)
        (folder / "here.yaml").write_text(f"{FLOOR}exits: {exits}\n")
        return folder / "here.yaml"

    return build


def test_an_exit_says_where_it_leads(house):
    path = house(
        "[{at: [1, 2, 3], to: stairs.yaml},"
        " {at: [0, 0, -4], radius: 0.5, to: ../hall.yaml, name: The hall, spawn: door},"
        " {at: [4, 0, 0], to: inner/deep.yml}]"
    )
    assert check(path) == []
    stairs, hall, deep = load(path).exits
    folder = path.parent.resolve()
    assert stairs == Exit((1, 2, 3), 0.8, "stairs.yaml", folder / "stairs.yaml", "stairs", "")
    assert hall == Exit((0, 0, -4), 0.5, "../hall.yaml", folder.parent / "hall.yaml", "The hall", "door")
    assert deep.path == folder / "inner" / "deep.yml"
    assert (stairs.place.line, stairs.place.column) == (4, 9)
    assert load(deep.path).exits == ()


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
@pytest.mark.parametrize(
    ("target", "words"), [("../../secret.yaml", "is outside the levels folder"), ("linked.yaml", "")]
)
def test_a_link_does_not_lead_further_or_round_in_circles(house, target, words):
    path = house("[{at: [0, 0, 0], to: linked.yaml}]")
    (path.parent / "linked.yaml").symlink_to(path.parent / target)
    (finding,) = check(path)
    assert finding.where == "exits.to"
    assert words in finding.message


def test_each_shipped_level_is_behind_a_door_of_the_courtyard_or_of_the_museum():
    """The other holes of golf follow the first."""
    folders = (SHIPPED_LEVELS, SHIPPED_LEVELS / "golf", SHIPPED_LEVELS / "museum")
    levels = {path for folder in folders for path in folder.glob("*.yaml") if not is_tests_file(path)}
    doors = {way.path for path in (folders[0] / "demo.yaml", folders[2] / "hall.yaml") for way in load(path).exits}
    assert doors <= levels
    assert {path.stem for path in levels - doors} == {"two", "three"}


def test_an_exit_to_nowhere_does_not_stop_the_level(house):
    assert [way.path.exists() for way in load(house("[{at: [0, 0, 0], to: nowhere.yaml}]")).exits] == [False]
