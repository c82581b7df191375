"""Bits of `edge_active`: sides of a triangle from which an edge can be touched before a face is."""

FRONT = 1
BACK = 2
