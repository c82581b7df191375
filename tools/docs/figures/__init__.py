"""What `python -m tools.docs.physics_figures` draws: the figures of docs/physics.md, from what the physics computes."""
