"""Levels made from models: the level file, its spawns, and hints about units."""
