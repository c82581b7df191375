"""Public interface of the physics: pure steps, rows, states, error messages, and the same bits by every route."""

from __future__ import annotations

import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import game.physics.batch as crowd_module
from game import physics
from game.fuzz.random_walks import wander
from game.physics import (
    Command,
    Crowd,
    Environment,
    Motion,
    Mover,
    Movers,
    Trace,
    Walker,
    WalkerSettings,
    WalkerState,
    Zone,
    Zones,
    bare,
    slim,
)
from game.physics.numerics.trigonometry import heading_sin_cos
from tests.support.scenes import box, floor, mesh, ramp, stairs, wall

SCENE = floor(-6, -8, 6, 6, tiles=3) + stairs(0.18, 0.3, 8, 3) + box(2, 0, 0, 3, 0.35, 2) + wall(-3, 6, -3, -8, 3)


def test_public_names_stay_importable():
    """Programs of users import these; none goes without a reason."""
    names = """
        SLIM Box Capsule Command Contact Crowd Ellipsoid Gap Hit Material Motion Mover Movers Slide Sphere
        Touch Trace TriangleMesh Walker WalkerSettings WalkerState bare point_in_polygon slim
    """.split()  # noqa: SIM905
    assert set(names) <= set(physics.__all__)
    assert all(hasattr(physics, name) for name in physics.__all__)


@pytest.mark.jit
@pytest.mark.parametrize("threads", [None, 1, 3])
def test_a_crowd_gives_the_bits_of_single_walkers(threads):
    """In as many batches as threads, and more."""
    walker, world = Walker(slim()), mesh(SCENE)
    starts = [walker.spawn(world, (x, 0.0, 3.0), 500 * k) for k, x in enumerate((-2.0, 0.0, 1.5, 4.0))]
    rows, copies = [wander(walker, 60, seed=k) for k in range(4)], crowd_module.BATCH_SIZE
    crowd, states = Crowd(walker, world, threads), starts * copies
    for t in range(60):
        states = crowd.step(states, np.tile(np.concatenate([r[t : t + 1] for r in rows]), copies))
    ends = np.concatenate([walker.run(start, own, world)[-1:] for start, own in zip(starts, rows, strict=True)])
    assert states.tobytes() == np.tile(ends, copies).tobytes()
    with pytest.raises(ValueError, match="as many"):
        crowd.step(states, rows[0][:1])
    assert len(crowd.step([], [])) == 0
    with pytest.raises(ValueError, match="at least 1"):
        Crowd(walker, world, 0)


def test_growing_scratch_memory_changes_no_bit():
    """With more candidates than capacity the tick is repeated with more memory."""
    walker = Walker(bare())
    fine = mesh(floor(-2, -2, 2, 2, tiles=60))
    start = walker.spawn(fine, (0.0, 0.0, 0.0))
    states = walker.run(start, walker.commands(forward=np.ones(20)), fine)
    assert states["position"][-1][2] == pytest.approx(-4.0 / 3.0, abs=1e-9)
    assert (states["tick"] == np.arange(1, 21)).all()


def test_a_state_survives_bytes_and_pickle_and_cannot_be_changed():
    walker, world = Walker(WalkerSettings()), mesh(SCENE)
    state = walker.spawn(world, (0.0, 0.0, 3.0), 16384)
    assert state == WalkerState.from_bytes(state.to_bytes())
    assert hash(state) == hash(WalkerState.from_bytes(state.to_bytes()))
    assert pickle.loads(pickle.dumps(state)) == state
    assert state.yaw == pytest.approx(math.pi / 2)
    assert state.up == (0.0, 1.0, 0.0)
    assert state.feet[1] == state.position[1] - 0.9
    moved = state.replace(position=(1, 2, 3), velocity=(0, -1, 0), heading=-1)
    assert (moved.position, moved.velocity, moved.heading) == ((1.0, 2.0, 3.0), (0.0, -1.0, 0.0), 65535)
    assert moved != state
    with pytest.raises(ValueError, match="bytes"):
        WalkerState.from_bytes(b"short")
    with pytest.raises(ValueError, match="finite"):
        state.replace(position=(math.inf, 0, 0))
    with pytest.raises(AttributeError):
        state.position = (0, 0, 0)


