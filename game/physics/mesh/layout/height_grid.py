"""Layout: height grid."""

# A field's row: place of its first corner x, z; columns and rows to the metre along x and z; their number; first cell
ORIGIN_X = 0
ORIGIN_Z = 1
COLUMN_X = 2
COLUMN_Z = 3
ROW_X = 4
ROW_Z = 5
COLUMNS = 6
ROWS = 7
FIRST_CELL = 8
WIDTH = 9
