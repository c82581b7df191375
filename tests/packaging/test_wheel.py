"""What is installed is all of the game: modules, levels, sounds, icons and shaders; and it works from any folder."""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from game.app.commands import command_line

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("levels", "assets", "shaders")
pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("setuptools") is None, reason="setuptools is not installed: nothing can be built"
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The files of a wheel, as they would be installed."""
    folder = tmp_path_factory.mktemp("wheel")
    build = ["setup.py", "-q", "egg_info", "--egg-base", str(folder), "build_py", "--build-lib", str(folder / "lib")]
    subprocess.run([sys.executable, *build], cwd=ROOT, check=True, capture_output=True, timeout=120)
    return folder / "lib"


def files(folder, *, but=("__pycache__",)):
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not set(but) & set(path.parts)
    }


def test_nothing_is_missing_and_nothing_too_much(installed):
    wanted = {f"game/{name}" for name in files(ROOT / "game") if name.endswith(".py")}
    for name in FOLDERS:
        wanted |= {f"game/{name}/{file}" for file in files(ROOT / name)}
    assert files(installed) == wanted


def test_it_runs_from_any_folder(installed, tmp_path):
    from game.app.audio import sound_player
    from game.render.gl import programs

    env = {**os.environ, "PYTHONPATH": str(installed)}
    call = f"import sys, game; from {command_line.__name__} import main; "
    call += "print(game.__file__, game.COMMAND); sys.exit(main({!r}))"
    done = subprocess.run(
        [sys.executable, "-c", call.format(["check", "demo", "stairs"])],
        env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    first, *checked = done.stdout.splitlines()
    assert first == f"{installed}/game/__init__.py walker"
    assert [line.split(":")[-1].strip() for line in checked] == ["nothing wrong"] * 2
    look = f"from {programs.__name__} import default_folder; from {sound_player.__name__} import FOLDER; "
    look = [sys.executable, "-c", look + "print(default_folder(), FOLDER)"]
    done = subprocess.run(look, env=env, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [f"{installed}/game/shaders", f"{installed}/game/assets/sounds"]


def test_the_commands_are_there():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["scripts"]) == {"walker", "ellipsoid-walker"}
    for target in project["scripts"].values():
        module, name = target.split(":")
        assert callable(getattr(importlib.import_module(module), name))
