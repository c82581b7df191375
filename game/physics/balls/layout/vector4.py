"""Columns of packed vectors (float64, one row per ball): 32 bytes, which one vector instruction reads."""

X = 0
Y = 1
Z = 2
# positions: reach or radius, m; velocities: 1 / mass, 1/kg; spins: radius, m; contact normals: approach limit, m/s
W = 3
