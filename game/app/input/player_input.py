"""Player input: held actions, view angles, and the command of a tick; independent of window and clock."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...core.angles import HEADING_UNITS_PER_TURN
from ...core.key_symbols import key_symbols
from ...physics import Command
from ..settings.key_bindings import ACTIONS_BY_NAME, PAD_PREFIX, KeyBindings

if TYPE_CHECKING:
    from ..settings.settings_table import Settings

MAX_PITCH = 16200.0  # 89 degrees: straight up has no forward direction
POINTER_JUMP_PIXELS = 120.0  # a longer movement right after a capture is the pointer's jump, not the hand's
UNITS_PER_DEGREE = HEADING_UNITS_PER_TURN / 360
DEFAULT_BINDINGS = KeyBindings()
TOGGLE_ACTIONS = ("crouch", "sprint")  # actions that can be set to toggle


class HeldActions:
    """Set of held actions. An action with two keys ends when the last of them is released.

    A key that went down and up between two ticks counts for one tick, so that no tap is lost at a low tick rate. A
    latching action (settings `crouch` and `sprint`) lasts until its key is pressed again.

    stick           gamepad: strafe and forward, -1 to 1
    uses_gamepad    whether the last input came from a gamepad
    """

    def __init__(self, bound: KeyBindings | None = None, latching: frozenset[str] = frozenset()) -> None:
        self.bindings = KeyBindings() if bound is None else bound
        self.latching_actions = latching
        self.stick = (0.0, 0.0)
        self.uses_gamepad = False
        self._down: set[str] = set()
        self._taps: set[str] = set()
        self._latched: set[str] = set()
        self._default_keys: dict[str, frozenset[str]] = {}
        self._settings: Settings | None = None

    def update(self, settings: Settings) -> None:
        """Take the key bindings and the choice between hold and toggle from the settings."""
        if settings is self._settings:
            return
        self._settings, bound = settings, settings.key_bindings
        self.latching_actions = frozenset(name for name in TOGGLE_ACTIONS if getattr(settings, name) == "toggle")
        self._latched &= self.latching_actions
        if bound != self.bindings:
            self.bindings = bound
            self.clear()

    def press(self, key: str, usual: bool = False) -> bool:
        """Handle a key that went down; returns whether it belongs to a held action. usual: a key without a binding
        keeps its default one."""
        if usual and not self.bindings.actions_of(key):
            self._default_keys[key] = frozenset(DEFAULT_BINDINGS.actions_of(key))
        actions = self._is_held_key(key)
        self.uses_gamepad = key.startswith(PAD_PREFIX)
        if not actions or key in self._down:
            return bool(actions)
        self._down.add(key)
        self._latched ^= actions & self.latching_actions
        self._taps |= actions - self.latching_actions
        return True

    def release(self, key: str) -> None:
        """Handle a key that went up."""
        self._down.discard(key)
        self._default_keys.pop(key, None)

    def clear(self) -> None:
        """Release all keys: after a pause or a loss of focus their releases do not arrive. Latched actions stay on."""
        self._down.clear()
        self._default_keys.clear()
        self._taps.clear()
        self.stick = (0.0, 0.0)

    def consume(self) -> frozenset[str]:
        """Actions of the next tick; consumes the taps."""
        actions = self.active | self._taps
        self._taps.clear()
        return actions

    @property
    def active(self) -> frozenset[str]:
        """Actions that are on: their keys are down, or they are latched."""
        down = {action for key in self._down for action in self._is_held_key(key)}
        return frozenset(down - self.latching_actions | self._latched)

    def describe(self, action: str) -> str:
        """Symbols of the keys of an action, or of its gamepad button, for the device in use (core/key_symbols.py)."""
        keys = self.bindings.describe(action, pad=self.uses_gamepad) or self.bindings.describe(action)
        return key_symbols(keys) or "no key"

    @property
    def hint(self) -> str:
        """Hint about the keys at the start of play, for the device in use."""
        return self.bindings.pad_hint if self.uses_gamepad else self.bindings.hint

    @property
    def help(self) -> tuple[tuple[str, str], ...]:
        """Rows (key, meaning) of the help page, for the device in use."""
        return self.bindings.pad_help if self.uses_gamepad else self.bindings.help

    @property
    def pressed(self) -> frozenset[str]:
        """Actions whose keys are down."""
        return frozenset(action for key in self._down for action in self._is_held_key(key))

    def _is_held_key(self, key: str) -> set[str]:
        actions = self.bindings.actions_of(key) or self._default_keys.get(key, ())
        return {action for action in actions if ACTIONS_BY_NAME[action].is_held}


class ViewAngles:
    """Direction of view: yaw (counter-clockwise from north) and pitch (up), 65536 to the turn.

    They are floats, finer than the integer headings, so that slow mouse movements add up.
    """

    def __init__(self, heading: float = 0.0) -> None:
        self.yaw = float(heading) % HEADING_UNITS_PER_TURN
        self.pitch = 0.0
        self._after_capture = False

    def rotate_by_pixels(self, dx: float, dy: float, degrees_per_pixel: float) -> None:
        """Turn by a mouse movement: right (positive dx) is clockwise, up (positive dy) looks up."""
        after_capture, self._after_capture = self._after_capture, False
        if after_capture and math.hypot(dx, dy) > POINTER_JUMP_PIXELS:
            return
        self.rotate_by_degrees(dx * degrees_per_pixel, dy * degrees_per_pixel)

    def apply_mouse(self, dx: float, dy: float, settings: Settings) -> None:
        """Turn by a mouse movement with the sensitivity and inversion of the settings."""
        self.rotate_by_pixels(-dx if settings.invert_x else dx, -dy if settings.invert_y else dy, settings.sensitivity)

    def rotate_by_degrees(self, right: float, up: float) -> None:
        """Turn by degrees to the right and up."""
        self.yaw = (self.yaw - right * UNITS_PER_DEGREE) % HEADING_UNITS_PER_TURN
        self.pitch = max(-MAX_PITCH, min(MAX_PITCH, self.pitch + up * UNITS_PER_DEGREE))

    def skip_pointer_jump(self) -> None:
        """Ignore the next mouse movement where it is the jump that follows the capture of the pointer."""
        self._after_capture = True

    def face_heading(self, heading: float) -> None:
        """Look horizontally along a heading."""
        self.yaw = float(heading) % HEADING_UNITS_PER_TURN
        self.pitch = 0.0


def build_command(actions: frozenset[str], look: ViewAngles, stick: tuple[float, float] = (0.0, 0.0)) -> Command:
    """Command of a tick from the actions, the direction of view, and the gamepad's stick (strafe, forward)."""
    return Command(
        forward=_clamp_axis(float("forward" in actions) - float("back" in actions) + stick[1]),
        strafe=_clamp_axis(float("right" in actions) - float("left" in actions) + stick[0]),
        heading=round(look.yaw) % HEADING_UNITS_PER_TURN,
        pitch=round(look.pitch),
        jump="jump" in actions,
        crouch="crouch" in actions,
        sprint="sprint" in actions,
        use="use" in actions,
    )


def _clamp_axis(value: float) -> float:
    return min(max(value, -1.0), 1.0)
