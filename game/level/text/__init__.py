"""Editing a level's text in place: comments, layout and everything that an edit is not about stay as they are."""

from game.level.text.differences import unified_diff
from game.level.text.draft import Draft
from game.level.text.entry import Entry
from game.level.text.layout import EditRefused
from game.level.text.saving import NotSaved, backup_of, read, save
from game.level.text.shown import point, shown, written

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
