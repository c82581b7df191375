"""The F2 mode: what its keys and the mouse do, and what it shows over the picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ...render import Camera, Card, CardRow, Hud, Panel, Snapshot
from ..cameras import first_person
from ..cameras.fly_motion import FlyMotion
from ..display import hud_builder
from ..editor import external_editor, inspector, key_help, ruler, walker_placement
from ..editor.edit_tools import FACE_ROW_LABEL, EditTools
from ..editor.geometry_views import GeometryViews
from ..editor.overlays import EditorOverlays
from ..editor.picking import PickHit, RayPicker, Vector
from ..settings.mode_names import EDITING

if TYPE_CHECKING:
    from ...level import Level
    from ..game import Game

RADIANS_PER_HEADING_UNIT = 2.0 * math.pi / 65536
GRID_SIZES = (1.0, 0.5, 0.25, 0.1)  # m
MESSAGE_SECONDS = 5.0
MOVE_KEYS = ("UP", "DOWN", "LEFT", "RIGHT", "PAGEUP", "PAGEDOWN")
INCREASE_KEYS, DECREASE_KEYS = ("EQUAL", "PLUS", "NUM_ADD"), ("MINUS", "NUM_SUBTRACT")
EDIT_KEYS = frozenset(
    ("R", "T", "TAB", "C", "X", "DELETE", "N", "Z", "Y", *INCREASE_KEYS, *DECREASE_KEYS)
)  # one after another


class Editor:
    """Belongs to one game; `open` while it is in the F2 mode, also under help or menu.

    `clipboard` is what the window puts into the clipboard at the request "clipboard".
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.is_open = False
        self.is_suspended = False  # the window has lost the focus: the mouse is let go
        self.camera = FlyMotion((0.0, 0.0, 0.0))
        self.geometry_views = GeometryViews()
        self.ruler = ruler.Ruler()
        self.grid = GRID_SIZES[1]
        self.picked: PickHit | None = None
        self.clipboard = ""
        self._shift: bool | None = None
        self.message, self._message_until, self.is_message_urgent = "", 0.0, False
        self._now = 0.0
        self._picker: RayPicker | None = None
        self._overlays = EditorOverlays()
        self._level = game.level
        self.edit_tools = EditTools(self)
        self._edit_keys: dict[str, Callable[[], None]] = {
            "F1": game.show_help,
            "F2": self.leave,
            "ESCAPE": self.escape,
            "ENTER": self.walk_here,
            "RETURN": self.walk_here,
            "NUM_ENTER": self.walk_here,
            "M": self.add_ruler_end,
            "E": self.open_in_external_editor,
            "P": self.copy_place,
            "O": self.copy_spawn,
            "G": self.next_grid,
            "R": lambda: self.edit_tools.turn(1),
            "T": lambda: self.edit_tools.turn(-1),
            "Q": self.edit_tools.select_parent,
            "TAB": self.edit_tools.next_row,
            "C": self.edit_tools.duplicate,
            "X": self.edit_tools.delete,
            "DELETE": self.edit_tools.delete,
            "N": self.edit_tools.open_palette,
            "Z": lambda: self.edit_tools.undo_or_redo(True),
            "Y": lambda: self.edit_tools.undo_or_redo(False),
            **dict.fromkeys(INCREASE_KEYS, lambda: self.edit_tools.step_number(1)),
            **dict.fromkeys(DECREASE_KEYS, lambda: self.edit_tools.step_number(-1)),
        }

    # In and out

    def enter(self) -> None:
        """From walking into the F2 mode; the world stands still meanwhile."""
        game = self.game
        assert game.session is not None
        game.session.pause()
        game.held_actions.clear()
        flown = (
            game.free_camera.camera.position
            if game.free_camera.is_active
            else game.first_person_camera.update(game.session.pose(), 0.0)
        )
        self.camera = FlyMotion(flown)
        self.is_open, self.is_suspended, self.picked = True, False, None
        game.mode = EDITING

    def leave(self) -> None:
        """Back to the walker, where it stands."""
        self.edit_tools.job_queue.finish()
        self.is_open, self.is_suspended = False, False
        self.game.held_actions.clear()
        self.game.resume()

    def walk_here(self) -> None:
        """Back to walking, from where one has flown to."""
        said = walker_placement.place_walker(self.game, self.camera.position)
        if said:
            self.show_message(said, urgent=True)
        else:
            self.leave()

    def escape(self) -> None:
        """One step back: what is measured, what is picked, then the mode."""
        if self.ruler.is_measuring:
            self.ruler = ruler.Ruler()
        elif self.edit_tools.selection is not None:
            self.edit_tools.deselect()
        else:
            self.leave()

    def pause(self) -> None:
        """The window lost the focus: let go of keys and mouse, until a click or a key."""
        self.is_suspended = True
        self.edit_tools.end_drag()
        self.game.held_actions.clear()

    def notify_saved(self) -> None:
        """A file was saved: the game need not wait until it notices."""
        if self.game.hot_reload is not None:
            self.game.hot_reload.check_now()

    def show_message(self, text: str, urgent: bool = False) -> None:
        """A line above the strip for some seconds; urgent ones in a card that stays longer."""
        self.message, self.is_message_urgent = text, urgent
        self._message_until = self._now + MESSAGE_SECONDS * (2.0 if urgent else 1.0)

    # Keys and mouse

    def key_pressed(self, key: str) -> None:
        """A key went down in this mode."""
        if self.is_suspended:
            self._step_back()
        raw, key = key, self.game.settings.key_bindings.letter_swaps.get(key, key)
        act = self._edit_keys.get(key)
        if self.edit_tools.palette and self._palette_key(key):
            return
        if key in MOVE_KEYS:
            self._queue_edit(lambda: self.edit_tools.nudge(key))
        elif act is not None and key in EDIT_KEYS:
            self._queue_edit(act)
        elif act is not None:
            act()
        elif not self.geometry_views.toggle(key.removeprefix("_").removeprefix("NUM_")):
            self.game.held_actions.press(raw, usual=True)

    def _queue_edit(self, act: Callable[[], None]) -> None:
        """An act: at once, or after those that are being worked on, with Shift as it is now."""
        shift = self.shift

        def later() -> None:
            self._shift = shift
            act()
            self._shift = None

        self.edit_tools.job_queue.run_after(later)

    def _palette_key(self, key: str) -> bool:
        """A key while the palette is open; whether it was for that."""
        hands = self.edit_tools
        if key in ("UP", "DOWN"):
            hands.choose_palette_entry(-1 if key == "UP" else 1)
        elif key in ("PAGEUP", "PAGEDOWN"):
            hands.choose_palette_entry(-5 if key == "PAGEUP" else 5)
        elif key in ("RETURN", "ENTER", "NUM_ENTER"):
            self._queue_edit(hands.place_new_piece)
        elif key in ("ESCAPE", "N"):
            hands.palette = []
        else:
            return False
        return True

    def mouse_button(self, name: str, down: bool) -> None:
        """A mouse button ("LEFT", "RIGHT") went down or up; nothing outside this mode."""
        if self.game.mode != EDITING:
            return
        if self.is_suspended:
            if down:
                self._step_back()
        elif name == "RIGHT" and down:
            self.edit_tools.deselect()
        elif name == "LEFT":
            self._left_button(down)

    def _left_button(self, down: bool) -> None:
        """Put down, drag what is picked, or pick."""
        hands = self.edit_tools
        if not down:
            hands.end_drag()
        elif hands.palette:
            self._queue_edit(hands.place_new_piece)
        else:
            hands.begin_drag()
            if not hands.is_dragging:
                hands.select_aimed()

    def scrolled(self, by: float) -> None:
        """The wheel turned, positive away from the hand: through the palette, or the numbers of what is picked."""
        if self.game.mode != EDITING or not by:
            return
        if self.edit_tools.palette:
            self.edit_tools.choose_palette_entry(-1 if by > 0 else 1)

    def _step_back(self) -> None:
        self.is_suspended = False
        self.game.view_angles.skip_next_movement()

    @property
    def shift(self) -> bool:
        """Whether the key is held that makes steps finer or larger."""
        return "sprint" in self.game.held_actions.pressed if self._shift is None else self._shift

    # Looking

    @property
    def level(self) -> Level:
        """As the last act left it, which is what the game is about to show."""
        return self.edit_tools.level

    @property
    def eye(self) -> Vector:
        return self.camera.position

    @property
    def direction(self) -> Vector:
        """Unit vector ahead."""
        yaw, pitch = (
            self.game.view_angles.yaw * RADIANS_PER_HEADING_UNIT,
            self.game.view_angles.pitch * RADIANS_PER_HEADING_UNIT,
        )
        return (-math.sin(yaw) * math.cos(pitch), math.sin(pitch), -math.cos(yaw) * math.cos(pitch))

    def update_picked(self) -> PickHit | None:
        """What the cross-hair is on now."""
        self.edit_tools.job_queue.update()
        if self._level is not self.game.level and not self.edit_tools.job_queue.is_busy:
            self._level = self.game.level
            self.edit_tools.on_level_reloaded()
        if self._picker is None or self._picker.level is not self.level:
            self._picker = RayPicker(self.level, self._picker)
        self.picked = self._picker.pick(self.eye, self.direction)
        return self.picked

    @property
    def snapped_corner(self) -> Vector | None:
        """The corner that is marked: the nearest one of the face looked at."""
        return None if self.picked is None else inspector.nearest_corner(self.level, self.picked)

    @property
    def aim_point(self) -> Vector | None:
        """The place looked at, or the corner next to it."""
        if self.picked is None or self.snapped_corner is None:
            return None
        return ruler.snap_to_corner(self.eye, self.picked.point, self.snapped_corner)

    def add_ruler_end(self) -> None:
        """Put down an end of the ruler."""
        aim = self.aim_point
        if aim is None:
            self.show_message("Look at something to measure from")
        else:
            self.ruler.add_end(aim)

    def open_in_external_editor(self) -> None:
        """Open the piece's line in the author's editor."""
        if self.picked is None:
            self.show_message("Look at a piece to open its line")
            return
        spot = inspector.source_location(self.level, self.picked)
        said, done = external_editor.open_at_line(inspector.source_file(self.level, spot), spot.line, spot.column)
        if not done:
            self.copy(spot.location_text)
        self.show_message(said)

    def copy(self, text: str) -> None:
        """Put a text into the clipboard."""
        self.clipboard = text
        self.game.window_requests.append("clipboard")

    def copy_place(self) -> None:
        """The place looked at, as YAML: a corner where one is near."""
        at = self.aim_point or self.eye
        self.copy(inspector.position_yaml(at))
        self.show_message(f"Copied  {self.clipboard}")

    def copy_spawn(self) -> None:
        """Feet under the eye, looking where one looks, as YAML."""
        x, y, z = self.eye
        feet = (x, y - walker_placement.eye_height(self.game), z)
        self.copy(inspector.spawn_yaml(feet, self.game.view_angles.yaw * 360.0 / 65536))
        self.show_message(f"Copied  {self.clipboard}")

    def next_grid(self) -> None:
        """The next finer grid, and around."""
        self.grid = GRID_SIZES[(GRID_SIZES.index(self.grid) + 1) % len(GRID_SIZES)]
        self.show_message(f"Grid step {inspector.format_metres(self.grid)} m")

    # What a frame shows

    def apply_to_frame(self, shot: Snapshot, seconds: float, now: float, aspect: float) -> Snapshot:
        """The game's picture from the flying eye, with all that this mode shows."""
        self._now = now
        game = self.game
        flying = game.mode == EDITING and not self.is_suspended
        yaw, pitch = game.view_angles.yaw * RADIANS_PER_HEADING_UNIT, game.view_angles.pitch * RADIANS_PER_HEADING_UNIT
        held = game.held_actions
        self.camera.update(seconds if flying else 0.0, held.pressed if flying else (), yaw, pitch, held.stick)
        self.update_picked()
        self.edit_tools.update_drag()
        fov = shot.view.fov_degrees
        near = first_person.near_distance(self.level.mesh, self.eye, fov, aspect)
        panel = shot.hud.panel
        return replace(
            shot,
            view=Camera(self.eye, yaw, pitch, fov, near),
            overlay=self._overlays.build_layers(self),
            hud=shot.hud if panel is not None else self._hud(),
        )

    def _hud(self) -> Hud:
        game = self.game
        saying = self._now < self._message_until
        return Hud(
            debug_lines=hud_builder.debug_figures(game) if game.debug else (),
            hint=key_help.SUSPENDED_HINT
            if self.is_suspended
            else self.message
            if saying and not self.is_message_urgent
            else "",
            cards=self._cards(saying),
            key_strip=self._key_strip(),
            veil=game.travel.veil,
        )

    def help_panel(self) -> Panel:
        """What all the keys do."""
        return Panel(
            title="Level editor",
            keys=self.game.settings.key_bindings.editor_help_rows(key_help.HELP_KEYS),
            width=key_help.HELP_WIDTH,
        )

    def _key_strip(self) -> key_help.Keys:
        picked = key_help.INSPECT_KEYS if self.edit_tools.selection is None else key_help.SELECTION_KEYS
        return self.game.settings.key_bindings.editor_help_rows(
            key_help.PALETTE_KEYS if self.edit_tools.palette else picked
        )

    def _cards(self, saying: bool) -> tuple[Card, ...]:
        cards: list[Card] = []
        if self.picked is not None:
            cards.append(inspector.inspector_card(self.level, self.picked))
        else:
            cards.append(Card("", "", note="Nothing here"))
        if self.edit_tools.selection is not None:
            cards.append(self._picked_card())
        span = self.ruler.span(self.aim_point)
        if span is not None:
            cards.append(ruler.ruler_card(*span))
        if saying and self.is_message_urgent:
            cards.append(Card("", "", note=self.message, urgent=True))
        if self.edit_tools.palette:
            rows = tuple(
                CardRow(offer.label, chosen=index == self.edit_tools.palette_index)
                for index, offer in enumerate(self.edit_tools.palette)
            )
            cards.append(Card("New", "", rows, side="right"))
        reloaded = () if self.game.hot_reload is None else self.game.hot_reload.cards
        return (*cards, *reloaded, *self.geometry_views.cards())

    def _picked_card(self) -> Card:
        """What is picked, what it stands in, and its numbers."""
        hands, picked = self.edit_tools, self.edit_tools.selection
        assert picked is not None
        rows = []
        if hands.has_faces:
            rows.append(
                CardRow(FACE_ROW_LABEL, f"by {inspector.format_metres(self.grid)} m", chosen=hands.selected_row == 0)
            )
        shift = len(rows)
        rows += [
            CardRow(number.label, number.value, chosen=hands.selected_row == index + shift)
            for index, number in enumerate(hands.number_rows())
        ]
        where = f"{picked.file(self.level).name}:{picked.source_place.line}"
        below = f"{where}, in {picked.enclosing_labels}" if picked.enclosing_labels else where
        return Card(f"Selected: {picked.label}", below, tuple(rows))
