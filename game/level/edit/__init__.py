"""Editing a level's text in place: comments, layout and everything that an edit is not about stay as they are."""

from .entry import Entry
from .layout import EditRefused
from .number_format import point, shown, written
from .save import NotSaved, backup_of, read, save
from .text_diff import unified_diff
from .yaml_document import Draft

__all__ = [
    "Draft",
    "EditRefused",
    "Entry",
    "NotSaved",
    "backup_of",
    "point",
    "read",
    "save",
    "shown",
    "unified_diff",
    "written",
]
