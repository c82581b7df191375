"""View of the editor: the camera that flies, the free pointer, what is aimed at, the grid, and the line of messages."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.angles import DEGREES_PER_HEADING_UNIT, HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ...core.vectors import Vector, to_point
from ...level.edit import format_number, format_point
from ...render import Camera, Hud
from ...render.hud.arrangement import arrange_hud
from ..cameras.free import FLIGHT_SECONDS, CameraFlight, FreeCamera, view_of
from ..input.actions import PlayAction
from ..launch import other_programs
from ..visuals.screen import GRID_SIZES
from .picking import PickHit, RayPicker, source_location
from .selection import Selection
from .tools.snapping import snap_point

if TYPE_CHECKING:
    from ...level import Level
    from ..game import Game

MESSAGE_SECONDS = 5.0
Point = tuple[float, float]  # pixels


class EditorView:
    """How the user looks at the level. Tools and panels read it.

    camera              flies by the keys
    pointer             free pointer of the mouse
    picked              face or model under the cross-hair, or under the free pointer
    grid                step of moves (m)
    is_snapping         whether movements snap to corners and edges, unless `inverts_snapping`
    queued_shift        whether Shift was held when the edit that runs now was asked for; None while none runs
    message             text, and whether it is urgent
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        choices = game.screen.editor_choices
        self.camera = FreeCamera()
        self.pointer = FreePointer()
        self.picked: PickHit | None = None
        self.grid = choices.grid
        self.is_snapping = choices.is_snapping
        self.inverts_snapping = False
        self.queued_shift: bool | None = None
        self.message = ""
        self.is_message_urgent = False
        self._message_until = 0.0
        self._now = 0.0
        self._flight: CameraFlight | None = None
        self._picker: RayPicker | None = None

    def enter(self) -> None:
        """Start at the eye of the player, or where the player has flown to."""
        session = self.game.session
        cameras = self.game.cameras
        assert session is not None
        free = cameras.free
        eye = free.position if free.is_active else cameras.first_person.update(session.pose(), 0.0)
        self.camera = FreeCamera(eye)
        self.picked = self._flight = None

    @property
    def shift(self) -> bool:
        """Whether Shift is held, which makes steps finer or larger."""
        return PlayAction.SPRINT in self.game.input.held.pressed if self.queued_shift is None else self.queued_shift

    @property
    def snaps(self) -> bool:
        """Whether movements snap to corners and edges."""
        return self.is_snapping != self.inverts_snapping

    # Messages

    def show_message(self, text: str, urgent: bool = False) -> None:
        """Show a line above the key strip for some seconds; an urgent one in a card, for twice as long."""
        self.message = text
        self.is_message_urgent = urgent
        self._message_until = self._now + MESSAGE_SECONDS * (2.0 if urgent else 1.0)

    @property
    def shows_message(self) -> bool:
        """Whether there is a message that is not too old."""
        return self._now < self._message_until

    # Camera

    @property
    def eye(self) -> Vector:
        """Position of the camera (m)."""
        return self.camera.position

    @property
    def direction(self) -> Vector:
        """Unit vector of the view, or through the free pointer."""
        if self.pointer.is_pointing:
            return self.pointer.ray()
        yaw, pitch = self.game.input.view.yaw * RADIANS_PER_HEADING_UNIT, self.pitch
        return (-math.sin(yaw) * math.cos(pitch), math.sin(pitch), -math.cos(yaw) * math.cos(pitch))

    @property
    def pitch(self) -> float:
        """Pitch of the view (radians)."""
        return self.game.input.view.pitch * RADIANS_PER_HEADING_UNIT

    @property
    def quarter(self) -> float:
        """Direction of the view, rounded to a quarter turn (degrees)."""
        return round(self.game.input.view.yaw * DEGREES_PER_HEADING_UNIT / 90.0) % 4 * 90.0

    @property
    def main_axis(self) -> tuple[float, float]:
        """x and z of the axis nearest to the view."""
        axes = ((0.0, -1.0), (-1.0, 0.0), (0.0, 1.0), (1.0, 0.0))
        return axes[round(4.0 * self.game.input.view.yaw / HEADING_UNITS_PER_TURN) % 4]

    def fly_to(self, level: Level, at: Vector, size: float) -> None:
        """Fly to where a place (m) of a size (m) is seen."""
        start = Camera(self.eye, self.game.input.view.yaw * RADIANS_PER_HEADING_UNIT, self.pitch)
        end = view_of(level.mesh, at, size, start.yaw)
        self._flight = CameraFlight(start, end, 0.0 if self.game.settings.reduce_motion else FLIGHT_SECONDS)

    def update(self, now: float, seconds: float, has_focus: bool) -> None:
        """Move the camera by the held keys, or along its flight, which a key ends. now: clock (s)."""
        self._now = now
        held = self.game.input.held
        angles = self.game.input.view
        seconds = seconds if has_focus else 0.0
        pressed = held.pressed if has_focus else frozenset()
        if self._flight is not None and not pressed:
            at = self._flight.advance(seconds)
            self.camera.place(at.eye)
            angles.yaw = at.yaw / RADIANS_PER_HEADING_UNIT % HEADING_UNITS_PER_TURN
            angles.pitch = at.pitch / RADIANS_PER_HEADING_UNIT
            if self._flight.is_over:
                self._flight = None
            return
        self._flight = None
        self.camera.update(seconds, pressed, angles.yaw * RADIANS_PER_HEADING_UNIT, self.pitch, held.stick)

    # Aim

    def pick(self, level: Level, selected: tuple[Selection, ...]) -> None:
        """Pick what is under the cross-hair. Sides of selected zones are picked too."""
        if self._picker is None or self._picker.level is not level:
            self._picker = RayPicker(level, self._picker)
        self.picked = self._picker.pick(self.eye, self.direction, selected)

    # Grid, places and text editor

    def next_grid(self) -> None:
        """Choose the next finer grid, after the finest the coarsest."""
        self.grid = GRID_SIZES[(GRID_SIZES.index(self.grid) + 1) % len(GRID_SIZES)]
        self.show_message(f"Grid step {format_number(self.grid, 3)} m")

    def toggle_snapping(self) -> None:
        """Turn snapping to corners and edges on or off."""
        self.is_snapping = not self.is_snapping
        self.show_message(f"Snapping to corners and edges: {'on' if self.is_snapping else 'off'}")

    def copy_place(self, level: Level) -> None:
        """Copy the picked point, snapped to a near corner or edge, or the eye, as YAML to the clipboard."""
        aimed = self.picked
        snapped = snap_point(level, aimed, self.eye) if aimed is not None and self.snaps else None
        at = snapped.point if snapped is not None else aimed.point if aimed is not None else self.eye
        text = f"at: {format_point(at, 3)}"
        self.game.screen.copy(text)
        self.show_message(f"Copied  {text}")

    def open_picked_line(self, level: Level) -> None:
        """Open the line of the picked piece in the user's text editor."""
        if self.picked is None:
            self.show_message("Look at a piece to open its line")
            return
        _, file, line, column = source_location(level, self.picked)
        self.open_line(Path(file), line, column)

    def open_line(self, file: Path, line: int, column: int = 1) -> None:
        """Open a line in the user's text editor."""
        message, opened = other_programs.open_line(file, line, column)
        if not opened:
            self.game.screen.copy(f"{file}:{line}")
        self.show_message(message)


