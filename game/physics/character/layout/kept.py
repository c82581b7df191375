"""Rows of a kept list (float64): the level's triangles around one walker, one column each, and a header row."""

BOX_MIN = 0  # 3: bounding box of the triangle, m
BOX_MAX = 3  # 3
TRIANGLE = 6  # its index, exact as a float; ascending
HEADER = 7
ROWS = 8

# Columns of the header row
COVERED_BOX = 0  # 6: world box in which the list is complete, min xyz, max xyz; inverted: there is no list
COVERED_BOX_MAX = 3
COUNT = 6  # columns in use
LAST_BOX = 7  # 3: min xyz of the box of the last tick; infinite: there is none
GROWTH = 10  # factor on how far the next list reaches beyond the box of a tick
MIN_CAPACITY = 11
