"""Comparison of two walks: the first tick that differs, its fields, and the surface that made the difference."""
