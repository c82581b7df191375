"""Columns of a material row (float64); see physics.mesh.material.Material for their meaning."""

FRICTION = 0
RESTITUTION = 1  # 0..1
SPEED_FACTOR = 2
SURFACE_VELOCITY_X = 3  # m/s, east
SURFACE_VELOCITY_Z = 4  # m/s, south
WALL_FRICTION = 5  # 0..1
ROLLING_RESISTANCE = 6  # part of gravity
SOFTNESS = 7  # 0..1
WIDTH = 8
