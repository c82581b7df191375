"""Tools of the editor: dragging, rows of fields, snapping, arrays and alignment."""
