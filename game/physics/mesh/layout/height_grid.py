"""Columns of a height field row (float64). Horizontal coordinates are (x, z) in metres.

Column of a point: COLUMN_X (x - ORIGIN_X) + COLUMN_Z (z - ORIGIN_Z); its row likewise by ROW_X, ROW_Z.
"""

ORIGIN_X = 0  # m: corner of column 0 and row 0
ORIGIN_Z = 1
COLUMN_X = 2  # columns per metre
COLUMN_Z = 3
ROW_X = 4  # rows per metre
ROW_Z = 5
COLUMNS = 6  # number of columns
ROWS = 7  # number of rows
FIRST_CELL = 8  # index of its first cell in `cells`
WIDTH = 9
