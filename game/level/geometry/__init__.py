"""Geometry of level building: face arrays, instancing, quads, ear clipping and spatial grids."""
