"""The route in play: the marker at the next turn, the dotted line after Tab, and levels that nobody has walked."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from game.app.guidance import lift_clock, route
from game.app.guidance.objectives import Objective, ObjectiveFinder, ObjectiveKind
from game.app.guidance.route import DOT_HEIGHT, Cue, Route, RouteFinder, RoutePlanner
from game.core.jobs import Jobs
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.physics.character.command import COMMAND_ROW
from game.sim import World
from game.sim.bots.explored_graph import known_graph
from game.sim.bots.reach_graph import kept_graph
from tests.support.player import Player
from tests.support.until import wait_until

EXPLORE = route.RouteFinder._explore  # other tests have none
LEVEL = """
format: 1
spawn: {at: [0, 0, 2], facing: north}
pieces:
  - floor: {from: [-6, -6], to: [6, 6], intended: [fall]}
  - box: {from: [-6, 0, -0.1], to: [3, 3, 0.1]}
goal: {at: [0, 0, -3], radius: 0.5}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("WALKER_CACHE", str(tmp_path / "cache"))
    (tmp_path / "wall.yaml").write_text(LEVEL, encoding="utf-8")
    return tmp_path


def playing(folder, **settings) -> Player:
    return Player.in_level(load(folder / "wall.yaml"), **settings)


def routed(player: Player) -> Route:
    """The route of the game, once its thread has found it; the clock of the game goes on by half a second."""
    finder = player.game.guide.routes
    for _ in range(30):
        player.wait(1 / 60)
        if finder._job is not None:
            end_of(finder._job, player.game.jobs)
    assert finder.route is not None
    return finder.route


def end_of(job, jobs):
    """Wait for a job, whose result arrives with an update of the jobs."""
    wait_until(lambda: jobs.update() or job.done())


@pytest.mark.jit
def test_the_marker_stands_at_the_turn_without_a_number_and_the_card_tells_the_length_of_the_way(folder):
    known_graph(load(folder / "wall.yaml"))
    player = playing(folder)
    route = routed(player)
    assert route.turn is not None
    assert 2.8 < route.turn[0] < 5.0  # past the end of the wall, and not at the goal behind it
    assert 7.0 < route.length < 15.0
    (marker,) = player.wait(0.1).hud.markers
    assert marker.kind == "way"
    assert marker.distance is None
    for _ in range(2):  # the card that the level opens with goes first
        player.press("TAB")
    assert player.wait(0.5).hud.title_card.collected == f"{route.length:.0f} m to walk"
    assert marker.x > 0.6 or (marker.arrow is not None and marker.arrow[0] > 0.5)


@pytest.mark.jit
@pytest.mark.parametrize(("height", "end", "kind"), [(3, 3, "way"), (1.3, 3, "way"), (1.3, 1, "goal"), (3, 1, "way")])
def test_one_marker_says_where_to_go_next(folder, height, end, kind):
    """The goal has it where one sees it, and the way hardly leads round; else the next turn."""
    text = LEVEL.replace("[3, 3, 0.1]", f"[{end}, {height}, 0.1]")
    (folder / "wall.yaml").write_text(text, encoding="utf-8")
    known_graph(load(folder / "wall.yaml"))
    player = playing(folder)
    routed(player)
    assert [marker.kind for marker in player.wait(0.1).hud.markers] == [kind]


@pytest.mark.jit
def test_the_dotted_line_lies_on_the_floor_for_three_seconds(folder):
    known_graph(load(folder / "wall.yaml"))
    player = playing(folder, goal_marker=False)
    player.wait(0.5)
    assert player.game.guide.routes.route is None  # nothing is looked for where nothing is shown
    player.game.key_pressed("TAB")
    player.game.key_released("TAB")
    routed(player)
    dots = player.game.guide.routes.dots
    assert len(dots) > 15
    assert dots[:, 1] == pytest.approx(DOT_HEIGHT, abs=0.05)
    assert np.linalg.norm(dots[0] - player.feet) < 1.5
    assert any(len(layer.points) == len(dots) for layer in player.shown.overlay.points)
    player.wait(3.1)
    assert player.shown.overlay is None or not player.shown.overlay.points


