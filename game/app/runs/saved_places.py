"""Saved places: where the player has left each level, for Continue after the program has ended in any way.

A place is a file in the player's data folder, one for each level and spawn: a replay without an end
(`sim/replay/replay_file.py`). A block is added after each second of play, and behind it a PLAY block with what a replay
does not hold: view and run. Where the history was cut, by a rewind or the undo of a restart, the file is replaced
atomically. The end of the run removes it: nothing is left to continue.

A file that cannot be used is kept under another name, and play starts at the spawn.
"""

from __future__ import annotations

import base64
import contextlib
import glob
import hashlib
import json
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core import atomic_files, user_folders
from ...core.angles import HEADING_UNITS_PER_TURN
from ...core.errors import WalkerError, error_reason
from ...core.file_reading import read_at_most
from ...core.time_format import format_result
from ...physics.rules import NEVER
from ...sim.replay import fingerprint
from ...sim.replay.history import History
from ...sim.replay.replay_file import Replay, ReplayError, ReplayWriter, decode_replay, find_blocks
from ...sim.trial import TrialRun, ranks_by_strokes
from ..input.player_input import MAX_PITCH
from ..settings.mode_names import TIME_LINES, TITLE
from . import progress
from .run_results import split_label
from .time_trial import KeptRun

if TYPE_CHECKING:
    from ...physics import Command
    from ...sim import World
    from ...sim.events import Event, Respawned
    from ..game import Game

FOLDER = "places"
OLD_FILE = "continue.session"  # of earlier versions: one place for all levels
MAX_PLACES = 100  # files that are kept, those used last
UNUSABLE_SUFFIX = ".unusable"
PROBLEM_SECONDS = 6.0  # for which a message says that nothing is saved
MAX_FILE_BYTES = 400 << 20  # more than a history holds
CHANGED_REASON = "the level or the game has changed since it was left"
CHANGED_TEXT = "The level or the game has changed since you left: you can finish this run, without time."


class PlaceError(WalkerError, ValueError):
    """A saved place that cannot be used; the text is half a sentence."""


@dataclass(frozen=True, slots=True)
class SavedPlace:
    """A level that can be continued: the spawn at which it began, and how far the player is: `0:41.20, Half way`."""

    spawn: str
    reached: str


def place_file(level_key: str, spawn: str) -> Path:
    """The file of a place. level_key: of the level's file, as of `progress.file_key`."""
    spawn_hash = hashlib.sha256(spawn.encode()).hexdigest()[:8]
    return user_folders.data_folder() / FOLDER / f"{_file_stem(level_key)}-{spawn_hash}.place"


def _file_stem(level_key: str) -> str:
    return f"{Path(level_key).stem[:40]}-{hashlib.sha256(os.fsencode(level_key)).hexdigest()[:16]}"


def find_place(level_file: Path) -> SavedPlace | None:
    """The place in a level that was saved last; None where there is none that can be read."""
    stem = _file_stem(progress.file_key(level_file))
    with contextlib.suppress(OSError):
        files = (user_folders.data_folder() / FOLDER).glob(f"{glob.escape(stem)}-*.place")
        for path in sorted(files, key=os.path.getmtime, reverse=True):
            with contextlib.suppress(ValueError, LookupError, TypeError, OSError):
                blocks = list(find_blocks(path, (b"HEAD", b"PLAY")))
                heads, plays = ([block for block in blocks if block.kind == kind] for kind in ("HEAD", "PLAY"))
                reached = json.loads(plays[-1].payload).get("reached", "")
                return SavedPlace(str(json.loads(heads[0].payload)["spawn"]), str(reached))
    return None


