"""Level editor of the game (F2): picking, edit tools, undo history, overlays and external editors."""
