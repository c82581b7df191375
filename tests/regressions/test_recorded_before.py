"""Files that players have: settings, bindings, best times and replays are read; replays of older versions are not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from game.app.commands.command_line import main
from game.app.runs import progress
from game.app.runs.library import run_library
from game.app.runs.library.replay_levels import ReplayLevels
from game.app.runs.replay_messages import verify_note_message
from game.app.settings import key_bindings
from game.app.settings import settings_file as user_settings
from game.app.settings.settings_table import OPTIONS, Settings
from game.core import user_folders
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.sim import verify
from game.sim.replay import fingerprint, replay_file
from game.sim.replay.verifier import version_notes
from game.sim.trial import read_track

HERE = Path(__file__).resolve().parent
REPLAYS = {path.relative_to(HERE / "replays").with_suffix("").as_posix(): path for path in HERE.rglob("*.replay")}
USER = HERE / "user"
QUICK = ("escher", "waters")
SOURCE_HASH = "6af12a4b61683534"  # of rules that had no number
HERE_RULES = fingerprint.RULES_VERSION
USER_RULES = 3  # of the version that wrote the player's files


def test_there_is_a_replay_of_every_shipped_walk():
    assert sorted(REPLAYS) == sorted(
        path.relative_to(SHIPPED_LEVELS).with_suffix("").as_posix() for path in SHIPPED_LEVELS.rglob("*.commands")
    )


@pytest.mark.jit
@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.full) for name in sorted(REPLAYS)]
)
def test_a_replay_verifies_to_its_end(name, tmp_path):
    record = replay_file.read_replay(REPLAYS[name])
    (part,) = record.parts
    if part.head["made"]["machine"] != fingerprint.machine_name():
        pytest.skip(f"recorded on {part.head['made']['machine']}: other machines may round otherwise")
    assert record.is_complete
    assert part.head["made"]["rules"] == str(HERE_RULES)
    shelf = ReplayLevels(record, None, as_recorded=True, scratch=tmp_path)
    assert fingerprint.level_hash(shelf.level(part)) == part.level["hash"]
    verdict = verify(record, shelf.level)
    assert (verdict.divergence, verdict.ticks) == (None, record.ticks)
    assert all(note.same_rules for note in verdict.notes)


def test_a_replay_with_the_states_of_an_older_version_is_refused(tmp_path, capsys):
    blocks = replay_file.read_blocks(REPLAYS["escher"].read_bytes())[0]
    head = next(json.loads(block.payload) for block in blocks if block.kind == "HEAD")
    head["state"] = head["state"][:-4]  # without the body at the safe place
    path = tmp_path / "old.replay"
    path.write_bytes(replay_file.MAGIC + replay_file.encode_json("HEAD", head))
    before = path.read_bytes()
    with pytest.raises(replay_file.ReplayError, match=r"^version 0\.1\.0 of the game wrote it with other states: "):
        replay_file.read_replay(path)
    assert main(["replay", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert path.read_bytes() == before


def test_rules_are_numbers():
    assert fingerprint.rules_version("1") == 1
    assert fingerprint.rules_version("23") == 23
    for other in ("", "0123456789abcdef", SOURCE_HASH, "1234567890123456", None, "-1", "1.0"):
        assert fingerprint.rules_version(other) is None


@pytest.mark.parametrize(
    ("recorded", "same"), [(str(HERE_RULES), True), (SOURCE_HASH, False), ("1", False), ("99", False), ("x", False)]
)
def test_version_notes_distinguish_other_rules(recorded, same):
    record = replay_file.read_replay(REPLAYS["escher"])
    made = record.parts[0].head["made"]
    made.update(fingerprint.component_versions(), rules=recorded)
    notes = [verify_note_message(note) for note in version_notes(record)]
    assert notes == ([] if same else [f"recorded with rules {recorded} (here {HERE_RULES}): the rules may differ"])
    made["numpy"] = "0.1"
    (note,) = map(verify_note_message, version_notes(record))
    assert note.startswith("recorded with ")
    assert note.endswith("the rules are the same" if same else "the rules may differ")


def test_new_files_carry_the_rules_number_in_the_same_place():
    made = fingerprint.component_versions()
    assert made["rules"] == str(fingerprint.RULES_VERSION)
    old = replay_file.read_replay(REPLAYS["escher"]).parts[0].head["made"]
    assert list(made) == list(old)
    assert all(isinstance(value, str) for value in made.values())


def test_settings_and_key_bindings_are_carried_over():
    path = USER / "settings.json"
    settings, notes = user_settings.load_settings(path)
    assert notes == []
    standard = Settings()
    written = json.loads(path.read_text(encoding="utf-8"))
    saved = json.loads(user_settings.settings_text(settings))
    gone = {name: written.pop(name) for name in ("pad_curve", "pad_speed_x", "pad_speed_y")}
    written |= {"frame_cap": "120", "pad_speed": gone["pad_speed_x"]}
    assert {name: saved[name] for name in written} == written
    newer = saved.keys() - written.keys()
    assert all(getattr(settings, name) == getattr(standard, name) for name in newer)
    known = [option.name for option in OPTIONS if option.name in written]
    assert len(known) == 44
    assert all(getattr(settings, name) != getattr(standard, name) for name in known)
    keys = key_bindings.KeyBindings.from_preset("qwerty", settings.own_keys)
    assert keys.keys_of("jump") == ("J", "", "PAD_A")
    assert keys.keys_of("rewind") == ("BACKSPACE", "", "PAD_RB")
    assert keys.keys_of("fly") == ("", "", "PAD_X")


@pytest.fixture
def data(tmp_path, monkeypatch):
    """The data folder of a player with two best runs."""
    monkeypatch.setenv(user_folders.DATA_VARIABLE, str(tmp_path))
    shutil.copy(USER / "progress.json", tmp_path)
    (tmp_path / "runs").mkdir()
    for record in progress.read_progress().records.values():
        assert record.best is not None
        replays = [
            path for path in REPLAYS.values() if replay_file.read_replay(path).parts[0].level["hash"] in record.best.run
        ]
        shutil.copy(*replays, tmp_path / "runs" / record.best.run)
    return tmp_path


def test_progress_loads_unchanged(data):
    text = (data / "progress.json").read_bytes()
    known, wrong = progress.parse_progress(text)
    assert wrong == ""
    assert progress.encode_progress(known) == text
    assert len(known.records) == 2
    assert known.last == ("shipped/golf/one.yaml", "spawn 1")
    for record in known.records.values():
        assert record.best is not None
        assert fingerprint.rules_version(record.best.rules) == USER_RULES


def test_a_best_run_loads_with_its_level_and_ghost(data):
    level = load(SHIPPED_LEVELS / "escher.yaml")
    record = progress.level_record(level)
    assert record.best is not None
    assert (record.name, record.finished, record.best.seconds) == ("The turning stairs", 1, 15.833333333333334)
    run = run_library.read_run(progress.runs_folder() / record.best.run)
    assert run is not None
    assert len(read_track(run).states) == run.ticks + 1
