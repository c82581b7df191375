"""YAML composer: parser events become nodes with source positions, in one pass, with bounds on everything.

PyYAML's own composer recurses in C, and a deeply nested file ends the process. Here depth, nodes, anchors and
aliases are checked before a node is created. All scalars stay text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Generic, NoReturn, Protocol, TypeVar

import yaml

from .findings import InputError, SourceSpan, quote_text, sanitize_text, suggest_word

_Node = TypeVar("_Node")

YAML_LOADER: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
MAX_NODES = 300_000  # in all files of a level; an alias counts as all nodes of its anchor
MAX_DEPTH = 64  # lists and mappings inside each other
NESTED_TOO_DEEP = f"lists and mappings are nested more than {MAX_DEPTH} deep"
MAX_ALIASES = 1000


class YamlMark(Protocol):
    """Position of a PyYAML event, counted from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


class YamlUsage:
    """Total of nodes, aliases and expression characters in the files of one level."""

    __slots__ = ("aliases", "expression_characters", "nodes")

    def __init__(self) -> None:
        self.nodes = 0
        self.aliases = 0
        self.expression_characters = 0


@dataclass(frozen=True, slots=True)
class NodeSource:
    """File of a node (its displayed path, "" for the level's own) and the usage counts of its level."""

    file: str
    usage: YamlUsage


class YamlNode:
    """Value with its position. The length of `place` covers the first line only."""

    __slots__ = ("_column", "_length", "_line", "source")

    def __init__(self, start: YamlMark | None, end: YamlMark | None, source: NodeSource) -> None:
        self._line = start.line if start else 0
        self._column = start.column if start else 0
        self._length = end.column - self._column if end and end.line == self._line else 1
        self.source = source

    def set_end(self, mark: YamlMark | None) -> None:
        if mark and mark.line == self._line:
            self._length = mark.column - self._column

    @property
    def place(self) -> SourceSpan:
        return SourceSpan(self._line + 1, self._column + 1, max(1, self._length), self.source.file)


class YamlScalar(YamlNode):
    """Text. plain: without quotes and not a block scalar."""

    __slots__ = ("plain", "text")

    def __init__(
        self, start: YamlMark | None, end: YamlMark | None, source: NodeSource, text: str, plain: bool
    ) -> None:
        super().__init__(start, end, source)
        self.text = text
        self.plain = plain

    def locate(self, column: int, length: int = 1) -> SourceSpan:
        """Position of the character `column` (from 1) of its text; the whole scalar if escapes make that unknown."""
        place = self.place
        quote = (place.length - len(self.text)) // 2
        if quote not in (0, 1) or place.length != len(self.text) + 2 * quote:
            return place
        return SourceSpan(place.line, place.column + quote + column - 1, length, place.file)


class YamlList(YamlNode):
    """List: `items` in order."""

    __slots__ = ("items",)

    def __init__(self, start: YamlMark | None, source: NodeSource) -> None:
        super().__init__(start, None, source)
        self.items: list[YamlNode] = []


class YamlMapping(YamlNode):
    """Mapping: `pairs` of key and value in order. A key may occur twice."""

    __slots__ = ("pairs",)

    def __init__(self, start: YamlMark | None, source: NodeSource, pairs: list[tuple[YamlNode, YamlNode]]) -> None:
        super().__init__(start, None, source)
        self.pairs = pairs

    @property
    def first_name(self) -> str:
        """Text of the first key; '' if there is none, or if it is no scalar."""
        key = self.pairs[0][0] if self.pairs else None
        return key.text if isinstance(key, YamlScalar) else ""


def duplicate_message(name: str, first: SourceSpan) -> str:
    """Words for a name that is given again."""
    return f"{quote_text(name)} is given twice; the first is at line {first.line}, column {first.column}"


def compose_nodes(text: str, file: str = "", usage: YamlUsage | None = None) -> YamlNode | None:
    """Root node of the one document in `text`; None for an empty document. Raises InputError past any bound.

    file: the displayed path that the nodes' places name. usage: counts of the other files of the same level.
    """
    composer = _NodeComposer(NodeSource(file, usage or YamlUsage()))
    try:
        return composer.compose(text)
    except yaml.YAMLError as error:
        if "maximum nesting depth" in str(error):  # libyaml 0.2.6 reads ahead to its own limit of 1000
            _raise_bound_error(error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None, NESTED_TOO_DEEP)
        raise _plain_yaml_error(error, text) from None


