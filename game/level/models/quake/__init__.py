"""Quake maps as TrenchBroom writes them: entities, brushes and their textures."""
