"""Messages of the bots' findings: the words, the quoted line and the cure."""

from __future__ import annotations

import pytest

from game.level import load
from game.reports.bot_finding_messages import BotFindingWriter
from game.sim.bots.walk_findings import BotFinding, FallDetails, FindingKind
from tests.support.explored_levels import FOLDER, explored

pytestmark = pytest.mark.jit

WORDS = {  # level -> words of the message, words of the cure
    "island": (("over its edge at (0.0, -2.0)", "(-2.0, -2.0) and (2.0, 2.0)"), "`intended: [fall]`"),
    "hole": (("over its edge at (1.",), "put ground below"),
    "pit": (("a player cannot get out at (", "4.0 m2, 2.0 m deep"), "`intended: [pit]`"),
    "stuck": (("a player gets stuck at (",), "`intended: [pit]`"),
    "vault": (("no player can reach 12 m2",), "`intended: [unreached]`"),
}


def walked(name):
    return BotFindingWriter(load(FOLDER / f"{name}.yaml")), explored(name).findings


CHEAP = ("island",)  # the other levels are larger


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in CHEAP else [pytest.mark.full]) for n in WORDS])
def test_each_finding_has_its_words_line_and_cure(name):
    words, cure = WORDS[name]
    writer, (found,) = walked(name)
    finding = writer.finding(found)
    assert (finding.severity, finding.line, finding.kind) == ("warning", found.place.line, found.kind.value)
    assert finding.file.endswith(f"{name}.yaml")
    assert finding.excerpt
    for part in words:
        assert part in finding.message
    assert cure in finding.cure
    assert writer.commands_file(found) == f"# {finding.where}: {finding.message}\n{found.commands}"


@pytest.mark.parametrize(
    ("piece", "height", "cure"),
    [
        (1, 0.9, "make it over 1.4 m high"),
        (1, 0.0, "the player leaves below its top, at an opening or an end of it: close that over 1.4 m high"),
        (0, 0.0, "add a wall or rail over 1.4 m high"),
        (2, 0.0, "add a wall or rail over 1.4 m high"),
    ],
)
def test_a_low_rail_is_to_be_made_higher_and_its_open_end_closed(piece, height, cure):
    text = "format: 1\nspawn: {at: [0, 0, 0]}\npieces:\n  - floor: {from: [-9, -9], to: [9, 9]}\n"
    beam = "  - box: {from: [-0.2, -0.1, -20], to: [0.2, 0, -9]}\n"
    level = load(text=f"{text}  - box: {{from: [-9, 0, -9], to: [9, 0.9, -8.8]}}\n{beam}")
    fall = FallDetails((0.0, 0.0), (1.0, 0.0), None)
    found = BotFinding(FindingKind.FALL, level.origins[piece].place, "", fall, (0.0, height, -9.0))
    assert BotFindingWriter(level).finding(found).cure.startswith(cure)


def test_an_unreached_goal_names_the_nearest_distance():
    writer, (spawn, goal) = walked("cell")
    assert "no player can get from the first spawn to the spawn '" in writer.finding(spawn).message
    assert "nearest place reached is 2." in writer.finding(goal).message
