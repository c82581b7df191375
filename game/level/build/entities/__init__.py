"""Entities of a level: zones, movers, lights, targets, balls, exits, golf and height fields."""
