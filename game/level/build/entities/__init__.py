"""Entities of a level without faces of their own: lights, targets, zones, movers, balls, golf, exits, height fields."""
