"""Editor mode (F2): keys and mouse of the level editor, its panels, and the picture with its HUD."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ...core.angles import HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ...render import Camera, Card, CardRow, Hud, Panel, Snapshot, world_view
from ...render.overlay_layers import Overlay, concatenate_layers
from ...sim.bots.free_space import place_walker_near
from ..editor.edit_tools import NUDGES, EditTools
from ..editor.editor_view import EditorView
from ..editor.panels.findings_panel import FindingsPanel
from ..editor.panels.palette_panel import PalettePanel
from ..editor.panels.side_panel import SidePanel
from ..editor.panels.surface_panel import SurfacePanel
from ..editor.selection import home_poses
from ..editor.tools.dragging import MoveTool, PullTool
from ..editor.tools.field_rows import FieldRows
from ..editor.tools.mouse_tools import CardTool, EditorTool, PointerTool, ShownCard, ToolChain
from ..editor.views import editor_hud
from ..editor.views.geometry_views import GRID, VIEWS, GeometryViews
from ..editor.views.overlays import EditorOverlays, handle_labels
from ..input.actions import WALKING_ACTIONS, Action, Context, EditorAction, PlayAction, TypingAction
from ..settings.mode_names import EDITING, HELP
from ..visuals.screen import EditorChoices
from . import hud_builder
from .mode import Mode

if TYPE_CHECKING:
    from ..cameras.camera import CameraFrame
    from ..game import Game

PANELS: Mapping[Action, type[SidePanel]] = {
    EditorAction.NEW_PIECE: PalettePanel,
    EditorAction.FINDINGS: FindingsPanel,
    EditorAction.SURFACE: SurfacePanel,
}


class EditorMode(Mode):
    """Level editor. The world stands still.

    is_suspended   the window has lost the focus: mouse and keys are released until a click or a key
    view           the camera that flies, and what is aimed at
    edit_tools     the selected pieces and their edits
    rows           of the selection's card
    chain          tools of the mouse, each of which accepts a gesture or leaves it to the next one
    """

    name = EDITING

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.is_suspended = False
        self.view = EditorView(game)
        self.edit_tools = tools = EditTools(self.view)
        self.rows = FieldRows(tools)
        self.geometry_views = GeometryViews(game.screen.editor_choices.views)
        self.cards = CardTool(tools)
        self.puller = PullTool(tools)
        self.mover = MoveTool(tools)
        self.pointing = PointerTool(tools)
        self.chain = ToolChain(self._mouse_tools)
        self._panel: SidePanel | None = None
        self._skips_text = False  # the key that opened a panel arrives as text too
        self._overlays = EditorOverlays()

    def _mouse_tools(self) -> Sequence[EditorTool]:
        """The tools in the order in which they are offered a gesture."""
        panel = () if self.side_panel is None else (self.side_panel,)
        return self.cards, *panel, self.puller, self.mover, self.pointing

    # In and out

    def enter(self, subject: Any = None) -> None:
        self.game.stop_input()
        self.view.enter()
        self.is_suspended = False

    def leave(self) -> None:
        self.edit_tools.queue.finish()
        self.is_suspended = False
        self._panel = self.rows.typed = None
        self.view.pointer.is_free = False
        views = frozenset(self.geometry_views.enabled)
        self.game.screen.editor_choices = EditorChoices(self.view.grid, self.view.is_snapping, views)
        self.game.input.held.clear()

    def use_threads(self) -> None:
        self.edit_tools.queue.threaded = True

    def close(self) -> None:
        self.edit_tools.queue.finish()

    @property
    def captures_mouse(self) -> bool:
        return not self.is_suspended and not self.view.pointer.is_pointing

    def focus_lost(self, reason: str = "") -> None:
        """Release keys and mouse until a click or a key."""
        self.is_suspended = True
        self.chain.interrupt()
        self.game.input.held.clear()

    def _regain_focus(self) -> None:
        self.is_suspended = False
        self.game.input.view.skip_pointer_jump()

    # Keys

    def commands(self) -> Mapping[Action, Callable[[], None]]:
        tools = self.edit_tools
        view = self.view
        edits: dict[Action, Callable[[], None]] = {  # one after another
            **{action: partial(tools.nudge, action) for action in NUDGES},
            EditorAction.ROTATE_LEFT: lambda: tools.turn(1),
            EditorAction.ROTATE_RIGHT: lambda: tools.turn(-1),
            EditorAction.NEXT_ROW: self._next_row,
            EditorAction.DUPLICATE: tools.duplicate,
            EditorAction.DELETE: tools.delete,
            EditorAction.UNDO: lambda: tools.undo_or_redo(True),
            EditorAction.REDO: lambda: tools.undo_or_redo(False),
            EditorAction.INCREASE: lambda: self._step_value(1),
            EditorAction.DECREASE: lambda: self._step_value(-1),
        }
        return {
            **{action: partial(tools.queue_edit, edit) for action, edit in edits.items()},
            **{action: partial(self.open_panel, panel) for action, panel in PANELS.items()},
            **{shown.action: partial(self._toggle_view, shown.action) for shown in VIEWS},
            EditorAction.HELP: lambda: self.game.push_mode(HELP),
            EditorAction.LEAVE: self.game.resume,
            EditorAction.ESCAPE: self.escape,
            EditorAction.EDIT_VALUE_OR_PLAY: self.edit_value_or_play,
            EditorAction.OPEN_LINE: lambda: view.open_picked_line(tools.level),
            EditorAction.COPY_PLACE: lambda: view.copy_place(tools.level),
            EditorAction.NEXT_GRID: view.next_grid,
            EditorAction.SNAPPING: view.toggle_snapping,
            EditorAction.FREE_POINTER: view.pointer.toggle,
            EditorAction.NEXT_DRAG_TOOL: self.puller.toggle,
            EditorAction.SELECT_PARENT: tools.select_parent,
            EditorAction.TYPE_VALUE: self.rows.begin_typing,
        }

    @property
    def contexts(self) -> tuple[Context, ...]:  # type: ignore[override]
        if self.rows.typed is not None:
            return TypingAction, (EditorAction.INVERT_SNAPPING,), WALKING_ACTIONS
        panel = () if self.side_panel is None else (self.side_panel.actions,)
        return *panel, EditorAction, WALKING_ACTIONS

    def any_key(self, key: str, is_used: bool) -> None:
        if self.is_suspended:
            self._regain_focus()
        if not is_used:  # a walking key of QWERTY flies unless it is bound to something else
            self.hold_key(key)

    def hold_key(self, key: str) -> None:
        self.game.input.held.press(key, usual=True)

    def handle_action(self, action: Action) -> None:
        super().handle_action(action)
        if isinstance(action, TypingAction):
            self._handle_typing_action(action)
        elif not isinstance(action, EditorAction) and self.side_panel is not None:
            self.side_panel.handle_action(action)

    @property
    def takes_text(self) -> bool:
        return self.rows.typed is not None or (self.side_panel is not None and self.side_panel.takes_text)

    def text_typed(self, text: str) -> None:
        skips, self._skips_text = self._skips_text, False
        rows = self.rows
        if skips:
            return
        if rows.typed is not None:
            rows.type_text(text)
        elif self.side_panel is not None and self.side_panel.takes_text:
            self.side_panel.text_typed(text)
        elif self.edit_tools.selected and text in tuple("0123456789.-" if rows.is_displacement else "0123456789."):
            self.game.input.held.clear()  # a key that types does not fly
            rows.begin_typing(text)

    def _handle_typing_action(self, action: TypingAction) -> None:
        """An action while a value is typed."""
        rows = self.rows
        queue_edit = self.edit_tools.queue_edit
        if action in (TypingAction.WRITE, TypingAction.WRITE_AND_NEXT):
            shift = self.view.shift
            queue_edit(rows.accept)
            if action is TypingAction.WRITE_AND_NEXT:
                queue_edit(lambda: rows.choose(-1 if shift else 1))
        elif action is TypingAction.CANCEL:
            rows.typed = None
        elif action is TypingAction.ERASE:
            rows.erase()

    def _next_row(self) -> None:
        if self.edit_tools.has_selection():
            self.rows.choose(-1 if self.view.shift else 1)

    def _step_value(self, sense: int) -> None:
        """Increase (1) or decrease (-1) the chosen value. In the row of the displacement, - is a sign that is typed."""
        is_sign = sense < 0 and self.rows.is_displacement
        if not is_sign and self.edit_tools.has_selection():
            self.rows.step(sense)

    def _toggle_view(self, action: Action) -> None:
        if not self.edit_tools.selected:  # with a selection the digit is typed
            self.geometry_views.toggle(action)

    def edit_value_or_play(self) -> None:
        """Type into the chosen row of the selection; without a selection continue the game from here."""
        if self.edit_tools.selected:
            self.edit_tools.queue_edit(self.rows.edit_value)
        else:
            self.walk_here()

    def walk_here(self) -> None:
        """Put the walker under the eye, pushed clear of walls, and leave the editor; refused where there is no room."""
        game = self.game
        if game.runs.recording is not None:
            key = game.input.held.describe(PlayAction.RECORD)
            self.view.show_message(f"Cannot move the player while recording ({key}: stop)", urgent=True)
            return
        heading = round(game.input.view.yaw) % HEADING_UNITS_PER_TURN
        state = place_walker_near(game.world, self.view.eye, heading, sideways=False)
        if state is None:
            self.view.show_message("No room to stand here", urgent=True)
        else:
            game.move_walker(state)
            game.resume()

    def escape(self) -> None:
        """End the selection, else the free pointer, else the mode."""
        if not self.chain.cancel():
            self.game.resume()
            self.game.feedback.show_message("Editor closed", "F2 opens it again")

    # Panels

    @property
    def side_panel(self) -> SidePanel | None:
        """The open panel; None without one."""
        return self._panel if self._panel is not None and self._panel.is_open else None

    def open_panel(self, panel: type[SidePanel]) -> None:
        """Open a panel in place of another; the same one closes."""
        self._skips_text = True
        if isinstance(self.side_panel, panel):
            self.side_panel.close()
            return
        if panel is SurfacePanel and not self.edit_tools.has_selection():
            return
        self.game.input.held.clear()
        self._panel = panel(self.edit_tools)

    # Mouse

    def mouse_moved(self, dx: float, dy: float) -> None:
        pointer = self.view.pointer
        if pointer.is_looking and (dx or dy):
            pointer.has_looked = True
        super().mouse_moved(dx, dy)

    def mouse_button(self, name: str, down: bool) -> None:
        if self.is_suspended:
            if down:
                self._regain_focus()
            return
        self._update_pointer()
        if down:
            self.edit_tools.update()
            self.chain.press(name)
        else:
            self.chain.release(name)

    def scrolled(self, by: float) -> None:
        """Choose another row of the open panel; with the free pointer over the selection's card, one of its rows."""
        if by:
            self.chain.scroll(by)

    def _click_tool(self, row: int) -> None:
        self.handle_action(editor_hud.TOOLS[row][1])
        self._skips_text = False  # no key was pressed

    def _update_pointer(self) -> None:
        """Take the position of the pointer from the window."""
        navigation = self.game.menus.mouse_navigation
        is_dragging = self.mover.is_active or self.puller.is_active
        self.view.pointer.move(navigation.pointer, navigation.size, is_dragging)

    # Frame

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot from the flying camera, with overlays and HUD of the editor."""
        game = self.game
        view = self.view
        tools = self.edit_tools
        self._skips_text = False
        view.inverts_snapping = EditorAction.INVERT_SNAPPING in self.active_actions
        has_focus = game.mode == EDITING and not self.is_suspended  # else the help page is over it
        view.update(game.clock.now or 0.0, frame.seconds, has_focus)
        yaw, pitch = (angle * RADIANS_PER_HEADING_UNIT for angle in self.view_direction())
        fov = shot.view.fov_degrees
        near = world_view.near_distance(tools.level.mesh, view.eye, fov, frame.aspect)
        view.pointer.camera = camera = Camera(view.eye, yaw, pitch, fov, near)
        self._update_pointer()
        tools.update()
        self.chain.hold()
        if self.side_panel is not None:
            self.side_panel.update(frame.seconds)
        hud = shot.hud
        if hud.panel is None:
            hud = replace(self._hud(), labels=handle_labels(tools.level, camera, frame.aspect, tools.selected))
        view.pointer.hud = hud
        shows_grid = self.side_panel is not None or self.mover.is_active or self.puller.is_active
        overlay = concatenate_layers([
            Overlay(*self.geometry_views.layers(tools.level)),
            *self._overlays.build(tools, self.mover.offset, shows_grid or GRID in self.geometry_views.enabled),
            *self.chain.overlays(),
        ])  # fmt: skip
        movers = home_poses(game.level) if shot.movers is not None else None
        return replace(shot, movers=movers, view=camera, overlay=overlay, hud=hud)

    def _hud(self) -> Hud:
        game = self.game
        view = self.view
        self.cards.cards = self._cards()
        message = view.message if view.shows_message and not view.is_message_urgent else ""
        return Hud(
            debug_lines=hud_builder.debug_figures(game) if game.screen.debug else (),
            hint=editor_hud.SUSPENDED_HINT if self.is_suspended else message,
            cards=tuple(shown.card for shown in self.cards.cards),
            key_strip=self._key_strip(),
            crosshair=not view.pointer.is_pointing,
            veil=game.screen.fade.opacity,
            **hud_builder.hud_style(game.settings),
        )

    def help_panel(self) -> Panel:
        bindings = self.game.settings.key_bindings
        keys = bindings.editor_help_rows(bindings.context_help(EditorAction))
        return Panel(title="Level editor", keys=keys, width=editor_hud.HELP_WIDTH)

    def _key_strip(self) -> editor_hud.Keys:
        bindings = self.game.settings.key_bindings
        if self.rows.typed is not None:
            return bindings.context_help(TypingAction)
        if self.side_panel is not None:
            return bindings.editor_help_rows(self.side_panel.shown_keys())
        strip = editor_hud.SELECTION_STRIP if self.edit_tools.selected else editor_hud.INSPECT_STRIP
        return bindings.editor_help_rows(editor_hud.strip_rows(strip, bindings.label))

    def _cards(self) -> list[ShownCard]:
        """The cards from top to bottom."""
        tools = self.edit_tools
        view = self.view
        panel = self.side_panel
        cards = [ShownCard(editor_hud.aimed_card(tools.level, view.picked))]
        if tools.selected:
            card = editor_hud.selection_card(tools, self.rows)
            cards.append(ShownCard(card, lambda row: tools.queue_edit(lambda: self.rows.click(row)), self.rows.choose))
        if view.shows_message and view.is_message_urgent:
            cards.append(ShownCard(Card("", "", note=view.message, urgent=True)))
        if panel is not None:
            cards.append(ShownCard(panel.card(), panel.click_row))
        elif view.pointer.is_free:
            bindings = self.game.settings.key_bindings
            rows = bindings.editor_help_rows(
                tuple((label, bindings.label(action)) for label, action in editor_hud.TOOLS)
            )
            shown = Card("Tools", "", tuple(CardRow(*row) for row in rows), side="right")
            cards.append(ShownCard(shown, self._click_tool))
        reloaded = () if self.game.hot_reload is None else self.game.hot_reload.cards
        return [*cards, *map(ShownCard, (*reloaded, *self.geometry_views.cards()))]