class OpenCollection(Generic[_Node]):
    """List or mapping whose end has not been read: its children so far, a mapping's keys and values in turn.

    size: nodes in it, itself included. height: levels below it.
    """

    __slots__ = ("anchor", "children", "height", "node", "size")

    def __init__(self, node: _Node, anchor: str | None) -> None:
        self.node = node
        self.anchor = anchor
        self.children: list[_Node] = []
        self.size = 1
        self.height = 0


class EventComposer(ABC, Generic[_Node]):
    """Builds a tree of nodes from PyYAML's parser events, with a stack instead of recursion.

    Subclasses create the nodes; they raise their own errors where the text exceeds a bound.
    """

    def __init__(self) -> None:
        self.root: _Node | None = None
        self.stack: list[OpenCollection[_Node]] = []
        self._documents = 0

    def compose(self, text: str) -> _Node | None:
        """Root node of `text`. Raises yaml.YAMLError where it is not YAML."""
        for event in yaml.parse(text, Loader=YAML_LOADER):
            if isinstance(event, yaml.ScalarEvent):
                self.add(self.create_scalar(event))
            elif isinstance(event, yaml.CollectionStartEvent):
                node = self.open_collection(event)
                if len(self.stack) >= MAX_DEPTH:
                    self.fail_nesting(event)
                self.stack.append(OpenCollection(node, event.anchor))
            elif isinstance(event, yaml.CollectionEndEvent):
                closed = self.stack.pop()
                self.close_collection(closed, event)
                self.add(closed.node, closed.size, closed.height + 1)
            elif isinstance(event, yaml.AliasEvent):
                self.add_alias(event)
            elif isinstance(event, yaml.DocumentStartEvent):
                self._documents += 1
                if self._documents > 1:
                    self.fail_second_document(event)
        return self.root

    def add(self, node: _Node, size: int = 1, height: int = 0) -> None:
        """Append a finished node to the innermost open collection."""
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1]
        parent.children.append(node)
        parent.size += size
        if height >= parent.height:
            parent.height = height

    @abstractmethod
    def create_scalar(self, event: yaml.ScalarEvent) -> _Node: ...
    @abstractmethod
    def open_collection(self, event: yaml.CollectionStartEvent) -> _Node: ...
    @abstractmethod
    def close_collection(self, done: OpenCollection[_Node], event: yaml.CollectionEndEvent) -> None: ...
    @abstractmethod
    def add_alias(self, event: yaml.AliasEvent) -> None: ...
    @abstractmethod
    def fail_nesting(self, event: yaml.CollectionStartEvent) -> NoReturn: ...
    @abstractmethod
    def fail_second_document(self, event: yaml.DocumentStartEvent) -> NoReturn: ...


