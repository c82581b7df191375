"""The keys of the F2 mode, as the help and the strip at the foot tell them."""

from __future__ import annotations

Keys = tuple[tuple[str, str], ...]

HELP: Keys = (
    ("W A S D", "fly; Space up, Ctrl down, Shift faster"),
    ("F2", "back to the walker      Enter: walk on from here"),
    ("1 2 3 4 5 6", "grid, quads, normals, slopes, seams, what collides"),
    ("M", "ruler: first end, second end"),
    ("E", "open the line in your editor"),
    ("P   O", "copy the place, or a spawn here, as YAML"),
    ("click", "pick a piece      Q: what it stands in, Shift+Q: back"),
    ("arrows, PgUp PgDn", "move; or hold the mouse button and look"),
    ("G", "grid: 1, 0.5, 0.25, 0.1 m"),
    ("R   T", "turn by 15° left, right; by 90° with Shift"),
    ("Tab   +   -", "next number; more, less (a tenth with Shift)"),
    ("C   X", "copy, delete"),
    ("N", "new piece from the palette"),
    ("Z   Y", "undo, redo"),
    ("Esc", "let go of what is picked; then back to the walker"),
)
WIDE = 620.0  # of the help panel

LOOKING: Keys = (
    ("F2", "back"),
    ("click", "pick"),
    ("N", "new"),
    ("M", "ruler"),
    ("E", "open the line"),
    ("P", "copy the place"),
    ("1-6", "views"),
    ("Z Y", "undo, redo"),
    ("F1", "all keys"),
)
PICKED: Keys = (
    ("arrows, PgUp PgDn", "move"),
    ("R T", "turn"),
    ("Tab", "number"),
    ("+ -", "more, less"),
    ("C", "copy"),
    ("X", "delete"),
    ("Q", "wider"),
    ("Z Y", "undo, redo"),
    ("Esc", "let go"),
)
PALETTE: Keys = (("up, down", "choose"), ("Enter", "put it here"), ("Esc", "not now"))
AWAY = "click to go on"
