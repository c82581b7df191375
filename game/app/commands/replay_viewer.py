"""Watching a replay in the window: the recorded commands walk the world, and nobody else does."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from ...core.time_format import clock
from ...physics import Command, WalkerState
from ...physics.character.state import STATE_ROW
from ...sim import Replay, ReplayError, Respawned, World
from ...sim.events import Event
from ...sim.replay.verifier import command_of, enter, make_world
from ..game import Game
from ..launch import kernel_compilation
from ..launch.level_lookup import UserError
from ..launch.world_setup import UNWRITTEN, tell
from ..settings.mode_names import PLAYING
from ..settings.settings_file import Settings

if TYPE_CHECKING:
    from ...sim.replay.replay_file import Chunk, Part
    from .replay import Shelf

JUMP_SECONDS = 5.0
TURN = 65536
STOPPED = "stopped"
KEYS = "Space stops   ·   left and right: 5 s   ·   Esc leaves"
NO_WINDOW = "there is no window to show it in ({}); without --show it is verified"
OTHERWISE = ("This version walks otherwise here", "what was recorded is shown")


class Showing(Game):
    """A game without a player. Where this version's rules lead elsewhere, the recorded states are shown."""

    def __init__(self, replay: Replay, shelf: Shelf, settings: Settings) -> None:
        """ReplayError or UserError where the replay's first level cannot be had."""
        self.replay, self.shelf = replay, shelf
        self._chunks: list[tuple[Part, Chunk]] = [(part, chunk) for part in replay.parts for chunk in part.chunks]
        if not self._chunks:
            raise ReplayError("there is not one tick in it")
        self._at, self._k = 0, 0  # the next tick: chunk, and place in it
        self._told = False
        self._before = self._now = (0.0, 0.0)  # yaw and pitch of the last two ticks
        self._part = self._chunks[0][0]
        super().__init__(shelf.level(self._part), settings, "")
        self.trial.on = False

    def make_world(self) -> World:
        """The world of the recording's first part."""
        return make_world(self._part, self.level, [])

    def start(self, world: World) -> None:
        """Show from where the record stands."""
        super().start(world)
        self._enter()

    @property
    def wants_mouse(self) -> bool:
        """Never: the view is the recorded one."""
        return False

    @property
    def ended(self) -> bool:
        """Whether no tick is left."""
        return self._at >= len(self._chunks)

    @property
    def seconds(self) -> float:
        """How far the record has been shown."""
        if self.ended:
            return self.replay.seconds
        done = sum(len(chunk.commands) / part.ticks_per_second for part, chunk in self._chunks[: self._at])
        return done + self._k / self._chunks[self._at][0].ticks_per_second

    @property
    def bottom_line(self) -> str:
        """Where in the record one is, and what the keys do."""
        return f"{clock(self.seconds)} of {clock(self.replay.seconds)}   ·   {KEYS}"

    def pause(self) -> None:
        """A loss of focus does not stop it."""

    def key_pressed(self, key: str) -> None:
        """Keys of the one who watches."""
        if key == "ESCAPE":
            self.requests.append("quit")
        elif self.session is None or key in ("F3", "F11", "F12"):
            super().key_pressed(key)
        elif key == "SPACE":
            self.session.pause()
            self.mode = STOPPED if self.mode == PLAYING else PLAYING
        elif key in ("LEFT", "RIGHT"):
            self.seek(self.seconds + (JUMP_SECONDS if key == "RIGHT" else -JUMP_SECONDS))
        elif key in ("R", "HOME"):
            self.seek(0.0)

    def seek(self, seconds: float) -> None:
        """Go to so many seconds after the record's beginning."""
        left, self._k = seconds, 0
        wanted = 0
        for at, (part, chunk) in enumerate(self._chunks):
            self._at, wanted = at, max(0, int(left * part.ticks_per_second))
            if wanted < len(chunk.commands):
                break
            left -= len(chunk.commands) / part.ticks_per_second
        wanted = min(wanted, len(chunk.commands) - 1)
        self._change_part()
        self._enter()
        assert self.session is not None
        for _ in range(wanted):
            command = self._sample()
            if command is not None:
                self.session.tick(command)
        self._settle()

    def direction(self) -> tuple[float, float]:
        """Between the last two ticks' views, as the body is."""
        if self.session is None:
            return super().direction()
        alpha = self.session.alpha
        turn = (self._now[0] - self._before[0] + TURN / 2) % TURN - TURN / 2
        return self._before[0] + turn * alpha, self._before[1] + (self._now[1] - self._before[1]) * alpha

    def _play(self, now: float, seconds: float) -> None:
        if not self.ended and self._chunks[self._at][0] is not self._part:
            self._change_part()
            self._enter()
        super()._play(now, seconds)

    def _change_part(self) -> None:
        """Be in the level of the chunk that comes next."""
        part = self._chunks[self._at][0]
        if part is self._part:
            return
        self._part = part
        super().start(make_world(part, self.shelf.level(part), []))
        self.say(self.level.name)

    def _enter(self) -> None:
        """Take the state before the next chunk from the record."""
        assert self.session is not None
        chunk = self._chunks[self._at][1]
        try:
            enter(self.session.world, chunk)
        except ReplayError:
            self._follow(chunk)
        self._settle()

    def _settle(self) -> None:
        """Show the world's state as it is, from nothing before it."""
        assert self.session is not None
        self.session.jumped()
        self.session.pause()
        self.eye.jump(self.session.pose())
        if not self.ended:
            row = self._chunks[self._at][1].commands[self._k]
            self._before = self._now = (float(row["heading"]), float(row["pitch"]))

    def _sample(self) -> Command | None:
        """The next recorded command, with the world in the recorded state."""
        assert self.session is not None
        if self.ended or self._chunks[self._at][0] is not self._part:
            return None
        chunk = self._chunks[self._at][1]
        if self._k == 0 and self._at > 0 and self._chunks[self._at - 1][1].end != chunk.first:
            self._enter()
        elif self.session.world.walker_state.to_bytes() != chunk.states[self._k].tobytes():
            if not self._told:
                self._told = True
                self.say(*OTHERWISE)
            self._follow(chunk)
        if chunk.restarts[self._k]:
            self._moved(self.session.restart())
        row = chunk.commands[self._k]
        command = command_of(row)
        self._before, self._now = self._now, (float(row["heading"]), float(row["pitch"]))
        self._k += 1
        if self._k == len(chunk.commands):
            self._at, self._k = self._at + 1, 0
        return command

    def _follow(self, chunk: Chunk) -> None:
        """Put the walker where it was recorded, where this version leads it elsewhere."""
        assert self.session is not None
        if chunk.states.dtype == STATE_ROW:
            self.session.world.walker_state = WalkerState(chunk.states[self._k])
            self.session.jumped()

    def _happened(self, event: Event) -> None:
        """Exits are passed by: the record knows where it went."""
        if isinstance(event, Respawned) or not hasattr(event, "exit"):
            super()._happened(event)


def show(record: Replay, shelf: Shelf, options: argparse.Namespace) -> int:
    """Open the window and play the record in it; 0. UserError where there is no window to be had."""
    from ..startup import NoWindowError, play_in_window
    from .play import missing_display

    began = time.perf_counter()
    problem = kernel_compilation.secure_cache()
    if problem:
        tell(problem)
    why = missing_display()
    if why is not None:
        raise UserError(NO_WINDOW.format(why), UNWRITTEN)
    preparation = kernel_compilation.Preparation(whole=True)
    try:
        level = shelf.level(record.parts[0])
        return play_in_window(
            level, options, preparation, began, lambda settings: Showing(record, shelf, settings)
        )
    except NoWindowError as error:
        raise UserError(NO_WINDOW.format(error), UNWRITTEN) from None
    except ReplayError as error:
        raise UserError(f"{record.path}: {error}") from None
    finally:
        preparation.stop()
