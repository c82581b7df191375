"""Bots that walk a level in its own physics, and what they find: `check --walk`."""
