"""Key bindings: which keys trigger which actions. The player can change the keys of the actions of play.

Key names are pyglet's; mouse buttons are MOUSE_LEFT etc., gamepad buttons PAD_A etc. CTRL, SHIFT and ALT stand for the
left and the right key. Esc and the gamepad's Start always open the menu and cannot be bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..input.actions import (
    MOVEMENT_ACTIONS,
    SAME_LINE,
    TURN_ACTIONS,
    Action,
    Context,
    EditorLetterAction,
    Keys,
    PlayAction,
    physical_keys,
)
from .key_presets import PRESETS

KeyOverrides = tuple[tuple[str, tuple[tuple[PlayAction, Keys], ...]], ...]  # by preset, by action

KEY_SLOTS = 3
PAD_SLOT = 2
PAD_PREFIX = "PAD_"
FIXED_KEYS = frozenset({"ESCAPE", "PAD_START"})
_KEY_NAME_PATTERN = re.compile(r"[A-Za-z0-9_()]{1,32}")
_UNTYPED_PATTERN = re.compile(r"F\d+|[LR](SHIFT|ALT|OPTION)")  # keys that neither type nor edit a text
WHEEL_KEYS = ("WHEEL_UP", "WHEEL_DOWN")  # notches of the mouse wheel: pressed and released at once
WASD_KEYS = ("W", "A", "S", "D")
ACTIONS_BY_NAME: Mapping[str, PlayAction] = {action.value: action for action in PlayAction}  # of the settings file
_UNSWAPPED_PATTERN = re.compile("UP|DOWN|LEFT|RIGHT|(MOUSE|WHEEL)_.*")  # not letters


class KeyBindings:
    """The keys of each action, immutable: `bind`, `unbind` and `reset` return copies."""

    __slots__ = ("_actions", "_keys", "preset")

    def __init__(self, preset: str = "qwerty", keys: Mapping[PlayAction, Keys] | None = None) -> None:
        self.preset = preset
        self._keys = _preset_keys(preset) | dict(keys or {})
        self._actions: dict[str, tuple[PlayAction, ...]] = dict.fromkeys(FIXED_KEYS, (PlayAction.MENU,))
        for action in PlayAction:
            for key in physical_keys(self._keys[action]):
                self._actions[key] = (*self._actions.get(key, ()), action)

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

    def keys_of(self, action: PlayAction) -> Keys:
        """The two keys of an action, and its gamepad button."""
        return self._keys[action]

    def actions_of(self, key: str) -> tuple[PlayAction, ...]:
        """The actions of play of a key: none, one, or several that share it."""
        return self._actions.get(key, ())

    def find_actions(self, contexts: Iterable[Context], key: str) -> tuple[Action, ...]:
        """The actions that a key triggers: those of the first context that has any.

        A fixed key of a context has one action. Of the actions that the player can bind, the key triggers all that
        share it.
        """
        in_editor = self.letter_swaps.get(key, key)
        for context in contexts:
            for action in context:
                if (in_editor if isinstance(action, EditorLetterAction) else key) in action.keys:
                    return (action,)
            bound = frozenset(self.actions_of(key))
            found = tuple(action for action in context if not bound.isdisjoint(action.followed))
            if found:
                return found
        return ()

    def label(self, action: Action, before: Context = (), pad: bool = False) -> str:
        """The key of an action as text: its first fixed key that the context `before` leaves free, else the keys that
        the player has bound. pad: its gamepad button."""
        for key in action.keys:
            if key.startswith(PAD_PREFIX) == pad and not self.find_actions((before,), key):
                return key_label(key)
        return " or ".join(filter(None, (self.describe(each, pad) for each in action.followed)))

    def context_help(self, context: Context, before: Context = (), pad: bool = False) -> tuple[tuple[str, str], ...]:
        """Rows of a context's help: keys and meaning. The keys of the context `before` have another meaning."""
        rows: list[tuple[str, str]] = []
        for action in context:
            keys = action.shown or self.label(action, before, pad)
            if action.help == SAME_LINE:
                above, meaning = rows.pop()
                rows.append((f"{above} {keys}", meaning))
            elif action.help and keys:
                rows.append((keys, action.help))
        return tuple(rows)

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

    def bind(self, action: PlayAction, slot: int, key: str) -> KeyBindings:
        """A copy with a key in a slot of an action. A gamepad button always takes the gamepad slot; a key that the
        action already has moves. ValueError for a key that cannot be bound.
        """
        if not can_be_bound(key):
            raise ValueError(f"{key_label(key)} always opens the menu")
        if not _KEY_NAME_PATTERN.fullmatch(key):
            raise ValueError(f"{key!r} is not a valid key")
        keys = list(self._keys[action])
        slot = PAD_SLOT if key.startswith(PAD_PREFIX) else min(max(slot, 0), PAD_SLOT - 1)
        for index, other in enumerate(keys):
            if set(physical_keys((other,))) & set(physical_keys((key,))):
                keys[index] = ""
        keys[slot] = key
        return KeyBindings(self.preset, {**self._keys, action: (keys[0], keys[1], keys[2])})

    def unbind(self, action: PlayAction, slot: int) -> KeyBindings:
        """A copy with an empty slot of an action."""
        keys = list(self._keys[action])
        keys[slot] = ""
        return KeyBindings(self.preset, {**self._keys, action: (keys[0], keys[1], keys[2])})

    def reset(self) -> KeyBindings:
        """The bindings of the preset without changes."""
        return KeyBindings(self.preset)

    @property
    def is_customised(self) -> bool:
        return self._keys != _preset_keys(self.preset)

    def conflicting_labels(self, action: PlayAction) -> tuple[str, ...]:
        """The labels of the other actions that share a key with this one."""
        sharing = {other for key in physical_keys(self._keys[action]) for other in self._actions[key]} - {action}
        return tuple(other.label for other in PlayAction if other in sharing)

    def describe(self, action: PlayAction, pad: bool = False) -> str:
        """The keys of an action as text, such as `Ctrl or C`; with `pad` its gamepad button; empty if unbound."""
        keys = self._keys[action][PAD_SLOT:] if pad else self._keys[action][:PAD_SLOT]
        return " or ".join(key_label(key) for key in keys if key)

    def is_on_wheel(self, action: PlayAction) -> bool:
        """Whether the first key of an action is the mouse wheel."""
        return is_wheel(self._keys[action][0])

    @property
    def movement_keys(self) -> str:
        """The keys that walk, as text: `W A S D`."""
        by_mouse = self._keys[PlayAction.FORWARD][0].startswith("MOUSE_")  # the other keys are for another hand
        return " ".join(self._first_labels(MOVEMENT_ACTIONS[:1] if by_mouse else MOVEMENT_ACTIONS)) or "No key"

    @property
    def turn_keys(self) -> str:
        """The keys that turn the view, as text; empty without them."""
        return " ".join(self._first_labels(TURN_ACTIONS))

    def _first_labels(self, actions: tuple[PlayAction, ...]) -> list[str]:
        return [
            key_label(key) for key in (next(filter(None, self._keys[name][:PAD_SLOT]), "") for name in actions) if key
        ]

    def _walking_help(self) -> list[tuple[str, str]]:
        rows = [(self.movement_keys, "Walk")]
        second = [self._keys[action][1] for action in MOVEMENT_ACTIONS]
        if all(second):
            rows.append((" ".join(map(key_label, second)), "Walk (alternative)"))
        if PRESETS[self.preset].double_tap_sprint:
            rows.append((f"{self._first_labels(MOVEMENT_ACTIONS)[0]} twice", "Sprint"))
        return [*rows, ("Mouse", "Look around")]

    def help_rows(self, toggles: frozenset[PlayAction] = frozenset(), pad: bool = False) -> tuple[tuple[str, str], ...]:
        """Rows of the help page of play: keys or gamepad buttons, and what they do. Actions that toggle say so."""
        walking = [("Left stick", "Walk"), ("Right stick", "Look around")] if pad else self._walking_help()
        others = [action for action in PlayAction if action not in MOVEMENT_ACTIONS]
        rows = [*walking, *self.context_help(others, pad=pad), ("Start" if pad else "Esc", "Pause menu")]
        toggled = {action.help for action in toggles}
        if toggles.issuperset(MOVEMENT_ACTIONS):
            toggled.add("Walk")
        return tuple((keys, f"{meaning} (on/off)" if meaning in toggled else meaning) for keys, meaning in rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyBindings) and (self.preset, self._keys) == (other.preset, other._keys)

    def __hash__(self) -> int:
        return hash((self.preset, tuple(self._keys.items())))


