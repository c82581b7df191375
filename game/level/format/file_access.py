"""Which files a level may name, and how they are read: with bounds on place, kind and size."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import game

from .findings import Refused, did_you_mean, harmless, listed, quoted

LEVELS = game.shipped("levels")  # those that come with the game


def home_of(file: Path) -> Path:
    """The folder that nothing a level file names may leave: the one above its own, or that of the shipped levels.

    Raises OSError or RuntimeError where links cannot be followed.
    """
    folder = file.resolve().parent
    return LEVELS if folder.is_relative_to(LEVELS) else folder.parent


def target(file: Path, text: str, endings: tuple[str, ...], what: str = "level", home: Path | None = None) -> Path:
    """Where `text`, written in `file`, leads to, links resolved: in its folder, one beside it or inside.

    Whether anything is there is not looked at. what: the kind of file in messages; home: as home_of the level where
    `file` is included by another. Raises Refused.
    """
    if "\\" in text or "\n" in text:
        raise Refused(f"{quoted(text)} is no path to a {what}", "write folders with /: ../parts/tower" + endings[0])
    if text.startswith(("/", "~")) or re.match("[A-Za-z]:", text):
        raise Refused(
            f"{quoted(text)} does not begin at this file", f"write it as seen from this file, like next{endings[0]}"
        )
    if not text.lower().endswith(endings):
        raise Refused(f"{quoted(text)} is no {what} file", f"a {what}'s name ends in {listed(endings)}")
    try:
        path = (file.resolve().parent / text).resolve()
        allowed = home or home_of(file)
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links that go round in circles
        raise Refused(f"{quoted(text)} cannot be followed: {harmless(str(error), 100)}") from None
    if not path.is_relative_to(allowed):
        raise Refused(f"{quoted(text)} leaves the levels' folder", "name one in this folder, one beside it or inside")
    return path


def beside(
    file: Path, text: str, endings: tuple[str, ...], most_bytes: int, what: str = "level", home: Path | None = None
) -> Path:
    """As `target`, and a regular file of at most `most_bytes` is there. Raises Refused."""
    path = target(file, text, endings, what, home)
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        near = did_you_mean(path.name, names_in(path.parent, endings))
        cure = near or f"write the {what}'s path as seen from this file"
        raise Refused(f"there is no {what} file {quoted(text)}", cure) from None
    if not stat.S_ISREG(found.st_mode):
        raise Refused(f"{quoted(text)} is a folder, a device or a pipe, not a {what} file")
    if found.st_size > most_bytes:
        raise Refused(f"{quoted(text)} is larger than a {what} may be ({_mib(most_bytes)})")
    return path


def read_bytes(path: Path, most: int, what: str = "level") -> bytes:
    """All of a regular file, however the path leads there and whatever happens to it meanwhile. Raises Refused."""
    data = b""
    try:
        kind = os.stat(path).st_mode  # before opening: a pipe would keep us waiting
        if stat.S_ISDIR(kind):
            raise Refused(f"this is a folder, not a {what} file", _inside(what))
        if not stat.S_ISREG(kind):
            raise Refused(f"this is a device or a pipe, not a {what} file")
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Refused(f"this is a device or a pipe, not a {what} file")
            size = os.fstat(file.fileno()).st_size
            if size <= most:
                data = file.read(most + 1)
    except FileNotFoundError:
        raise Refused("there is no such file") from None
    except PermissionError:
        raise Refused("this file may not be read", "its permissions say no; change them or run as its owner") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Refused(f"this file cannot be read: {harmless(reason, 100)}") from None
    if size > most or len(data) > most:
        raise Refused(f"this file is larger than a {what} may be ({_mib(most)})")
    return data


def names_in(folder: Path, endings: tuple[str, ...]) -> list[str]:
    """Files of a folder that end so, some hundreds at most."""
    try:
        names = (name for name in os.listdir(folder) if name.lower().endswith(endings))
        return [name for name, _ in zip(names, range(500), strict=False)]
    except (OSError, ValueError):
        return []


def _inside(what: str) -> str:
    return "name one of the .yaml files in it" if what == "level" else "name a file in it"


def _mib(size: int) -> str:
    return f"{size / 2**20:g} MiB"
