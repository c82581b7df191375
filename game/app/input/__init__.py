"""Keyboard, mouse and gamepad input."""
