"""Replay viewer: a game in a window whose commands come from a replay file."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from ...core.time_format import format_time
from ...physics import Command, WalkerState
from ...physics.character.state import STATE_ROW
from ...sim import Replay, ReplayError, Respawned, World
from ...sim.events import Event
from ...sim.replay.verifier import command_of, make_world, restore_chunk
from ..game import Game
from ..launch import kernel_compilation
from ..launch.display_check import missing_display_reason
from ..launch.level_lookup import UserError
from ..launch.world_setup import NOT_WRITTEN_STATUS, prepare_cache_folder
from ..settings.mode_names import PLAYING
from ..settings.settings_file import Settings

if TYPE_CHECKING:
    from ...sim.replay.replay_file import ReplayPart, TickChunk
    from .replay_levels import ReplayLevels

JUMP_SECONDS = 5.0
HEADING_UNITS_PER_TURN = 65536
STOPPED_TEXT = "stopped"
KEY_HINT = "Space: pause   ·   Left/Right: 5 s   ·   Esc: quit"
NO_WINDOW_TEXT = "cannot open a window ({}); without --show the replay is verified"
DIVERGED_TEXT = ("Recorded with another version", "Showing the original")


class ReplayViewer(Game):
    """A game without a player. Where this version's rules lead elsewhere, the recorded states are shown."""

    def __init__(self, replay: Replay, shelf: ReplayLevels, settings: Settings) -> None:
        """ReplayError or UserError where the replay's first level cannot be had."""
        self.replay, self.replay_levels = replay, shelf
        self._chunks: list[tuple[ReplayPart, TickChunk]] = [
            (part, chunk) for part in replay.parts for chunk in part.chunks
        ]
        if not self._chunks:
            raise ReplayError("it contains no ticks")
        self._chunk_index, self._tick_in_chunk = 0, 0  # the next tick: chunk, and place in it
        self._divergence_shown = False
        self._previous_view = self._current_view = (0.0, 0.0)  # yaw and pitch of the last two ticks
        self._part_index = self._chunks[0][0]
        super().__init__(shelf.level(self._part_index), settings, "")
        self.time_trial.enabled = False

    def make_world(self) -> World:
        """The world of the recording's first part."""
        return make_world(self._part_index, self.level, [])

    def start(self, world: World) -> None:
        """Show from where the record stands."""
        super().start(world)
        self._restore_chunk_state()

    @property
    def wants_mouse(self) -> bool:
        """Never: the view is the recorded one."""
        return False

    @property
    def is_finished(self) -> bool:
        """Whether no tick is left."""
        return self._chunk_index >= len(self._chunks)

    @property
    def seconds(self) -> float:
        """How far the record has been shown."""
        if self.is_finished:
            return self.replay.seconds
        done = sum(len(chunk.commands) / part.ticks_per_second for part, chunk in self._chunks[: self._chunk_index])
        return done + self._tick_in_chunk / self._chunks[self._chunk_index][0].ticks_per_second

    @property
    def bottom_line(self) -> str:
        """Where in the record one is, and what the keys do."""
        return f"{format_time(self.seconds)} / {format_time(self.replay.seconds)}   ·   {KEY_HINT}"

    def pause(self) -> None:
        """A loss of focus does not stop it."""

    def key_pressed(self, key: str) -> None:
        """Keys of the one who watches."""
        if key == "ESCAPE":
            self.window_requests.append("quit")
        elif self.session is None or key in ("F3", "F11", "F12"):
            super().key_pressed(key)
        elif key == "SPACE":
            self.session.pause()
            self.mode = STOPPED_TEXT if self.mode == PLAYING else PLAYING
        elif key in ("LEFT", "RIGHT"):
            self.seek(self.seconds + (JUMP_SECONDS if key == "RIGHT" else -JUMP_SECONDS))
        elif key in ("R", "HOME"):
            self.seek(0.0)

    def seek(self, seconds: float) -> None:
        """Go to so many seconds after the record's beginning."""
        left, self._tick_in_chunk = seconds, 0
        wanted = 0
        for at, (part, chunk) in enumerate(self._chunks):
            self._chunk_index, wanted = at, max(0, int(left * part.ticks_per_second))
            if wanted < len(chunk.commands):
                break
            left -= len(chunk.commands) / part.ticks_per_second
        wanted = min(wanted, len(chunk.commands) - 1)
        self._enter_next_part()
        self._restore_chunk_state()
        assert self.session is not None
        for _ in range(wanted):
            command = self._next_command()
            if command is not None:
                self.session.tick(command)
        self._snap_view()

    def view_direction(self) -> tuple[float, float]:
        """Between the last two ticks' views, as the body is."""
        if self.session is None:
            return super().view_direction()
        alpha = self.session.alpha
        turn = (
            self._current_view[0] - self._previous_view[0] + HEADING_UNITS_PER_TURN / 2
        ) % HEADING_UNITS_PER_TURN - HEADING_UNITS_PER_TURN / 2
        return self._previous_view[0] + turn * alpha, self._previous_view[1] + (
            self._current_view[1] - self._previous_view[1]
        ) * alpha

    def _update_play(self, now: float, seconds: float) -> None:
        if not self.is_finished and self._chunks[self._chunk_index][0] is not self._part_index:
            self._enter_next_part()
            self._restore_chunk_state()
        super()._update_play(now, seconds)

    def _enter_next_part(self) -> None:
        """Be in the level of the chunk that comes next."""
        part = self._chunks[self._chunk_index][0]
        if part is self._part_index:
            return
        self._part_index = part
        super().start(make_world(part, self.replay_levels.level(part), []))
        self.show_message(self.level.name)

    def _restore_chunk_state(self) -> None:
        """Take the state before the next chunk from the record."""
        assert self.session is not None
        chunk = self._chunks[self._chunk_index][1]
        try:
            restore_chunk(self.session.world, chunk)
        except ReplayError:
            self._correct_walker(chunk)
        self._snap_view()

    def _snap_view(self) -> None:
        """Show the world's state as it is, from nothing before it."""
        assert self.session is not None
        self.session.reset_interpolation()
        self.session.pause()
        self.first_person_camera.snap(self.session.pose())
        if not self.is_finished:
            row = self._chunks[self._chunk_index][1].commands[self._tick_in_chunk]
            self._previous_view = self._current_view = (float(row["heading"]), float(row["pitch"]))

    def _next_command(self) -> Command | None:
        """The next recorded command, with the world in the recorded state."""
        assert self.session is not None
        if self.is_finished or self._chunks[self._chunk_index][0] is not self._part_index:
            return None
        chunk = self._chunks[self._chunk_index][1]
        if (
            self._tick_in_chunk == 0
            and self._chunk_index > 0
            and self._chunks[self._chunk_index - 1][1].end != chunk.first
        ):
            self._restore_chunk_state()
        elif self.session.world.walker_state.to_bytes() != chunk.states[self._tick_in_chunk].tobytes():
            if not self._divergence_shown:
                self._divergence_shown = True
                self.show_message(*DIVERGED_TEXT)
            self._correct_walker(chunk)
        if chunk.restarts[self._tick_in_chunk]:
            self._on_teleported(self.session.restart())
        row = chunk.commands[self._tick_in_chunk]
        command = command_of(row)
        self._previous_view, self._current_view = self._current_view, (float(row["heading"]), float(row["pitch"]))
        self._tick_in_chunk += 1
        if self._tick_in_chunk == len(chunk.commands):
            self._chunk_index, self._tick_in_chunk = self._chunk_index + 1, 0
        return command

    def _correct_walker(self, chunk: TickChunk) -> None:
        """Put the walker where it was recorded, where this version leads it elsewhere."""
        assert self.session is not None
        if chunk.states.dtype == STATE_ROW:
            self.session.world.walker_state = WalkerState(chunk.states[self._tick_in_chunk])
            self.session.reset_interpolation()

    def _on_event(self, event: Event) -> None:
        """Exits are passed by: the record knows where it went."""
        if isinstance(event, Respawned) or not hasattr(event, "exit"):
            super()._on_event(event)


def show_replay(record: Replay, levels: ReplayLevels, options: argparse.Namespace) -> int:
    """Show a replay in the window; the exit status. UserError where no window can be opened."""
    from ..startup import NoWindowError, play_in_window

    began = time.perf_counter()
    prepare_cache_folder()
    reason = missing_display_reason()
    if reason is not None:
        raise UserError(NO_WINDOW_TEXT.format(reason), NOT_WRITTEN_STATUS)
    compilation = kernel_compilation.KernelCompilation(whole=True)
    try:
        level = levels.level(record.parts[0])
        return play_in_window(
            level, options, compilation, began, lambda settings: ReplayViewer(record, levels, settings)
        )
    except NoWindowError as error:
        raise UserError(NO_WINDOW_TEXT.format(error), NOT_WRITTEN_STATUS) from None
    except ReplayError as error:
        raise UserError(f"{record.path}: {error}") from None
    finally:
        compilation.stop()
