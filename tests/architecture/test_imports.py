"""The house: imports go one way, and the rules of movement can be used where nothing can draw."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = {
    "physics": set(),
    "level": {"physics"},
    "sim": {"level", "physics"},
    "render": {"level", "physics"},
    "app": {"render", "sim", "level", "physics"},
}
WITH_A_PICTURE = {"pyglet", "moderngl", "pyrr", "glcontext", "PIL"}
HOME = {"pyglet": {"app"}, "moderngl": {"app", "render"}, "pyrr": {"render"}, "PIL": {"app", "render", "level"}}
CLOCKS = {"time", "datetime", "random", "secrets"}
FILES = sorted((ROOT / "game").rglob("*.py"))


def imports(path):
    """Whole names of all that a file imports, wherever in it the import stands."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            stem = ".".join((*base, *filter(None, [node.module])))
            for alias in node.names:
                yield f"{stem}.{alias.name}", node.lineno


def room_of(path):
    parts = path.relative_to(ROOT / "game").parts
    return parts[0] if len(parts) > 1 else None


def rooms_entered(path):
    for name, line in imports(path):
        parts = name.split(".")
        if parts[0] == "game" and len(parts) > 1:
            yield parts[1], line


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_go_one_way(path):
    room = room_of(path)
    if room is None:
        assert list(rooms_entered(path)) == []
        return
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports game.{other}"
        for other, line in rooms_entered(path)
        if other != room and other not in ALLOWED[room]
    ]
    for name, line in imports(path):
        top = name.split(".")[0]
        if top in HOME and room not in HOME[top]:
            wrong.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
        if top in CLOCKS and room != "app":
            wrong.append(f"{path.relative_to(ROOT)}:{line} imports {name}: no clock and no chance below app")
    assert wrong == []


def test_the_search_for_imports_sees_every_kind(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    file = tmp_path / "game" / "level" / "deep" / "x.py"
    file.parent.mkdir(parents=True)
    file.write_text(
        "import game.app.commands.command_line\nfrom game import render\nfrom ..pieces import y\n"
        "def f():\n    from ...sim.world import World\n    import pyglet.window as w\n"
    )
    assert [name for name, _ in imports(file)] == [
        "game.app.commands.command_line",
        "game.render",
        "game.level.build.pieces.y",
        "game.sim.world.World",
        "pyglet.window",
    ]


def test_every_room_is_known_and_there():
    rooms = {path.name for path in (ROOT / "game").iterdir() if path.is_dir() and path.name[0] not in "._"}
    assert rooms == set(ALLOWED)


@pytest.mark.parametrize("module", ["game.physics", "game.level", "game.sim"])
def test_the_rules_need_no_window_and_no_graphics(module):
    code = f"import sys, {module}; print(*sorted(m.partition('.')[0] for m in sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=120, check=True
    )
    loaded = set(result.stdout.split())
    assert "numpy" in loaded
    assert not loaded & WITH_A_PICTURE


def test_the_command_line_starts_without_the_heavy_libraries():
    """What `--help` and `check` wait for: no compiler, no window, no pictures."""
    code = "import sys, game.app.commands.command_line; print(*sorted(m.partition('.')[0] for m in sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=120, check=True
    )
    assert not set(result.stdout.split()) & (WITH_A_PICTURE | {"numba", "numpy", "yaml"})