class FreePointer:
    """State of the free pointer.

    is_free      whether the pointer is shown
    is_looking   whether the right button is held, which turns the view meanwhile
    hud, camera, size   of the last frame
    """

    def __init__(self) -> None:
        self.is_free = False
        self.is_looking = False
        self.has_looked = False
        self.at: Point = (0.0, 0.0)
        self._ray: Vector | None = None  # through the last place beside the cards
        self.hud = Hud()
        self.camera = Camera((0.0, 0.0, 0.0))
        self.size = (1280, 720)

    @property
    def is_pointing(self) -> bool:
        """Whether the mouse moves the pointer."""
        return self.is_free and not self.is_looking

    def toggle(self) -> None:
        """Show or hide the pointer."""
        self.is_free = not self.is_free
        self.is_looking = False
        self._ray = None

    def move(self, at: Point, size: tuple[int, int], through_cards: bool) -> None:
        """The pointer is at a place of a window of this size, pixels. It points at nothing behind a card, so that the
        cards do not change under it; through_cards: it does while a piece is dragged."""
        self.at = at
        self.size = size
        if self.is_pointing and (through_cards or self.row_at() is None):
            self._ray = self._ray_here()

    def ray(self) -> Vector:
        """Unit vector from the eye through the pointer; over a card through the last place beside it."""
        return self._ray_here() if self._ray is None else self._ray

    def _ray_here(self) -> Vector:
        return to_point(self.camera.pixel_ray(self.at[0] + 0.5, self.at[1] + 0.5, *self.size))

    def row_at(self) -> tuple[int, int] | None:
        """Index of the card under the pointer and of its row, -1 beside a row; None outside all cards."""
        layout = arrange_hud(self.hud, self.size)
        x, y = self.at
        for card, row, (left, top, width, height) in layout.card_rows:
            if left <= x < left + width and top <= y < top + height:
                return card, row
        for element in layout.elements:
            left, top, width, height = element.rectangle
            if left <= x < left + width and top <= y < top + height:
                return -1, -1
        return None
