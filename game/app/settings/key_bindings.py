"""Which key does what: actions, the sets of keys to begin with, two keys and a gamepad's button to an action.

Keys have the names that pyglet gives them, mouse buttons are MOUSE_LEFT and so on, a gamepad's buttons PAD_A and so on.
CTRL, SHIFT and ALT stand for the left and the right one. Esc and the gamepad's Start always open the menu: neither can
be bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .mode_names import WITH_OWN_KEYS

Keys = tuple[str, str, str]  # two of keyboard and mouse, one of the gamepad; empty where there is none
Own = tuple[tuple[str, tuple[tuple[str, Keys], ...]], ...]  # by set, by action

SLOTS, PAD_SLOT = 3, 2
PAD = "PAD_"
FIXED = frozenset({"ESCAPE", "PAD_START"})
EITHER: Mapping[str, tuple[str, str]] = {
    "CTRL": ("LCTRL", "RCTRL"),
    "SHIFT": ("LSHIFT", "RSHIFT"),
    "ALT": ("LALT", "RALT"),
}
_FUNCTION = re.compile(r"F\d+")
_NAME = re.compile(r"[A-Za-z0-9_()]{1,32}")


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a key does. `held` ones last as long as the key is down; `help` is the line of the help page."""

    name: str
    label: str
    help: str
    keys: Keys
    held: bool = False


ACTIONS: tuple[Action, ...] = (
    Action("forward", "Forward", "walk", ("W", "UP", ""), True),
    Action("back", "Back", "walk back", ("S", "DOWN", ""), True),
    Action("left", "Left", "step to the left", ("A", "LEFT", ""), True),
    Action("right", "Right", "step to the right", ("D", "RIGHT", ""), True),
    Action("jump", "Jump", "jump; up, in water", ("SPACE", "", "PAD_A"), True),
    Action("crouch", "Crouch", "crouch", ("CTRL", "C", "PAD_B"), True),
    Action("sprint", "Run", "run", ("SHIFT", "", "PAD_LT"), True),
    Action("use", "Throw or strike", "throw or strike, where there are balls", ("MOUSE_LEFT", "E", "PAD_RT"), True),
    Action("restart", "Start again", "start again", ("R", "", "PAD_BACK")),
    Action("fly", "Fly", "fly, and come back", ("F", "", "PAD_X")),
    Action("third_person", "Look from behind", "look from behind", ("V", "", "PAD_Y")),
    Action("rewind", "Rewind", "hold: run back the last half minute", ("BACKSPACE", "", "PAD_LB")),
    Action("help", "Help", "help", ("F1", "", "PAD_UP")),
    Action("edit", "Look and edit", "look at the level and edit it", ("F2", "", "")),
    Action("debug", "What the physics does", "what the physics does", ("F3", "", "PAD_DOWN")),
    Action("record", "Record", "record, and stop recording", ("F5", "", "PAD_LEFT")),
    Action("fullscreen", "Full screen", "fill the screen", ("F11", "", "")),
    Action("screenshot", "Take a picture", "take a picture", ("F12", "", "PAD_RIGHT")),
)
ACTION: Mapping[str, Action] = {action.name: action for action in ACTIONS}
USUAL: Mapping[str, str] = {action.keys[0]: action.name for action in ACTIONS if not action.held}
EVERYWHERE = frozenset({"debug", "record", "fullscreen", "screenshot"})  # done in menus as well
MOVES = ("forward", "left", "back", "right")
HOME = ("W", "A", "S", "D")
_ARROW = re.compile("UP|DOWN|LEFT|RIGHT")


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of keys to begin with: what differs from the actions' own."""

    label: str
    keys: Mapping[str, tuple[str, str]]


