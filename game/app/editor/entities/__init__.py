"""Entities in the editor: handles of what has no faces, their parts, and the records at the top of a level file."""
