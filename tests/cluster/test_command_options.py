"""Options of the long checks that do not go together, and names that cannot be used."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "command",
    [
        ("fuzz", "room.yaml"),
        ("sweep", "room.yaml", "--commands", "walk.commands", "--vary", "walk_speed=1,2"),
        ("check", "room.yaml", "--walk"),
        ("test", "room.yaml"),
    ],
)
def test_processes_and_a_scheduler_exclude_each_other(room, walker, command):
    message = "-n is for this machine, and with --scheduler others do the work; leave one of them out\n"
    assert walker(*command, "-n", "1", "--scheduler", "tcp://127.0.0.1:9") == (2, "", message)


def test_only_an_explicit_number_of_processes_needs_walk(room, walker):
    assert walker("check", "room.yaml")[0] == 0
    assert walker("check", "room.yaml", "-n", "1")[2] == "-n and --scheduler need --walk\n"
