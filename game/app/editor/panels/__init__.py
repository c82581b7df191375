"""Panels of the editor at the right side: palette, search, findings, arrays, alignment, surfaces and tools."""
