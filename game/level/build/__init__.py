"""Building of a level: faces and entities from its pieces."""
