"""The cache of compiled kernels: across processes, with a package of two small kernels; records of parts; shipping."""

import importlib
import json
import os
import pickle
import pkgutil
import shutil
import sys
import time
from pathlib import Path

import numba
import pytest

from game.physics import prepare
from game.physics.numerics import jit, kernel_cache, kernel_key
from tests.support.child_processes import run_python

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="without the JIT nothing is compiled")

SOURCES = {
    "limits.py": "SCALE = 3.0\n",
    "helpers.py": f"import small.limits as limits\nfrom {jit.__name__} import inner\n\n\n@inner\ndef scaled(x):\n"
    "    return x * limits.SCALE\n",
    "kernels.py": f"from {jit.__name__} import kernel\nfrom small.helpers import scaled\n\n\n"
    "@kernel\ndef near(x):\n    return scaled(x) + 1.0\n\n\n@kernel\ndef far(x):\n    return x - 1.0\n",
}
RUN = f"""
import json, sys
from pathlib import Path
import numba.core.event as event
from {jit.__name__} import CACHE_FOLDER, CACHED
from {kernel_cache.__package__} import kernel_cache
if len(sys.argv) > 2:
    kernel_cache.SHIPPED_FOLDER = Path(sys.argv[2])
compiled = []
class Listener(event.Listener):
    def on_start(self, event): pass
    def on_end(self, event): compiled.append(event.data["dispatcher"].py_func.__name__)
with event.install_listener("numba:compile", Listener()):
    from small import helpers, kernels, limits
    exec(sys.argv[1])
    found = kernels.near(2.0), kernels.far(2.0)
if CACHED:
    kernel_cache.write_record(CACHE_FOLDER, "part")
recorded = kernel_cache.is_recorded("part", CACHE_FOLDER if CACHED else None)
told = {{"compiled": compiled, "found": found, "folder": str(CACHE_FOLDER), "recorded": recorded}}
print(json.dumps({{**told, "mismatch": kernel_cache.shipped_mismatch()}}))
"""
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


