"""Surroundings of the walker beside the mesh: zones, moving platforms and their motion."""
