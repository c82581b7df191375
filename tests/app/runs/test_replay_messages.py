"""Messages about replay files: each defect, notes on versions and levels, and the first divergent tick."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from game.app.runs.replay_messages import (
    command_text,
    divergence_lines,
    replay_defect_message,
    verify_note_message,
)
from game.physics import Command
from game.sim.replay.replay_file import DefectKind, ReplayDefect
from game.sim.replay.verifier import (
    WORLD_COUNTERS,
    ComponentChange,
    Divergence,
    FieldDifference,
    LevelNote,
    VersionNote,
)

RECORD = SimpleNamespace(path=Path("walk.replay"), ticks=120, seconds=2.0)


@pytest.mark.parametrize(
    ("defect", "words"),
    [
        (ReplayDefect(DefectKind.INVALID_BLOCK, 8, detail="it has 0 ticks"), "byte 8 is not valid (it has 0 ticks)"),
        (ReplayDefect(DefectKind.DAMAGED_MAGIC), "the first bytes of the file are damaged"),
        (ReplayDefect(DefectKind.BYTES_AFTER_END, 900, 8), "8 bytes follow the end of the replay"),
        (ReplayDefect(DefectKind.DAMAGED_BYTES, 40, 12), "12 bytes from byte 40 on are damaged"),
        (ReplayDefect(DefectKind.LOST_TICKS, 120, 60), "ticks 121 to 180 are lost"),
        (
            ReplayDefect(DefectKind.CUT_IN_BLOCK, size=500),
            "cut off in the middle of a block, after 500 bytes, or the game",
        ),
        (ReplayDefect(DefectKind.CUT_AFTER_BLOCK, size=500), "at the end of a block, after 500 bytes"),
        (ReplayDefect(DefectKind.WRONG_CHECKSUM), "the checksum of the whole file is wrong"),
    ],
)
def test_each_defect_has_a_sentence(defect, words):
    assert words in replay_defect_message(defect, RECORD)


def test_a_file_without_an_end_names_the_complete_ticks():
    message = replay_defect_message(ReplayDefect(DefectKind.CUT_IN_BLOCK, size=500), RECORD)
    assert message.endswith("the game ended while it recorded; the 120 ticks up to there (2.0 s) are complete")


def test_a_note_of_another_version_or_level_becomes_a_sentence():
    note = VersionNote((ComponentChange("rules", "0123", "1"), ComponentChange("numpy", "1.0", "2.0")), False)
    assert verify_note_message(note) == "recorded with rules 0123 (here 1), numpy 1.0 (here 2.0): the rules may differ"
    assert verify_note_message(VersionNote(note.changes[1:], True)).endswith(
        "numpy 1.0 (here 2.0): the rules are the same"
    )
    level = verify_note_message(LevelNote("Floor", "aa", "bb"))
    assert level.startswith("the level Floor has changed since the recording (then aa, now bb); --as-recorded")


def test_a_divergence_names_tick_command_and_both_values():
    command = Command(forward=1.0, heading=16384, jump=True)
    differences = (FieldDifference("velocity", "1.0", "1.5"), FieldDifference(WORLD_COUNTERS, "hash a", "hash b"))
    lines = divergence_lines(Divergence(137, 137 / 60, "Floor", command, True, differences))
    assert lines == [
        "diverged at tick 137 (2.28 s, Floor), command: restart, forward 1 heading 90.00° jump",
        "  velocity: recorded 1.0, now 1.5",
        "  the world's own counters: recorded hash a, now hash b",
    ]
    unknown = Divergence(60, 1.0, "Floor", None, False, differences)
    assert divergence_lines(unknown)[0].endswith("command: any command up to this tick")
    assert command_text(Command()) == "heading 0.00°"