PRESETS: Mapping[str, Preset] = {
    "qwerty": Preset("W A S D (QWERTY)", {}),
    "azerty": Preset("Z Q S D (AZERTY)", {"forward": ("Z", "UP"), "left": ("Q", "LEFT")}),
    "dvorak": Preset(
        ", A O E (Dvorak)",
        {
            "forward": ("COMMA", "UP"),
            "back": ("O", "DOWN"),
            "left": ("A", "LEFT"),
            "right": ("E", "RIGHT"),
            "crouch": ("CTRL", "J"),
            "use": ("MOUSE_LEFT", "PERIOD"),
            "restart": ("P", ""),
            "fly": ("U", ""),
            "third_person": ("K", ""),
        },
    ),
    "arrows": Preset(
        "arrows",
        {
            "forward": ("UP", ""),
            "back": ("DOWN", ""),
            "left": ("LEFT", ""),
            "right": ("RIGHT", ""),
            "jump": ("SPACE", "RCTRL"),
            "crouch": ("END", "C"),
            "use": ("MOUSE_LEFT", "DELETE"),
        },
    ),
}


class Bindings:
    """The keys of each action. Never changed: `bind` and `reset` give others."""

    __slots__ = ("_actions", "_keys", "preset")

    def __init__(self, preset: str = "qwerty", keys: Mapping[str, Keys] | None = None) -> None:
        self.preset = preset
        self._keys = _of_preset(preset) | dict(keys or {})
        self._actions: dict[str, tuple[str, ...]] = {}
        for action in ACTIONS:
            for key in _physical(self._keys[action.name]):
                self._actions[key] = (*self._actions.get(key, ()), action.name)

    @classmethod
    def of(cls, preset: str, own: Own) -> Bindings:
        """Those of a set, with what was bound anew in it."""
        return cls(preset, dict(dict(own).get(preset, ())))

    def into(self, own: Own) -> Own:
        """What was bound anew, sets beside this one included."""
        usual = _of_preset(self.preset)
        mine = tuple((name, keys) for name, keys in self._keys.items() if keys != usual[name])
        others = dict(own) | {self.preset: mine}
        return tuple((preset, others[preset]) for preset in PRESETS if others.get(preset))

    def keys(self, action: str) -> Keys:
        """The keys of an action, and its button."""
        return self._keys[action]

    def actions(self, key: str) -> tuple[str, ...]:
        """What a key does: nothing, or an action, or several that share it."""
        return self._actions.get(key, ())

    def words(self, key: str, mode: str) -> tuple[str, ...]:
        """The names under which the game knows what a key does in a mode of it (`playing`, `paused`, ...).

        What happens at a press goes by the key that it has at first: `R` starts again, whatever is bound to that. A key
        that has lost its task does nothing; one that is held, or that nothing is known of, keeps its own name. In the
        menus and in the F2 mode only what is done everywhere has other keys: letters, arrows and Enter are theirs.
        """
        own = mode in WITH_OWN_KEYS
        if own and not (key.startswith(PAD) or _FUNCTION.fullmatch(key)):
            return (key,)
        names = [ACTION[name] for name in self.actions(key)]
        words = [each.keys[0] for each in names if not each.held and (not own or each.name in EVERYWHERE)]
        if not own and any(each.held for each in names):
            words.append(key)
        lost = key in USUAL and (not own or USUAL[key] in EVERYWHERE)
        return tuple(words) if words or lost else (key,)

    @property
    def swaps(self) -> dict[str, str]:
        """Keys that trade places with W A S D in the F2 mode, whose keys are letters: what flies is where one walks,
        and what stood there is on the letter that walks no more."""
        letters = {self._keys[name][0]: home for name, home in zip(MOVES, HOME, strict=True)}
        moved = {key: home for key, home in letters.items() if key not in (home, "") and not _ARROW.fullmatch(key)}
        return {home: key for key, home in moved.items()} | moved

    def flown(self, rows: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        """Lines about the keys of the F2 mode, with the letters that have traded places."""
        swaps = self.swaps

        def put(text: str) -> str:
            return re.sub(r"\b[A-Z]\b", lambda found: shown(swaps.get(found[0], found[0])), text)

        return tuple((put(key), put(meaning)) for key, meaning in rows) if swaps else rows

    def bind(self, action: str, slot: int, key: str) -> Bindings:
        """The same with a key in one of an action's places. A gamepad's button goes to its own place, whichever is
        meant; so does a key that the action has already. ValueError in words for one that cannot be bound.
        """
        if key in FIXED:
            raise ValueError(f"{shown(key)} always opens the menu")
        if not _NAME.fullmatch(key):
            raise ValueError(f"{key!r} is not a key")
        keys = list(self._keys[action])
        slot = PAD_SLOT if key.startswith(PAD) else min(max(slot, 0), PAD_SLOT - 1)
        for at, other in enumerate(keys):
            if set(_physical((other,))) & set(_physical((key,))):
                keys[at] = ""
        keys[slot] = key
        return Bindings(self.preset, {**self._keys, action: (keys[0], keys[1], keys[2])})

    def unbind(self, action: str, slot: int) -> Bindings:
        """The same with nothing in one of an action's places."""
        keys = list(self._keys[action])
        keys[slot] = ""
        return Bindings(self.preset, {**self._keys, action: (keys[0], keys[1], keys[2])})

    def reset(self) -> Bindings:
        """The set as it is to begin with."""
        return Bindings(self.preset)

    @property
    def altered(self) -> bool:
        """Whether anything was bound anew."""
        return self._keys != _of_preset(self.preset)

    def shared(self, action: str) -> tuple[str, ...]:
        """The labels of the other actions that share a key with this one."""
        found = {name for key in _physical(self._keys[action]) for name in self._actions[key]} - {action}
        return tuple(other.label for other in ACTIONS if other.name in found)

    @property
    def lost(self) -> tuple[str, ...]:
        """The labels of the actions that no key does."""
        return tuple(action.label for action in ACTIONS if not any(self._keys[action.name]))

    def told(self, action: str, pad: bool = False) -> str:
        """An action's keys as a person says them: `Ctrl or C`; with `pad` its button; empty where there are none."""
        keys = self._keys[action][PAD_SLOT:] if pad else self._keys[action][:PAD_SLOT]
        return " or ".join(shown(key) for key in keys if key)

    @property
    def moves(self) -> str:
        """The keys that walk, as a person says them: `W A S D`."""
        return " ".join(shown(next(filter(None, self._keys[name]), "none")) for name in MOVES)

    @property
    def hint(self) -> str:
        """The first line that a player reads."""
        told = (f"{self.moves} to walk", "mouse to look", f"{self.told('help') or 'Esc'} for all keys")
        return "   ·   ".join(told)

    @property
    def pad_hint(self) -> str:
        """The same for one who plays with a gamepad."""
        button = self.told("help", pad=True) or "Start"
        return "   ·   ".join(("Left stick to walk", "right stick to look", f"{button} for help"))

    @property
    def pad_help(self) -> tuple[tuple[str, str], ...]:
        """The lines of the help page about a gamepad."""
        rows = [("Left stick", "walk"), ("Right stick", "look around")]
        rows += [(self.told(each.name, pad=True), each.help) for each in ACTIONS if each.name not in MOVES]
        rows.append(("Start", "pause and settings"))
        return tuple((keys, meaning) for keys, meaning in rows if keys)

    @property
    def help(self) -> tuple[tuple[str, str], ...]:
        """The lines of the help page: keys, and what they do."""
        more = ((" ".join(shown(self._keys[name][1]) for name in MOVES), "walk too"),)
        rows = [(self.moves, "walk"), *(more if all(self._keys[name][1] for name in MOVES) else ())]
        rows.append(("Mouse", "look around"))
        rows += [(self.told(each.name), each.help) for each in ACTIONS if each.name not in MOVES]
        rows.append(("Esc", "pause and settings"))
        return tuple((keys, meaning) for keys, meaning in rows if keys)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bindings) and (self.preset, self._keys) == (other.preset, other._keys)

    def __hash__(self) -> int:
        return hash((self.preset, tuple(self._keys.items())))


