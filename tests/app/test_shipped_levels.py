"""The levels of the game: no findings, walks that arrive each time the same, first views that say what to do."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS

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


# First views: what a player sees from the spawn, before the first step


EYE_HEIGHT = 1.44  # m
HALF_FOV = 42.0  # degrees to each side; 90 degrees are visible at 16:9, the rest is for the width of a sign
# The words by which a level says in its first view what to do, on a sign.
FIRST_WORDS = {
    "surfaces": ("Through ice", "Go right"),
    "lab": ("Press 1 for a ghost",),
    "golf/one": ("look at the flag",),
    "golf/two": ("Look up to loft",),
    "golf/three": ("The flag is far left",),
    "waters": ("Dive under the wall",),
    "lifts": ("Step on and ride",),
    "escher": ("Take the stairs",),
    "ballroom": ("Hit the three crystals",),
    "museum/hall": ("Behind each gate",),
}


@pytest.mark.parametrize("name", FIRST_WORDS)
@pytest.mark.sample(1)
def test_the_first_view_has_a_sign_that_says_what_to_do(name: str) -> None:
    level = load(SHIPPED_LEVELS / f"{name}.yaml")
    start = level.spawns[0]
    eye = np.add(start.feet, (0.0, EYE_HEIGHT, 0.0))
    for words in FIRST_WORDS[name]:
        sign = next(sign for sign in level.signs if words in " ".join(sign.text.split()))
        to_sign = np.subtract(sign.at, eye)
        turn = math.degrees(math.atan2(-to_sign[0], -to_sign[2])) - start.heading * 360 / 65536
        assert abs((turn + 180) % 360 - 180) < HALF_FOV, f"{words}: {turn:.0f} degrees to the side"
        facing = sign.heading * 2 * math.pi / 65536
        assert np.dot(to_sign, (-math.sin(facing), 0.0, -math.cos(facing))) < 0.0, f"{words}: seen from behind"
        hit = level.mesh.raycast(eye, to_sign, max_distance=float(np.linalg.norm(to_sign)) - 0.1)
        assert hit is None, f"{words}: hidden by a wall"
