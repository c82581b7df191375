"""Edits of pieces by the editor: transforms, sizes and the palette of new pieces."""
