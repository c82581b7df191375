"""Body mode (F2, then B): the player's body is changed by sliders while the player walks with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....core.angles import HEADING_UNITS_PER_TURN
from ....core.walker_settings import WalkerSettings
from ....level.edit import YamlDocument
from ....render import Card, Panel, Snapshot
from ....sim.bots.free_space import place_walker_near
from ....sim.replay.level_migration import migrate_world
from ...editor.document.body_fields import write_body, written_preset
from ...editor.document.undo_history import EditError
from ...editor.panels.body_panel import BodyPanel
from ...editor.views import key_help
from ...hot_reload.change_summary import describe_relocation
from ...input.actions import WALKING_ACTIONS, Action, BodyAction, PanelAction
from ...input.arrow_repeat import ArrowRepeat
from ...settings.mode_names import BODY, HELP
from ..mode import Mode
from ..play import PlayMode
from .editor import EditorMode

if TYPE_CHECKING:
    from ....level import Level
    from ...cameras.camera import CameraFrame

MESSAGE_SECONDS = 4.0
REPEATED_ACTIONS = (PanelAction.UP, PanelAction.DOWN, PanelAction.INCREASE, PanelAction.DECREASE)


class BodyMode(Mode):
    """The sliders of the body, over play.

    body_panel     the sliders; None where the file cannot be read
    is_suspended   the window has lost the focus: mouse and keys are released until a click or a key
    """

    name = BODY
    contexts = ((*BodyAction, *PanelAction, *WALKING_ACTIONS),)
    is_moving = True

    def __init__(self, context: Any) -> None:
        super().__init__(context)
        self.body_panel: BodyPanel | None = None
        self.is_suspended = False
        self._repeat = ArrowRepeat()
        self._message = ""
        self._message_until = 0.0
        self._is_kept = False  # the body was written
        self._before: tuple[Level, WalkerSettings] | None = None  # level and body at the start

    @property
    def _editor(self) -> EditorMode:
        assert isinstance(self.below, EditorMode)
        return self.below

    @property
    def _play(self) -> PlayMode:
        play = self._editor.below
        assert isinstance(play, PlayMode)
        return play

    # In and out

    def enter(self, subject: Any = None) -> None:
        context = self.context
        editor = self._editor
        context.stop_input()
        self.is_suspended = self._is_kept = False
        self._message = ""
        self._repeat = ArrowRepeat()
        self._before = context.level, context.world.settings
        editor.edit_tools.deselect()
        self._place_walker()
        history = editor.edit_tools.open_history()
        try:
            preset = written_preset(history.document(history.path))
        except EditError as refused:
            editor.edit_tools.show_error(refused)
            preset = ""
        self.body_panel = BodyPanel(editor.edit_tools, context.world.settings, preset, self.apply_body, self._write)

    def leave(self) -> None:
        context = self.context
        if not self._is_kept:
            self._restore_body()
        if context.session is not None:
            eye = context.cameras.first_person.update(context.session.pose(), 0.0)
            self._editor.view.camera.place(eye)
        context.stop_input()
        self.body_panel = None

    def _restore_body(self) -> None:
        """Give the walker the body of before, or that of the level if the level was reloaded meanwhile."""
        assert self._before is not None
        level, settings = self._before
        wanted = settings if self.context.level is level else self.context.level.player
        if self.context.session is not None and self.context.world.settings != wanted:
            self.apply_body(wanted)

    def _place_walker(self) -> None:
        """Put the walker under the camera of the editor; where there is no room, or during a recording, it stays."""
        context = self.context
        heading = round(context.input.view.yaw) % HEADING_UNITS_PER_TURN
        state = None
        if context.runs.recording is None:
            state = place_walker_near(context.world, self._editor.view.eye, heading, sideways=False)
        if state is not None:
            context.move_walker(state)
        elif context.session is not None:
            context.cameras.snap(context.session)

    def focus_lost(self, reason: str = "") -> None:
        self.is_suspended = True
        self.context.stop_input()

    # The body

    def apply_body(self, settings: WalkerSettings) -> bool:
        """Give the walker this body, with its feet in place; False where the level has no room for it."""
        context = self.context
        try:
            migration = migrate_world(context.world, context.level, settings)
        except ValueError:
            self._show_message("This body has no room at the start of the level")
            return False
        moved = describe_relocation(migration)
        if moved:
            self._show_message(moved[:1].upper() + moved[1:])
        context.replace_level(migration)
        return True

    def _write(self, preset: str, settings: WalkerSettings) -> None:
        """Write the body into the level file, as one undo step, and go back to the editor."""
        tools = self._editor.edit_tools
        level = tools.level

        def edit(document: YamlDocument) -> tuple[()]:
            write_body(document, preset, settings, level.player)
            return ()

        def run() -> None:
            edits = [(tools.open_history().path, edit)]
            tools.run_edits(edits, "The player's body", "Body written   ·   Z: undo", self._restore_body)

        self._is_kept = True
        self.context.pop_mode()
        tools.queue_edit(run)

    def _show_message(self, text: str) -> None:
        self._message = text
        self._message_until = (self.context.clock.now or 0.0) + MESSAGE_SECONDS

    # Input

    @property
    def captures_mouse(self) -> bool:
        return not self.is_suspended

    def any_key(self, key: str, is_used: bool) -> None:
        self._regain_focus()

    def commands(self) -> Mapping[Action, Callable[[], None]]:
        panel = self.body_panel
        assert panel is not None
        return {
            BodyAction.BACK: self.context.pop_mode,
            BodyAction.HELP: lambda: self.context.push_mode(HELP),
            BodyAction.RESET: panel.reset_row,
            BodyAction.THIRD_PERSON: self.context.cameras.third_person.toggle,
            BodyAction.NEXT: lambda: panel.handle_action(PanelAction.NEXT),
            BodyAction.ERASE: lambda: panel.handle_action(PanelAction.ERASE),
        }

    def handle_action(self, action: Action) -> None:
        super().handle_action(action)
        if isinstance(action, PanelAction) and self.body_panel is not None:
            self.body_panel.handle_action(action)
        if action in REPEATED_ACTIONS:
            self._repeat.press(action)

    def end_action(self, action: Action) -> None:
        self._repeat.release(action)

    def text_typed(self, text: str) -> None:
        if self.body_panel is not None:
            self.body_panel.text_typed(text)

    def mouse_button(self, name: str, down: bool) -> None:
        if down:
            self._regain_focus()

    def scrolled(self, by: float) -> None:
        if by and self.body_panel is not None:
            self.body_panel.choose(-1 if by > 0 else 1)

    def _regain_focus(self) -> None:
        if self.is_suspended:
            self.is_suspended = False
            self.context.input.view.skip_pointer_jump()

    # Frame

    def update(self, now: float, seconds: float) -> None:
        if self.is_suspended:
            return
        for _ in range(self._repeat.update(seconds)):
            if self.body_panel is not None and self._repeat.action is not None:
                self.body_panel.handle_action(self._repeat.action)
        self._play.update(now, seconds)

    @property
    def shows_run_clock(self) -> bool:
        return False

    @property
    def bottom_line(self) -> str:
        return ""

    def help_panel(self) -> Panel:
        return Panel(title=BodyPanel.title, keys=BodyPanel.key_strip, width=key_help.HELP_WIDTH)

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        shot = self._play.apply_to_frame(shot, frame)
        if shot.hud.panel is not None or self.body_panel is None:
            return shot
        cards = [self.body_panel.card()]
        if self._message and (self.context.clock.now or 0.0) < self._message_until:
            cards.append(Card("", "", note=self._message, urgent=True))
        keys = self.context.settings.key_bindings.editor_help_rows(BodyPanel.key_strip)
        hint = key_help.SUSPENDED_HINT if self.is_suspended else ""
        hud = replace(shot.hud, cards=(*shot.hud.cards, *cards), key_strip=keys, hint=hint)
        return replace(shot, hud=hud)
