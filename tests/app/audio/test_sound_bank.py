"""The samples: a file of another kind is named with the reason, once."""

from __future__ import annotations

import struct

import pytest

from game.app.audio.sound_bank import MAX_SECONDS, SoundBank
from game.app.audio.sound_events import FOOTSTEP_VARIANTS
from game.app.audio.sound_player import SOUND_FOLDER
from game.app.audio.sounds import SOUNDS
from game.level.format.surfaces import FOOTSTEPS

RATE = 22050


def header(channels=1, bits=16, rate=RATE, count=10):
    """A wave file of zeros, or one whose header says so."""
    size = channels * bits // 8
    parts = struct.pack(
        "<4sI4s4sIHHIIHH", b"RIFF", 36 + count * size, b"WAVE", b"fmt ", 16, 1, channels, rate, rate, size, bits
    )
    return parts + struct.pack("<4sI", b"data", count * size) + bytes(min(count * size, 10000))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (header(channels=2), "it needs 16 bits, one channel"),
        (header(bits=8), "it needs 16 bits, one channel"),
        (header(rate=4_000_000_000), "8000 to 48000 Hz"),
        (header(rate=1), "8000 to 48000 Hz"),
        (header(count=MAX_SECONDS * RATE + 1), "up to 120 s"),
        (header(count=0), "up to 120 s"),
        (header()[:44], "it ends too early"),
        (header()[:20], ""),
        (b"", "it ends too early"),
        (b"OggS of another kind", "RIFF"),
        (header().replace(b"WAVE", b"MOVE"), "not a WAVE file"),
    ],
    ids=("stereo", "8 bits", "fast", "slow", "long", "empty", "cut", "cut in the header", "nothing", "ogg", "no wave"),
)
def test_a_file_of_another_kind_is_named_with_the_reason(tmp_path, data, reason):
    (tmp_path / "goal.wav").write_bytes(data)
    (tmp_path / "land.wav").write_bytes(header())
    bank = SoundBank(tmp_path)
    bank.load(lambda *sound: sound)
    (problem,) = bank.problems
    assert problem.startswith("goal.wav cannot be played: ")
    assert reason in problem
    assert bank.source("goal") is None
    assert bank.source("land") is not None
    assert len(bank.problems) == 1, "it is said once"


def test_a_file_that_may_not_be_read_is_named(tmp_path):
    (tmp_path / "goal.wav").mkdir()
    bank = SoundBank(tmp_path)
    bank.load(lambda *sound: sound)
    assert bank.problems == ["goal.wav cannot be played: is a directory"]


def test_the_table_names_all_files_and_no_others():
    steps = {f"step_{kind}_{k + 1}" for kind in FOOTSTEPS if kind != "none" for k in range(FOOTSTEP_VARIANTS)}
    assert {sound.file or name for name, sound in SOUNDS.items()} | steps == {
        file.stem for file in SOUND_FOLDER.iterdir()
    }