class _NodeComposer(EventComposer[YamlNode]):
    """Composer of the reader's nodes. An alias is the node of its anchor; nodes, aliases and depth are bounded."""

    def __init__(self, source: NodeSource) -> None:
        super().__init__()
        self.source = source
        self._usage = source.usage
        self._anchors: dict[str, tuple[YamlNode, int, int] | None] = {}  # node, size, height; None: not finished

    def create_scalar(self, event: yaml.ScalarEvent) -> YamlNode:
        self._begin(event)
        scalar = YamlScalar(event.start_mark, event.end_mark, self.source, event.value, not event.style)
        if event.anchor is not None:
            self._anchors[event.anchor] = (scalar, 1, 0)
        return scalar

    def open_collection(self, event: yaml.CollectionStartEvent) -> YamlNode:
        self._begin(event)
        if isinstance(event, yaml.MappingStartEvent):
            return YamlMapping(event.start_mark, self.source, [])
        return YamlList(event.start_mark, self.source)

    def close_collection(self, closed: OpenCollection[YamlNode], event: yaml.CollectionEndEvent) -> None:
        node = closed.node
        node.set_end(event.end_mark)
        if isinstance(node, YamlMapping):
            node.pairs = list(zip(closed.children[::2], closed.children[1::2], strict=True))
        elif isinstance(node, YamlList):
            node.items = closed.children
        if closed.anchor is not None:
            self._anchors[closed.anchor] = (node, closed.size, closed.height + 1)

    def add_alias(self, event: yaml.AliasEvent) -> None:
        name = str(event.anchor)
        mark = event.start_mark
        if name not in self._anchors:
            cure = suggest_word(name, self._anchors) or f"write `&{sanitize_text(name)}` before it"
            _raise_bound_error(mark, f"the alias {quote_text('*' + name)} has no anchor", cure)
        known = self._anchors[name]
        if known is None:
            _raise_bound_error(mark, f"the alias {quote_text('*' + name)} is inside its own anchor")
        node, size, height = known
        self._usage.aliases += 1
        if self._usage.aliases > MAX_ALIASES:
            _raise_bound_error(mark, f"the level has more than {MAX_ALIASES} aliases", "use `array`")
        if len(self.stack) + height > MAX_DEPTH:
            _raise_bound_error(mark, f"{NESTED_TOO_DEEP} through aliases")
        self._count(size, mark)
        self.add(node, size, height)

    def fail_nesting(self, event: yaml.CollectionStartEvent) -> NoReturn:
        _raise_bound_error(event.start_mark, NESTED_TOO_DEEP)

    def fail_second_document(self, event: yaml.DocumentStartEvent) -> NoReturn:
        cure = "a file contains one level: remove the `---`"
        _raise_bound_error(event.start_mark, "a second YAML document begins here", cure)

    def _begin(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        """Check the tag, the anchor and the number of nodes where a node begins."""
        if event.tag is not None and event.tag != "!":
            cure = "levels do not use tags: remove it"
            _raise_bound_error(event.start_mark, f"the tag {quote_text(str(event.tag))} is not allowed", cure)
        if event.anchor is not None:
            if event.anchor in self._anchors:
                message = f"the anchor {quote_text('&' + event.anchor)} is already defined"
                _raise_bound_error(event.start_mark, message, "give it another name")
            self._anchors[event.anchor] = None
        self._count(1, event.start_mark)

    def _count(self, nodes: int, mark: YamlMark | None) -> None:
        self._usage.nodes += nodes
        if self._usage.nodes > MAX_NODES:
            message = f"the level has more than {MAX_NODES} values"
            _raise_bound_error(mark, message, "use `array`, or split the level")


def _raise_bound_error(mark: YamlMark | None, message: str, cure: str = "") -> NoReturn:
    raise InputError(message, cure, SourceSpan(mark.line + 1, mark.column + 1) if mark else SourceSpan())


# By a part of the parser's message: a plain message and its cure
_PLAIN_ERRORS = {
    "did not find expected node content": ("a value is missing", "add a value, or remove the name before it"),
    "mapping values are not allowed": (
        "a colon is not allowed here",
        "put text with a colon in quotes; or finish the line above, or indent this line like the one above",
    ),
    "did not find expected ',' or ']'": (
        "a list `[` is not closed",
        "close it with `]`, or put a comma between its items",
    ),
    "did not find expected ',' or '}'": (
        "a mapping `{` is not closed",
        "close it with `}`, put a comma between its fields, or put text with a colon in quotes",
    ),
    "found unexpected end of stream": ("a quotation mark is not closed", "close it with the same mark"),
    "did not find expected key": (
        "this does not continue the block above",
        "indent it like that block; look before it for a colon, comma or bracket that is missing or too many",
    ),
    "found a tab character": ("the line contains a tab", "use spaces: YAML does not allow tabs for indentation"),
    "did not find expected '-' indicator": (
        "the list ends here, but this line is indented like a list item",
        "indent it like the key it belongs to, or start the line with `- `",
    ),
    "could not find expected ':'": (
        "a colon is missing here or above",
        "write `name: value`, with a space after the colon",
    ),
    "found unexpected ':'": ("a space is missing after the colon", "write `name: value`, with a space after the colon"),
    "found unknown escape character": (
        "this backslash starts an escape sequence that YAML does not have",
        "write two backslashes, or use single quotes",
    ),
    "found undefined alias": ("an alias `*` has no anchor `&`", "write the anchor before the alias"),
    "block sequence entries are not allowed": ("a list cannot begin here", "start the list on its own line"),
}


def _plain_yaml_error(error: yaml.YAMLError, text: str) -> InputError:
    """The parser's error about `text` in plain words, with its place and its cure."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return InputError(f"this is not YAML: {sanitize_text(str(error), 120)}")
    mark, start, problem = error.problem_mark, error.context_mark, error.problem or "it cannot be read"
    message, cure = next(
        (plain for pattern, plain in _PLAIN_ERRORS.items() if pattern in problem),
        (f"this is not YAML: {sanitize_text(problem, 120)}", ""),
    )
    if "cannot start any token" in problem:
        character = text[mark.index : mark.index + 1] if mark.index is not None else ""
        message, cure = f"a value cannot begin with {quote_text(character)}", "put the text in quotes"
        if character == "\t":
            message, cure = _PLAIN_ERRORS["found a tab character"]
    if start is not None and "not closed" in message:
        message += f", opened at line {start.line + 1}, column {start.column + 1}"
    return InputError(message, cure, SourceSpan(mark.line + 1, mark.column + 1))