@pytest.mark.full
@pytest.mark.jit
def test_bots_explore_a_level_in_another_process_and_the_way_is_kept(folder, monkeypatch):
    monkeypatch.setattr(route.RouteFinder, "_explore", EXPLORE)
    level = load(folder / "wall.yaml")
    jobs = Jobs()
    world, finder = World(level), RouteFinder(jobs)
    goal = Player.in_level(level).game.guide.objectives.find(world)[0]
    finder.update(world, [goal], 1.0)
    end_of(finder._job, jobs)
    finder.update(world, [goal], 1.0)
    assert finder.route is None
    exploration = finder._exploration[1]
    end_of(exploration, jobs)
    graph = exploration.result()
    for _ in range(2):
        finder.update(world, [goal], 1.0)
        end_of(finder._job, jobs)
    jobs.close()
    finder.update(world, [goal], 0.0)
    assert finder.route.length > 7.0
    assert kept_graph(level).points == pytest.approx(graph.points)
    again = RoutePlanner(load(folder / "wall.yaml"))
    assert again.plan([(goal, level.goal.at)], world.walker_state, 0, False) is not None


def test_a_level_that_nobody_has_walked_shows_the_straight_marker(folder):
    player = playing(folder)
    player.wait(0.5)
    (marker,) = player.shown.hud.markers
    assert player.game.guide.routes.route is None
    assert marker.distance == pytest.approx(5.0, abs=0.5)


LIFTS = """
format: 1
spawn: {at: [0, 0, 3], facing: north}
pieces:
  - floor: {from: [-3, -3], to: [3, 4], intended: [fall]}
  - mover: {name: lift, at: [0, 0.1, 0], path: [[0, 0, 0], [0, 3, 0]], seconds: 2, pause: 1,
      of: [box: {from: [-1, -0.1, -1], to: [1, 0, 1]}]}
  - mover: {name: plate, at: [2, 0.02, 3], path: [[0, 0, 0], [0.01, 0, 0]],
      of: [box: {from: [-1, -0.1, -1], to: [1, 0, 1]}]}
  - mover: {name: arm, at: [-8, 0.2, 0], spin: 45, of: [box: {from: [0, -0.1, -0.2], to: [3, 0, 0.2]}]}
"""


def test_the_time_of_a_lift_is_told_until_it_is_gone():
    world = World(load(text=LIFTS))
    movers = world.environment.movers
    assert lift_clock.next_visit(movers, (0.0, 0.0, 1.2), 0)[0] == 0  # it waits below at first
    visit = comes, goes, _ = lift_clock.next_visit(movers, (0.0, 0.0, 1.2), 120)
    assert 300 < comes < 360 < goes < 470  # a cycle has six seconds: two up and down, and one at each end
    assert lift_clock.next_visit(movers, (2.9, 0.0, -2.9), 0) is None  # only the plate that never goes is near nothing
    assert lift_clock.next_visit(movers, (-6.0, 0.0, 0.0), 0) is None  # an arm sweeps by
    world.tick = comes - 100
    assert lift_clock.lift_text(world, visit) == "Lift: comes in 2 s"
    world.tick = comes
    assert lift_clock.lift_text(world, visit).startswith("Step on   ·   goes up in ")
    on_foot = world.walker_state
    world.walker_state = SimpleNamespace(mover=0)
    for tick, text in ((comes - 100, "Stay on   ·   2 s"), (goes - 5, "Step off   ·   1 s")):
        world.tick = tick
        assert lift_clock.lift_text(world, visit, rides=True) == text
        assert lift_clock.lift_text(world, visit) == ""
    world.walker_state = on_foot
    world.tick, state = comes - 100, world.walker_state
    for z, text in ((1.1, "Stand clear   ·   Lift: comes in 2 s"), (1.3, "Lift: comes in 2 s")):
        world.walker_state = state.replace(position=(0.0, state.position[1], z))
        assert lift_clock.lift_text(world, visit) == text


