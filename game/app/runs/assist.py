"""Assists of play: slow motion, and no fail, which puts the body back at a safe place. Both make a practice run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ...sim.events import RespawnReason
from ...sim.trial import FALL_REASONS

if TYPE_CHECKING:
    from ...physics import WalkerState
    from ...sim import Respawned, Session, World
    from ..settings.settings_file import Settings

SLOW_MOTION_SPEED = 0.5  # of real time, with the key
FAILURES = frozenset(FALL_REASONS) - {RespawnReason.RETURNED}
MAX_SAFE_PLACES = 64
# A fall so soon after the last one means that the place was not safe: the one before it is used.
REPEATED_FALL_SECONDS = 3.0


class RunVoider(Protocol):
    """The run against the clock."""

    def void(self, reason: str) -> None: ...


class AssistHost(Protocol):
    """Part of the game that the assists read and change."""

    session: Session | None
    settings: Settings

    @property
    def time_trial(self) -> RunVoider: ...

    def place_walker(self, state: WalkerState) -> None: ...


class Assist:
    """Assists of one game.

    slow_motion   whether the key has switched it on
    """

    def __init__(self, game: AssistHost) -> None:
        self.game = game
        self.slow_motion = False
        self._world: World | None = None
        self._safe_places: list[WalkerState] = []  # oldest first, without repetition
        self._last_tick = 0
        self._caught_tick: int | None = None

    @property
    def speed(self) -> float:
        """Speed of the game's clock as a fraction of real time."""
        return min(self.game.settings.game_speed, SLOW_MOTION_SPEED if self.slow_motion else 1.0)

    def update(self) -> None:
        """Call once a frame of play, before its ticks."""
        session = self.game.session
        assert session is not None
        session.speed = self.speed
        if session.speed < 1.0:
            self.game.time_trial.void("slow motion used")
        world = session.world
        if world is not self._world or world.tick < self._last_tick:
            self._world, self._safe_places, self._caught_tick = world, [], None
        self._last_tick = world.tick
        safe = world.safe_state
        if not self._safe_places or self._safe_places[-1] != safe:
            self._safe_places = [*self._safe_places[1 - MAX_SAFE_PLACES :], safe]

    def catch_fall(self, event: Respawned) -> bool:
        """With `no_fail`: put the body back at the last safe place after a fall; whether it was done.

        The level's rules have put it elsewhere, such as at the spawn. Targets, checkpoints and time stay.
        """
        session = self.game.session
        if not self.game.settings.no_fail or event.reason not in FAILURES or session is None or not self._safe_places:
            return False
        repeat = REPEATED_FALL_SECONDS * session.world.settings.ticks_per_second
        if self._caught_tick is not None and session.world.tick - self._caught_tick < repeat:
            del self._safe_places[-1 if len(self._safe_places) > 1 else len(self._safe_places) :]
        self._caught_tick = session.world.tick
        place = self._safe_places[-1]
        if place.mover >= 0:  # the platform is elsewhere by now: a state with a new position is on none
            place = place.replace(position=place.position)
        self.game.time_trial.void("no-fail used")
        self.game.place_walker(place)
        return True
