"""Random YAML texts in every style: an edit changes what PyYAML reads by exactly the edit."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from game.level.edit import EditRefused, YamlDocument
from game.level.format.yaml_nodes import YamlAlias, YamlMapping, YamlScalar, compose_nodes, iterate_nodes

# fmt: off
WORDS = [
    "1", "-2.5", "stone", "'it''s'", '"a\\tb: #"', "ü😀", "two words", "", "a\n{pad}  b",
    "|\n{pad}  lit\n{pad}    eral\n", ">-\n{pad}  fol\n{pad}  ded",
]
# fmt: on
FLOW_WORDS = ["1", "-2.5", "stone", "'it''s'", '"a, b]"', "ü😀", "two words"]
NOTES = ["", "", "", " # note", "  # - {x: [", "\t# tab"]
KEYS = ["from", "to", "'at'", '"su rf"', "of", "é", "list"]


@st.composite
def flows(draw: st.DrawFn, depth: int) -> str:
    """A value in flow style on one or more lines."""
    kind = draw(st.sampled_from(["word", "list", "map", "word"] if depth else ["word"]))
    gap = draw(st.sampled_from(["", " ", "\n{pad}    ", " # c\n{pad}    "]))
    if kind == "word":
        return draw(st.sampled_from(FLOW_WORDS))
    if kind == "list":
        return f"[{gap}{', '.join(draw(st.lists(flows(depth - 1), max_size=3)))}{gap}]"
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=3))
    pairs = [f"{key}: {draw(flows(depth - 1))}" for key in keys]
    return f"{{{{{gap}{(',' + (gap or ' ')).join(pairs)}{gap}}}}}"


@st.composite
def blocks(draw: st.DrawFn, depth: int, pad: str) -> str:
    """The text after a key's colon: a value on the line, or a block below."""
    kind = draw(st.sampled_from(["word", "flow", "list", "map"] if depth else ["word", "flow"]))
    note = draw(st.sampled_from(NOTES))
    anchor = draw(st.sampled_from(["", "", "", "&"]))  # numbered later
    mark = f" {anchor}" if anchor else ""
    if kind == "word":
        word = draw(st.sampled_from(WORDS)).replace("{pad}", pad)
        note = note if word and "\n" not in word else ""
        return f"{mark} {word}{note}\n".replace("  ", " ", 1) if word.count("\n") == 0 else f"{mark} {word.rstrip()}\n"
    if kind == "flow":
        return f"{mark} {draw(flows(2)).replace('{{', '{').replace('}}', '}').replace('{pad}', pad)}{note}\n"
    deeper = pad + draw(st.sampled_from(["  ", "    "]))
    if kind == "list":
        items = draw(st.integers(1, 3))
        dash = pad if draw(st.booleans()) and pad else deeper
        return f"{mark}{note}\n" + "".join(f"{dash}-{draw(blocks(depth - 1, dash + '  '))}" for _ in range(items))
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True, min_size=1, max_size=3))
    return f"{mark}{note}\n" + "".join(f"{deeper}{key}:{draw(blocks(depth - 1, deeper))}" for key in keys)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A text with a `pieces` list, numbered anchors and some aliases."""
    rows = "format: 1\npieces:\n"
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["box", "'wall'", "group"]))
        fields = draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=3))
        body = "".join(f"      {key}:{draw(blocks(2, '      '))}" for key in fields)
        flow = draw(flows(2)).replace("{{", "{").replace("}}", "}").replace("{pad}", "  ")
        piece = f"  - {kind}:\n{body}" if fields else f"  - {kind}: {{at: {flow}}}\n"
        rows += piece + draw(st.sampled_from(["", "\n", "  # between\n"]))
    number = 0
    while "& " in rows or "&\n" in rows or "& \n" in rows:
        index = min(i for i in (rows.find("& "), rows.find("&\n")) if i >= 0)
        rows = f"{rows[:index]}&a{number}{rows[index + 1 :]}"
        number += 1
    for used in range(number):
        if draw(st.booleans()):
            rows += f"  - floor: {{at: *a{used}}}\n"
    ends = draw(st.sampled_from(["\n", "\r\n"]))
    return rows.rstrip("\n" if draw(st.booleans()) else "").replace("\n", ends)


def said(text: str) -> Any:
    return yaml.load(text, Loader=yaml.BaseLoader)


def readable(text: str) -> bool:
    try:
        said(text)
        YamlDocument(text)
    except Exception:
        return False
    return True


@pytest.mark.full
@settings(max_examples=90, deadline=None, derandomize=True)
@given(texts(), st.data())
def test_an_edit_in_any_style(text: str, data: st.DataObject) -> None:
    assume(readable(text))
    draft = YamlDocument(text)
    pieces = draft.top_pieces()
    index = data.draw(st.integers(0, len(pieces) - 1))
    whole = said(text)
    kind, fields = next(iter(whole["pieces"][index].items()))
    names = list(fields) if isinstance(fields, dict) else []
    act = data.draw(st.sampled_from(["set", "add", "unset", "remove", "copy"]))
    value = data.draw(st.sampled_from(["[1, 2]", "7", "{a: b}", "'x, y'"]))
    name = data.draw(st.sampled_from(names)) if names and act in ("set", "unset") else "new"
    try:
        if act in ("set", "add"):
            draft.set_field(pieces[index], name, value)
            whole["pieces"][index][kind] = {**(fields or {}), name: said(value)}
        elif act == "unset":
            draft.remove_field(pieces[index], name)
            whole["pieces"][index][kind] = {key: fields[key] for key in names if key != name}
        elif act == "remove":
            draft.remove_piece(pieces[index])
            del whole["pieces"][index]
        else:
            draft.duplicate_piece(pieces[index])
            whole["pieces"].insert(index + 1, whole["pieces"][index])
    except EditRefused as refused:
        if not re.search("used elsewhere|has no anchor|only piece in its list", str(refused)):
            raise
        assert draft.text == text
        return
    assert said(draft.text) == whole


@pytest.mark.full
@settings(max_examples=90, deadline=None, derandomize=True)
@given(texts())
def test_spans_cut_out_what_they_say(text: str) -> None:
    """The source text of a flow value or scalar alone has the same meaning as in its place."""
    assume(readable(text))
    for node in iterate_nodes(compose_nodes(text, for_edits=True).root):
        assert node.start <= node.content <= node.end <= len(text)
        own = text[node.content : node.end]
        if isinstance(node, YamlScalar):
            block = own[:1] in ("|", ">")
            assert block or said(own) == node.text or (said(own) is None and not node.text)
            assert node.anchor is None or text[node.start :].startswith(f"&{node.anchor.name}")
        elif isinstance(node, YamlAlias):
            assert own == f"*{node.name}"
        elif isinstance(node, YamlMapping) and not node.pairs:
            assert own.startswith("{")
            assert own.endswith("}")
