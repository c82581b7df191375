"""Saved session: place, time, view and run of the level that is played, for Continue after the program has ended.

One file in the player's data folder, made of checked blocks (`chunk_file`) and replaced atomically:

    SESS  JSON: format, versions, level, spawn, view, run, and the SHA-256 of the two parts below
    WRLD  the state of the world
    RUNR  the replay of the run so far, in pieces; none where the run does not count

A file that cannot be used is kept under another name, and play starts at the spawn.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core import atomic_files, user_folders
from ...core.angles import HEADING_UNITS_PER_TURN
from ...core.background import run_in_thread
from ...core.errors import WalkerError, error_reason
from ...core.file_reading import read_at_most
from ...sim.replay import chunk_file, fingerprint, replay_file
from ...sim.replay.chunk_file import FileChunk
from ...sim.replay.replay_file import ReplayError
from ...sim.trial import TrialRun, read_track
from ..input.player_input import MAX_PITCH
from ..settings.mode_names import REPLAYING, REWINDING, TITLE
from . import progress
from .recording import RunRecorder
from .time_trial import KeptRun

if TYPE_CHECKING:
    from ...sim import World
    from ..game import Game

FILE_NAME = "continue.session"
UNUSABLE_SUFFIX = ".unusable"
SESSION_FORMAT = 1
SAVE_SECONDS = 10.0  # s between two saves in play
BYTES_PER_SECOND = 1 << 20  # that saves write at most, on average: with a long recording they are rarer
MAX_FILE_BYTES = 128 << 20
MAX_PIECE = 8 << 20  # bytes of the recording in one block
NO_RECORDING_REASON = "continued without its recording"


class SessionError(WalkerError, ValueError):
    """A saved session that cannot be used; the text is half a sentence."""


@dataclass(frozen=True, slots=True)
class SavedSession:
    """Content of the file. `fields`: of the block SESS; `state`: of the world; `recorded`: replay of the run so far."""

    fields: dict[str, Any]
    state: bytes
    recorded: bytes


def session_file() -> Path:
    return user_folders.data_folder() / FILE_NAME


# Encode and decode


def encode_session(game: Game) -> bytes:
    world = game.world
    run, recorded = _encode_run(game.runs.time_trial.keep_run())
    state = world.state()
    fields = {
        "format": SESSION_FORMAT,
        "made": fingerprint.component_versions(),
        "level": progress.file_key(world.level.path),
        "name": world.level.name,
        "hash": progress.cached_level_hash(world.level),
        "spawn": world.start.name,
        "settings_hash": _settings_hash(world),
        "view": [game.input.view.yaw, game.input.view.pitch],
        "third_person": game.cameras.third_person.is_active,
        "run": run,
        "sha256": hashlib.sha256(state + recorded).hexdigest(),
    }
    blocks = [chunk_file.encode_chunk("SESS", json.dumps(fields, indent=1).encode())]
    blocks.append(chunk_file.encode_chunk("WRLD", state))
    pieces = range(0, len(recorded), MAX_PIECE)
    blocks += [chunk_file.encode_chunk("RUNR", recorded[at : at + MAX_PIECE]) for at in pieces]
    return chunk_file.MAGIC + b"".join(blocks)


def decode_session(data: bytes) -> SavedSession:
    """The content of a file. SessionError for any other bytes."""
    if not data.startswith(chunk_file.MAGIC):
        raise SessionError("it is no saved session")
    blocks = [block for block in chunk_file.scan_chunks(data) if isinstance(block, FileChunk)]
    parts = {kind: [block.payload for block in blocks if block.kind == kind] for kind in ("SESS", "WRLD", "RUNR")}
    if len(parts["SESS"]) != 1:
        raise SessionError("the file is damaged" if blocks else "the file is cut off")
    try:
        fields = json.loads(parts["SESS"][0])
        version = fields["format"]
        digest = fields["sha256"]
        made = fields["made"]["game"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise SessionError("the file is damaged") from None
    if version != SESSION_FORMAT:
        raise SessionError(f"version {str(made)[:20]} of the game wrote it in another format")
    state = b"".join(parts["WRLD"])
    recorded = b"".join(parts["RUNR"])
    if hashlib.sha256(state + recorded).hexdigest() != digest:
        raise SessionError("the file is damaged or cut off")
    return SavedSession(fields, state, recorded)


def _settings_hash(world: World) -> str:
    return fingerprint.settings_hash(fingerprint.settings_values(world.settings))


def apply_session(game: Game, saved: SavedSession) -> None:
    """Continue the saved session in the world of the game, which is at its spawn. SessionError where the level, its
    version or that of the rules does not fit; the world is then at its spawn."""
    world = game.world
    session = game.session
    fields = saved.fields
    assert session is not None
    if fields.get("level") != progress.file_key(world.level.path):
        raise SessionError(f"its level, {str(fields.get('name'))[:40]}, cannot be loaded")
    if fields.get("hash") != progress.cached_level_hash(world.level):
        raise SessionError("the level has changed since")
    if fields.get("spawn") != world.start.name:
        raise SessionError("it began at another start of the level")
    rules = fingerprint.rules_version(fields["made"].get("rules"))
    if rules != fingerprint.RULES_VERSION or fields.get("settings_hash") != _settings_hash(world):
        raise SessionError("another version of the rules wrote it")
    game.runs.time_trial.update(session, 0.0)  # begins the run at the spawn, which the saved one replaces
    try:
        view = [float(angle) for angle in fields["view"]]
        if len(view) != 2 or not all(map(math.isfinite, view)):
            raise ValueError("no view")
        world.restore(saved.state)
        kept = _decode_run(saved, world)
    except (ValueError, KeyError, TypeError, OverflowError):
        session.restart()
        raise SessionError("the file is damaged") from None
    game.runs.time_trial.resume_run(kept)
    session.reset_interpolation()
    game.input.view.yaw = view[0] % HEADING_UNITS_PER_TURN
    game.input.view.pitch = max(-MAX_PITCH, min(MAX_PITCH, view[1]))
    game.cameras.snap(session)
    if bool(fields.get("third_person")) != game.cameras.third_person.is_active:
        game.cameras.third_person.toggle()
    game.feedback.target_fade.update(world.reached_targets, 0.0, jump=True)


def _encode_run(kept: KeptRun) -> tuple[dict[str, Any] | None, bytes]:
    """The run as JSON values (None where there is none), and its replay so far. The pending result page is left out."""
    run = kept.run
    if run is None:
        return None, b""
    recorded = b""
    if kept.recorder is not None and not kept.void_reason and not run.is_finished:
        recorded = kept.recorder.recorded_bytes()
    fields = {
        **run.to_fields(),
        "void": kept.void_reason,
        "split_positions": [list(point) for point in kept.split_positions],
    }
    return fields, recorded


def _decode_run(saved: SavedSession, world: World) -> KeptRun:
    """The run of `_encode_run`, to be continued in `world`, which is in the state after it; a practice run where its
    recording cannot be continued. ValueError for other values."""
    fields = saved.fields["run"]
    if fields is None:
        return KeptRun()
    run = TrialRun.from_fields(world, fields)
    points = [(float(x), float(y), float(z)) for x, y, z in fields["split_positions"]]
    kept = KeptRun(run, str(fields["void"]), split_positions=points)
    with contextlib.suppress(ValueError):
        _continue_recording(kept, run, saved.recorded, world)
    if kept.recorder is None and not kept.void_reason and not run.is_finished:
        kept.void_reason = NO_RECORDING_REASON
    return kept


def _continue_recording(kept: KeptRun, run: TrialRun, recorded: bytes, world: World) -> None:
    """Continue the replay of the run. ValueError for one that does not end in the state of the world."""
    record = replay_file.decode_replay(recorded, Path())
    part = record.parts[0]
    if len(record.parts) != 1 or record.missing_ticks or record.ticks != run.ticks or not part.chunks:
        raise ReplayError("its recording is incomplete")
    if part.chunks[-1].hash != world.hash():
        raise ReplayError("its recording ends elsewhere")
    kept.recorder = RunRecorder.resume(world, recorded, record)
    kept.path = [(x, y, z) for x, y, z in read_track(record).path[1:].tolist()]


# The file


def restore_session(game: Game) -> str:
    """Continue where the program ended last; a sentence for the player where that is impossible, else an empty one."""
    path = session_file()
    try:
        data = read_at_most(path, MAX_FILE_BYTES)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"Your saved place cannot be read ({error_reason(error)}); you start at the beginning."
    try:
        saved = decode_session(data)
        if _was_left(saved, game.world):
            return ""
        apply_session(game, saved)
    except SessionError as error:
        aside = path.with_name(path.name + UNUSABLE_SUFFIX)
        try:
            os.replace(path, aside)
        except OSError:
            aside = path
        return (
            f"Your saved place cannot be used: {error}. You start at the beginning; the file is kept as {aside.name}."
        )
    return ""


def _was_left(saved: SavedSession, world: World) -> bool:
    """Whether the player had gone on from the saved level to that of the world, which was not saved before the program
    was ended. The end of the program in the usual way forgets such a place too."""
    last = progress.last_played()
    key = progress.file_key(world.level.path)
    return last is not None and progress.file_key(last[0]) == key != saved.fields.get("level")


class SessionSaver:
    """Saves the session of a game: in a thread every SAVE_SECONDS of play, and at once by `save`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.problem = ""  # why the last save failed; half a sentence
        self._next_save = SAVE_SECONDS  # s of play until then
        self._writing: Future[None] | None = None

    def update(self, seconds: float) -> None:
        """Call once a frame of play. seconds: since the last one."""
        self._next_save -= min(seconds, 1.0)
        if self._next_save > 0.0 or not self._can_save or (self._writing is not None and not self._writing.done()):
            return
        data = encode_session(self.game)
        self._next_save = max(SAVE_SECONDS, len(data) / BYTES_PER_SECOND)
        self._writing = run_in_thread("session saver", self._write, data)

    def save(self) -> str:
        """Save now; half a sentence where that fails, else an empty one. Where the session has not begun, there is
        nothing to continue: an older file is removed."""
        if not self._can_save:
            return ""
        if self._writing is not None:
            self._writing.result()
        if self.game.world.tick == 0:
            session_file().unlink(missing_ok=True)
            return ""
        self._write(encode_session(self.game))
        self._next_save = SAVE_SECONDS
        return self.problem

    @property
    def _can_save(self) -> bool:
        """Whether the world is in the state in which play goes on: the title, rewinding and replays show other ones."""
        game = self.game
        shows_other = game.mode in (TITLE, REWINDING, REPLAYING)
        return game.session is not None and not shows_other and game.world.has_level_file

    def _write(self, data: bytes) -> None:
        path = session_file()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_files.write_atomic(path, data)
        except OSError as error:
            self.problem = error_reason(error)
        else:
            self.problem = ""
