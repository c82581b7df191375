"""Editor mode (F2): keys and mouse of the level editor, its panels and the camera that flies."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....core.angles import HEADING_UNITS_PER_TURN
from ....sim.placement import place_walker_near
from ...editor.panels.align_panel import AlignPanel
from ...editor.panels.find_panel import FindPanel
from ...editor.panels.findings_panel import FindingsPanel
from ...editor.panels.palette_panel import PalettePanel
from ...editor.panels.repeat_panel import RepeatPanel
from ...editor.panels.side_panel import ACCEPT_KEYS, SidePanel
from ...editor.panels.surface_panel import SurfacePanel
from ...editor.tools import marquee
from ...editor.tools.dragging import MOVE, RESIZE
from ...editor.views import key_help, ruler
from ...settings.mode_names import BODY, HELP
from .view import PANEL_CARD, SELECTION_CARD, TOOLS_CARD, EditorView

if TYPE_CHECKING:
    from ..context import GameContext

MOVE_KEYS = ("UP", "DOWN", "LEFT", "RIGHT", "PAGEUP", "PAGEDOWN")
INCREASE_KEYS, DECREASE_KEYS = ("EQUAL", "PLUS", "NUM_ADD"), ("MINUS", "NUM_SUBTRACT")
EDIT_KEYS = frozenset(
    ("R", "T", "TAB", "C", "X", "DELETE", "Z", "Y", *INCREASE_KEYS, *DECREASE_KEYS)
)  # one after another
TYPED_KEYS = {**{f"{prefix}{digit}": str(digit) for digit in range(10) for prefix in ("_", "", "NUM_")},
              "PERIOD": ".", "NUM_DECIMAL": "."}  # fmt: skip
ALT_KEYS, MODIFIER_KEYS = ("LALT", "RALT", "LOPTION", "ROPTION"), ("LSHIFT", "RSHIFT")
PANELS: dict[str, type[SidePanel]] = {
    "N": PalettePanel, "F": FindPanel, "J": FindingsPanel, "U": SurfacePanel, "L": RepeatPanel, "K": AlignPanel,
}  # fmt: skip


class EditorMode(EditorView):
    """Level editor: keys, mouse and panels. The world stands still."""

    def __init__(self, context: GameContext) -> None:
        super().__init__(context)
        self._is_alt_held = False
        self._shift: bool | None = None
        self._edit_keys: dict[str, Callable[[], None]] = self._key_table()

    def _key_table(self) -> dict[str, Callable[[], None]]:
        tools = self.edit_tools
        return {
            "F1": lambda: self.context.push_mode(HELP),
            "F2": self.context.resume,
            "ESCAPE": self.escape,
            **dict.fromkeys(ACCEPT_KEYS, self.edit_value_or_play),
            "B": lambda: self.context.push_mode(BODY),
            "M": self.add_ruler_end,
            "E": self.open_in_external_editor,
            "P": self.copy_place,
            "O": self.copy_spawn,
            "G": self.next_grid,
            "H": self.toggle_snapping,
            "I": self.pointer.toggle,
            "V": self.toggle_drag_tool,
            "Q": tools.select_parent,
            "BACKSPACE": tools.rows.begin_typing,
            "R": lambda: tools.turn(1),
            "T": lambda: tools.turn(-1),
            "TAB": self._next_row,
            "C": tools.duplicate,
            "X": tools.delete,
            "DELETE": tools.delete,
            "Z": lambda: tools.undo_or_redo(True),
            "Y": lambda: tools.undo_or_redo(False),
            **dict.fromkeys(INCREASE_KEYS, lambda: self._step_value(1)),
            **dict.fromkeys(DECREASE_KEYS, lambda: self._step_value(-1)),
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

    def focus_lost(self) -> None:
        """Release keys and mouse until a click or a key."""
        self.is_suspended = True
        self.edit_tools.drag.end()
        self.context.held_actions.clear()

    # Panels

    def open_panel(self, panel: type[SidePanel]) -> None:
        """Open a panel in place of another; the same one closes."""
        if isinstance(self.side_panel, panel):
            self.close_panel()
            return
        if panel in (SurfacePanel, RepeatPanel) and not self.edit_tools.has_selection():
            return
        self.context.held_actions.clear()
        self.side_panel = panel(self, self.edit_tools)

    # Keys

    def key_pressed(self, key: str) -> None:
        if self.is_suspended:
            self._regain_focus()
        if key in ALT_KEYS:
            self._is_alt_held = True
        if self.edit_tools.rows.typed is not None:
            if key in MODIFIER_KEYS:
                self.context.held_actions.press(key, usual=True)
            self._type_key(key)
            return
        self._do_command(self.context.settings.key_bindings.letter_swaps.get(key, key), key)

    def _do_command(self, key: str, raw: str) -> None:
        """Do the command of a key. raw: its own name, before letters are exchanged."""
        if self.side_panel is not None and self.side_panel.key_pressed(key):
            return
        action = self._edit_keys.get(key)
        if key in MOVE_KEYS:
            self.queue_edit(lambda: self.edit_tools.nudge(key))
        elif key in PANELS:
            self.open_panel(PANELS[key])
            self._skipped_text = raw.lower()
        elif key in DECREASE_KEYS and self.edit_tools.rows.is_displacement:  # a sign, as nothing is decreased
            self.edit_tools.rows.begin_typing("-")
            self._skipped_text = "-"
        elif action is not None and key in EDIT_KEYS:
            self.queue_edit(action)
        elif action is not None:
            action()
        elif key in TYPED_KEYS and self.edit_tools.selected:
            self.edit_tools.rows.begin_typing(TYPED_KEYS[key])
            self._skipped_text = TYPED_KEYS[key]
        elif not self.geometry_views.toggle(key.removeprefix("_").removeprefix("NUM_")):
            self.context.held_actions.press(raw, usual=True)

    def key_released(self, key: str) -> None:
        if key in ALT_KEYS:
            self._is_alt_held = False

    def text_typed(self, text: str) -> None:
        skipped, self._skipped_text = self._skipped_text, ""
        if skipped and text.lower() == skipped:
            return
        if self.edit_tools.rows.typed is not None:
            self.edit_tools.rows.type_text(text)
        elif self.side_panel is not None:
            self.side_panel.text_typed(text)
        elif self.edit_tools.selected and text in tuple("0123456789"):  # of a keyboard with digits behind Shift
            self.edit_tools.rows.begin_typing(text)

    def _type_key(self, key: str) -> None:
        """A key while a value is typed."""
        rows = self.edit_tools.rows
        if key in ACCEPT_KEYS or key == "TAB":
            shift = self.shift
            self.queue_edit(rows.accept)
            if key == "TAB":
                self.queue_edit(lambda: rows.choose(-1 if shift else 1))
        elif key == "ESCAPE":
            rows.typed = None
        elif key in ("BACKSPACE", "DELETE"):
            rows.erase()

    def queue_edit(self, edit: Callable[[], None]) -> None:
        """Do an edit at once or after those in the queue, with Shift as it is now."""
        shift = self.shift

        def run_edit() -> None:
            self._shift = shift
            edit()
            self._shift = None

        self.edit_tools.job_queue.run_after(run_edit)

    def _next_row(self) -> None:
        if self.edit_tools.has_selection():
            self.edit_tools.rows.choose(-1 if self.shift else 1)

    def _step_value(self, sense: int) -> None:
        if self.edit_tools.has_selection():
            self.edit_tools.rows.step(sense)

    @property
    def shift(self) -> bool:
        """Whether Shift is held, which makes steps finer or larger."""
        return "sprint" in self.context.held_actions.pressed if self._shift is None else self._shift

    @property
    def snaps(self) -> bool:
        """Whether movements snap to corners and edges."""
        return self.is_snapping != self._is_alt_held

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
        elif name == "MIDDLE" and down:
            self.pointer.toggle()
        elif name == "RIGHT":
            self._right_button(down)
        elif name == "LEFT":
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
        self.context.view_angles.skip_pointer_jump()

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
            key = key_help.TOOLS[row][1]
            self._do_command(key, key)

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
        self.context.view_angles.skip_pointer_jump()
