"""Figures of docs/physics.md, drawn by `python -m tools.docs.physics_figures` from what the physics computes."""
