"""The safe place of a walker: crushed or lost, the body is back there with the stance, heading and up of then."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from game.fuzz.tick_referee import TickReferee
from game.physics import (
    Command,
    Environment,
    Motion,
    Mover,
    Movers,
    TriangleMesh,
    Walker,
    WalkerState,
    Zone,
    Zones,
)
from tests.support.scenes import box, floor, heading, mesh

RETURNS = frozenset(("crushed", "lost"))  # events of a tick that ends at the last safe place


@dataclass
class Scene:
    """A level with its environment, the walker, its first state and the commands."""

    level: TriangleMesh
    around: Environment
    walker: Walker
    start: WalkerState
    commands: list[Command]


def is_free(scene: Scene, states: list[WalkerState], clock: int = 0) -> bool:
    """Whether each tick ends with its gap to the level and to the movers at their poses then."""
    rows = np.concatenate([state.row() for state in states])
    referee = TickReferee(scene.walker, scene.level, scene.around)
    breaches = referee.check(rows, scene.walker.commands(scene.commands), clock)
    return not any(breach.kind in ("gap", "tunnel") for breach in breaches)


CRAWL = mesh(floor(-3, -8, 3, 10), box(-3, 1.2, 0, 3, 3, 6))  # a crawl space, 1.2 m high, from z = 0 to 6
PRESS = Mover(mesh(box(-3, 0, -2.2, 3, 1, 2.2)), (0, 2.5, -2.6), Motion(((0, 0, 0), (0, -2.45, 0)), 1.0, 1.5))


def crawl_walk(clock: int) -> tuple[Scene, list[WalkerState], list[int]]:
    """Through the crawl space crouched, stand up and turn behind it until the press comes, and crawl back; (the scene
    with the commands, the states, the ticks that return to the safe place)."""
    walker, around = Walker(), Environment(movers=Movers([PRESS], 60))
    state = walker.spawn(CRAWL, (0, 0, 8), around=around, clock=clock)
    scene, states, returns, waits = Scene(CRAWL, around, walker, state, []), [state], [], False
    for k in range(900):
        waits |= state.position[2] < -1.0
        crouch, ahead = bool(returns) or not waits, not waits or bool(returns)
        command = Command(float(ahead), crouch=crouch, heading=heading(180 if returns else 50 * waits))
        state, trace = walker.step(state, command, CRAWL, around, clock + k)
        returns += [k] if RETURNS & set(trace.events) else []
        scene.commands.append(command)
        states.append(state)
    return scene, states, returns


@pytest.mark.sample(2)
@pytest.mark.parametrize("clock", range(0, 300, 60))
def test_a_body_crushed_beside_a_crawl_space_is_back_in_it_crouched(clock: int) -> None:
    scene, states, returns = crawl_walk(clock)
    (k,) = returns
    back = states[k + 1]
    safe = next(s for s in reversed(states[: k + 1]) if s.position == back.position)
    assert not states[k].crouched, "it stands when the press comes"
    assert states[k].heading != back.heading
    assert (back.crouched, back.radii, back.heading) == (True, safe.radii, safe.heading)
    assert (back.up, back.north, back.velocity) == (safe.up, safe.north, (0.0, 0.0, 0.0))
    assert states[k + 2].feet[1] == pytest.approx(safe.feet[1], abs=0.01)
    assert is_free(scene, states, clock)
    assert states[-1].position[2] > 6.5, "it can walk away"


@pytest.mark.sample(2)
@pytest.mark.parametrize("down", [(1, 0, 0), (0, 1, 0), (0, 0, -1), (0.6, 0.48, 0.64)])
def test_back_out_of_another_gravity_one_stands_upright_again(down: tuple[float, ...]) -> None:
    """A pillar crushes the body against a wall, in a zone whose gravity it has taken; its safe place is outside."""
    hall = mesh(box(-6, 0, -6, 6, 6, 6))
    zone = Zone((4, 3, 0), (2, 3, 6), down=down)
    pillar = Mover(mesh(box(-2.1, 0.0, -5.9, 2.1, 5.9, -1.0)), (3.8, 0.05, 0), Motion(((0, 0, 0), (0, 0, 8)), 3.0, 2.0))
    walker, around = Walker(), Environment(Zones([zone]), Movers([pillar], 60))
    state = walker.spawn(hall, (-4.0, 0.0, 3.0), heading(-90), around=around)
    states, turned, back = [state], False, 0
    scene = Scene(hall, around, walker, state, [Command(forward=1.0, heading=heading(-90))] * 900)
    for k, command in enumerate(scene.commands):
        state, trace = walker.step(state, command, hall, around, k)
        turned |= state.up != (0.0, 1.0, 0.0)
        if RETURNS & set(trace.events):
            back += 1
            safe = next(s for s in reversed(states) if s.position == state.position and s.grounded)
            assert (state.up, state.north, state.heading) == (safe.up, safe.north, safe.heading)
        states.append(state)
    assert turned
    assert back >= 1
    assert is_free(scene, states)


def test_a_safe_place_under_a_press_is_free_again_when_it_rises() -> None:
    """A spawn in the reach of a press has no other safe place. The body crouches there, and stands up afterwards."""
    level = mesh(floor(-9, -9, 9, 9))
    press = Mover(mesh(box(-2, 0, -2, 2, 1, 2)), (0, 2.0, 0), Motion(((0, 0, 0), (0, -1.9, 0)), 1.0, 1.0))
    walker, around = Walker(), Environment(movers=Movers([press], 60))
    state = walker.spawn(level, (0, 0, 0), around=around)
    crushed, crouched = [], []
    for k in range(290):
        state, trace = walker.step(state, Command(), level, around, k)
        crushed.append("crushed" in trace.events)
        crouched.append(state.crouched)
    assert 60 < sum(crushed) < 160
    assert np.mean(np.array(crouched)[crushed]) > 0.95, "the smaller body, from the second return on"
    assert not any(crushed[-50:])
    assert state.grounded
    assert not state.crouched
    assert state.feet == pytest.approx((0.0, 0.009, 0.0), abs=1e-3)


def test_an_upright_safe_place_that_has_become_too_low_is_taken_crouched() -> None:
    """A row that names the wrong stance of its safe place: the crawl space still receives the body."""
    walker = Walker()
    state = walker.spawn(CRAWL, (0, 0, 8))
    states = walker.run(state, walker.commands([Command(forward=1.0, crouch=True)] * 150), CRAWL)
    inside, outside = walker.state(states[-1]), walker.spawn(CRAWL, (0, 0, -2))
    row = outside.row()
    row["safe"] = inside.position
    row["position"] = (0.0, 1.3, 3.0)  # in the ceiling, with no way out
    row["safe_crouched"] = 0
    state = WalkerState(row)
    lost = []
    for _ in range(20):
        state, trace = walker.step(state, Command(), CRAWL)
        lost.append("lost" in trace.events)
    assert lost[0]
    assert not any(lost[3:])
    assert state.crouched
    assert state.grounded
    assert state.feet == pytest.approx(inside.feet, abs=0.02)
