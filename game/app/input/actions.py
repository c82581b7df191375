"""Actions: what keys do in a context. Each context is one enumeration, and its members are the table of its keys.

The keys of `PlayAction` are those that the player can change (`settings.key_bindings`); the others are fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum

LEFT_RIGHT_KEYS: Mapping[str, tuple[str, ...]] = {
    "CTRL": ("LCTRL", "RCTRL"),
    "SHIFT": ("LSHIFT", "RSHIFT"),
    "ALT": ("LALT", "RALT"),
}
# Names in the tables of fixed keys that stand for several keys with the same sign.
SAME_SIGN_KEYS: Mapping[str, tuple[str, ...]] = {
    **LEFT_RIGHT_KEYS,
    "RETURN": ("RETURN", "ENTER", "NUM_ENTER"),
    "PLUS": ("PLUS", "EQUAL", "NUM_ADD"),
    "MINUS": ("MINUS", "NUM_SUBTRACT"),
    **{str(digit): (f"_{digit}", f"NUM_{digit}") for digit in range(10)},
}
SAME_LINE = "+"  # as the help of an action: it stands in the line of the action before it


class MouseButton(StrEnum):
    """Buttons of the mouse that modes use themselves, as pyglet names them."""

    LEFT = "LEFT"
    RIGHT = "RIGHT"
    MIDDLE = "MIDDLE"


@dataclass(frozen=True, slots=True)
class Binding:
    """Keys of an action in a context with fixed keys, and its line on the help page.

    keys      names separated by spaces; the help shows the first one of the device in use
    help      what the action does; empty: not on the help page
    shown     what the help shows in place of the key
    follows   actions of play whose keys this action has too, as the player has bound them
    """

    keys: str = ""
    help: str = ""
    shown: str = ""
    follows: tuple[PlayAction, ...] = ()


class Action(Enum):
    """An action of a context. The subclasses are the contexts.

    keys       fixed keys and gamepad buttons
    followed   actions of play whose keys this action has too
    """

    def __init__(self, binding: Binding) -> None:
        self.keys = tuple(physical_keys(binding.keys.split(), SAME_SIGN_KEYS))
        self.help = binding.help
        self.shown = binding.shown
        self.followed = binding.follows


class EditorLetterAction(Action):
    """An action of the level editor. The letters of these actions make room for the keys that walk."""


Context = Iterable[Action]  # an enumeration, or some of its members


def physical_keys(keys: Iterable[str], groups: Mapping[str, tuple[str, ...]] = LEFT_RIGHT_KEYS) -> Iterator[str]:
    """The keys of a keyboard that the names stand for."""
    for key in keys:
        yield from groups.get(key, (key,) if key else ())


Keys = tuple[str, str, str]  # two keys or mouse buttons and a gamepad button; empty if unbound


class PlayAction(str, Action):
    """An action of play. Its value is its name in the settings file.

    label          on the settings page
    default_keys   those of QWERTY; `KeyBindings` has the present ones
    """

    FORWARD = "forward", "Forward", "Walk forwards", ("W", "UP", "")
    BACK = "back", "Back", "Walk back", ("S", "DOWN", "")
    LEFT = "left", "Left", "Step left", ("A", "LEFT", "")
    RIGHT = "right", "Right", "Step right", ("D", "RIGHT", "")
    JUMP = "jump", "Jump", "Jump, swim up", ("SPACE", "", "PAD_A")
    CROUCH = "crouch", "Crouch", "Crouch", ("CTRL", "C", "PAD_B")
    SPRINT = "sprint", "Sprint", "Sprint", ("SHIFT", "", "PAD_LT")
    USE = "use", "Throw or hit", "Throw or hit a ball", ("MOUSE_LEFT", "E", "PAD_RT")
    TURN_LEFT = "turn_left", "Turn left", "Turn left", ("", "", "")
    TURN_RIGHT = "turn_right", "Turn right", "Turn right", ("", "", "")
    LOOK_UP = "look_up", "Look up", "Look up", ("", "", "")
    LOOK_DOWN = "look_down", "Look down", "Look down", ("", "", "")
    AUTO_WALK = "auto_walk", "Auto-walk", "Auto-walk on/off", ("X", "", "")
    SLOW_MOTION = "slow_motion", "Slow motion", "Slow motion on/off", ("M", "", "")
    RESTART = "restart", "Restart level", "Restart level", ("R", "", "PAD_BACK")
    CHECKPOINT = "checkpoint", "Back to checkpoint", "Back to checkpoint", ("B", "", "PAD_RB")
    FLY = "fly", "Fly", "Fly on/off", ("F", "", "PAD_X")
    THIRD_PERSON = "third_person", "Third-person view", "Third-person view", ("V", "", "PAD_Y")
    REWIND = "rewind", "Rewind", "Rewind", ("BACKSPACE", "", "PAD_LB")
    AIM = "aim", "Show aim", "Show the aim and where to go", ("TAB", "", "PAD_LS")
    HELP = "help", "Help", "Help", ("F1", "", "PAD_UP")
    EDIT = "edit", "Level editor", "Level editor", ("F2", "", "")
    DEBUG = "debug", "Debug info", "Debug info", ("F3", "", "PAD_DOWN")
    RECORD = "record", "Record", "Start or stop recording", ("F5", "", "PAD_LEFT")
    MOVIE = "movie", "Keep the movie", "Keep the movie", ("F9", "", "")
    PHOTO = "photo", "Photo mode", "Photo mode", ("F10", "", "")
    MENU = "menu", "Pause menu", "Pause menu (second key)", ("", "", "")
    FULLSCREEN = "fullscreen", "Full screen", "Full screen", ("F11", "", "")
    SCREENSHOT = "screenshot", "Screenshot", "Screenshot", ("F12", "", "PAD_RIGHT")

    def __new__(cls, saved_name: str, label: str, help: str, keys: Keys) -> PlayAction:
        member = str.__new__(cls, saved_name)
        member._value_ = saved_name
        return member

    def __init__(self, saved_name: str, label: str, help: str, keys: Keys) -> None:
        super().__init__(Binding(help=help, follows=(self,)))
        self.label = label
        self.default_keys = keys

    __str__ = str.__str__

    @property
    def is_held(self) -> bool:
        """Whether the action lasts while its key is down."""
        return self in HELD_ACTIONS

    @property
    def is_optional(self) -> bool:
        """Whether the game is complete without a key for the action."""
        return self in OPTIONAL_ACTIONS


MOVEMENT_ACTIONS = (PlayAction.FORWARD, PlayAction.LEFT, PlayAction.BACK, PlayAction.RIGHT)
TURN_ACTIONS = (PlayAction.TURN_LEFT, PlayAction.TURN_RIGHT, PlayAction.LOOK_UP, PlayAction.LOOK_DOWN)
FLIGHT_ACTIONS = (*MOVEMENT_ACTIONS, PlayAction.JUMP, PlayAction.CROUCH, PlayAction.SPRINT, *TURN_ACTIONS)
HELD_ACTIONS = (*FLIGHT_ACTIONS, PlayAction.USE)
OPTIONAL_ACTIONS = (*TURN_ACTIONS, PlayAction.AUTO_WALK, PlayAction.SLOW_MOTION, PlayAction.MENU)
GLOBAL_ACTIONS = (PlayAction.DEBUG, PlayAction.RECORD, PlayAction.FULLSCREEN, PlayAction.SCREENSHOT)  # in all modes
WALKING_ACTIONS = (*HELD_ACTIONS, *GLOBAL_ACTIONS)


class MenuAction(Action):
    """An action of a menu or a page of text."""

    UP = Binding("UP W PAD_UP")
    DOWN = Binding("DOWN S PAD_DOWN")
    LEFT = Binding("LEFT A PAD_LEFT")
    RIGHT = Binding("RIGHT D PAD_RIGHT")
    CONFIRM = Binding("RETURN PAD_A")
    CHOOSE = Binding("SPACE")  # as CONFIRM, where no text is typed
    BACK = Binding("ESCAPE PAD_B PAD_START")
    TAB = Binding("TAB PAD_RB PAD_LB")
    PAGE_UP = Binding("PAGEUP")
    PAGE_DOWN = Binding("PAGEDOWN")
    CLEAR = Binding("DELETE BACKSPACE")
    HELP = Binding("F1")


TEXT_PAGE_ACTIONS = (MenuAction.CONFIRM, MenuAction.BACK, MenuAction.CLEAR)  # of a page on which text is typed


class LoadingAction(Action):
    """An action before there is a world."""

    QUIT = Binding("ESCAPE PAD_START")


class PhotoAction(Action):
    """An action of photo mode. The keys that fly come before these."""

    TAKE_PICTURE = Binding("RETURN", "Take the picture", shown="Enter or Left mouse")
    ZOOM_IN = Binding("PLUS", "Zoom", shown="Wheel")
    ZOOM_OUT = Binding("MINUS")
    ROLL_LEFT = Binding("T", "Roll")
    ROLL_RIGHT = Binding("Y", SAME_LINE)
    EARLIER = Binding("N", "Time of day")
    LATER = Binding("M", SAME_LINE)
    SHOW_BODY = Binding("B", "Body", follows=(PlayAction.CHECKPOINT,))
    NEXT_SIZE = Binding("X", "Size")
    SHOW_HUD = Binding("H", "Hide this")
    RESET = Binding("R HOME", "Reset", follows=(PlayAction.RESTART,))
    BACK = Binding("ESCAPE", "Back", follows=(PlayAction.MENU, PlayAction.PHOTO))


class TimeLineAction(Action):
    """An action in a replay; some are also those of a rewind."""

    TOGGLE = Binding("SPACE RETURN PAD_A", "Pause or play")
    STEP_BACK = Binding("LEFT PAD_LEFT", "5 seconds; while paused one step")
    STEP_FORWARD = Binding("RIGHT PAD_RIGHT", SAME_LINE)
    LARGE_STEP = Binding("SHIFT", "5 seconds while paused", shown="Shift Left Right")
    PAGE_BACK = Binding("PAGEUP", "10 seconds")
    PAGE_FORWARD = Binding("PAGEDOWN", SAME_LINE)
    FASTER = Binding("UP PAD_UP", "Faster, slower (1/8 to 4 times)")
    SLOWER = Binding("DOWN PAD_DOWN", SAME_LINE)
    GO_TO_START = Binding("HOME", "Start, end", follows=(PlayAction.RESTART,))
    GO_TO_END = Binding("END", SAME_LINE)
    DRAG_TIME = Binding("", "Drag on the time line to go to any moment", shown="Mouse")
    NEXT_CAMERA = Binding("", "Next camera", follows=(PlayAction.THIRD_PERSON,))
    CAMERA_EYE = Binding("1", "Eye, behind, outside, fixed cameras")
    CAMERA_BEHIND = Binding("2", SAME_LINE)
    CAMERA_OUTSIDE = Binding("3", SAME_LINE)
    CAMERA_FIXED = Binding("4", SAME_LINE)
    TURN_CAMERA = Binding("", "Drag to turn the outside camera", shown="Mouse")
    MOVE_CAMERA = Binding("", "Move the outside camera", shown="Wheel")
    TOGGLE_GHOST = Binding("G PAD_LB PAD_RB", "Ghost on or off", follows=(PlayAction.AIM,))
    MARK_START = Binding("S", "Start and end of a movie; again: no mark")
    MARK_END = Binding("E", SAME_LINE)
    KEEP_MOVIE = Binding("", "Keep the movie, from the present camera", follows=(PlayAction.MOVIE,))
    HELP = Binding("", follows=(PlayAction.HELP,))
    BACK = Binding("ESCAPE PAD_B", "Back", follows=(PlayAction.MENU,))


class RewindAction(Action):
    """An action in a rewind alone."""

    PLAY_FROM_HERE = Binding("RETURN PAD_A")
    GO_TO_START = Binding("HOME")  # the key that restarts does nothing


REWIND_ACTIONS = (
    RewindAction.PLAY_FROM_HERE, TimeLineAction.STEP_BACK, TimeLineAction.STEP_FORWARD, TimeLineAction.LARGE_STEP,
    TimeLineAction.PAGE_BACK, TimeLineAction.PAGE_FORWARD, RewindAction.GO_TO_START, TimeLineAction.GO_TO_END,
)  # fmt: skip


class LabAction(Action):
    """An action of play in a level with ghosts."""

    GHOST_1 = Binding("1")
    GHOST_2 = Binding("2")
    GHOST_3 = Binding("3")
    GHOST_4 = Binding("4")
    GHOST_5 = Binding("5")
    GHOST_6 = Binding("6")
    FAULT_TURN = Binding("7")
    FAULT_INSIDE = Binding("8")
    FAULT_MARGIN = Binding("9")
    FAULT_SLIDE = Binding("0")
    FAULT_SINGLE = Binding("P")
    BRING_GHOSTS = Binding("G")


class EditorAction(EditorLetterAction):
    """An action of the level editor. The keys that fly come after these."""

    FLY = Binding("", "Fly; Space: up, Ctrl: down, Shift: faster", shown="W A S D")
    LEAVE = Binding("F2", "Back to the game")
    EDIT_VALUE_OR_PLAY = Binding("RETURN", "With nothing selected: play from here")
    FREE_POINTER = Binding("I", "Free the pointer: list of tools; right mouse looks around")
    SELECT = Binding("", "Select a piece; with Shift add it or take it away", shown="Left mouse")
    SELECT_PARENT = Binding("Q", "Parent group      Shift+Q: back to the piece")
    NEW_PIECE = Binding("N", "New piece or prefab: type a word, Enter places it")
    FINDINGS = Binding("J", "Findings of check: next, previous, fix")
    MOVE_AHEAD = Binding("UP", "Move by a grid step; or drag with the mouse", shown="Up Down Left Right PgUp PgDn")
    MOVE_BACK = Binding("DOWN")
    MOVE_LEFT = Binding("LEFT")
    MOVE_RIGHT = Binding("RIGHT")
    MOVE_UP = Binding("PAGEUP")
    MOVE_DOWN = Binding("PAGEDOWN")
    NEXT_DRAG_TOOL = Binding("V", "The mouse moves pieces, or pulls their faces")
    SNAPPING = Binding("H", "Snapping to corners and edges on or off (Alt: while held)")
    INVERT_SNAPPING = Binding("ALT LOPTION ROPTION")
    NEXT_GRID = Binding("G", "Grid step: 1, 0.5, 0.25, 0.1 m")
    ROTATE_LEFT = Binding("R", "Rotate by 15° left, right; by 90° with Shift")
    ROTATE_RIGHT = Binding("T", SAME_LINE)
    NEXT_ROW = Binding("TAB", "Next value; increase, decrease (Shift: a tenth)")
    INCREASE = Binding("PLUS", SAME_LINE)
    DECREASE = Binding("MINUS", SAME_LINE)
    TYPE_VALUE = Binding(
        "BACKSPACE", "Type into the chosen row; Enter writes it. Backspace: from empty", shown="Enter 0-9"
    )
    SURFACE = Binding("U", "Surface of the selected pieces")
    DUPLICATE = Binding("C", "Copy; delete (X or Delete)", shown="C X Delete")
    DELETE = Binding("X DELETE")
    UNDO = Binding("Z", "Undo, redo")
    REDO = Binding("Y", SAME_LINE)
    VIEW_GRID = Binding("1", "With nothing selected: grid, quads, slopes, collision")
    VIEW_QUADS = Binding("2", SAME_LINE)
    VIEW_SLOPES = Binding("4", SAME_LINE)
    VIEW_COLLISION = Binding("6", SAME_LINE)
    OPEN_LINE = Binding("E", "Open the line in your text editor")
    COPY_PLACE = Binding("P", "Copy the position as YAML")
    ESCAPE = Binding("ESCAPE PAD_START", "Close, deselect; again: leave editor")
    HELP = Binding("F1")


class TypingAction(Action):
    """An action while a value is typed in the editor."""

    WRITE = Binding("RETURN", "write")
    WRITE_AND_NEXT = Binding("TAB", "write, next")
    CANCEL = Binding("ESCAPE PAD_START", "cancel")
    ERASE = Binding("BACKSPACE DELETE")


class PanelAction(Action):
    """An action of a panel of the editor. Each panel has some of them."""

    UP = Binding("UP")
    DOWN = Binding("DOWN")
    PAGE_UP = Binding("PAGEUP")
    PAGE_DOWN = Binding("PAGEDOWN")
    ACCEPT = Binding("RETURN")
    CLOSE = Binding("ESCAPE PAD_START")
    ERASE = Binding("BACKSPACE DELETE")
    NEXT = Binding("TAB")


LIST_ACTIONS = (PanelAction.UP, PanelAction.DOWN, PanelAction.PAGE_UP, PanelAction.PAGE_DOWN, PanelAction.ACCEPT,
                PanelAction.CLOSE)  # fmt: skip


class FindingsAction(EditorLetterAction):
    NEXT = Binding("J")  # with Shift the previous one
    NEXT_ROW = Binding("RIGHT")
    PREVIOUS = Binding("LEFT")
    OPEN_LINE = Binding("E")
