"""Walkable distance: around walls, through doors, by lifts; and the graphs that are kept."""

from __future__ import annotations

import numpy as np
import pytest

from game.level import Level, load
from game.sim.bots import walk_graphs, walkable_distance
from game.sim.bots.exploration import LevelExploration
from game.sim.bots.walkable_distance import CARRIED, JUMP, WALK, WalkGraph

pytestmark = pytest.mark.jit
HALF_PERIOD = 3.0  # s, of the door and the lift
START, BEHIND, HIGH = (0.0, 0.0, 2.0), (0.0, 0.0, -2.0), (3.5, 3.0, -3.5)
TEXT = """
format: 1
spawn: {at: [0, 0, 2], facing: north}
pieces:
  - floor: {from: [-4, -4], to: [4, 4], intended: [fall]}
  - box: {from: [-4, 0, -0.1], to: [2, 3, 0.1]}
  - mover: {name: door, at: [3, 0, 0], path: [[0, 0, 0], [-2, 0, 0]], seconds: 1, pause: 2,
      of: [box: {from: [-1, 0, -0.1], to: [1, 2.5, 0.1]}]}
  - box: {from: [3, 2.5, -4], to: [4, 3, -3]}
  - mover: {name: lift, at: [2.4, 0.1, -3.5], path: [[0, 0, 0], [0, 2.9, 0]], seconds: 2, pause: 1,
      of: [box: {from: [-0.6, -0.1, -0.5], to: [0.6, 0, 0.5]}]}
  - kill: {from: [-5, -1, -5], to: [-3, 1, -3]}
goal: {at: [3.5, 3, -3.5], radius: 0.6}
"""


@pytest.fixture(scope="module")
def level() -> Level:
    return load(text=TEXT)


@pytest.fixture(scope="module")
def explored(level: Level) -> WalkGraph:
    exploration = LevelExploration(level, ticks=150_000)
    exploration.explore()
    return walk_graphs.explored_graph(exploration.search)


def test_the_distance_goes_around_a_wall_and_through_a_shut_door(level, explored):
    field = explored.field(level, BEHIND)
    around, beside = field.way_from(START).seconds, field.way_from((0.0, 0.0, -1.0)).seconds
    straight = np.hypot(2.5, 2.0) + np.hypot(2.5, 2.0)  # by way of the door at x = 2.5
    assert (straight - walkable_distance.JOIN_DISTANCE) / explored.speed <= around - HALF_PERIOD
    assert around - HALF_PERIOD <= 1.6 * straight / explored.speed + 0.5
    assert beside < 0.6
    way = field.way_from(START)
    assert "door" in walkable_distance.crossings(level, way.points)
    assert way.kinds.tolist() == [WALK] * (len(way.points) - 1)
    assert way.length == pytest.approx(straight, rel=0.25)


def test_the_next_waypoint_is_at_the_turn_and_then_the_place_itself(level, explored):
    field = explored.field(level, BEHIND)
    x, _, z = field.next_waypoint(START)
    assert 1.9 < x < 3.5
    assert -1.0 < z < 1.0
    assert np.linalg.norm(field.next_waypoint((0.5, 0.0, -0.5)) - BEHIND) < walkable_distance.JOIN_DISTANCE


def test_the_distance_falls_steadily_along_the_way(level, explored):
    field = explored.field(level, BEHIND)
    steps = np.linspace((2.8, 0.0, 1.0), (2.8, 0.0, -1.0), 41)
    seconds = np.array([field.way_from(step).seconds for step in steps])
    assert (np.diff(seconds) < 0.08).all()
    assert seconds[0] - seconds[-1] == pytest.approx(2.0 / explored.speed + HALF_PERIOD, abs=0.25)


def test_no_way_leads_through_a_kill_zone_or_to_where_nobody_came(level, explored):
    assert not ((explored.points[:, 0] < -3.0) & (explored.points[:, 2] < -3.0)).any()
    field = explored.field(level, (50.0, 0.0, 0.0))
    assert field.way_from(START) is None
    assert field.next_waypoint(START) is None


def test_a_lift_costs_its_ride_and_half_its_period(level, explored):
    field = explored.field(level, HIGH, 0.6)
    way = field.way_from(START)
    assert CARRIED in way.kinds
    assert "lift" in walkable_distance.crossings(level, way.points)
    walk = explored.field(level, (1.0, 0.0, -3.5)).way_from(START).seconds
    assert walk + HALF_PERIOD + 1.0 < way.seconds < walk + HALF_PERIOD + 5.0  # it rides for two seconds, or from a stop
    lift = int(np.argmax(way.kinds == CARRIED))
    assert way.points[lift][1] < 0.3
    assert field.next_waypoint(way.points[max(lift - 4, 0)])[1] < 0.5  # the marker waits at the lift


def test_a_graph_of_one_place_leads_to_that_place(level):
    """Bots that do not leave the spawn find one place and no edge."""
    none = np.zeros(0, np.int64)
    graph = WalkGraph(np.array([START]), np.array([[0.0, 1.0, 0.0]]), 4.0, none, none, np.zeros(0), none)
    way = graph.field(level, START).way_from((0.0, 0.0, 2.3))
    assert way is not None
    assert way.points.tolist() == [list(START)]
    assert len(way.kinds) == 0


def test_a_jump_costs_more_than_its_time(explored):
    offset = explored.points[explored.target] - explored.points[explored.source]
    jumps = explored.kinds == JUMP
    assert jumps.any()
    assert (explored.seconds[jumps] > walk_graphs.JUMP_SECONDS).all()
    assert (np.abs(offset[explored.kinds == WALK]) <= 2 * walkable_distance.CELL_SIZE).all()


def test_a_graph_is_the_same_after_its_bytes(level, explored, tmp_path, monkeypatch):
    again = walkable_distance.graph_from_bytes(explored.to_bytes())
    assert np.abs(again.points - explored.points).max() < 0.006
    assert again.seconds == pytest.approx(explored.seconds, abs=0.009)
    assert (again.source.tolist(), again.target.tolist()) == (explored.source.tolist(), explored.target.tolist())
    monkeypatch.setenv("WALKER_CACHE", str(tmp_path))
    assert walk_graphs.kept_graph(level) is None
    path = walk_graphs.keep_graph(level, explored)
    assert walk_graphs.kept_graph(level) is not None
    path.write_bytes(path.read_bytes()[:-200])
    assert walk_graphs.kept_graph(level) is None


@pytest.mark.parametrize("data", [b"", b"PK", b"\x93NUMPY"])
def test_other_bytes_are_no_graph(data):
    with pytest.raises(ValueError, match="not a graph"):
        walkable_distance.graph_from_bytes(data)


@pytest.mark.full
def test_a_new_graph_has_the_bits_of_the_kept_one_also_where_it_cannot_be_kept(level, monkeypatch, tmp_path):
    monkeypatch.setattr(walk_graphs, "_kept_folder", lambda: tmp_path / "kept")
    new, kept = walk_graphs.known_graph(level), walk_graphs.known_graph(level)
    for name in ("points", "ups", "source", "target", "seconds", "kinds"):
        assert np.array_equal(getattr(new, name), getattr(kept, name)), name
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(walk_graphs, "_kept_folder", lambda: tmp_path / "file")
    with pytest.warns(RuntimeWarning, match="cannot be kept"):
        assert np.array_equal(walk_graphs.known_graph(level).seconds, kept.seconds)
