"""Guidance of the player: the aim of a level, the title card, the goal marker and the hints."""
