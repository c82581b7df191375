"""Medals and challenges of a level's own: on the card, in the results, in the progress file and in the level list."""

from __future__ import annotations

import pytest

from game.app.menus.level_library import LevelEntry
from game.app.menus.level_page import _completion_text
from game.app.runs import medals, progress
from game.app.runs.ghost import GhostReplay
from game.app.runs.run_results import RunResult, challenge_texts
from game.level import load
from game.physics import Command
from game.sim import World
from game.sim.trial import TrialRun, challenge_of_key, level_challenges

LEVEL = """\
format: 1
name: Yard
spawn: {at: [0, 0, 0], facing: north}
goal: {at: [0, 0, -6], radius: 0.5}
medals: {gold: 1.25, silver: 2, bronze: 9}   # by hand
challenges:
  - {name: Tiptoe, rule: [no_sprint, no_jump]}
  - {name: Dry feet, rule: no_fall, within: 1.7, about: Do not touch the water}
  - {name: Quick, within: 60}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
"""


def run_of(level, **how):
    world = World(level)
    run = TrialRun(world)
    while not run.is_finished:
        command = Command(forward=1.0, **how)
        run.stepped(command, world.step(command))
    return run


def test_own_challenges_stand_in_place_of_the_usual_ones(level, tmp_path):
    assert [challenge.key for challenge in level_challenges(level)] == ["no_jump+no_sprint", "no_fall@1.7", "@60"]
    assert run_of(level).kept_challenges == ("no_jump+no_sprint", "no_fall@1.7", "@60")
    assert run_of(level, crouch=True).kept_challenges == ("no_jump+no_sprint", "@60")  # too slow
    assert run_of(level, sprint=True).kept_challenges == ("no_fall@1.7", "@60")
    none = LEVEL[: LEVEL.index("challenges")] + "challenges: []\n" + LEVEL[LEVEL.index("pieces") :]
    (tmp_path / "none.yaml").write_text(none, encoding="utf-8")
    assert level_challenges(load(tmp_path / "none.yaml")) == ()


def test_a_key_keeps_results_when_the_words_change():
    for key in ("no_jump", "no_jump+no_sprint", "no_fall@1.7", "@60"):
        assert challenge_of_key(key).key == key
    assert challenge_of_key("fly") is None
    assert challenge_of_key("") is None


def test_texts_are_the_levels_own_or_made_from_the_rules(level):
    tiptoe, dry, quick = map(challenge_texts, level_challenges(level))
    assert tiptoe == ("Tiptoe", "Never jump, never sprint")
    assert dry == ("Dry feet", "Do not touch the water")
    assert quick == ("Quick", "Finish in 1:00.00")
    label, about = challenge_texts(challenge_of_key("no_fall@1.7"))
    assert (label, about) == ("Sure-footed in 0:01.70", "Finish without falling, finish in 0:01.70")
    assert challenge_texts(challenge_of_key("no_jump")) == ("Feet on the ground", "Never jump")


def test_results_and_level_list_show_them(level):
    run = run_of(level)
    assert 1.25 < run.seconds < 1.7
    result = RunResult(run, progress.LevelRecord(), [], GhostReplay())
    summary = result.summary()
    assert [row.label for row in summary.challenges] == ["Tiptoe", "Dry feet", "Quick"]
    assert (summary.medal, summary.medal_text) == ("silver", "Silver medal   ·   Next: Gold 0:01.25")
    best = progress.BestRun(run.seconds, None)
    progress.record_visit(level, "spawn 1")
    progress.record_finish(level, "spawn 1", best, run.kept_challenges)
    _, text, medal = _completion_text(LevelEntry(level.path, "Yard", "Yours", False, ""))
    assert medal == "silver"
    assert "Next medal: Gold 0:01.25" in text
    assert "Feet on the ground + No hurry, Sure-footed in 0:01.70, In 1:00.00" in text


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("medals:\n  gold: 42    # fast\n  silver: 60\n\n  bronze: 90\n", [42, 60, 90]),
        ("medals: {bronze: 90,\n         silver: 60, gold: 42}\n", [42, 60, 90]),
        ("medals: {gold: 9, silver: 2, bronze: 1}\n", None),
        ("medals: {gold: 2*9, silver: 20, bronze: 30}\n", None),
        ("#medals: {gold: 1, silver: 2, bronze: 3}\n", None),
        ("", None),
    ],
)
def test_lists_find_medals_in_the_file_without_loading_it(tmp_path, written, found):
    path = tmp_path / "own.yaml"
    path.write_bytes(("format: 1\n" + written + "pieces: []\n").encode())
    limits = medals.limits_of_file(path, False)
    assert (None if limits is None else [limit for _, limit in limits.limits]) == found
