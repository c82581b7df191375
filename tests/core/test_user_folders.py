"""The user's folders and the environment variables that move them."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import pytest

from game.core import user_folders

VARIABLES = (user_folders.CONFIG_VARIABLE, user_folders.DATA_VARIABLE, user_folders.CACHE_VARIABLE)


@pytest.mark.parametrize(
    ("given", "elsewhere"),
    [
        ((), ()),
        ((user_folders.CONFIG_VARIABLE,), (user_folders.config_folder, user_folders.data_folder)),
        ((user_folders.DATA_VARIABLE,), (user_folders.data_folder,)),
        ((user_folders.CACHE_VARIABLE,), (user_folders.cache_folder,)),
        (VARIABLES, (user_folders.config_folder, user_folders.data_folder, user_folders.cache_folder)),
    ],
)
def test_a_variable_moves_what_it_names_and_the_data_go_with_the_settings(monkeypatch, given, elsewhere):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    usual = {
        where: where() for where in (user_folders.config_folder, user_folders.data_folder, user_folders.cache_folder)
    }
    for name in given:
        monkeypatch.setenv(name, f"/somewhere/{name}")
    for where, was in usual.items():
        assert (where() != was) == (where in elsewhere)
        assert (
            was.name == user_folders.APP_NAME or was.parent.name == user_folders.APP_NAME
        )  # Windows has a folder in it for the cache
    if user_folders.DATA_VARIABLE in given:
        assert user_folders.data_folder() == Path("/somewhere", user_folders.DATA_VARIABLE)


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("moved", [False, True])
def test_the_cache_is_in_the_same_place_without_platformdirs(monkeypatch, system, moved):
    module, name = {"linux": ("unix", "Unix"), "darwin": ("macos", "MacOS"), "win32": ("windows", "Windows")}[system]
    folders = getattr(importlib.import_module(f"platformdirs.{module}"), name)
    for variable in (user_folders.CACHE_VARIABLE, "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    if moved:
        monkeypatch.setenv("XDG_CACHE_HOME" if system == "linux" else "HOME", "/somewhere/else")
    if system == "win32":
        monkeypatch.setenv("LOCALAPPDATA", str(Path("/somewhere/else" if moved else "/users/me/local")))
        usual = Path(os.environ["LOCALAPPDATA"], user_folders.APP_NAME, "Cache")
    else:
        usual = Path(folders(user_folders.APP_NAME, appauthor=False).user_cache_dir)
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    monkeypatch.setattr(sys, "platform", system)
    assert user_folders.cache_folder() == usual


@pytest.mark.parametrize(
    ("data", "values"),
    [
        (b'{"a": 1}', {"a": 1}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),  # as Notepad writes it
        (b"[1]", None),
        (b"", None),
        (b'{"a": "\xed\xa0\x80"}', None),  # half of a surrogate pair, which no terminal can show
        (b"[" * 20_000, None),
        (b'{"a": 1}' + b" " * 100, None),  # longer than the limit
    ],
)
def test_only_an_object_of_a_json_file_is_read(data, values):
    assert user_folders.decode_object(data, limit=50 if data.endswith(b" ") else 1 << 20) == values


def test_a_copy_of_a_damaged_file_is_kept(tmp_path):
    copy = user_folders.keep_damaged(tmp_path / "a.json", b"12345", limit=4)
    assert (copy.name, copy.read_bytes()) == ("a.json.damaged", b"1234")
    assert user_folders.keep_damaged(tmp_path / "missing" / "a.json", b"1", limit=4).parent == tmp_path / "missing"
