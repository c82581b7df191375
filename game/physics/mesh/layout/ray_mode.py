"""Modes of `cast_rays`."""

NEAREST = 0  # the nearest hit of each ray
ANY = 1  # the first hit found
ALL = 2  # all hits, unordered
