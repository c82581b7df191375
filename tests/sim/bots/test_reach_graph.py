"""Walkable distance: around walls, through doors, by lifts; and the graphs that are kept."""

from __future__ import annotations

import re

import numpy as np
import pytest

from game.app.runs.progress import SHIPPED_HASHES
from game.gym.progress import make_progress
from game.level import Level, load
from game.level.format.file_access import SHIPPED_LEVELS
from game.sim.bots import explored_graph, reach_graph, search, ways
from game.sim.bots.exploration import LevelExploration
from game.sim.bots.reach_graph import DROP, HOP, JUMP, RIDE, STEP, WALK, ReachGraph
from tools import graphs

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
def explored(level: Level) -> ReachGraph:
    exploration = LevelExploration(level, ticks=150_000)
    exploration.explore()
    return explored_graph.explored_graph(exploration.search)


def turn_of(field, feet):
    return field.next_turn(feet, field.way_from(feet))


def test_the_distance_goes_around_a_wall_and_through_a_shut_door(level, explored):
    field = ways.field_to(explored, level, BEHIND)
    around, beside = field.way_from(START).seconds, field.way_from((0.0, 0.0, -1.0)).seconds
    straight = np.hypot(2.5, 2.0) + np.hypot(2.5, 2.0)  # by way of the door at x = 2.5
    assert (straight - ways.JOIN_DISTANCE) / explored.speed <= around - HALF_PERIOD
    assert around - HALF_PERIOD <= 1.6 * straight / explored.speed + 0.5
    assert beside < 0.6
    way = field.way_from(START)
    assert "door" in ways.crossings(level, way.points)
    assert way.kinds.tolist() == [WALK] * (len(way.points) - 1)
    assert way.length == pytest.approx(straight, rel=0.25)


def test_a_way_on_foot_over_open_ground_leads_back(ledge):
    """Bots that come in with a speed drift past some ways: those are walked from rest."""
    _, graph = ledge
    is_open = (graph.kinds == WALK) & ~graph.is_rim[graph.source] & ~graph.is_rim[graph.target]
    ways = np.stack([graph.source, graph.target])[:, is_open]
    there, back = (first * len(graph.points) + second for first, second in (ways, ways[::-1]))
    assert len(there) > 500
    assert np.isin(there, back).mean() > 0.98


def test_no_way_leads_through_a_kill_zone_or_to_where_nobody_came(level, explored):
    assert not ((explored.points[:, 0] < -3.0) & (explored.points[:, 2] < -3.0)).any()
    field = ways.field_to(explored, level, (50.0, 0.0, 0.0))
    assert field.way_from(START) is None


def test_a_lift_costs_its_ride_and_half_its_period(level, explored):
    field = ways.field_to(explored, level, HIGH, 0.6)
    way = field.way_from(START)
    assert {RIDE, HOP} <= set(way.kinds.tolist())
    assert {RIDE, STEP} <= set(
        ways.field_to(explored, level, HIGH, 0.6, for_person=True).way_from(START).kinds.tolist()
    )
    assert "lift" in ways.crossings(level, way.points)
    walk = ways.field_to(explored, level, (1.0, 0.0, -3.5)).way_from(START).seconds
    assert walk + HALF_PERIOD + 1.0 < way.seconds < walk + HALF_PERIOD + 5.0  # it rides for two seconds, or from a stop
    lift = int(np.argmax(way.kinds == HOP))
    assert way.points[lift][1] < 0.3
    assert turn_of(field, way.points[max(lift - 4, 0)]).feet[1] < 0.5  # the marker waits at the lift
    on_deck = int(np.argmax(way.kinds == RIDE))
    turn = turn_of(field, way.points[on_deck])
    assert (turn.kind, turn.feet[1] > 2.5) == (RIDE, True)  # and on it, where one leaves it


def test_a_graph_is_the_same_after_its_bytes(level, explored, tmp_path, monkeypatch):
    again = reach_graph.graph_from_bytes(explored.to_bytes())
    assert np.abs(again.points - explored.points).max() < 0.006
    assert again.seconds == pytest.approx(explored.seconds, abs=0.009)
    assert (again.source.tolist(), again.target.tolist()) == (explored.source.tolist(), explored.target.tolist())
    monkeypatch.setenv("WALKER_CACHE", str(tmp_path))
    assert reach_graph.kept_graph(level) is None
    path = reach_graph.keep_graph(level, explored)
    assert reach_graph.kept_graph(level) is not None
    path.write_bytes(path.read_bytes()[:-200])
    assert reach_graph.kept_graph(level) is None