def _preset_keys(preset: str) -> dict[PlayAction, Keys]:
    keys = PRESETS[preset].keys
    return {each: (*keys.get(each, each.default_keys[:2]), each.default_keys[2]) for each in PlayAction}


def parse_overrides(value: Any) -> tuple[KeyOverrides, list[str]]:
    """The valid changed keys of the settings file, and a sentence for each invalid entry."""
    if not isinstance(value, dict):
        return (), ["own_keys must be a table of keys"]
    overrides: dict[str, dict[PlayAction, Keys]] = {}
    errors = []
    for preset, actions in value.items():
        if preset not in PRESETS or not isinstance(actions, dict):
            errors.append(f"own_keys: unknown layout {str(preset)[:32]!r}")
            continue
        for action, keys in actions.items():
            if action in ACTIONS_BY_NAME and _is_key_list(keys):
                overrides.setdefault(preset, {})[ACTIONS_BY_NAME[action]] = (keys[0], keys[1], keys[2])
            else:
                errors.append(f"own_keys: invalid action or keys at {str(action)[:32]!r}")
    return tuple((preset, tuple(actions.items())) for preset, actions in overrides.items()), errors


def _is_key_list(keys: Any) -> bool:
    return (
        isinstance(keys, (list, tuple))
        and len(keys) == KEY_SLOTS
        and all(
            isinstance(key, str) and can_be_bound(key) and (not key or _KEY_NAME_PATTERN.fullmatch(key)) for key in keys
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
    "BACKSLASH": "\\", "MINUS": "-", "PLUS": "+", "EQUAL": "=", "BRACKETLEFT": "[", "BRACKETRIGHT": "]", "GRAVE": "`",
    "MOUSE_LEFT": "Left mouse", "MOUSE_RIGHT": "Right mouse", "MOUSE_MIDDLE": "Middle mouse",
    "PAD_LB": "Left shoulder", "PAD_RB": "Right shoulder", "PAD_LT": "Left trigger", "PAD_RT": "Right trigger",
    "PAD_LS": "Left stick", "PAD_RS": "Right stick", "PAD_UP": "Pad up", "PAD_DOWN": "Pad down",
    "PAD_LEFT": "Pad left", "PAD_RIGHT": "Pad right",
}  # fmt: skip


def can_be_bound(key: str) -> bool:
    """Whether the player can bind a key: not one that always opens the menu."""
    return key not in FIXED_KEYS


def is_wheel(key: str) -> bool:
    """Whether a key is a notch of the mouse wheel."""
    return key in WHEEL_KEYS


def types_text(key: str) -> bool:
    """Whether a key types or edits text where text is typed: no function key, Shift or Alt."""
    return not _UNTYPED_PATTERN.fullmatch(key)


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
