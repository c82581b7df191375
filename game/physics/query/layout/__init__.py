"""Column layouts of the rows that query kernels read."""
