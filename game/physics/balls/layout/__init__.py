"""Column layouts of the balls' kernel arrays, one module for each array: `from .layout import ball`."""
