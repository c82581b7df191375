"""The levels that come with the game: they check clean, and their own walks arrive, each time the same."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEVELS = sorted((ROOT / "levels").rglob("*.yaml"))
WALKS = sorted((ROOT / "levels").rglob("*.commands"))


def name(path):
    return path.relative_to(ROOT / "levels").as_posix()


def cases(paths, *defaults):
    """Each path as a case; only those with these names run by default, which are quick."""
    return [
        pytest.param(path, id=name(path), marks=() if name(path) in defaults else pytest.mark.full) for path in paths
    ]


@pytest.mark.parametrize("path", cases(LEVELS, "surfaces.yaml", "waters.yaml"))
def test_a_shipped_level_has_no_findings_even_with_strict(game, path):
    result = game("check", "--strict", path)
    assert (result.returncode, result.stdout.strip()[-13:]) == (0, "nothing wrong"), result.stdout


@pytest.mark.full
@pytest.mark.parametrize("walk", cases(WALKS, "surfaces.commands"))
def test_the_walk_of_a_shipped_level_has_the_same_hash_in_two_processes(game, command, walk):
    """In two interpreters: the fork server's, and this one."""
    results = [run("sim", walk.with_suffix(".yaml"), "--commands", walk) for run in (game, command)]
    assert results[0].returncode == 0, results[0].stdout + results[0].stderr
    assert results[0].stdout == results[1].stdout
    lines = results[0].stdout.splitlines()
    assert lines[-1].startswith("goal: reached at tick ")
    assert any(line.startswith("hash: ") for line in lines)
    assert not any(line.startswith("falls") for line in lines)