WATER = """
format: 1
spawn: {at: [0, 0, 0], facing: south}
pieces:
  - floor: {from: [-6, -3], to: [6, 3]}
  - water: {from: [-6, -4, 3], to: [6, -0.3, 9]}
  - ladder: {at: [-5, -3, 3], facing: north, height: 3, width: 0.8}
goal: {at: [0, 0, 12], radius: 0.6}
"""


@pytest.mark.parametrize(
    ("cue", "said"), [(Cue.NONE, ""), (Cue.JUMP, "\ue000Space\ue001: jump"), (Cue.DIVE, "Dive: look down and swim")]
)
def test_the_line_at_the_bottom_tells_jumps_and_dives(cue, said):
    player = Player.in_level(load(text=WATER))
    guide = player.game.guide
    guide.routes.route = Route(None, (0.0, 1.0, 5.0), 9.0, np.zeros((0, 3)), cue=cue)
    assert guide._cue_text == said
    assert guide.hint_text == said or not said


def test_a_step_beside_a_known_way_asks_for_no_jump():
    ledge = "  - box: {from: [-2, 0, 1.0], to: [2, 0.9, 3]}\n"
    player = Player.in_level(load(text=WATER.replace("  - water", f"{ledge}  - water")))
    guide = player.game.guide
    guide.routes.update = lambda *_: None
    guide.routes.route = Route(None, (0.0, 1.0, 5.0), 9.0, np.zeros((0, 3)))
    assert "jump" not in player.wait(0.2).hud.hint
    guide.routes.route = None
    assert player.wait(0.2).hud.hint == "\ue000Space\ue001: jump"


KERB = """
format: 1
spawn: {at: [0, 0, 4], facing: north}
surfaces: {rubber: {bounce: 0.9}}
pieces:
  - floor: {from: [-3, 0], to: [3, 6], intended: [fall]}
  - box: {from: [1.5, -3, -6], to: [3, 0, 0]}
  - box: {from: [1.2, -3, -6], to: [1.5, 0.2, 0]}
  - floor: {from: [-3, -12], to: [3, -6]}
goal: {at: [-2.5, 0, -7.5], radius: 0.6}
"""


@pytest.mark.jit
def test_a_straight_line_needs_ground_all_along(tmp_path, monkeypatch):
    """Not over the corner of a gap, beside whose border there are places."""
    monkeypatch.setenv("WALKER_CACHE", str(tmp_path))
    level = load(text=KERB)
    known_graph(level)
    world = World(level)
    objective = ObjectiveFinder().find(world)[0]
    planner = RoutePlanner(level)
    for x in np.arange(-2.5, 1.0, 0.5):
        state = world.walker.spawn(level.mesh, feet=(x, 0.0, 1.0), heading=0)
        turn = planner.plan([(objective, level.goal.at)], state, 0, False).turn
        for part in np.linspace(0.0, 1.0, 40):
            at = state.feet[0] + part * (turn[0] - state.feet[0]), 0.5, 1.0 + part * (turn[2] - 1.0)
            assert level.mesh.ground_below(at, 1.0) is not None, (x, turn)


@pytest.mark.jit
def test_the_turn_does_not_jump_back_and_in_flight_the_way_begins_where_one_lands(folder):
    level = load(folder / "wall.yaml")
    known_graph(level)
    world, planner = World(level), RoutePlanner(level)
    objective = ObjectiveFinder().find(world)[0]

    def plan(feet, grounded=True):
        state = world.walker.spawn(level.mesh, feet=feet, heading=0)
        if not grounded:
            x, y, z = state.position
            state = world.walker.run(state.replace(position=(x, y + 0.8, z)), np.zeros(1, COMMAND_ROW), level.mesh)[-1]
            state = world.walker.state(state)
            assert not state.grounded
        return planner.plan([(objective, level.goal.at)], state, 0, False)

    before = plan((0.0, 0.0, 2.0))
    east = plan((2.0, 0.0, 1.0))
    assert east.turn[0] >= before.turn[0] - 0.6
    flown, landed = plan((-4.0, 0.0, 1.0), grounded=False), plan((-4.0, 0.0, 1.0))
    assert flown.turn[0] > 1.5
    assert flown.length == pytest.approx(landed.length, abs=0.2)


