"""Names of the kernels' data: each count of tools/verify/physics_names.py stays where it is, or falls."""

from __future__ import annotations

import pytest

from tools.verify import physics_names

LIMITS = {
    "raw column numbers in kernels, outside geometry": 17,
    "Any in annotations": 141,
    "functions with more than 9 parameters": 0,
    "loops of collide and slide": 3,  # slide_move, fall_and_slide and ground_move, which say why they are apart
    "loops of recovery from penetration": 1,
}


@pytest.mark.parametrize("count", physics_names.COUNTS)
def test_no_count_of_old_physics_names_grows(count):
    places = physics_names.COUNTS[count]()
    assert len(places) <= LIMITS[count], places


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("a[k, 3]", 1),
        ("a[-1]", 0),
        ("a[3]", 1),
        ("tri[k, 3]", 0),
        ("a[0, plane.NX]", 0),
        ("a[k, plane.NX + 1]", 0),
        ("a.shape[1]", 0),
        ("sweep(a)[0]", 0),
    ],
)
def test_a_raw_column_is_seen(tmp_path, line, count):
    (tmp_path / "rows.py").write_text(f"@inner\ndef read(a, k):\n    return {line}\n")
    assert len(physics_names.raw_columns(tmp_path)) == count
