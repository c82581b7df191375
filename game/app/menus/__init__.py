"""Menus: a stack of pages of rows, driven alike by keyboard, mouse and gamepad."""
