"""Column layouts of the kernels' arrays, one module for each array: `from .layout import body; b[body.SKIN]`."""
