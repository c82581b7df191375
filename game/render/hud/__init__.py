"""HUD: fonts, glyph atlas, layout, panels, cards and pages."""
