"""Types of the queries: mypy gives each call the type that its result has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from game.physics import Ellipsoid, Hit, Hits, TriangleMesh

ROOT = Path(__file__).resolve().parents[3]
MESH = TriangleMesh([[(-9, 0, -9), (-9, 0, 9), (9, 0, 9)], [(-9, 0, -9), (9, 0, 9), (9, 0, -9)]])
BODY = Ellipsoid((0.3, 0.9, 0.3))
CALLS = {  # call -> type for mypy
    "MESH.raycast((0, 5, 0), (0, -1, 0))": "Hit | None",
    "MESH.raycast([0, 5, 0], (0, -1, 0), 9.0, surfaces=0)": "Hit | None",
    "MESH.raycast((0, 5, 0), (0, 1, 0))": "Hit | None",
    "MESH.raycast([(0, 5, 0)], (0, -1, 0))": "Hits",
    "MESH.raycast((0, 5, 0), [(0, -1, 0), (0, 1, 0)], ignore=[1])": "Hits",
    "MESH.raycast_any((0, 5, 0), (0, -1, 0))": "bool",
    "MESH.raycast_all((0, 5, 0), (0, -1, 0))": "Hits",
    "MESH.ground_below((0, 5, 0), steepest=30.0)": "Hit | None",
    "MESH.ground_below([(0, 5, 0), (1, 5, 0)], [3.0, 4.0])": "Hits",
    "MESH.closest((0, 5, 0))": "Hit | None",
    "MESH.closest([(0, 5, 0)])": "Hits",
    "MESH.overlap(BODY, (0, 0.5, 0), 0.0)": "NDArray[np.int32]",
    "MESH.overlap(BODY, [(0, 0.5, 0)], 0.0)": "list[NDArray[np.int32]]",
    "MESH.sweep(BODY, (0, 3, 0), 0.0, (0, -3, 0))": "Hit | None",
    "MESH.sweep(BODY, [(0, 3, 0)], 0.0, (0, -3, 0))": "Hits",
    "MESH.sweep(BODY, (0, 3, 0), 0.0, [(0, -3, 0)])": "Hits",
    "MESH.raycast(np.zeros((2, 3)), (0, -1, 0))": "Any",
}


def is_of_type(value: object, name: str) -> bool:
    """Whether a value has a type of CALLS."""
    kinds = {
        "Hit | None": Hit | None,
        "Hits": Hits,
        "bool": bool,
        "NDArray[np.int32]": np.ndarray,
        "list[NDArray[np.int32]]": list,
        "Any": object,
    }
    return isinstance(value, kinds[name])


@pytest.mark.parametrize(("call", "name"), CALLS.items())
def test_the_result_has_the_type(call: str, name: str) -> None:
    assert is_of_type(eval(call), name)


@pytest.mark.full
def test_mypy_knows_the_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    lines = [
        "from typing import Any, assert_type",
        "import numpy as np",
        "from numpy.typing import NDArray",
        "from game.physics import Ellipsoid, Hit, Hits, TriangleMesh",
        "MESH, BODY = TriangleMesh([]), Ellipsoid((0.3, 0.9, 0.3))",
        *(f"assert_type({call}, {name})" for call, name in CALLS.items()),
        "MESH.raycast((0, 5, 0), (0, -1, 0), surface=0)",
    ]
    code = tmp_path / "calls.py"
    code.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(code)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert errors, done.stdout
    assert all(f":{len(lines)}: " in error for error in errors), done.stdout  # the call with an unknown argument
