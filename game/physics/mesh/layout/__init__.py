"""Column layouts of the mesh's kernel arrays, one module for each array: `from .layout import height_grid`."""
