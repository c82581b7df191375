"""Column layouts of the environment's kernel arrays, one module for each array: `from .layout import zone_row`."""