DOOR = """
format: 1
spawn: {at: [0, 0, 3], facing: north}
pieces:
  - floor: {from: [-6, -9], to: [6, 6], intended: [fall]}
  - wall: {from: [-6, 0], to: [6, 0], height: 3, thickness: 0.4, doors: [{width: 1.1, height: 2.3}]}
  - stairs: {at: [0, 0, -3], facing: north, steps: 10, rise: 0.2, run: 0.3, width: 3}
  - box: {from: [-6, 0, -9], to: [6, 2, -6]}
  - wall: {from: [-1.6, -7.5], to: [6, -7.5], y: 2, height: 2, thickness: 0.2}
goal: {at: [3, 2, -8.4], radius: 0.4}
"""


@pytest.mark.jit
def test_the_turn_is_at_a_door_until_it_is_passed_then_at_the_foot_of_the_stairs(tmp_path, monkeypatch):
    monkeypatch.setenv("WALKER_CACHE", str(tmp_path))
    level = load(text=DOOR)
    known_graph(level)
    world, planner = World(level), RoutePlanner(level)
    objective = ObjectiveFinder().find(world)[0]

    def turn(x, z):
        planner._last = None
        state = world.walker.spawn(level.mesh, feet=(x, 0.0, z), heading=0)
        return planner.plan([(objective, level.goal.at)], state, 0, False).turn

    for x, z in [(0.0, 3.0), (0.4, 3.0), (0.3, 1.4), (-0.4, 2.0), (0.8, 1.0)]:
        assert turn(x, z)[2] == pytest.approx(0.0, abs=0.9), (x, z)
    for z in (0.0, -0.6):
        assert -4.1 < turn(0.0, z)[2] < -2.4
        assert turn(0.0, z)[1] < 1.6 + 0.9


CLIMB = """
format: 1
spawn: {at: [0, 0, 3], facing: north}
pieces:
  - floor: {from: [-6, 0], to: [6, 6]}
  - box: {from: [-6, 0, -6], to: [6, 3, 0]}
  - ladder: {at: [2, 0, 0], facing: north, height: 3, width: 0.8}
goal: {at: [0, 3, -4], radius: 0.6}
"""


@pytest.mark.jit
def test_the_marker_stands_at_the_ladder_also_for_who_comes_from_the_side(tmp_path, monkeypatch):
    monkeypatch.setenv("WALKER_CACHE", str(tmp_path))
    level = load(text=CLIMB)
    known_graph(level)
    world = World(level)
    objective = ObjectiveFinder().find(world)[0]
    for x, z in [(-4.0, 1.0), (0.0, 3.0), (2.0, 2.0), (5.0, 0.8), (2.3, 0.6)]:
        state = world.walker.spawn(level.mesh, feet=(x, 0.0, z), heading=0)
        turn = RoutePlanner(level).plan([(objective, level.goal.at)], state, 0, False).turn
        assert np.hypot(turn[0] - 2.0, turn[2]) < 0.5, (x, z, turn)


@pytest.mark.jit
def test_who_falls_into_the_river_is_led_straight_to_its_ladder():
    level = load(SHIPPED_LEVELS / "waters.yaml")
    world, planner = World(level), RoutePlanner(level)
    objective = ObjectiveFinder().find(world)[0]
    for x, z in [(12.0, -45.0), (15.0, -40.0), (18.0, -44.0), (22.0, -39.5)]:
        state = world.walker.spawn(level.mesh, feet=(x, -2.0, z), heading=0)
        turn = planner.plan([(objective, level.goal.at)], state, 0, False).turn
        assert np.hypot(turn[0] - 24.0, turn[2] + 42.0) < 0.7, (x, z, turn)


