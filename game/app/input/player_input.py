"""Player input: held actions, view angles, and the command of a tick; independent of window and clock."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING

from ...core.angles import HEADING_UNITS_PER_TURN
from ...physics import Command
from ...text.key_symbols import key_symbols
from ..settings.key_bindings import PAD_PREFIX, KeyBindings, is_wheel
from ..settings.key_presets import PRESETS
from .actions import MOVEMENT_ACTIONS, Action, PlayAction

if TYPE_CHECKING:
    from ..settings.settings_table import Settings

MAX_PITCH = 16200.0  # 89 degrees: straight up has no forward direction
POINTER_JUMP_PIXELS = 120.0  # a longer movement right after a capture is the pointer's jump, not the hand's
UNITS_PER_DEGREE = HEADING_UNITS_PER_TURN / 360
DEFAULT_BINDINGS = KeyBindings()
OPPOSITES = dict(zip(MOVEMENT_ACTIONS, (*MOVEMENT_ACTIONS[2:], *MOVEMENT_ACTIONS[:2]), strict=True))
DOUBLE_TAP_SECONDS = 0.35  # s from one press to the next
STICK_BACK = -0.5  # of the left stick, ends auto-walk
MAX_TURN_STEP = 0.05  # s, longest time step of one frame


class HeldActions:
    """Set of held actions. An action with two keys ends when the last of them is released.

    A key that went down and up between two ticks counts for one tick, so that no tap is lost at a low tick rate. A
    latching action (`Settings.toggled_actions`) lasts until its key is pressed again, and so does one on the wheel.

    A press and a release act in the tick of their time where the window knows it (`event_time`), else in the next tick,
    so that the frame rate does not change how long a key counts as held.

    auto_walk       whether it walks forward without a key, until the key again, back, or a pause
    event_time      clock reading (s) of the input that is handled now; None: now
    stick           gamepad: strafe and forward, -1 to 1
    uses_gamepad    whether the last input came from a gamepad
    """

    def __init__(self, bound: KeyBindings | None = None, latching: frozenset[PlayAction] = frozenset()) -> None:
        self.bindings = KeyBindings() if bound is None else bound
        self.latching_actions = latching
        self.stick = (0.0, 0.0)
        self.uses_gamepad = False
        self.auto_walk = False
        self.now = 0.0  # s, clock of the present frame
        self.event_time: float | None = None
        self._past: deque[tuple[float, frozenset[PlayAction]]] = deque()  # until when (s) which actions were on
        self._last_forward = -math.inf  # s, time of the last press of forward
        self._double_tap_sprint = False
        self._down: set[str] = set()
        self._taps: dict[PlayAction, float] = {}  # with the time of the press (s)
        self._latched: set[PlayAction] = set()
        self._default_keys: dict[str, frozenset[PlayAction]] = {}
        self._settings: Settings | None = None

    def update(self, settings: Settings, now: float = 0.0) -> None:
        """Take the key bindings and the choice between hold and toggle from the settings. now: clock (s)."""
        self.now = now
        if settings is self._settings:
            return
        self._settings = settings
        bound = settings.key_bindings
        self.latching_actions = settings.toggled_actions
        self._latched &= self.latching_actions | {PlayAction.USE}
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
        self._note_change()
        self._down.add(key)
        latching = actions if is_wheel(key) else actions & self.latching_actions
        self._latched -= {OPPOSITES[action] for action in latching if action in OPPOSITES}
        self._latched ^= latching
        self._latched -= (actions - latching) & {PlayAction.USE}  # of `clear`: the key holds it now
        self._taps |= dict.fromkeys(actions - latching, -math.inf if self.event_time is None else self.event_time)
        if PlayAction.BACK in actions:
            self.auto_walk = False
        if PlayAction.FORWARD in actions:
            taps_twice = self.now - self._last_forward <= DOUBLE_TAP_SECONDS
            self._double_tap_sprint = taps_twice and PRESETS[self.bindings.preset].double_tap_sprint
            if self._double_tap_sprint:
                self._latched |= latching & {PlayAction.FORWARD}  # with toggled walking the second press must not stop
            self._last_forward = self.now
        return True

    def release(self, key: str) -> None:
        """Handle a key that went up."""
        self._note_change()
        self._down.discard(key)
        self._default_keys.pop(key, None)

    def clear(self, keeps_use: bool = False) -> None:
        """Release all keys: after a pause or a loss of focus their releases do not arrive. A latched crouch or sprint
        stays on, and with `keeps_use` a use that is held, until its key is pressed again."""
        use = self.active & {PlayAction.USE} if keeps_use else frozenset()
        self._down.clear()
        self._default_keys.clear()
        self._taps.clear()
        self._past.clear()
        self._latched -= OPPOSITES.keys() | {PlayAction.JUMP, PlayAction.USE}
        self._latched |= use
        self.auto_walk = self._double_tap_sprint = False
        self._last_forward = -math.inf
        self.stick = (0.0, 0.0)

    def _note_change(self) -> None:
        """Keep the actions that are on until the time of the present event."""
        if self.event_time is not None:
            self._past.append((self.event_time, self.active))

    def consume(self, time: float = math.inf) -> frozenset[PlayAction]:
        """Actions of the tick that ends at a clock reading (s); consumes the taps until then."""
        self.auto_walk = self.auto_walk and self.stick[1] > STICK_BACK
        while self._past and self._past[0][0] <= time:
            self._past.popleft()
        taps = {action for action, pressed in self._taps.items() if pressed <= time}
        self._taps = {action: pressed for action, pressed in self._taps.items() if action not in taps}
        return (self._past[0][1] if self._past else self.active) | taps

    def is_latched(self, action: PlayAction) -> bool:
        """Whether it is on until its key is pressed again."""
        return action in self._latched

    def end_latch(self, action: PlayAction) -> None:
        """It is on no longer without its key: what it held has ended."""
        self._note_change()
        self._latched.discard(action)

    @property
    def active(self) -> frozenset[PlayAction]:
        """Actions that are on: their keys are down, or they are latched."""
        down = {action for key in self._down for action in self._is_held_key(key)}
        wheel = {action for key in filter(is_wheel, self._down) for action in self._is_held_key(key)}
        active = (down - self.latching_actions - wheel) | self._latched
        if self.auto_walk:
            active.add(PlayAction.FORWARD)
        if self._double_tap_sprint:
            self._double_tap_sprint = PlayAction.FORWARD in active
            active |= {PlayAction.SPRINT} if self._double_tap_sprint else set()
        return frozenset(active)

    def labels(self, *actions: Action) -> str:
        """The key of each action, or its gamepad button, for the device in use; a space between them."""
        labels = (self.bindings.label(each, pad=self.uses_gamepad) or self.bindings.label(each) for each in actions)
        return " ".join(labels)

    def describe(self, action: Action) -> str:
        """Symbols of the keys of an action, or of its gamepad button, for the device in use (text/key_symbols.py)."""
        return key_symbols(self.labels(action)) or "no key"

    @property
    def sign_keys(self) -> tuple[tuple[str, str], ...]:
        """(name, keys) of the actions, for the device in use, as signs show them."""
        return tuple((action.value, self.bindings.describe(action, self.uses_gamepad)) for action in PlayAction)

    @property
    def help(self) -> tuple[tuple[str, str], ...]:
        """Rows (key, meaning) of the help page, for the device in use."""
        return self.bindings.help_rows(self.latching_actions, self.uses_gamepad)

    @property
    def keys_down(self) -> frozenset[str]:
        """Keys of held actions that are down."""
        return frozenset(self._down)

    @property
    def pressed(self) -> frozenset[PlayAction]:
        """Actions whose keys are down."""
        return frozenset(action for key in self._down for action in self._is_held_key(key))

    def _is_held_key(self, key: str) -> set[PlayAction]:
        actions = self.bindings.actions_of(key) or self._default_keys.get(key, ())
        return {action for action in actions if action.is_held}


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

    def rotate_by_keys(self, actions: frozenset[PlayAction], seconds: float, settings: Settings) -> None:
        """Turn by the held actions `turn_left`, `turn_right`, `look_up` and `look_down` for a frame of `seconds`."""
        degrees = settings.turn_speed * min(seconds, MAX_TURN_STEP)
        right = (PlayAction.TURN_RIGHT in actions) - (PlayAction.TURN_LEFT in actions)
        up = (PlayAction.LOOK_UP in actions) - (PlayAction.LOOK_DOWN in actions)
        if right or up:
            self.rotate_by_degrees(degrees * right, degrees * up)

    def skip_pointer_jump(self) -> None:
        """Ignore the next mouse movement where it is the jump that follows the capture of the pointer."""
        self._after_capture = True

    def face_heading(self, heading: float) -> None:
        """Look horizontally along a heading."""
        self.yaw = float(heading) % HEADING_UNITS_PER_TURN
        self.pitch = 0.0


class PlayerInput:
    """Input of the player: the actions that are held, and the direction of view. heading: to look along at first."""

    def __init__(self, heading: float) -> None:
        self.held = HeldActions()
        self.view = ViewAngles(heading)


def build_command(actions: frozenset[PlayAction], look: ViewAngles, stick: tuple[float, float] = (0.0, 0.0)) -> Command:
    """Command of a tick from the actions, the direction of view, and the gamepad's stick (strafe, forward)."""
    return Command(
        forward=_clamp_axis(float(PlayAction.FORWARD in actions) - float(PlayAction.BACK in actions) + stick[1]),
        strafe=_clamp_axis(float(PlayAction.RIGHT in actions) - float(PlayAction.LEFT in actions) + stick[0]),
        heading=round(look.yaw) % HEADING_UNITS_PER_TURN,
        pitch=round(look.pitch),
        jump=PlayAction.JUMP in actions,
        crouch=PlayAction.CROUCH in actions,
        sprint=PlayAction.SPRINT in actions,
        use=PlayAction.USE in actions,
    )


def _clamp_axis(value: float) -> float:
    return min(max(value, -1.0), 1.0)
