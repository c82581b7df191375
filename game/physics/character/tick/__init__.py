"""One tick of a walker as a sequence of phases (docs/physics.md, "A tick").

`run` is the kernel that runs many ticks, `step` the sequence of the phases, and the other modules hold the phases.
"""
