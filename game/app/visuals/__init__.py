"""Additions of the application to a frame: messages, fade, balls, golf, the anatomy of a tick and timelines."""
