"""The wheel contains all of the game (modules, levels, sounds, icons, shaders) and works from any folder."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib import metadata

import pytest

import game
from game.app.commands import command_line
from tests.packaging.conftest import ROOT

FOLDERS = ("levels", "assets", "shaders")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The files of a wheel, unpacked as an installer does."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as held:
        held.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def about(installed):
    """The wheel's metadata."""
    (found,) = metadata.distributions(path=[str(installed)])
    return found


def run(installed, folder, code, *before, **variables):
    """The output of a program with the unpacked wheel, in another folder; before: folders of the path before it."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*before, installed))), **variables}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files(folder, *, but=("__pycache__",)):
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not set(but) & set(path.parts)
    }


def test_nothing_is_missing_and_nothing_too_much(installed):
    wanted = {f"ellipsoid_walker/{name}" for name in files(ROOT / "game")}
    for name in FOLDERS:
        wanted |= {f"ellipsoid_walker/{name}/{file}" for file in files(ROOT / name)}
    assert {name for name in files(installed) if ".dist-info/" not in name} == wanted


def test_the_wheel_installs_the_package_and_nothing_else(installed, about):
    assert {path.name for path in installed.iterdir()} == {"ellipsoid_walker", about._path.name}
    assert "Root-Is-Purelib: true" in about.read_text("WHEEL")
    assert about.read_text("top_level.txt").split() == ["ellipsoid_walker"]


@pytest.mark.full
def test_a_game_of_the_users_own_outlives_install_reinstall_and_uninstall(wheel, tmp_path):
    pytest.importorskip("pip")
    venv.EnvBuilder(symlinks=os.name != "nt").create(tmp_path)
    (packages,) = tmp_path.rglob("site-packages")
    (python,) = [path for path in tmp_path.glob("[bS]*/python*") if path.stem == "python"]
    own = packages / "game" / "__init__.py"
    own.parent.mkdir()
    own.write_text("MINE = 1\n")
    kept = own.stat().st_mtime_ns
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    install = ["install", "-q", "--no-deps", "--no-index", "--no-compile"]
    for words in ([*install], [*install, "--force-reinstall"], ["uninstall", "-q", "-y"]):
        what = PROJECT["name"] if words[0] == "uninstall" else str(wheel)
        subprocess.run([*pip, *words, what], check=True, capture_output=True, timeout=120)
        assert (packages / "ellipsoid_walker").exists() == (words[0] == "install")
        assert (own.read_text(), own.stat().st_mtime_ns) == ("MINE = 1\n", kept)
    assert os.listdir(packages / "game") == ["__init__.py"]


BESIDE = """
import game, sys
assert game.MINE
from ellipsoid_walker.app.commands.command_line import main
from ellipsoid_walker.core.jobs import Jobs, Worker
from ellipsoid_walker.physics import prepare
with Jobs() as jobs:
    compiled = jobs.process(Worker("compiler", 0), prepare.compile_steps, ["first"])
    jobs.finish()
    compiled.result()
assert main(["sim", "demo", "--commands", "walk.commands", "-o", "walk.csv"]) == 3  # the goal is missed
assert game.MINE and not [name for name in sys.modules if name.startswith("game.")]
"""


@pytest.mark.full
def test_everything_works_after_a_game_of_the_users_own_is_imported(installed, tmp_path):
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "__init__.py").write_text("MINE = 1\n")
    (tmp_path / "walk.commands").write_text("5 forward 1\n")
    run(installed, tmp_path, BESIDE, tmp_path, NUMBA_DISABLE_JIT="1")


def test_the_metadata_names_licence_authors_and_typing(about):
    fields = about.metadata
    assert fields["License-Expression"] == "MIT AND OFL-1.1 AND Bitstream-Vera"
    fonts = [file.relative_to(ROOT).as_posix() for file in sorted((ROOT / "assets" / "fonts").glob("*-LICENSE.txt"))]
    assert fields.get_all("License-File") == ["LICENSE", *fonts]
    assert about.read_text("licenses/LICENSE") == (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert fields["Author"] in (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert fields.get_all("Classifier") == PROJECT["classifiers"]
    assert fields["Keywords"].split(",") == PROJECT["keywords"]


def test_version_and_dependencies_are_those_of_the_project_file(installed, tmp_path):
    code = "from ellipsoid_walker import *; import ellipsoid_walker as p; "
    code += "print(p.__version__, requires_python(), *sorted(requirements()), sep='\\n')"
    version, python, *needed = run(installed, tmp_path, code).splitlines()
    assert (version, python) == (PROJECT["version"], PROJECT["requires-python"])
    assert [sorted(split(line)) for line in needed] == [sorted(split(line)) for line in sorted(PROJECT["dependencies"])]
    assert (game.__version__, game.requires_python()) == (version, python)
    assert list(game.requirements()) == PROJECT["dependencies"]


def split(requirement):
    """The name and each bound of a requirement: builders may put the bounds in another order."""
    return re.findall(r"[<>=~!]+[^,]+|^[\w-]+", requirement.replace(" ", ""))


@pytest.mark.full
def test_the_installed_wheel_runs_from_any_folder(installed, tmp_path):
    from game.app.audio import sound_player
    from game.render.gl import programs

    call = f"import sys, ellipsoid_walker as p; from {command_line.__name__} import main; "
    call += "print(p.__file__, p.COMMAND); sys.exit(main({!r}))"
    first, *checked = run(installed, tmp_path, call.format(["check", "demo", "stairs"])).splitlines()
    assert first == f"{installed}/ellipsoid_walker/__init__.py walker"
    assert [line.split(":")[-1].strip() for line in checked] == ["nothing wrong"] * 2
    look = f"from {programs.__name__} import default_folder; from {sound_player.__name__} import SOUND_FOLDER; "
    assert run(installed, tmp_path, look + "print(default_folder(), SOUND_FOLDER)").split() == [
        f"{installed}/ellipsoid_walker/shaders",
        f"{installed}/ellipsoid_walker/assets/sounds",
    ]


def test_the_installed_command_names_its_version(installed, tmp_path):
    code = (
        "import sys; sys.argv = ['walker', '--version']; from ellipsoid_walker.app import console; sys.exit(console())"
    )
    assert run(installed, tmp_path, code) == f"{PROJECT['name']} {PROJECT['version']}\n"


def test_the_standalone_program_names_its_version():
    call = [sys.executable, str(ROOT / "tools" / "packaging" / "frozen_start.py"), "--version"]
    done = subprocess.run(call, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True)
    assert done.stdout == f"{PROJECT['name']} {PROJECT['version']}\n"


def test_the_commands_are_there():
    assert set(PROJECT["scripts"]) == {"walker", "ellipsoid-walker"}
    for target in PROJECT["scripts"].values():
        module, name = target.split(":")
        assert callable(getattr(importlib.import_module(module), name))
