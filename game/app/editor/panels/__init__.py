"""Panels of the editor at the right side: palette, findings and surfaces."""
