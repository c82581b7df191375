"""Additions of the application to a frame: messages, fade, balls, golf, tick diagrams and timelines."""
