"""What `python -m tools.make_figures` draws: the figures of docs/physics.md, from what the physics computes."""
