"""Text rendering: font metrics, glyph bitmaps, distance fields and the glyph atlas."""
