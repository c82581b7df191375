"""Levels by a seed."""
