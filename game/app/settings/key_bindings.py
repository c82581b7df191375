"""Key bindings: the actions, presets of keys, and two keys and one gamepad button per action.

Key names are pyglet's; mouse buttons are MOUSE_LEFT etc., gamepad buttons PAD_A etc. CTRL, SHIFT and ALT stand for the
left and the right key. Esc and the gamepad's Start always open the menu and cannot be bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .key_presets import PRESETS
from .mode_names import FIXED_KEY_MODES, FIXED_KEYS_OF_MODE, MENU_MODES

Keys = tuple[str, str, str]  # two keys or mouse buttons and a gamepad button; empty if unbound
KeyOverrides = tuple[tuple[str, tuple[tuple[str, Keys], ...]], ...]  # by preset, by action

KEY_SLOTS, PAD_SLOT = 3, 2
PAD_PREFIX = "PAD_"
FIXED_KEYS = frozenset({"ESCAPE", "PAD_START"})
LEFT_RIGHT_KEYS: Mapping[str, tuple[str, str]] = {
    "CTRL": ("LCTRL", "RCTRL"),
    "SHIFT": ("LSHIFT", "RSHIFT"),
    "ALT": ("LALT", "RALT"),
}
_FUNCTION_KEY_PATTERN = re.compile(r"F\d+")
_KEY_NAME_PATTERN = re.compile(r"[A-Za-z0-9_()]{1,32}")


@dataclass(frozen=True, slots=True)
class Action:
    """An action. A held action lasts while its key is down; `help`: its line on the help page.

    command      key name by which the game handles it, where the action has no default key
    is_optional  whether the game is complete without a key for it
    """

    name: str
    label: str
    help: str
    keys: Keys
    is_held: bool = False
    command: str = ""
    is_optional: bool = False

    @property
    def handled_key(self) -> str:
        """The key name by which the modes handle the action."""
        return self.command or self.keys[0]


ACTIONS: tuple[Action, ...] = (
    Action("forward", "Forward", "Walk forwards", ("W", "UP", ""), True),
    Action("back", "Back", "Walk back", ("S", "DOWN", ""), True),
    Action("left", "Left", "Step left", ("A", "LEFT", ""), True),
    Action("right", "Right", "Step right", ("D", "RIGHT", ""), True),
    Action("jump", "Jump", "Jump, swim up", ("SPACE", "", "PAD_A"), True),
    Action("crouch", "Crouch", "Crouch", ("CTRL", "C", "PAD_B"), True),
    Action("sprint", "Sprint", "Sprint", ("SHIFT", "", "PAD_LT"), True),
    Action("use", "Throw or hit", "Throw or hit a ball", ("MOUSE_LEFT", "E", "PAD_RT"), True),
    Action("turn_left", "Turn left", "Turn left", ("", "", ""), True, is_optional=True),
    Action("turn_right", "Turn right", "Turn right", ("", "", ""), True, is_optional=True),
    Action("look_up", "Look up", "Look up", ("", "", ""), True, is_optional=True),
    Action("look_down", "Look down", "Look down", ("", "", ""), True, is_optional=True),
    Action("auto_walk", "Auto-walk", "Auto-walk on/off", ("X", "", ""), command="AUTO_WALK", is_optional=True),
    Action("slow_motion", "Slow motion", "Slow motion on/off", ("M", "", ""), command="SLOW_MOTION", is_optional=True),
    Action("restart", "Restart level", "Restart level", ("R", "", "PAD_BACK")),
    Action("checkpoint", "Back to checkpoint", "Back to checkpoint", ("B", "", "PAD_RB")),
    Action("fly", "Fly", "Fly on/off", ("F", "", "PAD_X")),
    Action("third_person", "Third-person view", "Third-person view", ("V", "", "PAD_Y")),
    Action("rewind", "Rewind", "Rewind", ("BACKSPACE", "", "PAD_LB")),
    Action("aim", "Show aim", "Show the aim and where to go", ("TAB", "", "PAD_LS")),
    Action("help", "Help", "Help", ("F1", "", "PAD_UP")),
    Action("edit", "Level editor", "Level editor", ("F2", "", "")),
    Action("debug", "Debug info", "Debug info", ("F3", "", "PAD_DOWN")),
    Action("record", "Record", "Start or stop recording", ("F5", "", "PAD_LEFT")),
    Action("movie", "Keep the movie", "Keep the movie", ("F9", "", "")),
    Action("photo", "Photo mode", "Photo mode", ("F10", "", "")),
    Action("menu", "Pause menu", "Pause menu (second key)", ("", "", ""), command="ESCAPE", is_optional=True),
    Action("fullscreen", "Full screen", "Full screen", ("F11", "", "")),
    Action("screenshot", "Screenshot", "Screenshot", ("F12", "", "PAD_RIGHT")),
)
ACTIONS_BY_NAME: Mapping[str, Action] = {action.name: action for action in ACTIONS}
DEFAULT_ACTION_OF_KEY: Mapping[str, str] = {
    action.handled_key: action.name for action in ACTIONS if not action.is_held and not action.command
}
GLOBAL_ACTIONS = frozenset({"debug", "record", "fullscreen", "screenshot"})  # work in menus as well
MOVEMENT_ACTIONS = ("forward", "left", "back", "right")
TURN_ACTIONS = ("turn_left", "turn_right", "look_up", "look_down")
WHEEL_KEYS = ("WHEEL_UP", "WHEEL_DOWN")  # notches of the mouse wheel: pressed and released at once
MENU_ACTION = "menu"
# Keys with a meaning of their own in menus: they do not act as the second key of the menu there.
MENU_KEYS = frozenset(
    {"UP", "DOWN", "LEFT", "RIGHT", "RETURN", "ENTER", "NUM_ENTER", "SPACE", "TAB", "PAGEUP", "PAGEDOWN", "DELETE",
     "BACKSPACE", "MOUSE_LEFT"}
)  # fmt: skip
WASD_KEYS = ("W", "A", "S", "D")
_UNSWAPPED_PATTERN = re.compile("UP|DOWN|LEFT|RIGHT|(MOUSE|WHEEL)_.*")  # not letters


class KeyBindings:
    """The keys of each action, immutable: `bind`, `unbind` and `reset` return copies."""

    __slots__ = ("_actions", "_keys", "preset")

    def __init__(self, preset: str = "qwerty", keys: Mapping[str, Keys] | None = None) -> None:
        self.preset = preset
        self._keys = _preset_keys(preset) | dict(keys or {})
        self._actions: dict[str, tuple[str, ...]] = {}
        for action in ACTIONS:
            for key in _physical_keys(self._keys[action.name]):
                self._actions[key] = (*self._actions.get(key, ()), action.name)

    @classmethod
    def from_preset(cls, preset: str, overrides: KeyOverrides) -> KeyBindings:
        """The bindings of a preset with the changed keys."""
        return cls(preset, dict(dict(overrides).get(preset, ())))

    def as_overrides(self, overrides: KeyOverrides) -> KeyOverrides:
        """The changed keys, those of other presets included."""
        usual = _preset_keys(self.preset)
        changed = tuple((name, keys) for name, keys in self._keys.items() if keys != usual[name])
        others = dict(overrides) | {self.preset: changed}
        return tuple((preset, others[preset]) for preset in PRESETS if others.get(preset))

    def keys_of(self, action: str) -> Keys:
        """The two keys of an action, and its gamepad button."""
        return self._keys[action]

    def actions_of(self, key: str) -> tuple[str, ...]:
        """The actions of a key: none, one, or several that share it."""
        return self._actions.get(key, ())

    def resolve_key(self, key: str, mode: str) -> tuple[str, ...]:
        """The default keys of the actions that a key triggers in a mode (`playing`, `paused`, ...).

        The game handles an action by its default key: `R` restarts, whatever is bound to it. A default key whose action
        has moved does nothing. Keys of held actions and unknown keys keep their name. In menus and in the editor only
        global actions can be rebound: letters, arrows and Enter have fixed meanings there. Photo and replay mode have
        letters of their own.
        """
        if key in FIXED_KEYS or key in FIXED_KEYS_OF_MODE.get(mode, ()):
            return (key,)
        is_fixed = mode in FIXED_KEY_MODES
        if mode in MENU_MODES and len(key) > 1 and key not in MENU_KEYS and MENU_ACTION in self.actions_of(key):
            return (ACTIONS_BY_NAME[MENU_ACTION].handled_key,)
        if is_fixed and not (key.startswith(PAD_PREFIX) or _FUNCTION_KEY_PATTERN.fullmatch(key)):
            return (key,)
        actions = [ACTIONS_BY_NAME[name] for name in self.actions_of(key)]
        default_keys = [
            action.handled_key
            for action in actions
            if not action.is_held and (not is_fixed or action.name in GLOBAL_ACTIONS)
        ]
        if not is_fixed and any(action.is_held for action in actions):
            default_keys.append(key)
        is_unbound = key in DEFAULT_ACTION_OF_KEY and (not is_fixed or DEFAULT_ACTION_OF_KEY[key] in GLOBAL_ACTIONS)
        return tuple(default_keys) if default_keys or is_unbound else (key,)

    @property
    def letter_swaps(self) -> dict[str, str]:
        """Letters that are exchanged with W A S D in the editor, so that the keys that walk also fly. The editor's
        command on such a letter moves to the W A S D letter that is free."""
        letters = {self._keys[name][0]: home for name, home in zip(MOVEMENT_ACTIONS, WASD_KEYS, strict=True)}
        moved = {
            key: home
            for key, home in letters.items()
            if key not in (home, "") and not _UNSWAPPED_PATTERN.fullmatch(key)
        }
        return {home: key for key, home in moved.items()} | moved

    def editor_help_rows(self, rows: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        """Help rows of the editor, with the letters exchanged."""
        swaps = self.letter_swaps

        def exchange(text: str) -> str:
            return re.sub(r"\b[A-Z]\b", lambda letter: key_label(swaps.get(letter[0], letter[0])), text)

        return tuple((exchange(key), exchange(meaning)) for key, meaning in rows) if swaps else rows

    def bind(self, action: str, slot: int, key: str) -> KeyBindings:
        """A copy with a key in a slot of an action. A gamepad button always takes the gamepad slot; a key that the
        action already has moves. ValueError for a key that cannot be bound.
        """
        if key in FIXED_KEYS:
            raise ValueError(f"{key_label(key)} always opens the menu")
        if not _KEY_NAME_PATTERN.fullmatch(key):
            raise ValueError(f"{key!r} is not a valid key")
        keys = list(self._keys[action])
        slot = PAD_SLOT if key.startswith(PAD_PREFIX) else min(max(slot, 0), PAD_SLOT - 1)
        for index, other in enumerate(keys):
            if set(_physical_keys((other,))) & set(_physical_keys((key,))):
                keys[index] = ""
        keys[slot] = key
        return KeyBindings(self.preset, {**self._keys, action: (keys[0], keys[1], keys[2])})

    def unbind(self, action: str, slot: int) -> KeyBindings:
        """A copy with an empty slot of an action."""
        keys = list(self._keys[action])
        keys[slot] = ""
        return KeyBindings(self.preset, {**self._keys, action: (keys[0], keys[1], keys[2])})

    def reset(self) -> KeyBindings:
        """The bindings of the preset without changes."""
        return KeyBindings(self.preset)

    @property
    def is_customised(self) -> bool:
        """Whether a key was changed."""
        return self._keys != _preset_keys(self.preset)

    def conflicting_labels(self, action: str) -> tuple[str, ...]:
        """The labels of the other actions that share a key with this one."""
        names = {name for key in _physical_keys(self._keys[action]) for name in self._actions[key]} - {action}
        return tuple(other.label for other in ACTIONS if other.name in names)

    def describe(self, action: str, pad: bool = False) -> str:
        """The keys of an action as text, such as `Ctrl or C`; with `pad` its gamepad button; empty if unbound."""
        keys = self._keys[action][PAD_SLOT:] if pad else self._keys[action][:PAD_SLOT]
        return " or ".join(key_label(key) for key in keys if key)

    @property
    def movement_keys(self) -> str:
        """The keys that walk, as text: `W A S D`."""
        by_mouse = self._keys["forward"][0].startswith("MOUSE_")  # the other keys are for another hand
        return " ".join(self._first_labels(MOVEMENT_ACTIONS[:1] if by_mouse else MOVEMENT_ACTIONS)) or "No key"

    @property
    def turn_keys(self) -> str:
        """The keys that turn the view, as text; empty without them."""
        return " ".join(self._first_labels(TURN_ACTIONS))

    def _first_labels(self, actions: tuple[str, ...]) -> list[str]:
        """The first key of each action that has one."""
        return [
            key_label(key) for key in (next(filter(None, self._keys[name][:PAD_SLOT]), "") for name in actions) if key
        ]

    @property
    def pad_help(self) -> tuple[tuple[str, str], ...]:
        """Rows of the help page for a gamepad: button and action."""
        rows = [("Left stick", "Walk"), ("Right stick", "Look around")]
        rows += [
            (self.describe(each.name, pad=True), each.help) for each in ACTIONS if each.name not in MOVEMENT_ACTIONS
        ]
        rows.append(("Start", "Pause menu"))
        return tuple((keys, meaning) for keys, meaning in rows if keys)

    @property
    def help(self) -> tuple[tuple[str, str], ...]:
        """Rows of the help page: keys and action."""
        more = ((" ".join(key_label(self._keys[name][1]) for name in MOVEMENT_ACTIONS), "Walk (alternative)"),)
        rows = [(self.movement_keys, "Walk"), *(more if all(self._keys[name][1] for name in MOVEMENT_ACTIONS) else ())]
        if PRESETS[self.preset].double_tap_sprint:
            rows.append((f"{self._first_labels(MOVEMENT_ACTIONS)[0]} twice", "Sprint"))
        rows.append(("Mouse", "Look around"))
        rows += [(self.describe(each.name), each.help) for each in ACTIONS if each.name not in MOVEMENT_ACTIONS]
        rows.append(("Esc", "Pause menu"))
        return tuple((keys, meaning) for keys, meaning in rows if keys)

    def help_rows(self, toggles: frozenset[str], pad: bool = False) -> tuple[tuple[str, str], ...]:
        """The help of the keys or the gamepad; actions that toggle say so."""
        toggled = {action.help for action in ACTIONS if action.name in toggles}
        if toggles.issuperset(MOVEMENT_ACTIONS):
            toggled.add("Walk")
        rows = self.pad_help if pad else self.help
        return tuple((keys, f"{meaning} (on/off)" if meaning in toggled else meaning) for keys, meaning in rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyBindings) and (self.preset, self._keys) == (other.preset, other._keys)

    def __hash__(self) -> int:
        return hash((self.preset, tuple(self._keys.items())))


def _preset_keys(preset: str) -> dict[str, Keys]:
    keys = PRESETS[preset].keys
    return {action.name: (*keys.get(action.name, action.keys[:2]), action.keys[2]) for action in ACTIONS}


def _physical_keys(keys: Iterable[str]) -> Iterator[str]:
    for key in keys:
        yield from LEFT_RIGHT_KEYS.get(key, (key,) if key else ())


def parse_overrides(value: Any) -> KeyOverrides:
    """The changed keys of plain data or of a KeyOverrides; ValueError for invalid entries."""
    overrides, errors = parse_overrides_leniently(value)
    if errors:
        raise ValueError("; ".join(errors))
    return overrides


def parse_overrides_leniently(value: Any) -> tuple[KeyOverrides, list[str]]:
    """The valid changed keys, and a sentence for each invalid entry."""
    if isinstance(value, tuple):
        value = {preset: dict(actions) for preset, actions in value}
    if not isinstance(value, dict):
        return (), ["own_keys must be a table of keys"]
    overrides: dict[str, dict[str, Keys]] = {}
    errors = []
    for preset, actions in value.items():
        if preset not in PRESETS or not isinstance(actions, dict):
            errors.append(f"own_keys: unknown layout {str(preset)[:32]!r}")
            continue
        for action, keys in actions.items():
            if action in ACTIONS_BY_NAME and _is_key_list(keys):
                overrides.setdefault(preset, {})[action] = (keys[0], keys[1], keys[2])
            else:
                errors.append(f"own_keys: invalid action or keys at {str(action)[:32]!r}")
    return tuple((preset, tuple(actions.items())) for preset, actions in overrides.items()), errors


def _is_key_list(keys: Any) -> bool:
    return (
        isinstance(keys, (list, tuple))
        and len(keys) == KEY_SLOTS
        and all(
            isinstance(key, str) and key not in FIXED_KEYS and (not key or _KEY_NAME_PATTERN.fullmatch(key))
            for key in keys
        )
        and (not keys[PAD_SLOT] or keys[PAD_SLOT].startswith(PAD_PREFIX))
        and not any(key.startswith(PAD_PREFIX) for key in keys[:PAD_SLOT])
    )


def overrides_as_data(overrides: KeyOverrides) -> dict[str, dict[str, list[str]]]:
    """The changed keys as plain data for the settings file."""
    return {preset: {action: list(keys) for action, keys in actions} for preset, actions in overrides}


_KEY_LABELS: Mapping[str, str] = {
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


def key_label(key: str) -> str:
    """The name of a key for the player."""
    if key in _KEY_LABELS:
        return _KEY_LABELS[key]
    if key in WHEEL_KEYS:
        return f"Wheel {key[6:].lower()}"
    if key.startswith("MOUSE_"):
        return f"Mouse {key[6:].lower()}"
    if key.startswith(("NUM_", PAD_PREFIX)):
        return f"{'Num' if key.startswith('NUM_') else 'Pad'} {key[4:].capitalize()}"
    if key.startswith("_"):
        return key[1:]
    return key if len(key) < 2 or re.fullmatch(r"F\d+", key) else key.replace("_", " ").capitalize()
