"""Tools of the editor: those of the mouse, rows of fields, placement and snapping."""
