"""`sim --technique`: another method on the same commands, with the same outputs."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.mark.full
def test_a_published_method_walks_and_ours_by_its_name_is_ours(game, level_file, tmp_path):
    walk = tmp_path / "north.commands"
    walk.write_text("90 forward 1\n", encoding="utf-8")
    ends, hashes = {}, {}
    for name in ("guide", "walker", None):
        more = () if name is None else ("--technique", name)
        rows = tmp_path / f"{name}.npz"
        done = game("sim", level_file, "--commands", walk, "--ticks", "90", "-o", rows, *more)
        assert done.returncode == 3 or done.stdout.splitlines()[-1].startswith("goal: reached"), done.stderr
        with np.load(rows) as arrays:
            assert sorted(arrays) == ["grounded", "heading", "position", "tick", "velocity"]
            assert arrays["position"].shape == (90, 3)
            ends[name] = arrays["position"][-1]
        hashes[name] = next(line for line in done.stdout.splitlines() if line.startswith("hash: "))
    assert hashes["walker"] == hashes[None] != hashes["guide"]
    # at its full speed at once, the guide is ahead by what ours needs to start: v^2 / 2a
    assert abs(ends[None][2] - ends["guide"][2] - 4.0**2 / (2 * 60.0)) < 4.0 / 60


@pytest.mark.full
def test_options_that_exclude_each_other_are_reported(game, level_file, tmp_path):
    walk = tmp_path / "north.commands"
    walk.write_text("5 forward 1\n", encoding="utf-8")
    common = ("sim", level_file, "--commands", walk)
    for more, words in (
        (("--technique", "quake"), "no technique is called 'quake'"),
        (("--technique", "guide", "--mended", "wings"), "'wings' is not a defect"),
        (("--mended", "turn"), "--mended needs --technique guide"),
    ):
        done = game(*common, *more)
        assert done.returncode == 2, (more, done.stderr)
        assert words in done.stderr
    assert game(*common, "--technique", "guide", "--mended", "turn,margin").returncode == 3