@pytest.mark.parametrize("data", [b"", b"PK", b"\x93NUMPY"])
def test_other_bytes_are_no_graph(data):
    with pytest.raises(ValueError, match="not a graph"):
        reach_graph.graph_from_bytes(data)


@pytest.mark.full
def test_a_new_graph_has_the_bits_of_the_kept_one_also_where_it_cannot_be_kept(level, monkeypatch, tmp_path):
    monkeypatch.setattr(reach_graph, "_kept_folder", lambda: tmp_path / "kept")
    new, kept = explored_graph.known_graph(level), explored_graph.known_graph(level)
    for name in ("points", "ups", "source", "target", "seconds", "kinds"):
        assert np.array_equal(getattr(new, name), getattr(kept, name)), name
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(reach_graph, "_kept_folder", lambda: tmp_path / "file")
    with pytest.warns(RuntimeWarning, match="cannot be kept"):
        assert np.array_equal(explored_graph.known_graph(level).seconds, kept.seconds)


def test_a_graph_of_bots_that_gave_up_says_so_and_is_not_kept(level, monkeypatch, tmp_path):
    monkeypatch.setattr(reach_graph, "_kept_folder", lambda: tmp_path)
    monkeypatch.setattr(search, "MAX_PLACE_BYTES", 60_000)
    graph = explored_graph.known_graph(level)
    assert re.fullmatch(r"the bots found \d+ places, all that they may", graph.unfinished)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match=r"bots did not get there, and gave up before .*: the bots found \d+ places"):
        make_progress(level, is_walkable=True)


LEDGE = """
format: 1
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-6, -3], to: [6, 3]}
  - box: {from: [-6, 0, -7], to: [6, 1.6, -3]}
  - ramp: {at: [2, 0, -1], facing: north, length: 2, rise: 1.6, width: 3}
  - water: {from: [-6, -4, 3], to: [6, -0.3, 9]}
  - room: {from: [-6, -4, 3.01], to: [6, 0, 9], ceiling: false}
  - ladder: {at: [-5, -3, 3], facing: north, height: 3, width: 0.8}
goal: {at: [-4, 1.6, -5], radius: 0.6}
"""


@pytest.fixture(scope="module")
def ledge() -> tuple[Level, ReachGraph]:
    level = load(text=LEDGE)
    exploration = LevelExploration(level, ticks=600_000)
    exploration.explore()
    return level, explored_graph.explored_graph(exploration.search)


def test_a_person_is_led_where_no_skill_is_needed(ledge):
    """Down a ramp, and not over the edge beside it."""
    level, graph = ledge
    fast, easy = (
        ways.field_to(graph, level, (-4.0, 0.0, -0.5), for_person=person).way_from((-4.0, 1.6, -5.0))
        for person in (False, True)
    )
    assert {JUMP, DROP} & set(fast.kinds.tolist())
    assert set(easy.kinds.tolist()) == {WALK}
    assert fast.length < easy.length


def test_a_way_keeps_off_walls_and_edges(ledge):
    level, graph = ledge
    way = ways.field_to(graph, level, (-5.0, 0.0, -2.6), for_person=True).way_from((-0.5, 0.0, -2.6))
    assert graph.is_rim[way.places].mean() < 0.4
    assert not graph.is_rim[graph.near(np.array([(0.0, 0.0, 0.0)]))[1]].any()
    assert graph.is_rim[(graph.points[:, 0] > 6.0) & (np.abs(graph.points[:, 2]) < 2.0)].all()


def test_the_shipped_graphs_are_those_of_the_levels():
    """By their hashes; `python -m tools.graphs` writes them."""
    names = {f"{SHIPPED_HASHES[f'{name}.yaml']}-{reach_graph.VERSION}.npz" for name in graphs.LEVELS}
    assert {path.name for path in (SHIPPED_LEVELS / "graphs").iterdir()} == names


@pytest.mark.full
@pytest.mark.parametrize("name", ["escher", "surfaces"])
def test_a_shipped_graph_is_what_bots_find(name):
    level = load(SHIPPED_LEVELS / f"{name}.yaml")
    shipped, found = reach_graph.kept_graph(level), explored_graph.make_graph(level)
    for column in ("points", "ups", "source", "target", "seconds", "kinds"):
        assert np.array_equal(getattr(shipped, column), getattr(found, column)), column
