"""A piece in a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .yaml_tree import TreeMapping, TreeNode, TreeScalar

if TYPE_CHECKING:
    from .yaml_document import YamlDocument


class DocumentEntry:
    """A piece (or a record like `sky`) in a draft. It stays the same one while other parts are edited."""

    __slots__ = ("__weakref__", "draft", "start")

    def __init__(self, draft: YamlDocument, start: int) -> None:
        self.draft = draft
        self.start = start  # of its kind's name, in the draft's text; -1 when it was taken out

    @property
    def kind(self) -> str:
        """What it is: `box`; of an entry at the top of the file, its name."""
        key, _ = self.draft._pair(self)
        return key.text if isinstance(key, TreeScalar) else ""

    @property
    def text(self) -> str:
        """Its own text: `box: {...}`, with the comments inside and none behind."""
        key, value = self.draft._pair(self)
        return self.draft._text[key.start : max(key.end, value.end)]

    @property
    def span(self) -> tuple[int, int]:
        """Where `text` stands in the draft's text."""
        key, value = self.draft._pair(self)
        offset = len(self.draft._bom)
        return key.start + offset, max(key.end, value.end) + offset

    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last line that it is written on, counted from 1."""
        start, end = self.span
        return self.draft.line_of(start), self.draft.line_of(max(start, end - 1))

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that are written."""
        _, value = self.draft._pair(self)
        pairs = value.pairs if isinstance(value, TreeMapping) else []
        return tuple(key.text for key, _ in pairs if isinstance(key, TreeScalar))

    def field_node(self, field: str) -> TreeNode | None:
        """The value of a field with the places of all in it; None where it is not written. Of the text as it is now."""
        _, value = self.draft._pair(self)
        found = value.find(field) if isinstance(value, TreeMapping) else []
        return found[0][1] if found else None

    def field_text(self, field: str) -> str | None:
        """The text of a field's value, as written without its anchor; None where it is not written."""
        _, value = self.draft._pair(self)
        found = value.find(field) if isinstance(value, TreeMapping) else []
        return self.draft._text[found[0][1].content : found[0][1].end] if found else None
