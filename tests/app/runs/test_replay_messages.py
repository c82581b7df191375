"""Messages about replay files: a missing end, notes on versions and levels, and the first divergent tick."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from game.app.runs.replay_messages import (
    command_text,
    cut_off_message,
    divergence_lines,
    verify_note_message,
)
from game.physics import Command
from game.sim.replay.verifier import (
    WORLD_COUNTERS,
    ComponentChange,
    Divergence,
    FieldDifference,
    LevelNote,
    VersionNote,
)

RECORD = SimpleNamespace(path=Path("walk.replay"), ticks=120, seconds=2.0, size=500)


def test_a_file_without_an_end_names_the_complete_ticks():
    message = cut_off_message(RECORD)
    assert message.startswith("the file has no end: it is cut off after 500 bytes, or the game ended")
    assert message.endswith("the 120 ticks up to there (2.0 s) are complete")


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
