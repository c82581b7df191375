"""Quake .map files as TrenchBroom writes them: entities, brushes and textures."""
