"""Environment of the walker apart from the mesh: zones, moving platforms and their motion."""
