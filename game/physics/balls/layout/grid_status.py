"""Values of status.GRID_STATUS; 0: the ball is in its grid column only."""

TOO_WIDE = 1  # its reach is too large for a column
LEFT_REACH = 2  # an impact has led it beyond the sphere in which its pairs were found
