"""The menus: a stack of pages, each of them rows of plain data, used alike by keys, mouse and gamepad."""

from .menus import Menus
from .rows import Row
from .stack import Menu, Page
from .title import coming

__all__ = ["Menu", "Menus", "Page", "Row", "coming"]