class PlaceSaver:
    """Saves the place in the level of a game, as an observer of its ticks, after each second of play, and at once by
    `save`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.problem = ""  # why the last save failed; half a sentence
        self._history: History | None = None  # that the file holds
        self._cuts = 0  # of the history, when the file was replaced
        self._file = -1  # descriptor
        self._written = bytearray()  # by the writer, not yet in the file
        self._writer = ReplayWriter(self._written.extend)

    def update(self) -> None:
        """Call once a frame: observe the session that is played."""
        session = self.game.session
        if session is not None and self not in session.observers and session.world.has_level_file:
            session.observers.append(self)

    def stepped(self, command: Command, events: tuple[Event, ...]) -> None:
        """A tick is done: save where it is the last one of a second, or of the run."""
        history = self.game.played_session.history
        if history is not None and self._can_save and (not history.open_ticks or self._is_over):
            self._save(history)

    def restarted(self) -> None:
        """The next tick is saved."""

    def returned(self, event: Respawned) -> None:
        """The next tick is saved."""

    def save(self) -> str:
        """Save now; half a sentence where that fails, else an empty one."""
        history = self.game.played_session.history if self._can_save else None
        if history is None:
            return self.problem
        if history:
            history.flush()
        self._save(history)
        return self.problem

    @property
    def _can_save(self) -> bool:
        """Whether the world is in the state in which play goes on: the title and the time line show other ones."""
        game = self.game
        shows_other = game.mode == TITLE or game.mode in TIME_LINES
        return game.session is not None and not shows_other and game.world.has_level_file

    @property
    def _is_over(self) -> bool:
        run = self.game.runs.time_trial.run
        return run is not None and run.is_finished

    @property
    def _has_begun(self) -> bool:
        """Whether there is something to continue: a player who only looks around from the spawn has not begun."""
        run = self.game.runs.time_trial.run
        return self.game.world.tick > 0 if run is None else run.began != NEVER

    @property
    def _path(self) -> Path:
        world = self.game.world
        return place_file(progress.file_key(world.level.path), world.start.name)

    def _save(self, history: History) -> None:
        """Add what is new to the file, or replace it where it does not hold the begin of this history. Remove it where
        the run is over, or was restarted."""
        if self._is_over or (not self._has_begun and history is self._history):
            self._close()
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)
            return
        if not self._has_begun:
            return
        try:
            if history is self._history and history.cuts == self._cuts and self._is_own_file():
                self._writer.remark(_play_fields(self.game, history, self._writer.ticks))
                self._append()
            else:
                self._replace(history)
        except OSError as error:
            if not self.problem:
                detail = f"{user_folders.describe_file(self._path)}: {error_reason(error)}"
                self.game.feedback.show_message("Your place is not saved", detail, PROBLEM_SECONDS)
            self.problem = error_reason(error)
            self._close()  # the next second makes a whole file
        else:
            self.problem = ""

    def _is_own_file(self) -> bool:
        """Whether the file has not been removed, or replaced by another game."""
        try:
            return self._file >= 0 and os.path.samestat(os.fstat(self._file), os.stat(self._path))
        except OSError:
            return False

    def _append(self) -> None:
        data = bytes(self._written)
        self._written.clear()
        while data:
            data = data[os.write(self._file, data) :]

    def _replace(self, history: History) -> None:
        self._close()
        self._history, self._cuts = history, history.cuts
        self._writer = ReplayWriter(self._written.extend)
        history.write_to(self._writer)
        self._writer.remark(_play_fields(self.game, history, self._writer.ticks))
        path = self._path
        path.parent.mkdir(parents=True, exist_ok=True)
        user_folders.remove_oldest(path.parent, "*.place", MAX_PLACES)
        atomic_files.write_atomic(path, bytes(self._written))
        self._written.clear()
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        history.writers.append(self._writer)

    def _close(self) -> None:
        """Leave the file as it is."""
        if self._history is not None and self._writer in self._history.writers:
            self._history.writers.remove(self._writer)
        self._history = None
        self._written.clear()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _play_fields(game: Game, history: History, ticks: int) -> dict[str, Any]:
    """What a replay does not hold. ticks: of the file so far."""
    trial = game.runs.time_trial
    fields = {
        "ticks": ticks,
        "reached": "" if trial.run is None else _describe_run(trial.run),
        "view": [game.input.view.yaw, game.input.view.pitch],
        "third_person": game.cameras.third_person.is_active,
        "run": None if trial.run is None else trial.run.to_fields(),
        "run_first": ticks - (history.end - trial.first),
        "void": trial.void_reason,
        "finishes": trial.finishes,
    }
    if not history.is_current:  # the walker was put elsewhere after the last tick
        fields["state"] = base64.b64encode(game.world.state()).decode()
    return fields


def _describe_run(run: TrialRun) -> str:
    """How far a run is: its time, strokes, and the last place that it has reached."""
    result = format_result(run.seconds, run.strokes if ranks_by_strokes(run.world.level) else None)
    return ", ".join([result, *map(split_label, run.splits[-1:])])


def restore_place(game: Game) -> str:
    """Continue where the player has left the level of the game, which is at its spawn. A sentence for the player where
    that is impossible, or the run has no time any more, which is shown when play begins; else an empty one."""
    problem = _restore(game)
    if problem:
        trial = game.runs.time_trial
        trial.update(game.session, 0.0)  # the run begins, and with it the list of messages
        trial.pending_messages.append(problem)
    return problem


def _restore(game: Game) -> str:
    path = place_file(progress.file_key(game.level.path), game.world.start.name)
    try:
        replay = decode_replay(read_at_most(path, MAX_FILE_BYTES), path)
        if not replay.parts or replay.play_fields is None:
            raise PlaceError("nothing was saved in it")
        return _continue_replay(game, replay, replay.play_fields)
    except FileNotFoundError:
        place = find_place(game.level.path)
        if place is None or place.spawn in [spawn.name for spawn in game.level.spawns]:
            return ""
        return f'You had begun this level at the spawn "{place.spawn}", which is gone; you start at the beginning.'
    except OSError as error:
        return f"Your saved place cannot be read ({error_reason(error)}); you start at the beginning."
    except (PlaceError, ReplayError) as error:
        reason = str(error)
        if isinstance(error, ReplayError):
            is_other = "version" in reason
            reason = "another version of the game wrote it" if is_other else "the file is damaged or cut off"
        aside = path.with_name(path.name + UNUSABLE_SUFFIX)
        try:
            os.replace(path, aside)
        except OSError:
            aside = path
        return (
            f"Your saved place cannot be used: {reason}. You start at the beginning; the file is kept as "
            f"{user_folders.describe_file(aside)}."
        )


def carry_over_place() -> str:
    """Give the saved place of an earlier version the name that it has today, where none is newer.

    Returns a sentence where it cannot be used; the file stays where it is.
    """
    old = user_folders.data_folder() / OLD_FILE
    try:
        replay = decode_replay(read_at_most(old, MAX_FILE_BYTES), old)
        if not replay.parts or replay.play_fields is None:
            raise PlaceError("nothing was saved in it")
        path = place_file(_level_key(replay), replay.parts[0].head["spawn"])
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            os.replace(old, path)
    except FileNotFoundError:
        return ""
    except (OSError, PlaceError, ReplayError):
        return f"An earlier version saved a place that this one cannot use: {user_folders.describe_file(old)}."
    return ""


def _level_key(replay: Replay) -> str:
    """The level of a replay as of `progress.file_key`."""
    level = replay.parts[0].level
    return f"shipped/{level['file']}" if level["shipped"] else str(level["file"])


def _continue_replay(game: Game, replay: Replay, fields: dict[str, Any]) -> str:
    """Continue the saved place in the world of the game, which is at its spawn; a sentence where level or rules have
    changed since. PlaceError where the place does not fit; the world is then at its spawn."""
    world, session, trial = game.world, game.played_session, game.runs.time_trial
    head = replay.parts[0].head
    if _level_key(replay) != progress.file_key(world.level.path) or head["spawn"] != world.start.name:
        raise PlaceError("it is of another level")
    settings_hash = fingerprint.settings_hash(fingerprint.settings_values(world.settings))
    is_same = (
        head["level"]["hash"] == progress.cached_level_hash(world.level)
        and fingerprint.rules_version(head["made"].get("rules")) == fingerprint.RULES_VERSION
        and head["settings_hash"] == settings_hash
    )
    trial.update(session, 0.0)  # begins the run at the spawn, which the saved one replaces
    try:
        view = [float(angle) for angle in fields["view"]]
        if len(view) != 2 or not all(map(math.isfinite, view)):
            raise ValueError("no view")
        for part in replay.parts:  # a kill may have come between the ticks and what is said of them
            part.blocks = [block for block in part.blocks if block.end <= fields["ticks"]]
        history = History.load(world, replay, session.history.max_memory if session.history else None)
        recorded = [block.hash for part in replay.parts for block in part.blocks][-1]
        is_same = is_same and world.hash() == recorded
        if "state" in fields:
            world.restore(base64.b64decode(fields["state"]))
        kept = _decode_run(fields, world)
    except (ValueError, KeyError, TypeError, OverflowError):
        session.restart()
        reason = "the file is damaged" if is_same else "the level or the game has changed since"
        raise PlaceError(reason) from None
    session.history = history if is_same else History(world, history.max_memory)
    trial.resume_run(kept)
    if not is_same:
        trial.first = 0
        trial.void(CHANGED_REASON, finishes=True)
    session.reset_interpolation()
    game.input.view.yaw = view[0] % HEADING_UNITS_PER_TURN
    game.input.view.pitch = max(-MAX_PITCH, min(MAX_PITCH, view[1]))
    game.cameras.snap(session)
    if bool(fields.get("third_person")) != game.cameras.third_person.is_active:
        game.cameras.third_person.toggle()
    game.feedback.target_fade.update(world.reached_targets, 0.0, jump=True)
    return "" if is_same or trial.run is None or trial.run.is_finished else CHANGED_TEXT


def _decode_run(fields: dict[str, Any], world: World) -> KeptRun:
    """The run that was saved, to be continued in `world`. ValueError, KeyError or TypeError for other values."""
    if fields["run"] is None:
        return KeptRun()
    run = TrialRun.from_fields(world, fields["run"])
    return KeptRun(run, int(fields["run_first"]), str(fields["void"]), fields["finishes"] is True)