def said(trace: Trace) -> tuple[object, ...]:
    """All that a trace says."""
    return (
        trace.bits, trace.events, trace.held, trace.why, trace.contacts, trace.stops, trace.slides,
        trace.candidates.tobytes(),
    )  # fmt: skip


def test_a_trace_says_the_same_whenever_it_is_read():
    """At once; after many other ticks, in a world that has changed, by another thread, and after pickling."""
    walker, other, world = Walker(), Walker(), mesh(SCENE)
    slab = Mover(mesh(box(-1, -0.1, -1, 1, 0.1, 1)), (0.0, 0.3, 1.0), Motion(((0.0, 0.5, 0.0), (1.0, 0.2, 0.0)), 2.0))
    wind = Zone((0.0, 1.0, 1.0), (2.0, 2.0, 2.0), current=(0.5, 0.0, 0.5), mover=0)
    around = Environment(Zones([wind]), Movers([slab]))
    rows = wander(walker, 200, seed=12)
    state = start = walker.spawn(world, (0.0, 1.0, 1.0), 100, around=around, clock=7)
    at_once, unread = [], []
    for k, row in enumerate(rows):
        held = [bool(row["buttons"] >> bit & 1) for bit in range(4)]
        command = Command(float(row["forward"]), float(row["strafe"]), int(row["heading"]), int(row["pitch"]), *held)
        at_once.append(said(other.step(state, command, world, around, 7 + k)[1]))
        state, trace = walker.step(state, command, world, around, 7 + k)
        unread.append(trace)
    states, by_run = walker.run(start, rows, world, trace=True, around=around, clock=7)
    states["position"] = 1e6
    walker.run(walker.spawn(mesh(floor(-9, -9, 9, 9)), (0.0, 0.0, 0.0)), wander(walker, 1000, seed=6), world)
    copies = pickle.loads(pickle.dumps(unread[::30]))
    del world, around
    with ThreadPoolExecutor(1) as thread:
        assert list(thread.map(said, unread)) == at_once
    assert [said(trace) for trace in by_run] == at_once
    assert [said(trace) for trace in copies] == at_once[::30]
    assert len({bits for bits, *_ in at_once}) > 5
    assert any(contact.mover == 0 for *_, contacts, _, _, _ in at_once for contact in contacts)


def test_a_command_is_a_value():
    plain = Command(0.5, -1.0, 70000, -3, jump=True, use=True)
    converted = Command(np.float32(0.5), -1, np.int32(70000), np.int8(-3), np.True_, np.False_, False, np.True_)
    assert plain == converted
    assert (plain.forward, plain.strafe, plain.heading, plain.pitch) == (0.5, -1.0, 70000, -3)
    assert (plain.jump, plain.crouch, plain.sprint, plain.use) == (True, False, False, True)
    assert hash(plain) == hash(converted)
    assert repr(converted) == repr(plain)
    assert repr(plain).startswith(
        "Command(forward=0.5, strafe=-1.0, heading=70000, pitch=-3, jump=True, crouch=False, "
    )
    assert pickle.loads(pickle.dumps(plain)) == plain != Command(0.5, -1.0, 70000, -3, jump=True)
    assert plain != Command(0.5, -1.0, 70000 % 65536, -3, jump=True, use=True)
    assert plain != (0.5, -1.0, 70000, -3, True, False, False, True)
    for name in ("forward", "heading", "jump", "other"):
        with pytest.raises(AttributeError):
            setattr(plain, name, 1)


