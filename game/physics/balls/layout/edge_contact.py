"""Columns of a contact with an edge or vertex of a triangle (row of BallScratch.edge_contacts, float64)."""

TRIANGLE = 0
POINT = 1  # 3: m, closest point
DISTANCE = 4  # m, from the centre of the ball
WIDTH = 5
