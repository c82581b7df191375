"""Classes of contact planes (docs/physics.md, "Contacts")."""

WALKABLE = 1
WALL = 2
CEILING = 3
