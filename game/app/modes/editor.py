"""Editor mode (F2): keys and mouse of the level editor, its HUD and the camera that flies."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...core.angles import DEGREES_PER_HEADING_UNIT, HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ...core.vectors import Vector
from ...render import Camera, Card, CardRow, Hud, Panel, Snapshot
from ...sim.placement import place_walker_near
from ..cameras import first_person
from ..cameras.free import FreeCamera
from ..editor import external_editor, inspector, key_help, ruler
from ..editor.edit_tools import FACE_ROW_LABEL, EditTools
from ..editor.geometry_views import GeometryViews
from ..editor.overlays import EditorOverlays
from ..editor.picking import PickHit, RayPicker
from ..settings.mode_names import EDITING, HELP
from . import hud_builder
from .mode import Mode

if TYPE_CHECKING:
    from ...level import Level
    from ..cameras.camera import CameraFrame
    from .context import GameContext

GRID_SIZES = (1.0, 0.5, 0.25, 0.1)  # m
MESSAGE_SECONDS = 5.0
MOVE_KEYS = ("UP", "DOWN", "LEFT", "RIGHT", "PAGEUP", "PAGEDOWN")
INCREASE_KEYS, DECREASE_KEYS = ("EQUAL", "PLUS", "NUM_ADD"), ("MINUS", "NUM_SUBTRACT")
EDIT_KEYS = frozenset(
    ("R", "T", "TAB", "C", "X", "DELETE", "N", "Z", "Y", *INCREASE_KEYS, *DECREASE_KEYS)
)  # one after another


class EditorMode(Mode):
    """Level editor. The world stands still.

    is_suspended   the window has lost the focus: mouse and keys are released until a click or a key
    picked         face or model under the cross-hair
    grid           step of moves (m)
    """

    name = EDITING

    def __init__(self, context: GameContext) -> None:
        super().__init__(context)
        self.is_suspended = False
        self.camera = FreeCamera()
        self.geometry_views = GeometryViews()
        self.ruler = ruler.Ruler()
        self.grid = GRID_SIZES[1]
        self.picked: PickHit | None = None
        self._shift: bool | None = None
        self.message, self._message_until, self.is_message_urgent = "", 0.0, False
        self._now = 0.0
        self._picker: RayPicker | None = None
        self._overlays = EditorOverlays()
        self._level = context.level
        self.edit_tools = EditTools(self)
        self._edit_keys: dict[str, Callable[[], None]] = {
            "F1": lambda: context.push_mode(HELP),
            "F2": context.resume,
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

    def enter(self, subject: Any = None) -> None:
        context, cameras = self.context, self.context.cameras
        assert context.session is not None
        context.stop_input()
        free = cameras.free
        eye = free.position if free.is_active else cameras.first_person.update(context.session.pose(), 0.0)
        self.camera = FreeCamera(eye)
        self.is_suspended, self.picked = False, None

    def leave(self) -> None:
        self.edit_tools.job_queue.finish()
        self.is_suspended = False
        self.context.held_actions.clear()

    def use_threads(self) -> None:
        self.edit_tools.job_queue.threaded = True

    def close(self) -> None:
        self.edit_tools.job_queue.finish()

    @property
    def captures_mouse(self) -> bool:
        return not self.is_suspended

    @property
    def has_focus(self) -> bool:
        """Whether keys and mouse act on the editor: neither suspended nor under the help page."""
        return self.context.mode == EDITING and not self.is_suspended

    def walk_here(self) -> None:
        """Put the walker under the eye, pushed clear of walls, and leave the editor; refused where there is no room."""
        context = self.context
        if context.recording is not None:
            key = context.held_actions.describe("record")
            self.show_message(f"Cannot move the player while recording ({key}: stop)", urgent=True)
            return
        heading = round(context.view_angles.yaw) % HEADING_UNITS_PER_TURN
        state = place_walker_near(context.world, self.camera.position, heading, sideways=False)
        if state is None:
            self.show_message("No room to stand here", urgent=True)
        else:
            context.move_walker(state)
            context.resume()

    def eye_height(self) -> float:
        """Height of the eye above the feet of a standing walker (m)."""
        settings = self.context.world.settings
        return settings.eye * 2.0 * settings.radii[1]

    def escape(self) -> None:
        """End the measurement, else the selection, else the mode."""
        if self.ruler.is_measuring:
            self.ruler = ruler.Ruler()
        elif self.edit_tools.selection is not None:
            self.edit_tools.deselect()
        else:
            self.context.resume()

    def focus_lost(self) -> None:
        """Release keys and mouse until a click or a key."""
        self.is_suspended = True
        self.edit_tools.end_drag()
        self.context.held_actions.clear()

    def notify_saved(self) -> None:
        """A file was saved: reload it without waiting for the file watcher."""
        if self.context.hot_reload is not None:
            self.context.hot_reload.check_now()

    def show_message(self, text: str, urgent: bool = False) -> None:
        """Show a line above the key strip for some seconds; an urgent one in a card, for twice as long."""
        self.message, self.is_message_urgent = text, urgent
        self._message_until = self._now + MESSAGE_SECONDS * (2.0 if urgent else 1.0)

    # Keys and mouse

    def key_pressed(self, key: str) -> None:
        if self.is_suspended:
            self._regain_focus()
        raw, key = key, self.context.settings.key_bindings.letter_swaps.get(key, key)
        action = self._edit_keys.get(key)
        if self.edit_tools.palette and self._palette_key(key):
            return
        if key in MOVE_KEYS:
            self._queue_edit(lambda: self.edit_tools.nudge(key))
        elif action is not None and key in EDIT_KEYS:
            self._queue_edit(action)
        elif action is not None:
            action()
        elif not self.geometry_views.toggle(key.removeprefix("_").removeprefix("NUM_")):
            self.context.held_actions.press(raw, usual=True)

    def _queue_edit(self, edit: Callable[[], None]) -> None:
        """Do an edit at once or after those in the queue, with Shift as it is now."""
        shift = self.shift

        def run_edit() -> None:
            self._shift = shift
            edit()
            self._shift = None

        self.edit_tools.job_queue.run_after(run_edit)

    def _palette_key(self, key: str) -> bool:
        """Handle a key while the palette is open; returns whether the palette used it."""
        tools = self.edit_tools
        if key in ("UP", "DOWN"):
            tools.choose_palette_entry(-1 if key == "UP" else 1)
        elif key in ("PAGEUP", "PAGEDOWN"):
            tools.choose_palette_entry(-5 if key == "PAGEUP" else 5)
        elif key in ("RETURN", "ENTER", "NUM_ENTER"):
            self._queue_edit(tools.place_new_piece)
        elif key in ("ESCAPE", "N"):
            tools.palette = []
        else:
            return False
        return True

    def mouse_button(self, name: str, down: bool) -> None:
        if self.is_suspended:
            if down:
                self._regain_focus()
        elif name == "RIGHT" and down:
            self.edit_tools.deselect()
        elif name == "LEFT":
            self._left_button(down)

    def _left_button(self, down: bool) -> None:
        """Place a new piece, drag the selection, or select."""
        tools = self.edit_tools
        if not down:
            tools.end_drag()
        elif tools.palette:
            self._queue_edit(tools.place_new_piece)
        else:
            tools.begin_drag()
            if not tools.is_dragging:
                tools.select_aimed()

    def scrolled(self, by: float) -> None:
        if by and self.edit_tools.palette:
            self.edit_tools.choose_palette_entry(-1 if by > 0 else 1)

    def _regain_focus(self) -> None:
        self.is_suspended = False
        self.context.view_angles.skip_pointer_jump()

    @property
    def shift(self) -> bool:
        """Whether Shift is held, which makes steps finer or larger."""
        return "sprint" in self.context.held_actions.pressed if self._shift is None else self._shift

    # Looking

    @property
    def level(self) -> Level:
        """The level after the last edit, which the game is about to reload."""
        return self.edit_tools.level

    @property
    def eye(self) -> Vector:
        """Position of the camera (m)."""
        return self.camera.position

    @property
    def direction(self) -> Vector:
        """Unit vector of the view."""
        yaw, pitch = (angle * RADIANS_PER_HEADING_UNIT for angle in self.view_direction())
        return (-math.sin(yaw) * math.cos(pitch), math.sin(pitch), -math.cos(yaw) * math.cos(pitch))

    def update_picked(self) -> PickHit | None:
        """Pick what is under the cross-hair, in the level after the last edit."""
        self.edit_tools.job_queue.update()
        if self._level is not self.context.level and not self.edit_tools.job_queue.is_busy:
            self._level = self.context.level
            self.edit_tools.on_level_reloaded()
        if self._picker is None or self._picker.level is not self.level:
            self._picker = RayPicker(self.level, self._picker)
        self.picked = self._picker.pick(self.eye, self.direction)
        return self.picked

    @property
    def snapped_corner(self) -> Vector | None:
        """Nearest corner of the picked face, which is marked."""
        return None if self.picked is None else inspector.nearest_corner(self.level, self.picked)

    @property
    def aim_point(self) -> Vector | None:
        """Picked point, snapped to a near corner (m)."""
        if self.picked is None or self.snapped_corner is None:
            return None
        return ruler.snap_to_corner(self.eye, self.picked.point, self.snapped_corner)

    def add_ruler_end(self) -> None:
        """Set an end of the ruler."""
        aim = self.aim_point
        if aim is None:
            self.show_message("Look at something to measure from")
        else:
            self.ruler.add_end(aim)

    def open_in_external_editor(self) -> None:
        """Open the line of the picked piece in the user's text editor."""
        if self.picked is None:
            self.show_message("Look at a piece to open its line")
            return
        location = inspector.source_location(self.level, self.picked)
        file = inspector.source_file(self.level, location)
        message, opened = external_editor.open_at_line(file, location.line, location.column)
        if not opened:
            self.copy(location.location_text)
        self.show_message(message)

    def copy(self, text: str) -> None:
        """Copy a text to the clipboard."""
        self.context.clipboard = text
        self.context.window_requests.append("clipboard")

    def copy_place(self) -> None:
        """Copy the aimed point as YAML."""
        at = self.aim_point or self.eye
        self.copy(inspector.position_yaml(at))
        self.show_message(f"Copied  {self.context.clipboard}")

    def copy_spawn(self) -> None:
        """Copy a spawn under the eye that faces the view, as YAML."""
        x, y, z = self.eye
        feet = (x, y - self.eye_height(), z)
        self.copy(inspector.spawn_yaml(feet, self.context.view_angles.yaw * DEGREES_PER_HEADING_UNIT))
        self.show_message(f"Copied  {self.context.clipboard}")

    def next_grid(self) -> None:
        """Choose the next finer grid, after the finest the coarsest."""
        self.grid = GRID_SIZES[(GRID_SIZES.index(self.grid) + 1) % len(GRID_SIZES)]
        self.show_message(f"Grid step {inspector.format_metres(self.grid)} m")

    # What a frame shows

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot from the flying camera, with overlays and HUD of the editor."""
        context = self.context
        self._now = context.clock.now or 0.0
        flying = self.has_focus
        yaw, pitch = (angle * RADIANS_PER_HEADING_UNIT for angle in self.view_direction())
        held = context.held_actions
        self.camera.update(frame.seconds if flying else 0.0, held.pressed if flying else (), yaw, pitch, held.stick)
        self.update_picked()
        self.edit_tools.update_drag()
        fov = shot.view.fov_degrees
        near = first_person.near_distance(self.level.mesh, self.eye, fov, frame.aspect)
        panel = shot.hud.panel
        return replace(
            shot,
            view=Camera(self.eye, yaw, pitch, fov, near),
            overlay=self._overlays.build_layers(self),
            hud=shot.hud if panel is not None else self._hud(),
        )

    def _hud(self) -> Hud:
        context = self.context
        shows_message = self._now < self._message_until
        return Hud(
            debug_lines=hud_builder.debug_figures(context) if context.debug else (),
            hint=key_help.SUSPENDED_HINT
            if self.is_suspended
            else self.message
            if shows_message and not self.is_message_urgent
            else "",
            cards=self._cards(shows_message),
            key_strip=self._key_strip(),
            veil=context.fade.opacity,
            **hud_builder.hud_style(context.settings),
        )

    def help_panel(self) -> Panel:
        return Panel(
            title="Level editor",
            keys=self.context.settings.key_bindings.editor_help_rows(key_help.HELP_KEYS),
            width=key_help.HELP_WIDTH,
        )

    def _key_strip(self) -> key_help.Keys:
        picked = key_help.INSPECT_KEYS if self.edit_tools.selection is None else key_help.SELECTION_KEYS
        return self.context.settings.key_bindings.editor_help_rows(
            key_help.PALETTE_KEYS if self.edit_tools.palette else picked
        )

    def _cards(self, shows_message: bool) -> tuple[Card, ...]:
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
        if shows_message and self.is_message_urgent:
            cards.append(Card("", "", note=self.message, urgent=True))
        if self.edit_tools.palette:
            rows = tuple(
                CardRow(entry.label, chosen=index == self.edit_tools.palette_index)
                for index, entry in enumerate(self.edit_tools.palette)
            )
            cards.append(Card("New", "", rows, side="right"))
        reloaded = () if self.context.hot_reload is None else self.context.hot_reload.cards
        return (*cards, *reloaded, *self.geometry_views.cards())

    def _picked_card(self) -> Card:
        """Card of the selection: where it is defined, what encloses it, and its numbers."""
        tools, picked = self.edit_tools, self.edit_tools.selection
        assert picked is not None
        rows = []
        if tools.has_faces:
            rows.append(
                CardRow(FACE_ROW_LABEL, f"by {inspector.format_metres(self.grid)} m", chosen=tools.selected_row == 0)
            )
        first = len(rows)
        rows += [
            CardRow(number.label, number.value, chosen=tools.selected_row == index + first)
            for index, number in enumerate(tools.number_rows())
        ]
        location = f"{picked.file(self.level).name}:{picked.source_place.line}"
        subtitle = f"{location}, in {picked.enclosing_labels}" if picked.enclosing_labels else location
        return Card(f"Selected: {picked.label}", subtitle, tuple(rows))