def _of_preset(preset: str) -> dict[str, Keys]:
    keys = PRESETS[preset].keys
    return {action.name: (*keys.get(action.name, action.keys[:2]), action.keys[2]) for action in ACTIONS}


def _physical(keys: Iterable[str]) -> Iterator[str]:
    for key in keys:
        yield from EITHER.get(key, (key,) if key else ())


def read(value: Any) -> Own:
    """What was bound anew, from a file's plain data or from its own kind; ValueError in words for what is wrong."""
    own, wrong = sift(value)
    if wrong:
        raise ValueError("; ".join(wrong))
    return own


def sift(value: Any) -> tuple[Own, list[str]]:
    """What can be read of the keys bound anew, and in words what cannot."""
    if isinstance(value, tuple):
        value = {preset: dict(actions) for preset, actions in value}
    if not isinstance(value, dict):
        return (), ["own_keys is a table of keys"]
    found: dict[str, dict[str, Keys]] = {}
    wrong = []
    for preset, actions in value.items():
        if preset not in PRESETS or not isinstance(actions, dict):
            wrong.append(f"own_keys: there is no set {str(preset)[:32]!r}")
            continue
        for action, keys in actions.items():
            if action in ACTION and _are_keys(keys):
                found.setdefault(preset, {})[action] = (keys[0], keys[1], keys[2])
            else:
                wrong.append(f"own_keys: {str(action)[:32]!r} has no such keys")
    own = tuple((preset, tuple(actions.items())) for preset, actions in found.items())
    return own, wrong