def test_run_takes_any_array_of_command_rows_and_refuses_a_wrong_one_before_the_first_tick():
    walker, world = Walker(), mesh(SCENE)
    start = walker.spawn(world, (0.0, 0.0, 3.0))
    rows = wander(walker, 600, seed=8)
    expected = walker.run(start, rows, world).tobytes()
    read_only, spread = rows.copy(), np.repeat(rows, 2)[::2]
    read_only.flags.writeable = False
    for given in (read_only, spread, rows.view(np.recarray)):
        assert walker.run(start, given, world).tobytes() == expected
    for name, value in (("forward", math.nan), ("strafe", -2e6), ("pitch", 16385)):
        wrong = rows.copy()
        wrong[name][500] = value
        wrong.flags.writeable = False
        with pytest.raises(ValueError, match=f"^{name} of row 500 must be .*, not {value}"):
            walker.run(start, wrong, world)
    assert walker.run(start, rows, world).tobytes() == expected
    assert len(walker.run(start, rows[:0], world)) == 0


def test_commands_become_rows_with_wrapped_headings_and_button_bits():
    walker = Walker()
    low = Command(crouch=True, sprint=True, use=True)
    rows = walker.commands([Command(forward=1.0, heading=70000, jump=True), low])
    assert rows.dtype.names == ("forward", "strafe", "heading", "pitch", "buttons")
    assert rows["heading"].tolist() == [4464, 0]
    assert rows["buttons"].tolist() == [1, 14]
    assert walker.commands(use=[True, False])["buttons"].tolist() == [8, 0]
    columns = walker.commands(forward=[1.0, 0.0], heading=[4464, 0], jump=[True, False], crouch=[False, True])
    assert columns["forward"].tolist() == [1.0, 0.0]
    with pytest.raises(ValueError, match=r"equally long, not: forward has 2, strafe has 3$"):
        walker.commands(forward=[1, 2], strafe=[1, 2, 3])
    with pytest.raises(ValueError, match="unknown column"):
        walker.commands(foward=[1])
    with pytest.raises(ValueError, match="Command"):
        walker.step(walker.spawn(mesh(SCENE), (0.0, 0.0, 3.0)), "forward", mesh(SCENE))


def test_diagonal_wishes_are_cut_to_length_one():
    walker, world = Walker(bare()), mesh(floor(-9, -9, 9, 9))
    start = walker.spawn(world, (0.0, 0.0, 0.0))
    end = walker.run(start, walker.commands(forward=np.ones(60), strafe=1.0), world)["position"][-1]
    assert math.hypot(end[0], end[2]) == pytest.approx(4.0, abs=1e-9)
    assert end[0] == pytest.approx(-end[2], abs=1e-9)


def test_sine_and_cosine_of_headings():
    for h in range(0, 65536, 7):
        s, c = heading_sin_cos(h)
        assert s == pytest.approx(math.sin(h * 2 * math.pi / 65536), abs=1e-15)
        assert c == pytest.approx(math.cos(h * 2 * math.pi / 65536), abs=1e-15)
        assert heading_sin_cos(h + 32768) == (-s, -c)
    assert [heading_sin_cos(q) for q in (0, 16384, 32768, 49152)] == [(0, 1), (1, 0), (0, -1), (-1, 0)]


def test_the_trace_names_the_reason_of_a_stop():
    walker = Walker(bare())
    world = mesh(floor(-9, -9, 9, 9), wall(-9, -2, 9, -2, 3), ramp(60, 3, 4, z=8))
    start = walker.spawn(world, (0.0, 0.0, -1.0))
    _, traces = walker.run(start, walker.commands(forward=np.ones(60)), world, trace=True)
    assert traces[0].why == "nothing stopped it"
    assert traces[-1].why.startswith("stopped by a wall (triangle ")
    assert traces[0].stop_reasons == ()
    assert {reason.kind.name for reason in traces[-1].stop_reasons} == {"WALL"}
    stop = traces[-1].stops[0]
    assert stop.triangle in (2, 3)
    assert stop.kind == "wall"
    assert stop.normal == (0.0, 0.0, 1.0)
    assert stop.point[2] == pytest.approx(-2.0)
    assert {c.kind for c in traces[-1].contacts} == {"walkable", "wall"}
    start = walker.spawn(world, (0.0, 0.0, 8.6))
    _, traces = walker.run(start, walker.commands(forward=np.ones(30)), world, trace=True)
    assert "too steep to walk" in traces[-1].why
