"""Columns of a zone that a mover carries (float64)."""

from . import zone_row

ROW = 0  # of the zone
MOVER = 1  # its index
HOME = 2  # 3: origin of the mover at home, m
REST = 5  # zone_row.WIDTH: the row of the zone with the mover at home
WIDTH = REST + zone_row.WIDTH
