"""Types of the queries: mypy gives each call the type that its result has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from game import physics
from game.physics import Ellipsoid, Sphere, TriangleMesh

ROOT = Path(__file__).resolve().parents[3]
MESH = TriangleMesh([[(-9, 0, -9), (-9, 0, 9), (9, 0, 9)], [(-9, 0, -9), (9, 0, 9), (9, 0, -9)]])
BODY, BALL = Ellipsoid((0.3, 0.9, 0.3)), Sphere((0, 1, 0), 0.5)
NAMES = {**vars(physics), "np": np, "MESH": MESH, "BODY": BODY, "BALL": BALL}
CALLS = {  # call -> type for mypy
    "MESH.raycast((0, 5, 0), (0, -1, 0))": "Hit | None",
    "MESH.raycast(np.array([0, 5, 0]), (0, -1, 0), 9.0, surfaces=0)": "Hit | None",
    "MESH.raycast_many([(0, 5, 0)], (0, -1, 0))": "Hits",
    "MESH.raycast_many(np.zeros((2, 3)), (0, -1, 0), ignore=[1])": "Hits",
    "MESH.raycast_any((0, 5, 0), (0, -1, 0))": "bool",
    "MESH.raycast_any_many((0, 5, 0), [(0, -1, 0)])": "NDArray[np.bool_]",
    "MESH.raycast_all((0, 5, 0), (0, -1, 0))": "Hits",
    "MESH.raycast_all_many([(0, 5, 0)], (0, -1, 0))": "list[Hits]",
    "MESH.ground_below((0, 5, 0), steepest=30.0)": "Hit | None",
    "MESH.ground_below_many([(0, 5, 0), (1, 5, 0)], [3.0, 4.0])": "Hits",
    "MESH.closest((0, 5, 0))": "Hit | None",
    "MESH.closest_many([(0, 5, 0)])": "Hits",
    "MESH.overlap(BODY, (0, 0.5, 0), 0.0)": "NDArray[np.int32]",
    "MESH.overlap_many(BODY, [(0, 0.5, 0)], 0.0)": "list[NDArray[np.int32]]",
    "MESH.sweep(BODY, (0, 3, 0), 0.0, (0, -3, 0))": "Hit | None",
    "MESH.sweep_many(BODY, (0, 3, 0), 0.0, [(0, -3, 0)])": "Hits",
    "BALL.overlaps(BALL)": "bool",
    "BALL.overlaps_many(BALL)": "NDArray[np.bool_]",
    "BALL.gap(BALL)": "Gap",
    "BALL.gap_many(BALL)": "Gaps",
    "BALL.sweep((0, 1, 0), BALL)": "Touch | None",
    "BALL.sweep_many((0, 1, 0), BALL)": "Touches",
    "BALL.raycast((0, 5, 0), (0, -1, 0))": "Touch | None",
    "BALL.raycast_many((0, 5, 0), (0, -1, 0))": "Touches",
}
ARRAYS = {  # calls of single queries with arrays
    "MESH.raycast([(0, 5, 0)], (0, -1, 0))",
    "MESH.raycast_any((0, 5, 0), [(0, -1, 0)])",
    "MESH.raycast_all((0, 5, 0), (0, -1, 0), [3.0])",
    "MESH.ground_below([(0, 5, 0)])",
    "MESH.ground_below((0, 5, 0), up=[(0, 1, 0)])",
    "MESH.closest([(0, 5, 0)])",
    "MESH.overlap(BODY, (0, 0.5, 0), [0.0])",
    "MESH.overlap(Sphere([(0, 1, 0)], 0.5))",
    "MESH.sweep(BODY, [(0, 3, 0)], 0.0, (0, -3, 0))",
    "MESH.sweep(BALL, displacement=[(0, -3, 0)])",
    "BALL.overlaps(Sphere([(0, 1, 0)], 0.5))",
    "BALL.gap(Sphere([(0, 1, 0)], 0.5))",
    "BALL.sweep([(0, 1, 0)], BALL)",
    "BALL.raycast([(0, 5, 0)], (0, -1, 0))",
}


@pytest.mark.parametrize(("call", "name"), CALLS.items())
def test_the_result_has_the_type(call: str, name: str) -> None:
    kind = name.partition("[")[0].replace("NDArray", "np.ndarray")
    assert isinstance(eval(call, NAMES), eval(kind, NAMES))


@pytest.mark.parametrize("call", sorted(ARRAYS))
def test_a_single_query_of_arrays_names_the_one_for_arrays(call: str) -> None:
    with pytest.raises(ValueError, match="_many"):
        eval(call, NAMES)


@pytest.mark.full
def test_mypy_knows_the_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    lines = [
        "from typing import assert_type",
        "import numpy as np",
        "from numpy.typing import NDArray",
        "from game.physics import Ellipsoid, Gap, Gaps, Hit, Hits, Sphere, Touch, Touches, TriangleMesh",
        "MESH, BODY, BALL = TriangleMesh([]), Ellipsoid((0.3, 0.9, 0.3)), Sphere((0, 1, 0), 0.5)",
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
