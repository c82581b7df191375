"""Photo mode: the world stands still, and a free camera with field of view, roll and time of day takes a picture."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Point
from ...render import Camera, Card, CardRow, Hud, world_view
from ..cameras.camera import CameraFrame, without_figure
from ..cameras.free import FreeCamera
from ..input.actions import FLIGHT_ACTIONS, GLOBAL_ACTIONS, Action, PhotoAction, PlayAction
from ..settings.mode_names import PAUSED, PHOTO
from .mode import Mode

if TYPE_CHECKING:
    from ...render import Snapshot
    from ..game import Game
    from ..input.player_input import HeldActions

MAX_DISTANCE = 30.0  # m from the body
FLY_SPEED = 2.5  # m/s
FAST_SPEED = 8.0  # m/s
MIN_FOV, MAX_FOV = 15.0, 100.0  # degrees, vertical
FOV_STEP = 3.0  # degrees for a step of the wheel
ROLL_RATE = 30.0  # degrees/s while the key is down
MAX_ROLL = 90.0  # degrees
HOUR_RATE = 1.5  # hours/s while the key is down
MAX_HOURS = 6.5  # at 6 hours the sun is at the horizon
DEGREES_PER_HOUR = 15.0
SIZES = (1, 2)  # times the size of the window


@dataclass(slots=True)
class PhotoControls:
    """Settings of the photo. fov, roll: degrees; hours: time of day relative to that of the level."""

    fov: float
    roll: float = 0.0
    hours: float = 0.0
    shows_body: bool = True
    shows_hud: bool = True
    factor: int = 1


class PhotoMode(Mode):
    """Pause with a camera of its own. Leaving it brings back view, camera and light as they were."""

    name = PHOTO
    contexts = (FLIGHT_ACTIONS, (*PhotoAction, *GLOBAL_ACTIONS))

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.camera = FreeCamera()
        self.controls = PhotoControls(MIN_FOV)
        self._saved_view = (0.0, 0.0)
        self._saved_arm: dict[str, Any] = {}
        self._entered = 0.0  # reading of the clock (s)
        self._is_placed = False

    @property
    def captures_mouse(self) -> bool:
        return True

    @property
    def screenshot_request(self) -> str:  # type: ignore[override]
        """Picture without HUD, at a multiple of the window's size."""
        return f"photo{self.controls.factor}"

    @property
    def shows_run_clock(self) -> bool:
        return self.below is not None and self.below.shows_run_clock

    def enter(self, subject: Any = None) -> None:
        game = self.game
        game.stop_input()
        game.feedback.message = None
        look = game.input.view
        self._saved_view = look.yaw, look.pitch
        self._saved_arm = copy.deepcopy(vars(game.cameras.third_person))  # turning the view here shortens its arm
        self._entered = game.clock.now or 0.0
        self._reset()

    def leave(self) -> None:
        game = self.game
        game.stop_input()
        game.input.view.yaw, game.input.view.pitch = self._saved_view
        vars(game.cameras.third_person).update(self._saved_arm)
        clock = game.clock
        if clock.play_started is not None and clock.now is not None:
            clock.play_started += clock.now - self._entered  # water and clouds go on where they stood

    def focus_lost(self, reason: str = "") -> None:
        self.game.pop_mode()
        self.game.push_mode(PAUSED, reason)

    # Input

    def commands(self) -> Mapping[Action, Callable[[], None]]:
        controls = self.controls
        next_size = SIZES[(SIZES.index(controls.factor) + 1) % len(SIZES)]
        return {
            PhotoAction.BACK: self.game.resume,
            PhotoAction.ZOOM_IN: lambda: self.scrolled(1.0),
            PhotoAction.ZOOM_OUT: lambda: self.scrolled(-1.0),
            PhotoAction.SHOW_BODY: lambda: self._set(shows_body=not controls.shows_body),
            PhotoAction.SHOW_HUD: lambda: self._set(shows_hud=not controls.shows_hud),
            PhotoAction.NEXT_SIZE: lambda: self._set(factor=next_size),
            PhotoAction.RESET: self._reset,
            PhotoAction.TAKE_PICTURE: lambda: self.game.screen.requests.append(self.screenshot_request),
        }

    def left_pressed(self) -> None:
        self.commands()[PhotoAction.TAKE_PICTURE]()

    def _set(self, **changes: Any) -> None:
        self.controls = replace(self.controls, **changes)

    def _reset(self) -> None:
        """Bring camera and controls back to the view from which the mode was entered."""
        self.game.input.view.yaw, self.game.input.view.pitch = self._saved_view
        self.controls = PhotoControls(world_view.vertical_fov(self.game.settings.fov))
        self._is_placed = False

    def scrolled(self, by: float) -> None:
        fov = self.controls.fov - FOV_STEP * by
        self.controls.fov = min(max(fov, MIN_FOV), MAX_FOV)

    # Frame

    def update(self, now: float, seconds: float) -> None:
        game = self.game
        controls = self.controls
        seconds = min(max(seconds, 0.0), 0.1)
        active = self.active_actions
        roll = (PhotoAction.ROLL_RIGHT in active) - (PhotoAction.ROLL_LEFT in active)
        hours = (PhotoAction.LATER in active) - (PhotoAction.EARLIER in active)
        controls.roll = min(max(controls.roll + roll * ROLL_RATE * seconds, -MAX_ROLL), MAX_ROLL)
        controls.hours = min(max(controls.hours + hours * HOUR_RATE * seconds, -MAX_HOURS), MAX_HOURS)
        if game.session is None or not self._is_placed:
            return
        held = game.input.held
        held.consume()  # a key that is tapped here must not act in play
        game.input.view.rotate_by_keys(held.pressed, seconds, game.settings)
        transition = game.cameras.first_person.up_transition
        yaw, pitch = (angle * RADIANS_PER_HEADING_UNIT for angle in self.view_direction())
        actions = held.pressed | (held.active & {PlayAction.SPRINT})
        self.camera.update(seconds, actions, yaw, pitch, held.stick, (transition.up, transition.north))
        self._limit_distance(game.session.pose().centre)

    def _limit_distance(self, centre: Point) -> None:
        distance = math.dist(self.camera.position, centre)
        if distance > MAX_DISTANCE:
            x, y, z = (
                middle + (at - middle) * MAX_DISTANCE / distance
                for at, middle in zip(self.camera.position, centre, strict=True)
            )
            self.camera.position = (x, y, z)
            self.camera.velocity = (0.0, 0.0, 0.0)

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The frozen world from the free camera."""
        if self.below is not None:
            shot = self.below.apply_to_frame(shot, replace(frame, seconds=0.0))
        if not self._is_placed:
            self.camera.place(shot.view.eye, FLY_SPEED, FAST_SPEED)
            self._is_placed = True
        controls = self.controls
        clock = self.game.clock
        shot = self.camera.apply_to_frame(without_figure(shot), frame)
        if not controls.shows_body:
            shot = replace(without_figure(shot), body=None)
        return replace(
            shot,
            view=replace(_rolled(shot.view, math.radians(controls.roll)), fov_degrees=controls.fov),
            hud=self._hud(shot.hud),
            overlay=None,
            time=shot.time - ((clock.now or 0.0) - self._entered),
            sun=None if controls.hours == 0.0 else self.sun_position(),
        )

    def sun_position(self) -> tuple[float, float]:
        """Height and azimuth (degrees) of the sun: that of the level, turned on a great circle through its place.

        The level's own hour is the noon of this circle; the sun stands at the horizon 6 hours before and after.
        """
        sky = self.game.level.sky
        height = math.radians(sky.sun_height)
        azimuth = math.radians(sky.sun_from)
        ahead = np.array((-math.sin(azimuth), 0.0, -math.cos(azimuth)))
        noon = math.cos(height) * ahead + math.sin(height) * np.array((0.0, 1.0, 0.0))
        west = np.array((-ahead[2], 0.0, ahead[0]))  # to the right of who faces the sun
        angle = math.radians(DEGREES_PER_HOUR * self.controls.hours)
        x, y, z = (math.cos(angle) * noon + math.sin(angle) * west).tolist()
        return math.degrees(math.asin(min(max(y, -1.0), 1.0))), math.degrees(math.atan2(-x, -z))

    def _hud(self, hud: Hud) -> Hud:
        """The keys and what is set; where the HUD is hidden, a message alone. A message is small, at the bottom."""
        bare = Hud(crosshair=False, scale=hud.scale, text=hud.text, palette=hud.palette, contrast=hud.contrast)
        bare = replace(bare, hint="   ·   ".join(filter(None, (hud.message, hud.message_detail))))
        if not self.controls.shows_hud:
            return bare
        controls = self.controls
        keys = self.game.input.held
        hours = "as in the level" if controls.hours == 0.0 else f"{controls.hours:+.1f} h"
        rows = (
            CardRow("Field of view", f"{world_view.fov_setting(controls.fov):.0f}°"),
            CardRow("Roll", f"{controls.roll:.0f}°"),
            CardRow("Time of day", hours),
            CardRow("Body", "shown" if controls.shows_body else "hidden"),
            CardRow("Picture", "window size" if controls.factor == 1 else f"{controls.factor}x window size"),
        )
        note = "" if controls.hours == 0.0 else "Sun and sky only: light from walls and lamps stays"
        card = Card("Photo mode", rows=rows, note=note, side="right")
        return replace(bare, cards=(card,), key_strip=_key_strip(keys))


def _key_strip(keys: HeldActions) -> tuple[tuple[str, str], ...]:
    """(key, meaning) pairs for the device in use."""
    flight = (keys.describe(PlayAction.JUMP), "Up"), (keys.describe(PlayAction.CROUCH), "Down")
    if keys.uses_gamepad:
        return (keys.describe(PlayAction.SCREENSHOT), "Take the picture"), *flight, ("Pad Start", "Back")
    shutter, *rows = keys.bindings.context_help(PhotoAction, before=FLIGHT_ACTIONS)
    return shutter, *flight, *rows


def _rolled(view: Camera, angle: float) -> Camera:
    """The view rotated about its direction (radians, clockwise as the world is seen to turn counter-clockwise)."""
    if angle == 0.0:
        return view
    right, up, forward = view.basis()
    turned = math.cos(angle) * up + math.sin(angle) * right
    (ux, uy, uz), (nx, ny, nz) = turned.tolist(), forward.tolist()
    return replace(view, yaw=0.0, pitch=0.0, up=(ux, uy, uz), north=(nx, ny, nz))
