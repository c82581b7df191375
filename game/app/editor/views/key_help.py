"""Key help of the editor: the help page, the strip at the bottom, and the list of tools for the mouse."""

from __future__ import annotations

Keys = tuple[tuple[str, str], ...]

HELP_KEYS: Keys = (
    ("W A S D", "Fly; Space: up, Ctrl: down, Shift: faster"),
    ("F2", "Back to the game"),
    ("Enter", "With nothing selected: play from here"),
    ("I", "Free the pointer: list of tools; right mouse looks around"),
    ("Left mouse", "Select a piece; with Shift add it or take it away"),
    ("Q", "Parent group      Shift+Q: back to the piece"),
    ("N", "New piece or prefab: type a word, Enter places it"),
    ("F", "Find by name, kind or surface; fly there"),
    ("J", "Findings of check: next, previous, fix"),
    ("Up Down Left Right PgUp PgDn", "Move by a grid step; or drag with the mouse"),
    ("V", "The mouse moves pieces, or pulls their faces"),
    ("H", "Snapping to corners and edges on or off (Alt: while held)"),
    ("G", "Grid step: 1, 0.5, 0.25, 0.1 m"),
    ("R   T", "Rotate by 15° left, right; by 90° with Shift"),
    ("Tab   +   -", "Next value; increase, decrease (Shift: a tenth)"),
    ("Enter   0-9", "Type into the chosen row; Enter writes it. Backspace: from empty"),
    ("U", "Surface of the selected pieces"),
    ("L", "Repeat along a line or around a circle"),
    ("K", "Align the selected pieces, or space them evenly"),
    ("B", "The player's body: sliders, and walk with it"),
    ("C   X   Delete", "Copy; delete (X or Delete)"),
    ("Z   Y", "Undo, redo"),
    ("M", "Ruler: first end, second end"),
    ("1 2 3 4 5 6", "With nothing selected: grid, quads, normals, slopes, seams, collision"),
    ("E", "Open the line in your text editor"),
    ("P   O", "Copy the position, or a spawn here, as YAML"),
    ("Esc", "Close, deselect; again: leave editor"),
)
HELP_WIDTH = 820.0  # of the help panel

INSPECT_KEYS: Keys = (
    ("F2", "leave"),
    ("Left mouse", "select"),
    ("N", "new"),
    ("F", "find"),
    ("J", "findings"),
    ("I", "tools"),
    ("M", "ruler"),
    ("E", "open the line"),
    ("1-6", "views"),
    ("Z Y", "undo, redo"),
    ("F1", "all keys"),
)
SELECTION_KEYS: Keys = (
    ("Up Down Left Right PgUp PgDn", "move"),
    ("R T", "rotate"),
    ("Tab", "value"),
    ("+ -", "more, less"),
    ("Enter", "type"),
    ("U", "surface"),
    ("C", "copy"),
    ("L", "repeat"),
    ("X", "delete"),
    ("Q", "parent group"),
    ("Z Y", "undo, redo"),
    ("Esc", "deselect"),
)
TYPING_KEYS: Keys = (("Enter", "write"), ("Tab", "write, next"), ("Esc", "cancel"))
SUSPENDED_HINT = "Click to continue"

# For the mouse: label and key of each tool.
TOOLS: Keys = (
    ("New piece", "N"),
    ("Find", "F"),
    ("Findings", "J"),
    ("Mouse moves or pulls", "V"),
    ("Snapping", "H"),
    ("Grid step", "G"),
    ("Surface", "U"),
    ("Rotate left", "R"),
    ("Rotate right", "T"),
    ("Copy", "C"),
    ("Repeat", "L"),
    ("Align", "K"),
    ("Parent group", "Q"),
    ("Delete", "X"),
    ("Undo", "Z"),
    ("Redo", "Y"),
    ("Ruler", "M"),
    ("Player's body", "B"),
    ("All keys", "F1"),
    ("Leave the editor", "F2"),
)
