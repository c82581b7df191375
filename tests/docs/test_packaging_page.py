"""docs/packaging.md: the numbers, options and lines that it shows are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

from game.physics import prepare
from game.physics.numerics import kernel_cache, kernel_key
from tools.packaging import compiled_wheel

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "packaging.md").read_text(encoding="utf-8")


def test_the_page_has_the_numbers_and_names_of_the_code():
    words = " ".join(PAGE.split())
    assert f"keeps {kernel_key.VERSIONS_KEPT} files of each kernel" in words
    assert f"the folders of the {kernel_key.FOLDERS_KEPT} versions" in words
    assert f"`{kernel_cache.MANIFEST}`" in words
    assert f"`ellipsoid_walker/physics/{kernel_cache.SHIPPED_FOLDER.name}`" in words
    (parts,) = re.findall(r"compile only some of (.+?) \|", words)
    assert re.findall(r"`(\w+)`", parts) == [*prepare.COMPILE_PARTS]
    assert f"python -m {compiled_wheel.__name__} " in PAGE


def test_the_page_lists_the_options_of_the_build_script(capsys):
    try:
        compiled_wheel.main(["--help"])
    except SystemExit:
        told = capsys.readouterr().out
    options = re.findall(r"^\| `(-+\w+)", PAGE, re.M)
    assert len(options) == 4
    assert all(option in told for option in options)


def test_the_page_has_the_lines_of_doctor_about_shipped_kernels(monkeypatch):
    usual = {"numba": "0.68.1", "NumPy": "2.4.6", "Python": "cpython-311", "platform": "x86_64-unknown-linux-gnu"}
    monkeypatch.setattr(kernel_cache.kernel_key, "environment", lambda: usual)
    for manifest, mismatch in (
        ({}, None),
        ({}, "numba 0.66.0 here, 0.68.1 there"),
        (None, "none are shipped"),
    ):
        monkeypatch.setattr(kernel_cache, "read_manifest", lambda manifest=manifest: manifest)
        monkeypatch.setattr(kernel_cache, "shipped_mismatch", lambda mismatch=mismatch: mismatch)
        assert f"    ok   shipped kernels: {kernel_cache.shipped_status()}\n" in PAGE
