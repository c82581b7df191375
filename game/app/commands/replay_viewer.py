"""Replay viewer: a game in a window whose commands come from a replay file."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from ...core.angles import wrap_heading
from ...core.time_format import format_time
from ...physics import Command, WalkerState
from ...physics.character.state import FIRST_STATE_ROW, STATE_ROW
from ...sim import Replay, ReplayError, Respawned, World
from ...sim.events import Event
from ...sim.replay.verifier import command_of, make_world, restore_chunk
from ..game import Game
from ..launch import kernel_compilation
from ..launch.display_check import missing_display_reason
from ..launch.level_lookup import UserError
from ..launch.world_setup import NOT_WRITTEN_STATUS, prepare_cache_folder
from ..modes.play import PlayMode
from ..settings.mode_names import PLAYING
from ..settings.settings_file import Settings

if TYPE_CHECKING:
    from ...sim.replay.replay_file import ReplayPart, TickChunk
    from ..modes.context import GameContext
    from .replay_levels import ReplayLevels

JUMP_SECONDS = 5.0
STOPPED_TEXT = "stopped"  # name of the mode while the replay stands still
WINDOW_KEYS = ("F3", "F11", "F12")
KEY_HINT = "Space: pause   ·   Left/Right: 5 s   ·   Esc: quit"
NO_WINDOW_TEXT = "cannot open a window ({}); without --show the replay is verified"
DIVERGED_TEXT = ("Recorded with another version", "Showing the original")


class ReplayViewer(Game):
    """Game that plays a replay. Its play mode is a `ReplayMode`, and the time trial is off."""

    def __init__(self, replay: Replay, levels: ReplayLevels, settings: Settings) -> None:
        """ReplayError or UserError where the replay's first level cannot be loaded."""
        if not replay.parts or not any(part.chunks for part in replay.parts):
            raise ReplayError("it contains no ticks")
        super().__init__(levels.level(next(part for part in replay.parts if part.chunks)), settings, "")
        self.time_trial.enabled = False
        self.playback = ReplayMode(self, replay, levels)
        self.modes[PLAYING] = self.playback

    def make_world(self) -> World:
        """World of the replay's first part."""
        return self.playback.make_world()

    def start(self, world: World) -> None:
        super().start(world)
        self.playback.restore_chunk_state()

    def key_pressed(self, key: str) -> None:
        """Only the keys of the viewer and of the window work; they cannot be bound."""
        if self.session is None or key in WINDOW_KEYS:
            super().key_pressed(key)
        else:
            self.current_mode.key_pressed(key)


