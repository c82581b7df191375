"""What the player holds and how far the mouse went, turned into commands. Knows no window and no clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...physics import Command
from ..settings.key_bindings import ACTION, PAD, Bindings

if TYPE_CHECKING:
    from ..settings.settings_table import Settings

TURN = 65536
MAX_PITCH = 16200.0  # 89 degrees: straight up would leave no direction to call ahead
UNITS_PER_DEGREE = TURN / 360
USUAL = Bindings()
LATCHING = ("crouch", "sprint")  # what a press may begin and another one end


class Held:
    """Which actions are held. An action with two keys ends when the last of them is released.

    A key that went down and up between two ticks still counts for one: no tap is lost at a low tick rate. An action
    that is pressed once (Settings.crouch, Settings.sprint) lasts until its key is pressed again. `stick` is where a
    gamepad walks to: strafe and forward, -1 to 1.
    """

    def __init__(self, bound: Bindings | None = None, latching: frozenset[str] = frozenset()) -> None:
        self.bound = Bindings() if bound is None else bound
        self.latching = latching
        self.stick = (0.0, 0.0)
        self.by_pad = False  # whether a gamepad was the last to be used
        self._down: set[str] = set()
        self._tapped: set[str] = set()
        self._latched: set[str] = set()
        self._lent: dict[str, frozenset[str]] = {}
        self._settings: Settings | None = None

    def follow(self, settings: Settings) -> None:
        """Go by these keys, and by hold or press once, from now on."""
        if settings is self._settings:
            return
        self._settings, bound = settings, settings.bound
        self.latching = frozenset(name for name in LATCHING if getattr(settings, name) == "toggle")
        self._latched &= self.latching
        if bound != self.bound:
            self.bound = bound
            self.clear()

    def press(self, key: str, usual: bool = False) -> bool:
        """Note a key that went down; whether it belongs to an action that is held. `usual`: where the player has
        bound it to none, it does what it does at first."""
        if usual and not self.bound.actions(key):
            self._lent[key] = frozenset(USUAL.actions(key))
        actions = self._held(key)
        self.by_pad = key.startswith(PAD)
        if not actions or key in self._down:
            return bool(actions)
        self._down.add(key)
        self._latched ^= actions & self.latching
        self._tapped |= actions - self.latching
        return True

    def release(self, key: str) -> None:
        """Note a key that went up; one that was never down here is no matter."""
        self._down.discard(key)
        self._lent.pop(key, None)

    def clear(self) -> None:
        """Forget every key: after a pause or a loss of focus their releases never arrive. What was pressed once
        stays on."""
        self._down.clear()
        self._lent.clear()
        self._tapped.clear()
        self.stick = (0.0, 0.0)

    def take(self) -> frozenset[str]:
        """The actions of the coming tick; taps are used up."""
        actions = self.actions | self._tapped
        self._tapped.clear()
        return actions

    @property
    def actions(self) -> frozenset[str]:
        """The actions that are on now: their keys are down, or they were pressed once."""
        down = {action for key in self._down for action in self._held(key)}
        return frozenset(down - self.latching | self._latched)

    def told(self, action: str) -> str:
        """What does an action, as a person says it: its keys, or the gamepad's button, whichever is in use."""
        return self.bound.told(action, pad=self.by_pad) or self.bound.told(action) or "no key"

    @property
    def hint(self) -> str:
        """The first line that a player reads, about the keys or the gamepad, whichever is in use."""
        return self.bound.pad_hint if self.by_pad else self.bound.hint

    @property
    def help(self) -> tuple[tuple[str, str], ...]:
        """The lines of the help page, likewise."""
        return self.bound.pad_help if self.by_pad else self.bound.help

    @property
    def down(self) -> frozenset[str]:
        """The actions whose keys are down now."""
        return frozenset(action for key in self._down for action in self._held(key))

    def _held(self, key: str) -> set[str]:
        actions = self.bound.actions(key) or self._lent.get(key, ())
        return {action for action in actions if ACTION[action].held}


class Look:
    """Where the player looks, in units of 65536 to the turn: yaw counter-clockwise from north, pitch up.

    Kept finer than the integer headings, so that slow mouse movements add up.
    """

    def __init__(self, heading: float = 0.0) -> None:
        self.yaw = float(heading) % TURN
        self.pitch = 0.0
        self._drop = False

    def move(self, dx: float, dy: float, degrees_per_pixel: float) -> None:
        """Apply a mouse movement: to the right turns clockwise, upwards (positive dy) looks up."""
        if self._drop:
            self._drop = False
            return
        self.turn(dx * degrees_per_pixel, dy * degrees_per_pixel)

    def mouse(self, dx: float, dy: float, settings: Settings) -> None:
        """Apply a mouse movement as the player set it: so far, and which way round."""
        self.move(-dx if settings.invert_x else dx, -dy if settings.invert_y else dy, settings.sensitivity)

    def turn(self, right: float, up: float) -> None:
        """Turn by so many degrees, as a gamepad does."""
        self.yaw = (self.yaw - right * UNITS_PER_DEGREE) % TURN
        self.pitch = max(-MAX_PITCH, min(MAX_PITCH, self.pitch + up * UNITS_PER_DEGREE))

    def captured(self) -> None:
        """The mouse was taken: its first movement is the jump to where it is held, and means nothing."""
        self._drop = True

    def face(self, heading: float) -> None:
        """Look along a heading, level."""
        self.yaw = float(heading) % TURN
        self.pitch = 0.0


def command(actions: frozenset[str], look: Look, stick: tuple[float, float] = (0.0, 0.0)) -> Command:
    """One tick's command from the actions held, the direction of view, and where a gamepad's stick walks to."""
    return Command(
        forward=_cut(float("forward" in actions) - float("back" in actions) + stick[1]),
        strafe=_cut(float("right" in actions) - float("left" in actions) + stick[0]),
        heading=round(look.yaw) % TURN,
        pitch=round(look.pitch),
        jump="jump" in actions,
        crouch="crouch" in actions,
        sprint="sprint" in actions,
        use="use" in actions,
    )


def _cut(part: float) -> float:
    return min(max(part, -1.0), 1.0)
