"""What the player holds and how far the mouse went, turned into commands. Knows no window and no clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...physics import Command
from ..settings.key_bindings import ACTIONS_BY_NAME, PAD_PREFIX, KeyBindings

if TYPE_CHECKING:
    from ..settings.settings_table import Settings

HEADING_UNITS_PER_TURN = 65536
MAX_PITCH = 16200.0  # 89 degrees: straight up would leave no direction to call ahead
UNITS_PER_DEGREE = HEADING_UNITS_PER_TURN / 360
DEFAULT_BINDINGS = KeyBindings()
TOGGLE_ACTIONS = ("crouch", "sprint")  # what a press may begin and another one end


class HeldActions:
    """Which actions are held. An action with two keys ends when the last of them is released.

    A key that went down and up between two ticks still counts for one: no tap is lost at a low tick rate. An action
    that is pressed once (Settings.crouch, Settings.sprint) lasts until its key is pressed again. `stick` is where a
    gamepad walks to: strafe and forward, -1 to 1.
    """

    def __init__(self, bound: KeyBindings | None = None, latching: frozenset[str] = frozenset()) -> None:
        self.bindings = KeyBindings() if bound is None else bound
        self.latching_actions = latching
        self.stick = (0.0, 0.0)
        self.uses_gamepad = False  # whether a gamepad was the last to be used
        self._down: set[str] = set()
        self._taps: set[str] = set()
        self._latched: set[str] = set()
        self._default_keys: dict[str, frozenset[str]] = {}
        self._settings: Settings | None = None

    def update(self, settings: Settings) -> None:
        """Go by these keys, and by hold or press once, from now on."""
        if settings is self._settings:
            return
        self._settings, bound = settings, settings.key_bindings
        self.latching_actions = frozenset(name for name in TOGGLE_ACTIONS if getattr(settings, name) == "toggle")
        self._latched &= self.latching_actions
        if bound != self.bindings:
            self.bindings = bound
            self.clear()

    def press(self, key: str, usual: bool = False) -> bool:
        """Note a key that went down; whether it belongs to an action that is held. `usual`: where the player has
        bound it to none, it does what it does at first."""
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
        """Note a key that went up; one that was never down here is no matter."""
        self._down.discard(key)
        self._default_keys.pop(key, None)

    def clear(self) -> None:
        """Forget every key: after a pause or a loss of focus their releases never arrive. What was pressed once
        stays on."""
        self._down.clear()
        self._default_keys.clear()
        self._taps.clear()
        self.stick = (0.0, 0.0)

    def consume(self) -> frozenset[str]:
        """The actions of the coming tick; taps are used up."""
        actions = self.active | self._taps
        self._taps.clear()
        return actions

    @property
    def active(self) -> frozenset[str]:
        """The actions that are on now: their keys are down, or they were pressed once."""
        down = {action for key in self._down for action in self._is_held_key(key)}
        return frozenset(down - self.latching_actions | self._latched)

    def describe(self, action: str) -> str:
        """What does an action, as a person says it: its keys, or the gamepad's button, whichever is in use."""
        return self.bindings.describe(action, pad=self.uses_gamepad) or self.bindings.describe(action) or "no key"

    @property
    def hint(self) -> str:
        """The first line that a player reads, about the keys or the gamepad, whichever is in use."""
        return self.bindings.pad_hint if self.uses_gamepad else self.bindings.hint

    @property
    def help(self) -> tuple[tuple[str, str], ...]:
        """The lines of the help page, likewise."""
        return self.bindings.pad_help if self.uses_gamepad else self.bindings.help

    @property
    def pressed(self) -> frozenset[str]:
        """The actions whose keys are down now."""
        return frozenset(action for key in self._down for action in self._is_held_key(key))

    def _is_held_key(self, key: str) -> set[str]:
        actions = self.bindings.actions_of(key) or self._default_keys.get(key, ())
        return {action for action in actions if ACTIONS_BY_NAME[action].is_held}


class ViewAngles:
    """Where the player looks, in units of 65536 to the turn: yaw counter-clockwise from north, pitch up.

    Kept finer than the integer headings, so that slow mouse movements add up.
    """

    def __init__(self, heading: float = 0.0) -> None:
        self.yaw = float(heading) % HEADING_UNITS_PER_TURN
        self.pitch = 0.0
        self._skip_next = False

    def rotate_by_pixels(self, dx: float, dy: float, degrees_per_pixel: float) -> None:
        """Apply a mouse movement: to the right turns clockwise, upwards (positive dy) looks up."""
        if self._skip_next:
            self._skip_next = False
            return
        self.rotate_by_degrees(dx * degrees_per_pixel, dy * degrees_per_pixel)

    def apply_mouse(self, dx: float, dy: float, settings: Settings) -> None:
        """Apply a mouse movement as the player set it: so far, and which way round."""
        self.rotate_by_pixels(-dx if settings.invert_x else dx, -dy if settings.invert_y else dy, settings.sensitivity)

    def rotate_by_degrees(self, right: float, up: float) -> None:
        """Turn by so many degrees, as a gamepad does."""
        self.yaw = (self.yaw - right * UNITS_PER_DEGREE) % HEADING_UNITS_PER_TURN
        self.pitch = max(-MAX_PITCH, min(MAX_PITCH, self.pitch + up * UNITS_PER_DEGREE))

    def skip_next_movement(self) -> None:
        """The mouse was taken: its first movement is the jump to where it is held, and means nothing."""
        self._skip_next = True

    def face_heading(self, heading: float) -> None:
        """Look along a heading, level."""
        self.yaw = float(heading) % HEADING_UNITS_PER_TURN
        self.pitch = 0.0


def build_command(actions: frozenset[str], look: ViewAngles, stick: tuple[float, float] = (0.0, 0.0)) -> Command:
    """One tick's command from the actions held, the direction of view, and where a gamepad's stick walks to."""
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


def _clamp_axis(part: float) -> float:
    return min(max(part, -1.0), 1.0)
