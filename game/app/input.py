"""What the player holds and how far the mouse went, turned into commands. Knows no window and no clock."""

from __future__ import annotations

from collections.abc import Mapping

from game.physics import Command

TURN = 65536
MAX_PITCH = 16200.0  # 89 degrees: straight up would leave no direction to call ahead
UNITS_PER_DEGREE = TURN / 360

# Keys by the names that pyglet gives them, and mouse buttons; two to an action.
KEYS: Mapping[str, str] = {
    "W": "forward",
    "UP": "forward",
    "S": "back",
    "DOWN": "back",
    "A": "left",
    "LEFT": "left",
    "D": "right",
    "RIGHT": "right",
    "SPACE": "jump",
    "LCTRL": "crouch",
    "RCTRL": "crouch",
    "C": "crouch",
    "LSHIFT": "sprint",
    "RSHIFT": "sprint",
    "MOUSE_LEFT": "use",
    "E": "use",
}


class Held:
    """Which actions are held. An action with two keys ends when the last of them is released.

    A key that went down and up between two ticks still counts for one: no tap is lost at a low tick rate.
    """

    def __init__(self, keys: Mapping[str, str] = KEYS) -> None:
        self._actions = dict(keys)
        self._down: set[str] = set()
        self._tapped: set[str] = set()

    def press(self, key: str) -> bool:
        """Note a key that went down; whether it belongs to an action."""
        action = self._actions.get(key)
        if action is None:
            return False
        self._down.add(key)
        self._tapped.add(action)
        return True

    def release(self, key: str) -> None:
        """Note a key that went up; one that was never down here is no matter."""
        self._down.discard(key)

    def clear(self) -> None:
        """Forget every key: after a pause or a loss of focus their releases never arrive."""
        self._down.clear()
        self._tapped.clear()

    def take(self) -> frozenset[str]:
        """The actions of the coming tick; taps are used up."""
        actions = self.actions | self._tapped
        self._tapped.clear()
        return actions

    @property
    def actions(self) -> frozenset[str]:
        """The actions whose keys are down now."""
        return frozenset(self._actions[key] for key in self._down)


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
        units = degrees_per_pixel * UNITS_PER_DEGREE
        self.yaw = (self.yaw - dx * units) % TURN
        self.pitch = max(-MAX_PITCH, min(MAX_PITCH, self.pitch + dy * units))

    def captured(self) -> None:
        """The mouse was taken: its first movement is the jump to where it is held, and means nothing."""
        self._drop = True

    def face(self, heading: float) -> None:
        """Look along a heading, level."""
        self.yaw = float(heading) % TURN
        self.pitch = 0.0


def command(actions: frozenset[str], look: Look) -> Command:
    """One tick's command from the actions held and the direction of view."""
    return Command(
        forward=float("forward" in actions) - float("back" in actions),
        strafe=float("right" in actions) - float("left" in actions),
        heading=round(look.yaw) % TURN,
        pitch=round(look.pitch),
        jump="jump" in actions,
        crouch="crouch" in actions,
        sprint="sprint" in actions,
        use="use" in actions,
    )
