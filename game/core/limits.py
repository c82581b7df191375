"""Limits that the physics enforces and that checks of levels name without importing it: it loads compiled kernels."""

MAX_MOVER_SPEED = 200.0  # m/s at the rim of a mover: a faster one cannot carry or push a walker reliably
