"""Limits that the physics enforces and that checks of levels name without importing it: it loads compiled kernels."""

MAX_WALKER_SPEED = (
    100_000.0  # m/s of a walker: a faster velocity is refused, and a tick that begins with one is slowed down
)
MAX_MOVER_SPEED = 200.0  # m/s at the rim of a mover: a faster one cannot carry or push a walker reliably
