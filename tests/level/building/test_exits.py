"""Exits: their fields, and the files that they may lead to."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from game.level import Exit, Finding, check, load
from game.level.format.file_access import SHIPPED_LEVELS

FLOOR = "pieces: [floor: {from: [-9, -9], to: [9, 9]}]\n"
HEAD = "format: 1\nspawn: {at: [0, 0, 5], name: door}\n"

House = Callable[..., Path]


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Function that writes levels/rooms/here.yaml with the given exits, among other files, and returns its path."""

    def build(exits: str, more: str = "") -> Path:
        folder = tmp_path / "levels" / "rooms"
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("stairs.yaml", "../hall.yaml", "../../secret.yaml", "inner/deep.yml", "notes.txt"):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(HEAD + FLOOR)
        path = folder / "here.yaml"
        path.write_text(f"{HEAD}exits: {exits}\n{more}{FLOOR}")
        return path

    return build


def one(path: Path) -> Finding:
    (finding,) = check(path)
    assert str(finding) in [str(found) for found in check(path)]
    return finding


def test_an_exit_says_where_it_leads(house: House) -> None:
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
    assert (stairs.place.line, stairs.place.column) == (3, 9)
    assert load(deep.path).exits == ()


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("to", "words"),
    [
        ("../../secret.yaml", "is outside the levels folder"),
        ("inner/../../../secret.yaml", "is outside the levels folder"),
        ("/etc/hostname.yaml", "is not a relative path"),
        ("~/secret.yaml", "is not a relative path"),
        ("C:/secret.yaml", "is not a relative path"),
        ('"..\\\\..\\\\secret.yaml"', "is not a path to a level"),
        ("notes.txt", "is not a level file"),
        ("inner", "is not a level file"),
    ],
)
def test_an_exit_leads_to_levels_nearby_only(house: House, to: str, words: str) -> None:
    path = house(f"[{{at: [0, 0, 0], to: {to}}}, {{at: [1, 0, 0], to: stairs.yaml}}]")
    finding = one(path)
    assert (finding.severity, finding.where, finding.line, finding.column) == ("dropped", "exits.to", 3, 29)
    assert words in finding.message
    assert [way.to for way in load(path).exits] == ["stairs.yaml"]


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_a_link_does_not_lead_further(house: House) -> None:
    path = house("[{at: [0, 0, 0], to: linked.yaml}]")
    (path.parent / "linked.yaml").symlink_to(path.parents[2] / "secret.yaml")
    assert "is outside the levels folder" in one(path).message
    (path.parent / "linked.yaml").unlink()
    (path.parent / "linked.yaml").symlink_to(path.parent / "linked.yaml")
    assert one(path).where == "exits.to"


def test_shipped_levels_lead_to_all_of_them() -> None:
    for name in ("museum/hall.yaml", "demo.yaml"):
        if (SHIPPED_LEVELS / name).is_file():
            assert all(way.path.is_relative_to(SHIPPED_LEVELS) for way in load(SHIPPED_LEVELS / name).exits)


def test_the_word_exit_is_understood(house: House) -> None:
    path = house("[{at: [0, 0, 0], to: stairs.yaml}]", "exit: [0, 0, 0]\n")
    assert one(path).cure == "did you mean `exits`?"


def test_an_exit_to_nowhere_does_not_stop_the_level(house: House) -> None:
    level = load(house("[{at: [0, 0, 0], to: nowhere.yaml}]"))
    assert [way.path.exists() for way in level.exits] == [False]
