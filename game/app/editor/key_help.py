"""Key help of the editor, for the help page and the strip at the bottom."""

from __future__ import annotations

Keys = tuple[tuple[str, str], ...]

HELP_KEYS: Keys = (
    ("W A S D", "Fly; Space: up, Ctrl: down, Shift: faster"),
    ("F2", "Back to the game      Enter: play from here"),
    ("1 2 3 4 5 6", "Show grid, quads, normals, slopes, seams, collision"),
    ("M", "Ruler: first end, second end"),
    ("E", "Open the line in your text editor"),
    ("P   O", "Copy the position, or a spawn here, as YAML"),
    ("Left mouse", "Select a piece      Q: parent group, Shift+Q: back"),
    ("Up Down Left Right PgUp PgDn", "Move; or drag with the mouse"),
    ("G", "Grid step: 1, 0.5, 0.25, 0.1 m"),
    ("R   T", "Rotate by 15° left, right; by 90° with Shift"),
    ("Tab   +   -", "Next number; increase, decrease (Shift: a tenth)"),
    ("C   X", "Copy, delete"),
    ("N", "New piece from the palette"),
    ("Z   Y", "Undo, redo"),
    ("Esc", "Deselect; again: leave editor"),
)
HELP_WIDTH = 620.0  # of the help panel

INSPECT_KEYS: Keys = (
    ("F2", "leave"),
    ("Left mouse", "select"),
    ("N", "new"),
    ("M", "ruler"),
    ("E", "open the line"),
    ("P", "copy position"),
    ("1-6", "views"),
    ("Z Y", "undo, redo"),
    ("F1", "all keys"),
)
SELECTION_KEYS: Keys = (
    ("Up Down Left Right PgUp PgDn", "move"),
    ("R T", "rotate"),
    ("Tab", "number"),
    ("+ -", "more, less"),
    ("C", "copy"),
    ("X", "delete"),
    ("Q", "parent group"),
    ("Z Y", "undo, redo"),
    ("Esc", "deselect"),
)
PALETTE_KEYS: Keys = (("Up Down", "choose"), ("Enter", "place here"), ("Esc", "cancel"))
SUSPENDED_HINT = "Click to continue"
