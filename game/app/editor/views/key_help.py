"""Key help of the editor: the help page, the strip at the bottom, and the list of tools for the mouse."""

from __future__ import annotations

from collections.abc import Callable

from ...input.actions import Action, EditorAction

Keys = tuple[tuple[str, str], ...]
Strip = tuple[tuple[str | tuple[Action, ...], str], ...]  # actions, or the text in place of their keys; a word

HELP_WIDTH = 820.0  # of the help panel

INSPECT_STRIP: Strip = (
    ((EditorAction.LEAVE,), "leave"),
    (EditorAction.SELECT.shown, "select"),
    ((EditorAction.NEW_PIECE,), "new"),
    ((EditorAction.FINDINGS,), "findings"),
    ((EditorAction.FREE_POINTER,), "tools"),
    ((EditorAction.OPEN_LINE,), "open the line"),
    ("1 2 4 6", "views"),
    ((EditorAction.UNDO, EditorAction.REDO), "undo, redo"),
    ((EditorAction.HELP,), "all keys"),
)
SELECTION_STRIP: Strip = (
    (EditorAction.MOVE_AHEAD.shown, "move"),
    ((EditorAction.ROTATE_LEFT, EditorAction.ROTATE_RIGHT), "rotate"),
    ((EditorAction.NEXT_ROW,), "value"),
    ((EditorAction.INCREASE, EditorAction.DECREASE), "more, less"),
    ((EditorAction.EDIT_VALUE_OR_PLAY,), "type"),
    ((EditorAction.SURFACE,), "surface"),
    ((EditorAction.DUPLICATE,), "copy"),
    ((EditorAction.DELETE,), "delete"),
    ((EditorAction.SELECT_PARENT,), "parent group"),
    ((EditorAction.UNDO, EditorAction.REDO), "undo, redo"),
    ((EditorAction.ESCAPE,), "deselect"),
)
SUSPENDED_HINT = "Click to continue"

# For the mouse: label and action of each tool.
TOOLS: tuple[tuple[str, EditorAction], ...] = (
    ("New piece", EditorAction.NEW_PIECE),
    ("Findings", EditorAction.FINDINGS),
    ("Mouse moves or pulls", EditorAction.NEXT_DRAG_TOOL),
    ("Snapping", EditorAction.SNAPPING),
    ("Grid step", EditorAction.NEXT_GRID),
    ("Surface", EditorAction.SURFACE),
    ("Rotate left", EditorAction.ROTATE_LEFT),
    ("Rotate right", EditorAction.ROTATE_RIGHT),
    ("Copy", EditorAction.DUPLICATE),
    ("Parent group", EditorAction.SELECT_PARENT),
    ("Delete", EditorAction.DELETE),
    ("Undo", EditorAction.UNDO),
    ("Redo", EditorAction.REDO),
    ("All keys", EditorAction.HELP),
    ("Leave the editor", EditorAction.LEAVE),
)


def strip_rows(strip: Strip, label: Callable[[Action], str]) -> Keys:
    """Keys and words of a strip. label: of the key of an action."""
    return tuple((keys if isinstance(keys, str) else " ".join(map(label, keys)), word) for keys, word in strip)