@pytest.mark.jit
def test_on_spiral_stairs_the_marker_is_about_as_high_as_the_eye_and_the_dots_lie_on_the_steps():
    level = load(SHIPPED_LEVELS / "demo.yaml")
    world = World(level)
    objective = ObjectiveFinder().find(world)[0]
    for feet in [(14.4, 0.0, -12.2), (13.6, 0.0, -12.2), (13.02, 0.41, -13.59)]:
        state = world.walker.spawn(level.mesh, feet=feet)
        found = RoutePlanner(level).plan([(objective, level.goal.at)], state, 0, True)
        rise = found.turn[1] - state.feet[1] - level.player.eye_height
        assert abs(rise) < 0.7, (feet, found.turn)
        dots = found.dots[found.dots[:, 1] < 6.5]
        assert len(dots) > 15
        below = level.mesh.raycast_many(dots, np.array((0.0, -1.0, 0.0)), 1.0).distance
        assert below == pytest.approx(DOT_HEIGHT, abs=0.01)


def test_the_marker_does_not_flip_and_turns_to_what_is_wanted_for_long(folder, monkeypatch):
    """Also between two targets; a place that was reached is left at once."""
    world = World(load(folder / "wall.yaml"))
    goal = ObjectiveFinder().find(world)[0]
    target = Objective(ObjectiveKind.TARGET, (5.0, 1.6, -3.0))
    left, right = (Route(goal, (x, 1.6, -3.0), 9.0, np.zeros((0, 3))) for x in (-5.0, 5.0))
    other = Route(target, None, 9.0, np.zeros((0, 3)))
    found = []
    jobs = Jobs()
    monkeypatch.setattr(RoutePlanner, "plan", lambda *_: found[-1])
    finder = RouteFinder(jobs)

    def shown_after(route, times):
        """The marked places of some searches that find a route."""
        found.append(route)
        shown = []
        for _ in range(times):
            finder.update(world, [goal, target], 0.25)
            end_of(finder._job, jobs)
            finder.update(world, [goal, target], 0.0)
            shown.append(finder.route)
        return shown

    assert shown_after(left, 1) == [left]
    for wanted in (right, left, other, left, right, left):  # now here, now there, each for half a second
        assert set(map(id, shown_after(wanted, 2))) == {id(left)}
    for wanted, before in ((right, left), (left, right)):
        assert shown_after(wanted, 4) == [before, before, wanted, wanted]
    world.walker_state = world.walker.spawn(world.level.mesh, feet=(-4.0, 0.0, -3.0))  # at the marker
    assert shown_after(right, 1) == [right]
    assert shown_after(None, 1) == [None]
    assert shown_after(left, 1) == [left]
    jobs.close()


PAD = """
format: 1
player: {gravity: %s}
spawn: {at: [0, 0, 4], facing: north}
pieces:
  - floor: {from: [-3, -30], to: [3, 6], intended: [fall]}
  - pad: {at: [0, 0, 0], size: [2, 2], to: [0, 0, -8], over: 3}
goal: {at: [0, 0, -20], radius: 0.6}
"""


@pytest.mark.parametrize("gravity", [9.81, 3.0])
def test_a_flight_ends_where_the_body_lands(gravity):
    """Also with a gravity of its own, for which a pad was not made."""
    level = load(text=PAD % gravity)
    world, planner = World(level), RoutePlanner(level)
    pad = next(zone for zone in level.all_zones if zone.acts_by("launch"))
    points = np.array(planner._flight_from(pad, 0))
    state = world.walker.spawn(level.mesh, feet=(0.0, 0.0, 0.0), around=world.environment)
    rows = world.walker.commands(heading=np.zeros(700, np.int64))
    states = world.walker.run(state, rows, level.mesh, around=world.environment)
    landed = int(np.flatnonzero(states["grounded"])[0])
    assert points[-1] == pytest.approx(world.walker.state(states[landed]).feet, abs=0.01)
    assert points[:, 1].max() > (2.9 if gravity > 9.0 else 7.0)
    for k in (5, landed // 2, landed - 2):
        end = planner._landing(world.walker.state(states[k]), k + 1)
        assert end == pytest.approx(points[-1], abs=0.01)
