"""Flying (F): the eye leaves the body, through everything; the body waits, and comes after where there is room."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...physics import WalkerState
from ...render import Snapshot
from ...sim.placement import place_walker_near
from . import third_person
from .fly_motion import FlyMotion

if TYPE_CHECKING:
    from ..game import Game

RADIANS_PER_HEADING_UNIT = 2.0 * math.pi / 65536
MUTED_LOOPS = ("slide",)  # sounds that go on and are the body's


class FreeCameraMode:
    """Belongs to one game. The walker's world stands still while `away`: no tick, no time."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.is_active = False
        self.camera = FlyMotion((0.0, 0.0, 0.0))

    @property
    def hint(self) -> str:
        """The line at the bottom of the picture while flying."""
        told = self.game.held_actions.describe
        return f"Flying   ·   {told('jump')}: up   ·   {told('crouch')}: down   ·   {told('fly')}: land here"

    def toggle(self) -> None:
        """Take off, or come back to the ground."""
        if self.is_active:
            self.place_walker()
        else:
            self.enter()

    def enter(self) -> None:
        """The eye leaves from where the picture is seen from."""
        game = self.game
        session = game.session
        if session is None:
            return
        settings = session.world.settings
        eye = (
            game.third_person_camera.position
            if game.third_person_camera.is_active
            else game.first_person_camera.update(session.pose(), 0.0)
        )
        self.camera = FlyMotion(eye, settings.walk_speed, settings.sprint_speed)
        self.is_active = True
        session.pause()
        if game.sound_events is not None:
            game.sound_events.loops |= dict.fromkeys(MUTED_LOOPS, 0.0)

    def place_walker(self) -> None:
        """The body comes to where the eye is, pushed clear of walls; where there is no room the flight goes on."""
        game = self.game
        assert game.session is not None
        state = place_walker_near(game.session.world, self.camera.position, round(game.view_angles.yaw) % 65536)
        if state is None:
            game.show_message("No room to stand here", "Fly to a place with more room")
        else:
            self.set_walker_state(state)

    def set_walker_state(self, state: WalkerState) -> None:
        """The walker goes on as this one, and all who follow it are told."""
        game = self.game
        session = game.session
        assert session is not None
        game.time_trial.void("flying used")
        session.world.walker_state = state
        session.world.continue_from(session.world, session.world.safe_state)
        self.leave()
        session.reset_interpolation()
        game.first_person_camera.snap(session.pose())
        game.third_person_camera.snap()
        if game.recording is not None:
            game.recording.moved(session)
        if game.lab is not None:
            game.lab.reset_ghosts()

    def leave(self) -> None:
        """The eye is back with the body, wherever that is."""
        self.is_active = False

    def update(self, seconds: float) -> None:
        """Fly on for a frame."""
        game = self.game
        game.held_actions.consume()  # a key that was tapped in flight does nothing on the ground later
        righting = game.first_person_camera.up_transition
        up, north = righting.up, righting.north
        yaw, pitch = game.view_angles.yaw * RADIANS_PER_HEADING_UNIT, game.view_angles.pitch * RADIANS_PER_HEADING_UNIT
        held = game.held_actions.pressed | (
            game.held_actions.active & {"sprint"}
        )  # who crouches for good does not sink for good
        self.camera.update(seconds, held, yaw, pitch, game.held_actions.stick, (up, north))

    def apply_to_frame(self, shot: Snapshot, game: Game, seconds: float, aspect: float) -> Snapshot:
        """The picture from where the eye has flown to; the body stands where it was left."""
        return third_person.view_from(shot, game, self.camera.position, aspect)
