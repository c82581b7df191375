"""The tool that adds compiled kernels to a wheel, with a package of this project's physics that compiles little."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numba
import pytest

from game.physics.numerics import kernel_cache
from tools.packaging import compiled_wheel

ROOT = Path(__file__).resolve().parents[2]
TAG = "manylinux_2_27_x86_64.manylinux_2_28_x86_64"
SMALL = """

import os


def _compile_little() -> None:
    from .numerics.trigonometry import heading_sin_cos

    heading_sin_cos(0)


COMPILE_PARTS["leaves"] = _compile_little
if "BROKEN" in os.environ:
    COMPILE_PARTS["leaves"] = lambda: 1 / 0
"""
USE = f"""
import json
import numba.core.event as event
compiled = []
class Listener(event.Listener):
    def on_start(self, event): pass
    def on_end(self, event): compiled.append(event.data["dispatcher"].py_func.__name__)
from small_walker.physics.{kernel_cache.__name__.partition(".physics.")[2].rpartition(".")[0]} import jit, kernel_cache
from small_walker.physics.numerics.trigonometry import heading_sin_cos
is_compiled = jit.is_compiled("leaves")
with event.install_listener("numba:compile", Listener()):
    found = heading_sin_cos(8192)
print(json.dumps([compiled, is_compiled, kernel_cache.shipped_status(), list(found)]))
"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A wheel of the package `small_walker`: core and physics, where the part `leaves` compiles one kernel."""
    folder = tmp_path_factory.mktemp("plain")
    package = folder / "lib" / "small_walker"
    for name in ("core", "physics"):
        shutil.copytree(ROOT / "game" / name, package / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyi"))
    (package / "__init__.py").touch()
    recipe = package / "physics" / "prepare.py"
    main = '\nif __name__ == "__main__":'
    text = recipe.read_text(encoding="utf-8")
    assert text.count(main) == 1
    recipe.write_text(text.replace(main, SMALL + main), encoding="utf-8")
    about = folder / "lib" / "small_walker-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: small-walker\nVersion: 1.0\n", encoding="utf-8")
    (about / "WHEEL").write_text("Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n", encoding="utf-8")
    (about / "RECORD").write_text("", encoding="utf-8")
    return write_zip(folder / "small_walker-1.0-py3-none-any.whl", folder / "lib")


def write_zip(path, folder):
    with zipfile.ZipFile(path, "w") as packed:
        for file in sorted(folder.rglob("*")):
            packed.write(file, file.relative_to(folder))
    return path


def build(wheel, output, *more):
    return compiled_wheel.main(["--wheel", str(wheel), "-o", str(output), "--parts", "leaves", *more])


@pytest.fixture(scope="module")
def built(plain, tmp_path_factory):
    """The folder of the unpacked wheel with kernels, and its path."""
    output = tmp_path_factory.mktemp("built")
    assert build(plain, output / "dist", "--platform", TAG) == 0
    (wheel,) = (output / "dist").iterdir()
    with zipfile.ZipFile(wheel) as held:
        held.extractall(output / "lib")
    return output / "lib", wheel


def use(folder, cache):
    """(compiled functions, is the part compiled, status, result) of a process with the unpacked wheel."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_", "WALKER_"))}
    env |= {"PYTHONPATH": str(folder), "WALKER_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", USE], env=env, cwd=cache, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.full
def test_the_wheel_is_for_this_python_and_platform_and_lists_its_files(built):
    folder, wheel = built
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.name == f"small_walker-1.0-{python}-{python}-{TAG}.whl"
    (about,) = folder.glob("*.dist-info")
    told = (about / "WHEEL").read_text(encoding="utf-8").splitlines()
    assert told[0] == "Wheel-Version: 1.0"
    assert sorted(told[1:]) == [
        "Root-Is-Purelib: false",
        *(f"Tag: {python}-{python}-{each}" for each in TAG.split(".")),
    ]
    rows = [line.rsplit(",", 2) for line in (about / "RECORD").read_text(encoding="utf-8").splitlines()]
    assert {row[0] for row in rows} == {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    }
    for name, digest, size in rows:
        data = (folder / name).read_bytes()
        if name.endswith("RECORD"):
            assert (digest, size) == ("", "")
        else:
            wanted = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            assert (digest, size) == (f"sha256={wanted}", str(len(data)))


@pytest.mark.full
def test_the_manifest_names_versions_platform_and_rules(built):
    manifest = json.loads((built[0] / "small_walker/physics/kernels/manifest.json").read_text(encoding="utf-8"))
    assert manifest["environment"]["numba"] == numba.__version__
    assert manifest["environment"]["processor"] == "generic"
    assert manifest["environment"]["features"] == ""
    assert (manifest["python"], manifest["architecture"]) == (platform.python_version(), platform.machine())
    assert (manifest["parts"], manifest["rules"]) == (["leaves"], None)  # the small package has no replays


@pytest.mark.full
def test_nothing_is_compiled_with_the_wheel(built, tmp_path):
    compiled, is_compiled, status, found = use(built[0], tmp_path)
    assert (compiled, is_compiled) == ([], True)
    assert status.startswith(f"in use, for numba {numba.__version__}, NumPy ")
    assert not list(tmp_path.rglob(f"*{kernel_cache.SUFFIX}"))
    other = tmp_path / "lib"
    shutil.copytree(built[0], other)
    manifest = other / "small_walker/physics/kernels/manifest.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace(f'"numba": "{numba.__version__}"', '"numba": "0.1"'), encoding="utf-8")
    compiled, is_compiled, status, again = use(other, tmp_path)
    assert "heading_sin_cos" in compiled
    assert (is_compiled, again) == (False, found)
    assert status == f"not used, because they are for another environment: numba {numba.__version__} here, 0.1 there"
    assert list(tmp_path.rglob(f"*{kernel_cache.SUFFIX}"))


@pytest.mark.full
def test_what_cannot_be_built_is_a_sentence(plain, built, tmp_path, capsys, monkeypatch):
    def refused(wheel, output, *more):
        assert build(wheel, output, *more) == 1
        told = capsys.readouterr()
        assert told.out == ""
        assert len(told.err.splitlines()) == 1
        return told.err

    (tmp_path / "file").write_text("no wheel")
    (tmp_path / "empty").mkdir()
    assert f"{tmp_path / 'file'}: not a wheel that can be read" in refused(tmp_path / "file", tmp_path)
    assert f"{tmp_path / 'none.whl'}: not a wheel that can be read" in refused(tmp_path / "none.whl", tmp_path)
    assert "has no physics" in refused(write_zip(tmp_path / "empty.whl", tmp_path / "empty"), tmp_path)
    assert "has kernels already" in refused(built[1], tmp_path)
    assert f"--output {tmp_path / 'file'}: file exists; give another folder" in refused(plain, tmp_path / "file")
    for tag in ("any platform", "../x", "win-amd64", "."):
        assert "must be a platform tag such as" in refused(plain, tmp_path, "--platform", tag)
    monkeypatch.setenv("BROKEN", "1")
    assert "the wheel cannot be built: ZeroDivisionError: division by zero" in refused(plain, tmp_path)
    with pytest.raises(SystemExit):
        build(plain, tmp_path, "--parts", "everything")
    assert not list(tmp_path.glob("*-cp3*.whl"))


def test_the_usual_platform_is_that_of_numba():
    assert compiled_wheel.checked_tag(compiled_wheel.platform_tag())
    assert platform.machine().lower() in compiled_wheel.platform_tag().lower()
