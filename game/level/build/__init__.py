"""Builds a level's faces and entities from its pieces."""