def _are_keys(keys: Any) -> bool:
    return (
        isinstance(keys, (list, tuple))
        and len(keys) == SLOTS
        and all(isinstance(key, str) and key not in FIXED and (not key or _NAME.fullmatch(key)) for key in keys)
        and (not keys[PAD_SLOT] or keys[PAD_SLOT].startswith(PAD))
        and not any(key.startswith(PAD) for key in keys[:PAD_SLOT])
    )


def plain(own: Own) -> dict[str, dict[str, list[str]]]:
    """What was bound anew, as a file has it."""
    return {preset: {action: list(keys) for action, keys in actions} for preset, actions in own}


_SHOWN: Mapping[str, str] = {
    "ESCAPE": "Esc", "RETURN": "Enter", "ENTER": "Enter", "NUM_ENTER": "Num Enter", "SPACE": "Space", "TAB": "Tab",
    "BACKSPACE": "Backspace", "LCTRL": "Left Ctrl", "RCTRL": "Right Ctrl", "LSHIFT": "Left Shift",
    "RSHIFT": "Right Shift", "LALT": "Left Alt", "RALT": "Right Alt", "CAPSLOCK": "Caps Lock", "PAGEUP": "Page Up",
    "PAGEDOWN": "Page Down", "COMMA": ",", "PERIOD": ".", "SEMICOLON": ";", "APOSTROPHE": "'", "SLASH": "/",
    "BACKSLASH": "\\", "MINUS": "-", "EQUAL": "=", "BRACKETLEFT": "[", "BRACKETRIGHT": "]", "GRAVE": "`",
    "MOUSE_LEFT": "Left mouse", "MOUSE_RIGHT": "Right mouse", "MOUSE_MIDDLE": "Middle mouse",
    "PAD_LB": "Left shoulder", "PAD_RB": "Right shoulder", "PAD_LT": "Left trigger", "PAD_RT": "Right trigger",
    "PAD_LS": "Left stick", "PAD_RS": "Right stick", "PAD_UP": "Pad up", "PAD_DOWN": "Pad down",
    "PAD_LEFT": "Pad left", "PAD_RIGHT": "Pad right",
}  # fmt: skip


def shown(key: str) -> str:
    """A key as a person says it."""
    if key in _SHOWN:
        return _SHOWN[key]
    if key.startswith("MOUSE_"):
        return f"Mouse {key[6:].lower()}"
    if key.startswith(("NUM_", PAD)):
        return f"{'Num' if key.startswith('NUM_') else 'Pad'} {key[4:].capitalize()}"
    if key.startswith("_"):
        return key[1:]
    return key if len(key) < 2 or re.fullmatch(r"F\d+", key) else key.replace("_", " ").capitalize()