class ReplayMode(PlayMode):
    """Play mode with recorded commands. Where this version's rules differ, the recorded states are shown.

    The position in the replay is the next tick: a chunk, and an index in it.
    """

    binds_left_button = False

    def __init__(self, context: GameContext, replay: Replay, levels: ReplayLevels) -> None:
        super().__init__(context)
        self.replay, self.levels = replay, levels
        self._chunks: list[tuple[ReplayPart, TickChunk]] = [
            (part, chunk) for part in replay.parts for chunk in part.chunks
        ]
        self._chunk_index, self._tick_in_chunk = 0, 0
        self._part = self._chunks[0][0]
        self.is_divergence_shown = False
        self._previous_view = self._current_view = (0.0, 0.0)  # yaw and pitch of the last two ticks

    @property
    def captures_mouse(self) -> bool:
        return False

    def focus_lost(self) -> None:
        """The replay plays on."""

    def make_world(self) -> World:
        """World of the present part, in its initial state."""
        return make_world(self._part, self.context.level, [])

    @property
    def is_finished(self) -> bool:
        """Whether no tick is left."""
        return self._chunk_index >= len(self._chunks)

    @property
    def seconds(self) -> float:
        """Position in the replay (s)."""
        if self.is_finished:
            return self.replay.seconds
        done = sum(len(chunk.commands) / part.ticks_per_second for part, chunk in self._chunks[: self._chunk_index])
        return done + self._tick_in_chunk / self._chunks[self._chunk_index][0].ticks_per_second

    @property
    def bottom_line(self) -> str:
        return f"{format_time(self.seconds)} / {format_time(self.replay.seconds)}   ·   {KEY_HINT}"

    def key_pressed(self, key: str) -> None:
        context = self.context
        if key == "ESCAPE":
            context.window_requests.append("quit")
        elif key == "SPACE":
            assert context.session is not None
            context.session.pause()
            self.is_moving = not self.is_moving
            self.name = PLAYING if self.is_moving else STOPPED_TEXT
        elif key in ("LEFT", "RIGHT"):
            self.seek(self.seconds + (JUMP_SECONDS if key == "RIGHT" else -JUMP_SECONDS))
        elif key in ("R", "HOME"):
            self.seek(0.0)

    def seek(self, seconds: float) -> None:
        """Go to a position (s) in the replay."""
        left, self._tick_in_chunk = seconds, 0
        wanted = 0
        for at, (part, chunk) in enumerate(self._chunks):
            self._chunk_index, wanted = at, max(0, int(left * part.ticks_per_second))
            if wanted < len(chunk.commands):
                break
            left -= len(chunk.commands) / part.ticks_per_second
        wanted = min(wanted, len(chunk.commands) - 1)
        self._enter_next_part()
        self.restore_chunk_state()
        assert self.context.session is not None
        for _ in range(wanted):
            command = self.next_command()
            if command is not None:
                self.context.session.tick(command)
        self._snap_view()

    def view_direction(self) -> tuple[float, float]:
        """Recorded view, interpolated between the last two ticks as the body is."""
        assert self.context.session is not None
        alpha = self.context.session.alpha
        (yaw, pitch), (next_yaw, next_pitch) = self._previous_view, self._current_view
        return yaw + wrap_heading(next_yaw - yaw) * alpha, pitch + (next_pitch - pitch) * alpha

    def update(self, now: float, seconds: float) -> None:
        if self.is_moving:
            super().update(now, seconds)

    def advance_session(self, now: float, seconds: float) -> None:
        if not self.is_finished and self._chunks[self._chunk_index][0] is not self._part:
            self._enter_next_part()
            self.restore_chunk_state()
        super().advance_session(now, seconds)

    def _enter_next_part(self) -> None:
        """Load the level of the next chunk, where it is another one."""
        part = self._chunks[self._chunk_index][0]
        if part is self._part:
            return
        self._part = part
        self.context.start(make_world(part, self.levels.level(part), []))
        self.context.feedback.show_message(self.context.level.name)

    def restore_chunk_state(self) -> None:
        """Restore the recorded state before the next chunk."""
        assert self.context.session is not None
        chunk = self._chunks[self._chunk_index][1]
        try:
            restore_chunk(self.context.session.world, chunk)
        except ReplayError:
            self._correct_walker(chunk)
        self._snap_view()

    def _snap_view(self) -> None:
        """Show the world's state without interpolation."""
        assert self.context.session is not None
        self.context.session.reset_interpolation()
        self.context.session.pause()
        self.context.cameras.first_person.snap(self.context.session.pose())
        if not self.is_finished:
            row = self._chunks[self._chunk_index][1].commands[self._tick_in_chunk]
            self._previous_view = self._current_view = (float(row["heading"]), float(row["pitch"]))

    def next_command(self) -> Command | None:
        """Next recorded command, with the walker put into the recorded state; None at the end of a part."""
        assert self.context.session is not None
        if self.is_finished or self._chunks[self._chunk_index][0] is not self._part:
            return None
        chunk = self._chunks[self._chunk_index][1]
        if (
            self._tick_in_chunk == 0
            and self._chunk_index > 0
            and self._chunks[self._chunk_index - 1][1].end != chunk.first
        ):
            self.restore_chunk_state()
        elif not self._is_as_recorded(chunk):
            if not self.is_divergence_shown:
                self.is_divergence_shown = True
                self.context.feedback.show_message(*DIVERGED_TEXT)
            self._correct_walker(chunk)
        if chunk.restarts[self._tick_in_chunk]:
            self.context.on_respawned(self.context.session.restart())
        if chunk.returns[self._tick_in_chunk]:
            self.context.on_respawned(self.context.session.return_to_checkpoint())
        row = chunk.commands[self._tick_in_chunk]
        command = command_of(row)
        self._previous_view, self._current_view = self._current_view, (float(row["heading"]), float(row["pitch"]))
        self._tick_in_chunk += 1
        if self._tick_in_chunk == len(chunk.commands):
            self._chunk_index, self._tick_in_chunk = self._chunk_index + 1, 0
        return command

    def _is_as_recorded(self, chunk: TickChunk) -> bool:
        """Whether the walker is in the recorded state, as far as the recording holds it."""
        assert self.context.session is not None
        recorded: bytes = chunk.states[self._tick_in_chunk].tobytes()
        return self.context.session.world.walker_state.to_bytes()[: len(recorded)] == recorded

    def _correct_walker(self, chunk: TickChunk) -> None:
        """Set the recorded state of the walker, because this version's rules lead elsewhere."""
        assert self.context.session is not None
        if chunk.states.dtype in (STATE_ROW, FIRST_STATE_ROW):
            self.context.session.world.walker_state = WalkerState(chunk.states[self._tick_in_chunk])
            self.context.session.reset_interpolation()

    def on_event(self, event: Event) -> None:
        """Ignore exits: the replay has the next level."""
        if isinstance(event, Respawned) or not hasattr(event, "exit"):
            super().on_event(event)


def show_replay(record: Replay, levels: ReplayLevels, options: argparse.Namespace) -> int:
    """Show a replay in the window; the exit status. UserError where no window can be opened."""
    from ..startup import NoWindowError, play_in_window

    began = time.perf_counter()
    prepare_cache_folder()
    reason = missing_display_reason()
    if reason is not None:
        raise UserError(NO_WINDOW_TEXT.format(reason), NOT_WRITTEN_STATUS)
    compilation = kernel_compilation.KernelCompilation(complete=True)
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
