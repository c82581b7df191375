"""The rows that menu pages are made of: plain data."""

from __future__ import annotations

from dataclasses import dataclass

ACTION, BINDING = "action", "binding"  # beside the kinds of the options
LEVEL, HEADING, KEY = "level", "heading", "key"

UNCHOSEN = frozenset({HEADING, KEY})  # kinds that are read only


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a page.

    `kind` is one of the words above; `part` (0 to 1) is how far a slider stands, None where there is no slider;
    `sentence` tells what the row is for and is shown while it is chosen; `picture` names an image file, and
    `note` stands below it.
    """

    name: str
    label: str
    kind: str = ACTION
    value: str = ""
    part: float | None = None
    sentence: str = ""
    picture: str = ""
    note: str = ""
    enabled: bool = True
    warns: bool = False  # something about it wants mending

    @property
    def can_be_chosen(self) -> bool:
        """Whether keys and mouse stop at it."""
        return self.enabled and self.kind not in UNCHOSEN
