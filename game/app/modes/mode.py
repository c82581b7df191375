"""Base class of the modes: what keys and mouse do, what changes by itself in a frame, and what the frame shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ...render import Panel
from ..input.actions import GLOBAL_ACTIONS, Action, Context
from ..menus.pages import HelpPage

if TYPE_CHECKING:
    from ...render import Snapshot
    from ..cameras.camera import CameraFrame
    from ..game import Game


class Mode:
    """One mode of the game. Modes lie on a stack: `below` is the mode under this one, None for the lowest.

    name                one of `settings.mode_names`
    contexts            actions of the mode: a key has its meaning in the first context that knows it
    active_actions      actions whose keys are down
    is_moving           whether time passes in the picture, so that the eye is smoothed
    is_heard            whether the ticks of the picture are heard and captioned
    binds_left_button   whether the left mouse button is a key that the player may bind
    screenshot_request  what the window does for the key of screenshots
    """

    name = ""
    contexts: tuple[Context, ...] = (GLOBAL_ACTIONS,)
    is_moving = False
    is_heard = False
    binds_left_button = False
    screenshot_request = "screenshot"

    def __init__(self, game: Game) -> None:
        self.game = game
        self.below: Mode | None = None
        self.active_actions: set[Action] = set()

    def enter(self, subject: Any = None) -> None:
        """Called when the mode comes onto the stack. subject: what `push_mode` was given."""

    def leave(self) -> None:
        """Called when the mode goes from the stack."""

    def focus_lost(self, reason: str = "") -> None:
        """The window has lost the focus, or the player has asked for a pause. reason: a sentence for the player, empty
        where the player has asked for it."""

    def use_threads(self) -> None:
        """Run longer work in threads from now on: frames must not wait."""

    def close(self) -> None:
        """The game ends: finish what is being written."""

    # Input

    @property
    def captures_mouse(self) -> bool:
        """Whether the window holds the mouse."""
        return False

    def commands(self) -> Mapping[Action, Callable[[], None]]:
        """Functions by action of the contexts: each is called when the key of its action goes down."""
        return {}

    def handle_action(self, action: Action) -> None:
        """An action of the contexts begins: its key went down."""
        command = self.commands().get(action)
        if command is not None:
            command()

    def end_action(self, action: Action) -> None:
        """The key of an action went up."""

    def hold_key(self, key: str) -> None:
        """A key of a held action of play went down."""
        self.game.input.held.press(key)

    def any_key(self, key: str, is_used: bool) -> None:
        """A key went down, before its actions. is_used: whether the contexts have an action for it."""

    @property
    def takes_text(self) -> bool:
        """Whether text is typed: then the keys that type or edit have only the actions of the first context."""
        return False

    def text_typed(self, text: str) -> None:
        """Characters were typed."""

    def mouse_moved(self, dx: float, dy: float) -> None:
        """The mouse moved by pixels, positive to the right and upwards."""
        if self.captures_mouse:
            self.game.input.view.apply_mouse(dx, dy, self.game.settings)

    def left_pressed(self) -> None:
        """The left mouse button went down."""

    def mouse_button(self, name: str, down: bool) -> None:
        """A mouse button (one of `MouseButton`, or another name) went down or up."""

    def scrolled(self, by: float) -> None:
        """The wheel turned, positive away from the player."""

    # Frame

    def update(self, now: float, seconds: float) -> None:
        """Advance to the clock reading `now` (s), `seconds` after the previous frame."""

    def view_direction(self) -> tuple[float, float]:
        """Yaw and pitch of the first-person view, 65536 to the turn."""
        return self.game.input.view.yaw, self.game.input.view.pitch

    @property
    def shows_run_clock(self) -> bool:
        """Whether the picture has the clock and the ghost of the run."""
        return self.below is None or self.below.shows_run_clock

    def panel(self) -> Panel | None:
        """Menu or text over the picture."""
        return None

    def help_panel(self) -> Panel:
        keys = self.game.input.held.help
        return Panel(title="Controls", keys=keys, columns=HelpPage.columns, width=HelpPage.width)

    @property
    def bottom_line(self) -> str:
        """Text at the bottom of the picture."""
        return "" if self.below is None else self.below.bottom_line

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot as this mode shows it; `shot` is the first-person view with the HUD."""
        return shot if self.below is None else self.below.apply_to_frame(shot, frame)
