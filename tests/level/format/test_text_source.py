"""Levels from a string and from open files: the same level as from a path, and clear errors for everything else."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from game.level import LevelError, check, load
from game.level.format.source import MAX_LEVEL_BYTES

TEXT = "format: 1\nname: Naïve # a comment\nspawn: {at: [0, 0, 0]}\npieces:\n  - floor: {from: [-4, -4], to: [4, 4]}\n"
WRONG = TEXT + "  - box: {from: [0, 0, 0], to: [1, 1, x]}\n"


class Dribble:
    """A file that returns one character or byte at a time, as a pipe may."""

    def __init__(self, content: str | bytes) -> None:
        self.content, self.at = content, 0

    def read(self, length: int = -1, /) -> str | bytes:
        self.at += 1
        return self.content[self.at - 1 : self.at]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_text_and_open_files_load_as_a_path_does(tmp_path: Path, newline: str) -> None:
    path = tmp_path / "level.yaml"
    path.write_bytes(TEXT.replace("\n", newline).encode())
    expected = load(path)
    with open(path, "rb") as binary, open(path, encoding="utf-8") as text:
        levels = [load(binary), load(text), load(text=TEXT, base=path), load(text="\ufeff" + TEXT, base=str(path))]
        assert not binary.closed
        assert not text.closed
    levels += [load(Dribble(TEXT), base=path), load(Dribble(TEXT.encode()), base=path)]
    for level in levels:
        assert (level.name, level.path, level.files) == (expected.name, path, (path,))
        assert level.triangles.tobytes() == expected.triangles.tobytes()
        assert level.origin(0) == expected.origin(0)


@pytest.mark.parametrize("content", [TEXT, WRONG, "pieces: [", "", "42", "\x07", "a: \ud800"])
def test_check_has_the_findings_of_the_file(tmp_path: Path, content: str) -> None:
    path = tmp_path / "level.yaml"
    data = content.encode("utf-8", "surrogatepass")
    path.write_bytes(data)
    expected = check(path)
    with open(path, "rb") as file:
        assert check(file) == expected
    if "\ud800" not in content:
        assert check(text=content, base=path) == expected
        assert check(io.StringIO(content), base=path) == expected
    assert [finding.severity for finding in check(text=content)] == [finding.severity for finding in expected]


def test_findings_and_includes_of_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "part.yaml").write_text("format: 1\npieces: [box: {from: [0, 0, 0], to: [1, 1, 1]}]\n")
    text = TEXT + "  - include: {file: part.yaml, at: [0, 0, 0]}\n"
    one, other = load(text=text, base=tmp_path), load(text=text, base=tmp_path / "unwritten.yaml")
    assert len(one.triangles) == len(other.triangles) > 2
    assert (one.path, other.path) == (tmp_path / "<text>", tmp_path / "unwritten.yaml")
    assert [str(finding) for finding in load(text=text).findings] == [
        "<text>:6:21: include.file: level file `part.yaml` does not exist"
    ]
    monkeypatch.chdir(tmp_path)
    assert load(text=text).findings == ()
    assert str(check(text=WRONG)[0]) == "<text>:6:39: box.to: `x` is not a number"


def test_the_name_of_an_open_file_counts(tmp_path: Path) -> None:
    (tmp_path / "part.yaml").write_text("format: 1\npieces: [box: {from: [0, 0, 0], to: [1, 1, 1]}]\n")
    path = tmp_path / "level.yaml"
    path.write_text(TEXT + "  - include: {file: part.yaml, at: [0, 0, 0]}\n")
    with open(path, "rb") as file:
        assert load(file).findings == ()
    with open(os.open(path, os.O_RDONLY), "rb") as file:  # its name is a number
        assert load(file).path == Path("<text>")


def say(call: Callable[[], object]) -> str:
    with pytest.raises(ValueError, match=r"level|text|base") as caught:
        call()
    return str(caught.value)


def test_wrong_arguments_name_themselves(tmp_path: Path) -> None:
    path = tmp_path / "level.yaml"
    path.write_text(TEXT)
    closed = io.StringIO(TEXT)
    closed.close()
    for door in (load, check):
        assert say(lambda door=door: door()).endswith("exactly one of them; got neither")
        assert say(lambda door=door: door(path, text=TEXT)).endswith("exactly one of them; got both")
        assert say(lambda door=door: door(3)) == "level must be a path or an open file, not 3"
        assert say(lambda door=door: door(b"level.yaml")).startswith("level must be a path or an open file")
        assert "io.BytesIO" in say(lambda door=door: door(text=TEXT.encode()))
        assert say(lambda door=door: door(text=["format: 1"])).startswith("text must be a string")
        assert say(lambda door=door: door(path, base=tmp_path)).startswith("base: a path needs none")
        assert say(lambda door=door: door(text=TEXT, base=7)).startswith("base must be the path of a file or folder")
        assert say(lambda door=door: door(text=TEXT, base="a\0b")).startswith("base must be the path")
        assert say(lambda door=door: door(closed)) == "level: the open file cannot be read: it is closed"
        with open(path, "a") as writing:
            assert "open it with mode 'r' or 'rb'" in say(lambda door=door, writing=writing: door(writing))
        assert "must return str or bytes, not 5" in say(lambda door=door: door(type("", (), {"read": lambda *_: 5})()))


LATIN = io.TextIOWrapper(io.BytesIO(b"name: \xef"), encoding="utf-8")
LARGE = TEXT + "#" * MAX_LEVEL_BYTES


@pytest.mark.parametrize(
    ("arguments", "message", "cure"),
    [
        ({"level": TEXT}, "this is the text of a level, not a path", "call it with text=..."),
        ({"level": io.BytesIO(TEXT.encode() + b"# \xff")}, "not UTF-8: byte 0xff", ""),
        ({"level": io.BytesIO(TEXT.encode("utf-16"))}, "UTF-16", ""),
        ({"level": LATIN}, "not UTF-8: byte 0xef", "binary mode"),
        ({"text": LARGE}, "larger than the limit for a level", ""),
        ({"level": io.StringIO(LARGE)}, "larger than the limit for a level", ""),
        ({"level": io.BytesIO(LARGE.encode())}, "larger than the limit for a level", ""),
    ],
    ids=["a text as a path", "bytes", "UTF-16", "Latin 1", "large", "large file", "large binary file"],
)
def test_what_is_no_text_of_a_level_is_refused_with_a_cure(arguments: dict[str, Any], message: str, cure: str) -> None:
    with pytest.raises(LevelError, match=message) as caught:
        load(**arguments)
    assert cure in caught.value.findings[0].cure
