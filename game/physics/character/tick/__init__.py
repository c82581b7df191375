"""One tick of a walker as a sequence of phases (docs/physics.md, "A tick")."""
