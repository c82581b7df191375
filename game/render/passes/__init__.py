"""Render passes: level, movers, balls, shadows, bloom, markers, zones and overlays."""