@pytest.fixture
def package(tmp_path):
    """A folder with the package `small`."""
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "__init__.py").touch()
    for name, text in SOURCES.items():
        (tmp_path / "small" / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(folder, code="pass", shipped=None, **extra):
    """What a process with the package compiled, found and recorded."""
    places = {"WALKER_CACHE": str(folder / "cache"), **extra}
    arguments = [code, *([str(shipped)] if shipped else [])]
    return json.loads(run_python(RUN, *arguments, folder=folder, seconds=900, **places))


def edit(folder, file, old, new):
    path = folder / "small" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def files(told):
    return sorted(Path(told["folder"]).glob(f"*{kernel_cache.SUFFIX}"))


@pytest.mark.full
def test_an_edit_compiles_what_refers_to_it_and_a_return_to_the_old_text_nothing(package):
    first = run(package)
    assert sorted(first["compiled"]) == ["far", "near", "scaled"]
    assert first["found"] == [7.0, 1.0]
    assert first["recorded"]
    edit(package, "limits.py", "3.0", "5.0")
    second = run(package)
    assert sorted(second["compiled"]) == ["near", "scaled"]
    assert second["found"] == [11.0, 1.0]
    edit(package, "kernels.py", "def far(x):", "def far(x):\n    '''Docstring.'''\n    # comment")
    edit(package, "limits.py", "5.0", "3.0")
    moved = package.with_name("moved")
    package.rename(moved)
    assert run(moved)["compiled"] == []  # no path counts


@pytest.mark.full
def test_damaged_files_are_compiled_again_and_replaced(package):
    told = run(package)
    near, far = (next(path for path in files(told) if f".{name}-" in path.name) for name in ("near", "far"))
    content = near.read_bytes()
    for damaged, other in ((b"", b"no pickle"), (content[: len(content) // 2], pickle.dumps(1))):
        near.write_bytes(damaged)
        kernel_cache.write_file(far, other)  # whole, but not a kernel
        again = run(package)
        assert sorted(again["compiled"]) == ["far", "near", "scaled"]
        assert again["found"] == told["found"]
    near.write_bytes(far.read_bytes())  # the code of another kernel
    again = run(package)
    assert again["found"] == told["found"]
    assert "near" in again["compiled"]
    assert "far" not in again["compiled"]
    near.write_bytes(content[:-1] + b"?")
    assert kernel_cache.read_file(near) is None
    near.write_bytes(content)
    os.utime(near, (1e9, 1e9))
    assert run(package)["compiled"] == []
    assert time.time() - near.stat().st_mtime < 3600.0, "a used file counts as new"


@pytest.mark.full
def test_a_folder_that_takes_no_files(package):
    told = run(package)
    shutil.rmtree(told["folder"])
    full = "from pathlib import Path\ndef fail(self, data): raise OSError(28, 'no space')\nPath.write_bytes = fail"
    refused = run(package, full)
    assert (refused["found"], refused["recorded"], files(refused)) == ([7.0, 1.0], False, [])
    assert not list(Path(told["folder"]).glob("*.tmp"))
    nowhere = run(package, WALKER_CACHE="/dev/null/cache")
    assert (nowhere["found"], nowhere["recorded"]) == ([7.0, 1.0], False)


@pytest.mark.full
def test_shipped_kernels_serve_any_processor_and_only_their_own_versions(package, tmp_path):
    """Compiled for the baseline processor, they serve a process of any; a manifest of other versions turns them off."""
    built = run(package, **GENERIC)
    shipped = tmp_path / "shipped"
    Path(built["folder"]).rename(shipped)
    environment = {**kernel_key.environment(), **kernel_cache.BASELINE}
    (shipped / "manifest.json").write_text(json.dumps({"environment": environment}), encoding="utf-8")
    kept = sorted(path.read_bytes() for path in shipped.iterdir())
    used = run(package, shipped=shipped)
    assert (used["compiled"], used["found"], used["mismatch"]) == ([], built["found"], None)
    assert used["recorded"]
    assert files(used) == []
    assert run(package, shipped=shipped, WALKER_CACHE="/dev/null/cache")["compiled"] == []
    edit(package, "limits.py", "3.0", "5.0")
    edited = run(package, shipped=shipped)
    assert sorted(edited["compiled"]) == ["near", "scaled"]
    assert edited["found"] == [11.0, 1.0]
    edit(package, "limits.py", "5.0", "3.0")
    (shipped / "manifest.json").write_text(
        json.dumps({"environment": {**environment, "numba": "0.1"}}), encoding="utf-8"
    )
    other = run(package, shipped=shipped)
    assert sorted(other["compiled"]) == ["far", "near", "scaled"]
    assert other["mismatch"] == f"numba {numba.__version__} here, 0.1 there"
    (shipped / "manifest.json").write_text(json.dumps({"environment": environment}), encoding="utf-8")
    assert sorted(path.read_bytes() for path in shipped.iterdir()) == kept  # never written


def test_the_manifest_decides_whether_shipped_kernels_are_used(monkeypatch, tmp_path):
    monkeypatch.setattr(kernel_cache, "SHIPPED_FOLDER", tmp_path)
    environment = {**kernel_key.environment(), **kernel_cache.BASELINE}

    def mismatch(text):
        (tmp_path / kernel_cache.MANIFEST).write_text(text, encoding="utf-8")
        kernel_cache.read_manifest.cache_clear()
        kernel_cache.shipped_mismatch.cache_clear()
        return kernel_cache.shipped_mismatch()

    try:
        assert mismatch(json.dumps({"environment": environment})) is None
        assert kernel_cache.searched_folders(None) == [tmp_path]
        assert kernel_cache.shipped_status().startswith(f"in use, for numba {numba.__version__}, NumPy ")
        for name in environment:
            told = mismatch(json.dumps({"environment": {**environment, name: "another"}}))
            assert told == f"{name} {environment[name]} here, another there"
            assert kernel_cache.shipped_status() == f"not used, because they are for another environment: {told}"
        assert mismatch(json.dumps({"environment": {}})).endswith("there")
        for text in ("", "[]", "{}", '{"environment": 1}', "\0"):
            assert mismatch(text) == "none are shipped"
            assert kernel_cache.shipped_status() == "none"
            assert kernel_cache.searched_folders(None) == []
    finally:
        kernel_cache.read_manifest.cache_clear()
        kernel_cache.shipped_mismatch.cache_clear()


@pytest.fixture
def part(monkeypatch, tmp_path):
    """(folder of the user, function: is the part compiled), after this process has recorded a part with one kernel."""
    package = tmp_path / "package" / "physics"
    shutil.copytree(kernel_cache.PHYSICS, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(kernel_cache, "PHYSICS", package)
    monkeypatch.setattr(kernel_cache, "_unsaved", set())
    kernel = sys.modules[jit.__package__ + ".trigonometry"].heading_sin_cos
    arguments = kernel_key.signature_key([numba.types.int64], None)
    own = tmp_path / "kernels" / "own"

    def file():
        return own / kernel_cache.file_name(kernel, kernel_key.kernel_key(kernel)[0], arguments)

    entry = kernel.py_func.__module__, kernel.py_func.__qualname__, arguments
    elsewhere = own.with_name("elsewhere") / "another kernel"
    monkeypatch.setattr(kernel_cache, "_used", {file(): entry, elsewhere: entry})
    kernel_cache.write_file(file(), b"machine code")
    kernel_cache.source_digests.cache_clear()
    kernel_cache.write_record(own, "part")

    def recorded():
        kernel_cache.source_digests.cache_clear()
        kernel_cache._valid_records.clear()
        return kernel_cache.is_recorded("part", own)

    yield own, recorded, file, package
    kernel_cache.source_digests.cache_clear()


def test_a_record_holds_until_a_kernel_is_missing(part):
    own, recorded, file, _ = part
    assert recorded()
    assert not kernel_cache.is_recorded("another", own)
    file().unlink()
    assert kernel_cache.is_recorded("part", own)  # a process looks once
    assert not recorded()


NO_RECORD = ("half a record", "1", "[]", "{}", '{"sources": 1}', '{"kernels": {}, "sources": []}', "[" * 99_999)
NO_ENTRIES = (1, [1], [[]], [None], {"a": 1}, [["module", "name", "arguments"]])


@pytest.mark.parametrize("content", [*NO_RECORD, *NO_ENTRIES], ids=lambda content: str(content)[:20])
def test_a_record_that_holds_something_else_counts_as_missing(part, content):
    own, recorded, *_ = part
    path = kernel_cache.record_file(own, "part")
    if not isinstance(content, str):
        content = json.dumps(json.loads(kernel_cache.read_file(path)) | {"used": content})
    kernel_cache.write_file(path, content.encode())
    assert not recorded()


EDITS = {  # file, what is added, whether the record of before it holds
    "beside the kernels": ("walker.py", "\n\nADDED = 1\n", True),
    "a line in the module of a kernel": ("numerics/trigonometry.py", "\n", True),
    "a new kernel": ("walker.py", "\n\n@kernel\ndef added(x):\n    return x\n", False),
    "another recipe": ("prepare.py", "#\n", False),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_record_ends_with_an_edit_of_what_it_was_compiled_from_and_both_are_kept(part, edit):
    """As of two checkouts that share a folder: neither says again that the physics is compiled."""
    own, recorded, _, package = part
    file, added, holds = EDITS[edit]
    path = package / file
    text = path.read_text(encoding="utf-8")
    path.write_text(text + added, encoding="utf-8")
    assert recorded() == holds
    kernel_cache.write_record(own, "part")
    assert recorded()
    path.write_text(text, encoding="utf-8")
    assert recorded()


def test_a_record_ends_with_the_text_of_a_kernel(part, monkeypatch):
    _, recorded, _, package = part
    trigonometry = package / "numerics" / "trigonometry.py"
    trigonometry.write_text(trigonometry.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    monkeypatch.setattr(kernel_key, "kernel_key", lambda kernel: ("another", True))  # what an edit does
    assert not recorded()


def test_no_record_is_written_where_a_kernel_was_not_kept(part, monkeypatch):
    own, *_ = part
    monkeypatch.setattr(kernel_cache, "_unsaved", {"a kernel"})
    kernel_cache.write_record(own, "other")
    assert not kernel_cache.record_file(own, "other").exists()


def test_every_decorated_kernel_is_in_the_list_that_a_record_compares():
    found = sum(len(kernel_cache.DECORATED.findall(path.read_bytes())) for path in kernel_cache.PHYSICS.rglob("*.py"))
    text = "".join(path.read_text(encoding="utf-8") for path in kernel_cache.PHYSICS.rglob("*.py"))
    assert found == text.count("\n@kernel\n") + text.count("\n@allocating\n") > 60


@pytest.mark.skipif(not jit.is_compiled(*prepare.COMPILE_PARTS), reason="only the whole suite compiles all parts")
def test_every_kernel_belongs_to_a_part_that_can_be_shipped():
    """Those that only other kernels call have a file too, but a part that was loaded, not compiled, does not use it."""
    compiled = {path.name.rpartition("-")[0] for path in jit.CACHE_FOLDER.glob("*.kernel")}
    kernels = {
        f"{kernel.__module__}.{kernel.__qualname__}"
        for module in pkgutil.walk_packages([str(kernel_cache.PHYSICS)], f"{prepare.__package__}.")
        for kernel in vars(importlib.import_module(module.name)).values()
        if isinstance(getattr(kernel, "_cache", None), kernel_cache.KernelCache)
    }
    assert len(kernels) > 60
    assert kernels - compiled == set()


def test_old_files_are_removed(tmp_path):
    own, now = tmp_path / "kernels" / "own", time.time()
    for age in range(40):
        for kernel in ("a.near", "a.far-away", "part"):
            suffix = kernel_cache.RECORD_SUFFIX if kernel == "part" else kernel_cache.SUFFIX
            path = own / f"{kernel}-{age:020x}{suffix}"
            kernel_cache.write_file(path, b"")
            os.utime(path, (now - age, now - age))
        folder = tmp_path / "kernels" / f"{age:020x}"
        (folder / "inside").mkdir(parents=True)
        os.utime(folder, (now - age - 9, now - age - 9))
    (own.parent / "somebody's").mkdir()
    os.utime(own.parent / "somebody's", (1e9, 1e9))
    for name, age in (("x.tmp", 10.0), ("y.tmp", 1e6)):
        (own / name).touch()
        os.utime(own / name, (now - age, now - age))
    kernel_cache.remove_old_files(own)
    left = [path.name for path in own.iterdir() if path.suffix != ".tmp"]
    assert len(left) == 3 * kernel_key.VERSIONS_KEPT
    assert {int(name.rpartition("-")[2][:20], 16) for name in left} == set(range(kernel_key.VERSIONS_KEPT))
    assert {path.name for path in own.iterdir()} - set(left) == {"x.tmp"}
    folders = {path.name for path in own.parent.iterdir()}
    assert folders == {"own", "somebody's", *(f"{age:020x}" for age in range(kernel_key.FOLDERS_KEPT))}
