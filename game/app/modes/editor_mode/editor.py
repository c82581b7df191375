"""Editor mode (F2): keys and mouse of the level editor, its panels and the camera that flies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ....core.angles import HEADING_UNITS_PER_TURN
from ....sim.placement import place_walker_near
from ...editor.edit_tools import NUDGES
from ...editor.panels.align_panel import AlignPanel
from ...editor.panels.find_panel import FindPanel
from ...editor.panels.findings_panel import FindingsPanel
from ...editor.panels.palette_panel import PalettePanel
from ...editor.panels.repeat_panel import RepeatPanel
from ...editor.panels.side_panel import SidePanel
from ...editor.panels.surface_panel import SurfacePanel
from ...editor.tools import marquee
from ...editor.tools.dragging import MOVE, RESIZE
from ...editor.views import key_help, ruler
from ...editor.views.geometry_views import VIEWS
from ...input.actions import WALKING_ACTIONS, Action, Context, EditorAction, PlayAction, TypingAction
from ...settings.mode_names import BODY, HELP
from ..mode import MouseButton
from .view import PANEL_CARD, SELECTION_CARD, TOOLS_CARD, EditorView

PANELS: Mapping[Action, type[SidePanel]] = {
    EditorAction.NEW_PIECE: PalettePanel, EditorAction.FIND: FindPanel, EditorAction.FINDINGS: FindingsPanel,
    EditorAction.SURFACE: SurfacePanel, EditorAction.REPEAT: RepeatPanel, EditorAction.ALIGN: AlignPanel,
}  # fmt: skip


class EditorMode(EditorView):
    """Level editor: keys, mouse and panels. The world stands still."""

    def commands(self) -> Mapping[Action, Callable[[], None]]:
        tools = self.edit_tools
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
            **{action: partial(self.queue_edit, edit) for action, edit in edits.items()},
            **{action: partial(self.open_panel, panel) for action, panel in PANELS.items()},
            **{view.action: partial(self._toggle_view, view.action) for view in VIEWS},
            EditorAction.HELP: lambda: self.context.push_mode(HELP),
            EditorAction.LEAVE: self.context.resume,
            EditorAction.ESCAPE: self.escape,
            EditorAction.EDIT_VALUE_OR_PLAY: self.edit_value_or_play,
            EditorAction.BODY: lambda: self.context.push_mode(BODY),
            EditorAction.RULER: self.add_ruler_end,
            EditorAction.OPEN_LINE: self.open_in_external_editor,
            EditorAction.COPY_PLACE: self.copy_place,
            EditorAction.COPY_SPAWN: self.copy_spawn,
            EditorAction.NEXT_GRID: self.next_grid,
            EditorAction.SNAPPING: self.toggle_snapping,
            EditorAction.FREE_POINTER: self.pointer.toggle,
            EditorAction.NEXT_DRAG_TOOL: self.toggle_drag_tool,
            EditorAction.SELECT_PARENT: tools.select_parent,
            EditorAction.TYPE_VALUE: tools.rows.begin_typing,
        }

    @property
    def takes_text(self) -> bool:
        return (self.side_panel is not None and self.side_panel.takes_text) or self.edit_tools.rows.typed is not None

    def edit_value_or_play(self) -> None:
        """Type into the chosen row of the selection; without a selection continue the game from here."""
        if self.edit_tools.selected:
            self.queue_edit(self.edit_tools.rows.edit_value)
        else:
            self.walk_here()

    def walk_here(self) -> None:
        """Put the walker under the eye, pushed clear of walls, and leave the editor; refused where there is no room."""
        context = self.context
        if context.runs.recording is not None:
            key = context.input.held.describe(PlayAction.RECORD)
            self.show_message(f"Cannot move the player while recording ({key}: stop)", urgent=True)
            return
        heading = round(context.input.view.yaw) % HEADING_UNITS_PER_TURN
        state = place_walker_near(context.world, self.camera.position, heading, sideways=False)
        if state is None:
            self.show_message("No room to stand here", urgent=True)
        else:
            context.move_walker(state)
            context.resume()

    def escape(self) -> None:
        """End the measurement, else the selection, else the free pointer, else the mode."""
        if self.ruler.is_measuring:
            self.ruler = ruler.Ruler()
        elif self.edit_tools.selected:
            self.edit_tools.deselect()
        elif self.pointer.is_free:
            self.pointer.toggle()
        else:
            self.context.resume()
            self.context.feedback.show_message("Editor closed", "F2 opens it again")

    def focus_lost(self, reason: str = "") -> None:
        """Release keys and mouse until a click or a key."""
        self.is_suspended = True
        self.edit_tools.drag.end()
        self.context.input.held.clear()

    # Panels

    def open_panel(self, panel: type[SidePanel]) -> None:
        """Open a panel in place of another; the same one closes."""
        self._skips_text = True
        if isinstance(self.side_panel, panel):
            self.close_panel()
            return
        if panel in (SurfacePanel, RepeatPanel) and not self.edit_tools.has_selection():
            return
        self.context.input.held.clear()
        self.side_panel = panel(self, self.edit_tools)

    # Keys

    @property
    def contexts(self) -> tuple[Context, ...]:  # type: ignore[override]
        if self.edit_tools.rows.typed is not None:
            return TypingAction, (EditorAction.INVERT_SNAPPING,), WALKING_ACTIONS
        panel = () if self.side_panel is None else (self.side_panel.actions,)
        return *panel, EditorAction, WALKING_ACTIONS

    def any_key(self, key: str, is_used: bool) -> None:
        if self.is_suspended:
            self._regain_focus()
        if not is_used:  # a walking key of QWERTY flies unless it is bound to something else
            self.hold_key(key)

    def hold_key(self, key: str) -> None:
        self.context.input.held.press(key, usual=True)

    def handle_action(self, action: Action) -> None:
        super().handle_action(action)
        if isinstance(action, TypingAction):
            self._handle_typing_action(action)
        elif not isinstance(action, EditorAction) and self.side_panel is not None:
            self.side_panel.handle_action(action)

    def text_typed(self, text: str) -> None:
        skips, self._skips_text = self._skips_text, False
        rows = self.edit_tools.rows
        if skips:
            return
        if rows.typed is not None:
            rows.type_text(text)
        elif self.side_panel is not None and self.side_panel.takes_text:
            self.side_panel.text_typed(text)
        elif self.edit_tools.selected and text in tuple("0123456789.-" if rows.is_displacement else "0123456789."):
            self.context.input.held.clear()  # a key that types does not fly
            rows.begin_typing(text)

    def _handle_typing_action(self, action: TypingAction) -> None:
        """An action while a value is typed."""
        rows = self.edit_tools.rows
        if action in (TypingAction.WRITE, TypingAction.WRITE_AND_NEXT):
            shift = self.shift
            self.queue_edit(rows.accept)
            if action is TypingAction.WRITE_AND_NEXT:
                self.queue_edit(lambda: rows.choose(-1 if shift else 1))
        elif action is TypingAction.CANCEL:
            rows.typed = None
        elif action is TypingAction.ERASE:
            rows.erase()

    def _next_row(self) -> None:
        if self.edit_tools.has_selection():
            self.edit_tools.rows.choose(-1 if self.shift else 1)

    def _step_value(self, sense: int) -> None:
        """Increase (1) or decrease (-1) the chosen value. In the row of the displacement, - is a sign that is typed."""
        is_sign = sense < 0 and self.edit_tools.rows.is_displacement
        if not is_sign and self.edit_tools.has_selection():
            self.edit_tools.rows.step(sense)

    def _toggle_view(self, action: Action) -> None:
        if not self.edit_tools.selected:  # with a selection the digit is typed
            self.geometry_views.toggle(action)

    def toggle_snapping(self) -> None:
        """Turn snapping to corners and edges on or off."""
        self.is_snapping = not self.is_snapping
        self.show_message(f"Snapping to corners and edges: {'on' if self.is_snapping else 'off'}")

    def toggle_drag_tool(self) -> None:
        """The mouse moves pieces, or pulls their faces."""
        drag = self.edit_tools.drag
        drag.tool = RESIZE if drag.tool == MOVE else MOVE
        self.show_message(f"The mouse {'pulls faces' if drag.tool == RESIZE else 'moves pieces'}")

    # Mouse

    def mouse_moved(self, dx: float, dy: float) -> None:
        if self.pointer.is_looking and (dx or dy):
            self.pointer.has_looked = True
        super().mouse_moved(dx, dy)

    def mouse_button(self, name: str, down: bool) -> None:
        if self.is_suspended:
            if down:
                self._regain_focus()
        elif name == MouseButton.MIDDLE and down:
            self.pointer.toggle()
        elif name == MouseButton.RIGHT:
            self._right_button(down)
        elif name == MouseButton.LEFT:
            self._left_button(down)

    def _right_button(self, down: bool) -> None:
        """Deselect; with the free pointer look around while it is held."""
        pointer = self.pointer
        if not pointer.is_free:
            if down:
                self.edit_tools.deselect()
            return
        if not down and pointer.is_looking and not pointer.has_looked:
            self.edit_tools.deselect()
        pointer.is_looking, pointer.has_looked = down, False
        self.context.input.view.skip_pointer_jump()

    def _left_button(self, down: bool) -> None:
        """A row of a card, a piece for the open panel, a drag of the selection, a rectangle, or a selection."""
        tools, pointer = self.edit_tools, self.pointer
        if not down:
            self._left_released()
            return
        if pointer.is_pointing:
            self.update_pointer()
            row = pointer.row_at()
            if row is not None:
                self._click_card(*row)
                return
        if self.side_panel is not None and self.side_panel.take_world_click():
            return
        self.update_picked()
        tools.drag.begin()
        if tools.drag.is_active:
            return
        if pointer.is_pointing:
            pointer.pressed_at = pointer.at
        else:
            tools.select_aimed(add=self.shift)

    def _left_released(self) -> None:
        tools, pointer = self.edit_tools, self.pointer
        if pointer.pressed_at is not None:
            start, pointer.pressed_at = pointer.pressed_at, None
            self.update_pointer()
            if marquee.is_drawn(start, pointer.at):
                found = marquee.pieces_within(self.level, pointer.camera, pointer.size, start, pointer.at)
                tools.select(*(tools.selected if self.shift else ()), *found)
                self.show_message(f"{len(tools.selected)} pieces selected")
            else:
                tools.select_aimed(add=self.shift)
            return
        is_click = tools.drag.is_click
        tools.drag.end()
        if is_click and self.shift:
            tools.select_aimed(add=True)

    def _click_card(self, card: int, row: int) -> None:
        """A click of the free pointer on a row of a card."""
        tools = self.edit_tools
        kind = self._card_kind(card) if row >= 0 else ""
        if kind == SELECTION_CARD:
            self.queue_edit(lambda: tools.rows.click(row))
        elif kind == PANEL_CARD and self.side_panel is not None:
            self.side_panel.click_row(row, self.shift)
        elif kind == TOOLS_CARD:
            self.handle_action(key_help.TOOLS[row][1])
            self._skips_text = False  # no key was pressed

    def scrolled(self, by: float) -> None:
        """Choose another row of the open panel; with the free pointer over the selection's card, one of its rows."""
        over = self.pointer.row_at() if self.pointer.is_pointing else None
        if by and over is not None and self._card_kind(over[0]) == SELECTION_CARD:
            self.edit_tools.rows.choose(-1 if by > 0 else 1)
        elif by and self.side_panel is not None:
            self.side_panel.choose(-1 if by > 0 else 1)

    def _card_kind(self, card: int) -> str:
        """What a card of the last frame is."""
        return self._shown_cards[card] if 0 <= card < len(self._shown_cards) else ""

    def _regain_focus(self) -> None:
        self.is_suspended = False
        self.context.input.view.skip_pointer_jump()
