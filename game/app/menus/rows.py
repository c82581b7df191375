"""The rows that menu pages are made of: plain data."""

from __future__ import annotations

from dataclasses import dataclass

ACTION_ROW, BINDING_ROW = "action", "binding"  # beside the kinds of the options
LEVEL_ROW, HEADING_ROW, KEY_ROW = "level", "heading", "key"

READ_ONLY_KINDS = frozenset({HEADING_ROW, KEY_ROW})  # kinds that are read only


@dataclass(frozen=True, slots=True)
class MenuRow:
    """One line of a page.

    `kind` is one of the words above; `part` (0 to 1) is how far a slider stands, None where there is no slider;
    `sentence` tells what the row is for and is shown while it is chosen; `picture` names an image file, and
    `note` stands below it.
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
    is_warning: bool = False  # something about it wants mending

    @property
    def is_selectable(self) -> bool:
        """Whether keys and mouse stop at it."""
        return self.enabled and self.kind not in READ_ONLY_KINDS
