"""Rows of menu pages, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

# Kinds of rows besides the kinds of settings.
ACTION_ROW = "action"
BINDING_ROW = "binding"
LEVEL_ROW = "level"
HEADING_ROW = "heading"
KEY_ROW = "key"

READ_ONLY_KINDS = frozenset({HEADING_ROW, KEY_ROW})  # kinds that cannot be selected


@dataclass(frozen=True, slots=True)
class MenuRow:
    """One line of a page.

    kind              one of the words above, or the kind of a setting
    slider_fraction   0 to 1, None without a slider
    sentence          description that is shown while the row is selected
    picture, note     image file, and the text below it
    medal             of the best run of a level: "gold", "silver", "bronze" or nothing
    is_warning        marks a value that needs attention
    """

    name: str
    label: str
    kind: str = ACTION_ROW
    value: str = ""
    slider_fraction: float | None = None
    sentence: str = ""
    picture: str = ""
    note: str = ""
    enabled: bool = True
    is_warning: bool = False
    medal: str = ""

    @property
    def is_selectable(self) -> bool:
        """Whether keys and mouse can select it."""
        return self.enabled and self.kind not in READ_ONLY_KINDS
