"""Flying (F): the eye leaves the body, through everything; the body waits, and comes after where there is room."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...physics import WalkerState
from ...render import Snapshot
from ...sim.placement import landing
from . import third_person
from .fly_motion import Flyer

if TYPE_CHECKING:
    from ..game import Game

UNIT = 2.0 * math.pi / 65536
SILENT = ("slide",)  # sounds that go on and are the body's


class Flying:
    """Belongs to one game. The walker's world stands still while `away`: no tick, no time."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.away = False
        self.flyer = Flyer((0.0, 0.0, 0.0))

    @property
    def hint(self) -> str:
        """The line at the bottom of the picture while flying."""
        told = self.game.held.told
        return f"flying   ·   {told('jump')}: up   ·   {told('crouch')}: down   ·   {told('fly')}: stand here"

    def toggle(self) -> None:
        """Take off, or come back to the ground."""
        if self.away:
            self.land()
        else:
            self.take_off()

    def take_off(self) -> None:
        """The eye leaves from where the picture is seen from."""
        game = self.game
        session = game.session
        if session is None:
            return
        settings = session.world.settings
        eye = game.behind.at if game.behind.shows else game.eye.follow(session.pose(), 0.0)
        self.flyer = Flyer(eye, settings.walk_speed, settings.sprint_speed)
        self.away = True
        session.pause()
        if game.hearing is not None:
            game.hearing.loops |= dict.fromkeys(SILENT, 0.0)

    def land(self) -> None:
        """The body comes to where the eye is, pushed clear of walls; where there is no room the flight goes on."""
        game = self.game
        assert game.session is not None
        state = landing(game.session.world, self.flyer.at, round(game.look.yaw) % 65536)
        if state is None:
            game.say("There is no room to stand here", "fly on to where there is")
        else:
            self.arrive(state)

    def arrive(self, state: WalkerState) -> None:
        """The walker goes on as this one, and all who follow it are told."""
        game = self.game
        session = game.session
        assert session is not None
        game.trial.void("flown")
        session.world.walker_state = state
        session.world.go_on(session.world, session.world.safe_state)
        self.stop()
        session.jumped()
        game.eye.jump(session.pose())
        game.behind.jump()
        if game.recording is not None:
            game.recording.moved(session)
        if game.lab is not None:
            game.lab.gather()

    def stop(self) -> None:
        """The eye is back with the body, wherever that is."""
        self.away = False

    def frame(self, seconds: float) -> None:
        """Fly on for a frame."""
        game = self.game
        game.held.take()  # a key that was tapped in flight does nothing on the ground later
        righting = game.eye.righting
        up, north = righting.up, righting.north
        yaw, pitch = game.look.yaw * UNIT, game.look.pitch * UNIT
        held = game.held.down | (game.held.actions & {"sprint"})  # who crouches for good does not sink for good
        self.flyer.advance(seconds, held, yaw, pitch, game.held.stick, (up, north))

    def over(self, shot: Snapshot, game: Game, seconds: float, aspect: float) -> Snapshot:
        """The picture from where the eye has flown to; the body stands where it was left."""
        return third_person.seen_from(shot, game, self.flyer.at, aspect)
