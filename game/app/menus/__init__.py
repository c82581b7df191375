"""The menus: a stack of pages, each of them rows of plain data, used alike by keys, mouse and gamepad."""

from .menus import Menus
from .rows import Row
from .stack import Menu, Page

__all__ = ["Menu", "Menus", "Page", "Row"]
