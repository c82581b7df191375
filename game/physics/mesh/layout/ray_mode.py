"""Layout: ray mode."""

# what `walk_rays` looks for
NEAREST = 0
ANY = 1
ALL = 2
