"""View of the editor mode: the camera that flies, what is aimed at, the ruler, and the picture with its HUD."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core.angles import DEGREES_PER_HEADING_UNIT, RADIANS_PER_HEADING_UNIT
from ....core.vectors import Vector
from ....render import Camera, Card, CardRow, Hud, Panel, Snapshot
from ....render.overlay_layers import OverlayLines
from ...cameras import first_person
from ...cameras.free import FreeCamera
from ...editor.document import external_editor
from ...editor.entities.handle_layers import handle_labels
from ...editor.entities.handles import home_poses
from ...editor.panels.side_panel import SidePanel
from ...editor.picking import PickHit, RayPicker
from ...editor.tools import marquee
from ...editor.tools.camera_flight import CameraFlight, Viewpoint, viewpoint_of
from ...editor.tools.free_pointer import FreePointer
from ...editor.tools.snapping import snap_point
from ...editor.tools.toolbox import Toolbox
from ...editor.views import editor_hud, inspector, key_help, ruler
from ...editor.views.geometry_views import GeometryViews
from ...editor.views.overlays import EditorOverlays
from ...input.actions import EditorAction, PlayAction, TypingAction
from ...settings.mode_names import EDITING
from ...visuals.screen import GRID_SIZES, EditorChoices
from .. import hud_builder
from ..mode import Mode

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....level import Level
    from ...cameras.camera import CameraFrame
    from ..context import GameContext

MESSAGE_SECONDS = 5.0
SELECTION_CARD, PANEL_CARD, TOOLS_CARD = "selection", "panel", "tools"


class EditorView(Mode):
    """What the editor shows.

    is_suspended   the window has lost the focus: mouse and keys are released until a click or a key
    picked         face or model under the cross-hair, or under the free pointer
    grid           step of moves (m)
    side_panel     the open panel; None without one
    """

    name = EDITING

    def __init__(self, context: GameContext) -> None:
        super().__init__(context)
        choices = context.screen.editor_choices
        self.is_suspended = False
        self.camera = FreeCamera()
        self.geometry_views = GeometryViews(choices.views)
        self.ruler = ruler.Ruler()
        self.grid = choices.grid
        self.picked: PickHit | None = None
        self.side_panel: SidePanel | None = None
        self.pointer = FreePointer()
        self.is_snapping = choices.is_snapping
        self._shift: bool | None = None  # as it was when the edit that runs now was asked for
        self.message, self._message_until, self.is_message_urgent = "", 0.0, False
        self._now = 0.0
        self._skips_text = False  # the key that opened a panel arrives as text too
        self._flight: CameraFlight | None = None
        self._picker: RayPicker | None = None
        self._overlays = EditorOverlays()
        self._level = context.level
        self._shown_cards: tuple[str, ...] = ()  # what each card of the last frame is
        self.edit_tools = Toolbox(self)

    # In and out

    def enter(self, subject: Any = None) -> None:
        context, cameras = self.context, self.context.cameras
        assert context.session is not None
        context.stop_input()
        free = cameras.free
        eye = free.position if free.is_active else cameras.first_person.update(context.session.pose(), 0.0)
        self.camera = FreeCamera(eye)
        self.is_suspended, self.picked, self._flight = False, None, None

    def leave(self) -> None:
        self.edit_tools.job_queue.finish()
        self.is_suspended, self.side_panel, self.pointer.is_free = False, None, False
        self.edit_tools.rows.typed = None
        views = frozenset(self.geometry_views.enabled)
        self.context.screen.editor_choices = EditorChoices(self.grid, self.is_snapping, views)
        self.context.input.held.clear()

    def use_threads(self) -> None:
        self.edit_tools.job_queue.threaded = True

    def close(self) -> None:
        self.edit_tools.job_queue.finish()

    @property
    def captures_mouse(self) -> bool:
        return not self.is_suspended and not self.pointer.is_pointing

    @property
    def has_focus(self) -> bool:
        """Whether keys and mouse act on the editor: neither suspended nor under the help page."""
        return self.context.mode == EDITING and not self.is_suspended

    def eye_height(self) -> float:
        """Height of the eye above the feet of a standing walker (m)."""
        return self.context.world.settings.eye_height

    def notify_saved(self) -> None:
        """A file was saved: reload it without waiting for the file watcher."""
        if self.context.hot_reload is not None:
            self.context.hot_reload.check_now()

    def show_message(self, text: str, urgent: bool = False) -> None:
        """Show a line above the key strip for some seconds; an urgent one in a card, for twice as long."""
        self.message, self.is_message_urgent = text, urgent
        self._message_until = self._now + MESSAGE_SECONDS * (2.0 if urgent else 1.0)

    # What tools and panels ask for

    @property
    def shift(self) -> bool:
        """Whether Shift is held, which makes steps finer or larger."""
        return PlayAction.SPRINT in self.context.input.held.pressed if self._shift is None else self._shift

    @property
    def snaps(self) -> bool:
        """Whether movements snap to corners and edges."""
        return self.is_snapping != (EditorAction.INVERT_SNAPPING in self.active_actions)

    def queue_edit(self, edit: Callable[[], None]) -> None:
        """Do an edit at once or after those in the queue, with Shift as it is now."""
        shift = self.shift

        def run_edit() -> None:
            self._shift = shift
            edit()
            self._shift = None

        self.edit_tools.job_queue.run_after(run_edit)

    def close_panel(self) -> None:
        """Close the open panel."""
        self.side_panel = None

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
        """Unit vector of the view, or through the free pointer."""
        if self.pointer.is_pointing:
            return self.pointer.ray()
        yaw, pitch = (angle * RADIANS_PER_HEADING_UNIT for angle in self.view_direction())
        return (-math.sin(yaw) * math.cos(pitch), math.sin(pitch), -math.cos(yaw) * math.cos(pitch))

    def fly_to(self, at: Vector, size: float) -> None:
        """Fly to where a place (m) of a size (m) is seen."""
        yaw, pitch = self.view_direction()
        end = viewpoint_of(self.level, at, size, yaw)
        seconds = 0.0 if self.context.settings.reduce_motion else None
        start = Viewpoint(self.eye, yaw, pitch)
        self._flight = CameraFlight(start, end) if seconds is None else CameraFlight(start, end, seconds)

    def fly_to_selection(self) -> None:
        """Fly to where the selected piece is seen."""
        tools = self.edit_tools
        corners = tools.corners_of(tools.selection) if tools.selection is not None else None
        if corners is not None and len(corners):
            low, high = corners.min(axis=0), corners.max(axis=0)
            x, y, z = ((low + high) / 2.0).tolist()
            self.fly_to((x, y, z), math.dist(low.tolist(), high.tolist()))

    def update_picked(self) -> PickHit | None:
        """Pick what is under the cross-hair, in the level after the last edit."""
        self.edit_tools.job_queue.update()
        if self._level is not self.context.level and not self.edit_tools.job_queue.is_busy:
            self._level = self.context.level
            self.edit_tools.on_level_reloaded()
        if self._picker is None or self._picker.level is not self.level:
            self._picker = RayPicker(self.level, self._picker)
        self.picked = self._picker.pick(self.eye, self.direction, self.edit_tools.selected)
        return self.picked

    @property
    def snapped_corner(self) -> Vector | None:
        """Nearest corner of the picked face, which is marked."""
        return None if self.picked is None else inspector.nearest_corner(self.level, self.picked)

    @property
    def aim_point(self) -> Vector | None:
        """Picked point, snapped to a near corner or edge (m)."""
        if self.picked is None or self.snapped_corner is None:
            return None
        at = ruler.snap_to_corner(self.eye, self.picked.point, self.snapped_corner)
        if at == self.picked.point and self.snaps:
            snapped = snap_point(self.level, self.picked, self.eye)
            return at if snapped is None else snapped.point
        return at

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
        self.open_line(inspector.source_file(self.level, location), location.line, location.column)

    def open_line(self, file: Path, line: int, column: int = 1) -> None:
        """Open a line in the user's text editor."""
        message, opened = external_editor.open_at_line(file, line, column)
        if not opened:
            self.copy(f"{file}:{line}")
        self.show_message(message)

    def copy(self, text: str) -> None:
        """Copy a text to the clipboard."""
        self.context.screen.copy(text)

    def copy_place(self) -> None:
        """Copy the aimed point as YAML."""
        at = self.aim_point or self.eye
        self.copy(inspector.position_yaml(at))
        self.show_message(f"Copied  {self.context.screen.clipboard}")

    def copy_spawn(self) -> None:
        """Copy a spawn under the eye that faces the view, as YAML."""
        x, y, z = self.eye
        feet = (x, y - self.eye_height(), z)
        self.copy(inspector.spawn_yaml(feet, self.context.input.view.yaw * DEGREES_PER_HEADING_UNIT))
        self.show_message(f"Copied  {self.context.screen.clipboard}")

    def next_grid(self) -> None:
        """Choose the next finer grid, after the finest the coarsest."""
        self.grid = GRID_SIZES[(GRID_SIZES.index(self.grid) + 1) % len(GRID_SIZES)]
        self.show_message(f"Grid step {inspector.format_metres(self.grid)} m")

    # What a frame shows

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot from the flying camera, with overlays and HUD of the editor."""
        context = self.context
        self._now, self._skips_text = context.clock.now or 0.0, False
        self._fly(frame.seconds if self.has_focus else 0.0)
        yaw, pitch = (angle * RADIANS_PER_HEADING_UNIT for angle in self.view_direction())
        fov = shot.view.fov_degrees
        near = first_person.near_distance(self.level.mesh, self.eye, fov, frame.aspect)
        view = Camera(self.eye, yaw, pitch, fov, near)
        self.pointer.camera = view
        self.update_pointer()
        self.update_picked()
        self.edit_tools.drag.update()
        if self.side_panel is not None:
            self.side_panel.update(frame.seconds)
        panel = shot.hud.panel
        self.pointer.hud = shot.hud if panel is not None else self._hud()
        if panel is None:
            labels = handle_labels(self.level, view, frame.aspect, self.edit_tools.selected)
            self.pointer.hud = replace(self.pointer.hud, labels=labels)
        shot = replace(shot, movers=home_poses(context.level) if shot.movers is not None else None)
        return replace(shot, view=view, overlay=self._overlays.build_layers(self), hud=self.pointer.hud)

    def _fly(self, seconds: float) -> None:
        """Move the camera by the held keys, or along its flight, which a key ends."""
        held, flying = self.context.input.held, self.has_focus
        pressed = held.pressed if flying else frozenset()
        angles = self.context.input.view
        if self._flight is not None and not pressed:
            at = self._flight.advance(seconds)
            self.camera.place(at.eye)
            angles.yaw, angles.pitch = at.yaw, at.pitch
            if self._flight.is_over:
                self._flight = None
            return
        self._flight = None
        yaw, pitch = (angle * RADIANS_PER_HEADING_UNIT for angle in self.view_direction())
        self.camera.update(seconds, pressed, yaw, pitch, held.stick)

    def update_pointer(self) -> None:
        """Take the position of the pointer from the window."""
        navigation = self.context.menus.mouse_navigation
        self.pointer.move(navigation.pointer, navigation.size, self.edit_tools.drag.is_active)

    def marquee_lines(self) -> tuple[OverlayLines, ...]:
        """The rectangle that is being drawn."""
        pointer = self.pointer
        if not pointer.is_marquee or pointer.pressed_at is None:
            return ()
        return (marquee.rectangle_lines(pointer.camera, pointer.size, pointer.pressed_at, pointer.at),)

    def _hud(self) -> Hud:
        context = self.context
        shows_message = self._now < self._message_until
        cards = self._cards(shows_message)
        self._shown_cards = tuple(kind for kind, _ in cards)
        return Hud(
            debug_lines=hud_builder.debug_figures(context) if context.screen.debug else (),
            hint=key_help.SUSPENDED_HINT
            if self.is_suspended
            else self.message
            if shows_message and not self.is_message_urgent
            else "",
            cards=tuple(card for _, card in cards),
            key_strip=self._key_strip(),
            crosshair=not self.pointer.is_pointing,
            veil=context.screen.fade.opacity,
            **hud_builder.hud_style(context.settings),
        )

    def help_panel(self) -> Panel:
        bindings = self.context.settings.key_bindings
        return Panel(
            title="Level editor",
            keys=bindings.editor_help_rows(bindings.context_help(EditorAction)),
            width=key_help.HELP_WIDTH,
        )

    def _key_strip(self) -> key_help.Keys:
        tools = self.edit_tools
        bindings = self.context.settings.key_bindings
        if tools.rows.typed is not None:
            return bindings.context_help(TypingAction)
        if self.side_panel is not None:
            return bindings.editor_help_rows(self.side_panel.shown_keys())
        strip = key_help.SELECTION_STRIP if tools.selected else key_help.INSPECT_STRIP
        return bindings.editor_help_rows(key_help.strip_rows(strip, bindings.label))

    def _cards(self, shows_message: bool) -> list[tuple[str, Card]]:
        """Cards with what each of them is. The panel comes first, so that it has room."""
        tools = self.edit_tools
        cards = [("", editor_hud.aimed_card(self.level, self.picked))]
        if tools.selected:
            cards.append((SELECTION_CARD, editor_hud.selection_card(tools)))
        span = self.ruler.span(self.aim_point)
        if span is not None:
            cards.append(("", ruler.ruler_card(*span)))
        if shows_message and self.is_message_urgent:
            cards.append(("", Card("", "", note=self.message, urgent=True)))
        if self.side_panel is not None:
            cards.append((PANEL_CARD, self.side_panel.card()))
        elif self.pointer.is_free:
            bindings = self.context.settings.key_bindings
            rows = bindings.editor_help_rows(tuple((label, bindings.label(action)) for label, action in key_help.TOOLS))
            cards.append((TOOLS_CARD, Card("Tools", "", tuple(CardRow(*row) for row in rows), side="right")))
        reloaded = () if self.context.hot_reload is None else self.context.hot_reload.cards
        return [*cards, *(("", card) for card in (*reloaded, *self.geometry_views.cards()))]
