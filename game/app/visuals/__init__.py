"""Visuals that the application adds to a frame: balls, golf, tick diagrams and the rewind timeline."""
