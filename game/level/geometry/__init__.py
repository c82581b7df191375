"""Quads and faces of a level, their instancing and spatial grids."""
