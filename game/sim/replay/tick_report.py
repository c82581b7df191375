"""What a tick was asked, what it gave, and why, told from the physics' own trace: for people who want to see it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...physics import Command, Environment, TriangleMesh, WalkerState
from ...physics.character.trace import Contact, Slide, Trace
from ...physics.mesh.material import Material
from ..events import Event, Point, Respawned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..world import World

FLOOR = 400.0  # m, half the side of the level ground that the tick is made on once more
LEVEL = 0.5  # degrees: ground that leans less is level
STRAIGHT = 0.05  # part of the way given that may lead aside of the one asked for, where it is the same way
LEAST = 1e-5  # m that are asked for: less is nothing
TOLD = 0.5e-3  # m: less is not told
ALL = 0.02  # of the way asked for: who is given no more is stopped
SAME = 1e-6  # normals closer than this are of one plane
ALIKE, NEAR = 0.12, 0.12  # of normals, and m: contacts of an edge that are closer than this are one


@dataclass(frozen=True, slots=True)
class Surface:
    """A plane that the tick touched or was stopped by. `number` from 1; `kind` walkable, wall or ceiling; `corners`
    (3 points, m) of its triangle, as it stands; `place` its `file:line`, `file` whole, `piece` what was written there;
    `stopped`: it took something away; `touching`: it is touched at the tick's end."""

    number: int
    kind: str
    feature: str
    normal: Point
    point: Point
    corners: tuple[Point, Point, Point]
    place: str
    piece: str
    file: str
    stopped: bool
    touching: bool
    slope: float  # degrees from level ground


@dataclass(frozen=True, slots=True)
class Account:
    """One tick. `before` and `after` it; `asked`: the way (m) that the same command leads on level ground with nothing
    about; `given`: the way it led here, without what a mover carried it; `looked_at` (N, 3, 3): the triangles that were
    looked at; `headline`, and `words` that say why."""

    before: WalkerState
    after: WalkerState
    asked: Point
    given: Point
    carried: Point
    slides: tuple[Slide, ...]
    surfaces: tuple[Surface, ...]
    looked_at: NDArray[np.float64]
    headline: str
    words: tuple[str, ...]
    events: tuple[str, ...]

    @property
    def held_back(self) -> Point:
        """What of the way asked for was not given, along the ground (m)."""
        up = self.before.up
        return _flat(tuple(a - g for a, g in zip(self.asked, self.given, strict=True)), up)

    @property
    def stopped(self) -> bool:
        """Whether a wall or a ceiling took something away."""
        return any(surface.stopped and surface.kind != "walkable" for surface in self.surfaces)


def account_of(world: World, before: WalkerState, command: Command, happened: tuple[Event, ...] = ()) -> Account:
    """Of the tick at whose end the world stands, its trace with it, and that began with `before`. `happened`: the
    world's events in it. ValueError where the world has no trace."""
    trace, clock = world.trace, world.tick - 1
    if trace is None:
        raise ValueError("the world has not made the tick that is asked for")
    after = world.walker_state
    moved = any(isinstance(event, Respawned) for event in happened) or "lost" in trace.events
    carried = _carried(world, before, clock)
    given = (0.0, 0.0, 0.0)
    if not moved:
        given = _minus(_minus(after.position, before.position), carried)
    surfaces = _surfaces(world, trace)
    if any(one.stopped and one.kind != "walkable" for one in surfaces) or not (before.grounded and after.grounded):
        asked = _asked(world, before, command, clock)
    else:
        asked = _flat(given, before.up)
    looked_at = world.walker.candidates(before, command, world.mesh, world.around, clock)
    bare = Account(
        before, after, asked, given, carried, tuple(trace.slides), surfaces, looked_at, "", (), tuple(trace.events)
    )
    headline, words = _told(bare, command, happened, world)
    return replace(bare, headline=headline, words=words)


# What was asked


def _asked(world: World, before: WalkerState, command: Command, clock: int) -> Point:
    """The same tick where nothing is in the way: on level ground of the same stuff, or in empty air."""
    walker, around = world.walker, world.around
    zones = None if around is None or around.zones is None else Environment(around.zones)
    ground = _level_ground(world, before) if before.grounded else TriangleMesh(np.zeros((0, 3, 3)))
    if before.mover >= 0:
        row = before.row()
        row["mover"] = 0
        before = WalkerState(row)
    after, _ = walker.step(before, command, ground, zones, clock)
    return _minus(after.position, before.position)


def _level_ground(world: World, state: WalkerState) -> TriangleMesh:
    """A wide level floor that the walker stands on, of what it stands on."""
    up, north = np.array(state.up), np.array(state.north)
    east = np.cross(north, up)
    skin = world.settings.skin
    middle = np.array(state.position) - (1.0 + skin) * state.radii[1] * up
    a, b, c, d = (middle + FLOOR * (x * east + z * north) for x, z in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    return TriangleMesh([(a, b, c), (a, c, d)], [0, 0], [_material(world, state)])


def _material(world: World, state: WalkerState) -> Material:
    """Of the ground under the walker; plain where there is none."""
    mesh, place, up = world.mesh, np.array(state.position), np.array(state.up)
    movers = None if world.around is None else world.around.movers
    if state.mover >= 0 and movers is not None:
        pose = movers.poses(world.tick - 1)[state.mover]
        mesh = movers[state.mover].mesh
        place, up = pose[:, :3].T @ (place - pose[:, 3]), pose[:, :3].T @ up
    hit = mesh.raycast(_point(place), _point(-up), state.radii[1] + world.settings.step_height)
    if hit is None or not len(mesh.materials):
        return Material()
    kind = int(mesh.surface[int(np.flatnonzero(mesh.source == hit.triangle)[0])])
    friction, bounce, speed, east, south, rub, *_ = mesh.materials[kind].tolist()
    return Material(friction, bounce, speed, (east, south), rub)


def _carried(world: World, before: WalkerState, clock: int) -> Point:
    """How far the mover that one stands on took one along (m)."""
    movers = None if world.around is None else world.around.movers
    if before.mover < 0 or movers is None:
        return (0.0, 0.0, 0.0)
    was, now = movers.poses(clock)[before.mover], movers.poses(clock + 1)[before.mover]
    place = np.array(before.position)
    own = was[:, :3].T @ (place - was[:, 3])
    x, y, z = (now[:, :3] @ own + now[:, 3] - place).tolist()
    return x, y, z


# What was touched


def _surfaces(world: World, trace: Trace) -> tuple[Surface, ...]:
    """Those that stopped it first, then those touched at the end; each plane once."""
    made: list[Surface] = []
    stops, contacts = trace.stops, trace.contacts
    seen: list[Contact] = []
    for one in (*stops, *contacts):
        if any(_same(one, other) for other in seen):
            continue
        seen.append(one)
        stopped = any(_same(one, other) for other in stops)
        touching = any(_same(one, other) for other in contacts)
        piece, file, line = _origin(world, one)
        up = world.walker_state.up
        lean = sum(a * b for a, b in zip(one.normal, up, strict=True))
        made.append(
            Surface(
                len(made) + 1, one.kind, one.feature, one.normal, one.point, _corners(world, one),
                f"{Path(file).name}:{line}" if file else "", piece, file, stopped, touching,
                math.degrees(math.acos(min(1.0, max(-1.0, lean)))),
            )
        )  # fmt: skip
    return tuple(made)


def _same(a: Contact, b: Contact) -> bool:
    """Whether two contacts are of one surface: two halves of a quad are one plane, and an edge's plane turns as the
    body goes round it."""
    if (a.kind, a.mover, a.feature) != (b.kind, b.mover, b.feature):
        return False
    apart = max(abs(x - y) for x, y in zip(a.normal, b.normal, strict=True))
    if a.feature != "face" and apart < ALIKE:  # both faces of an edge tell of it
        return math.dist(a.point, b.point) < NEAR
    return a.triangle == b.triangle or apart < SAME


def _origin(world: World, one: Contact) -> tuple[str, str, int]:
    """(piece, file, line) that the surface was written at; empty where the level does not know."""
    level = world.level
    if one.mover >= 0:
        mover = level.movers[one.mover]
        return f"mover {mover.name}".strip(), mover.place.file or str(level.path), mover.place.line
    if not hasattr(level, "origin"):
        return "", "", 0
    piece, file, line, _ = level.origin(one.triangle)
    return piece, file, line


def _corners(world: World, one: Contact) -> tuple[Point, Point, Point]:
    mesh, turn, at = world.mesh, np.eye(3), np.zeros(3)
    if one.mover >= 0 and world.around is not None and world.around.movers is not None:
        movers = world.around.movers
        mesh = movers[one.mover].mesh
        pose = movers.poses(world.tick)[one.mover]
        turn, at = pose[:, :3], pose[:, 3]
    row = int(np.flatnonzero(mesh.source == one.triangle)[0])
    a, b, c = (turn @ corner + at for corner in mesh.triangles12[row, :9].reshape(3, 3))
    return _point(a), _point(b), _point(c)


# In words

CALLED = {"walkable": "ground", "wall": "wall", "ceiling": "ceiling"}
HAPPENED = {
    "crushed": ("Crushed by a mover", "A mover left it no room: it is put back to where it last stood safely."),
    "lost": ("Lost inside of geometry", "It was inside of something and found no way out: it is put back."),
    "launched": ("Launched by a pad", "The pad set its speed; the ground no longer holds it."),
    "gravity turned": ("Gravity turned", "It is in a zone of another gravity: the body stands up along that."),
    "swims": ("Swims", "Most of the body is under water: it goes where it looks, and the water slows it."),
    "climbs": ("Climbs", "A ladder holds it: it goes up and down with the view."),
}
RESPAWNED = {
    "fell": "Fell, and put back", "stuck": "Stuck, and put back", "killed": "Killed, and put back",
    "crushed": "Crushed by a mover, and put back", "teleported": "Teleported", "asked": "Began again",
}  # fmt: skip


def _told(account: Account, command: Command, happened: tuple[Event, ...], world: World) -> tuple[str, tuple[str, ...]]:
    """(headline, sentences)."""
    words: list[str] = []
    for event in happened:
        if isinstance(event, Respawned):
            return RESPAWNED[event.reason], (f"It goes on at {_place(event.feet)}.",)
    held, stops = account.held_back, [one for one in account.surfaces if one.stopped and one.kind != "walkable"]
    lost, wish = math.hypot(*held), math.hypot(*_flat(account.asked, account.before.up))
    headline = ""
    for word, (head, text) in HAPPENED.items():
        if word in account.events:
            headline = headline or head
            words.append(text)
    if stops and wish > LEAST and lost > LEAST:
        headline = headline or _held_headline(account, stops, lost / wish)
        words += _held_words(account, stops, lost, wish)
    elif stops:
        names = _listed([_named(one) for one in stops])
        words.append(f"It touches {names}; nothing is lost by it.")
    headline, more = _other_words(account, headline, world)
    words += more
    if not headline:
        moves = math.hypot(*account.given) > TOLD
        if not account.after.grounded:
            headline = "Rises" if account.after.velocity[1] > 0.0 else "Falls"
            words.append(f"In the air, at {abs(_up_speed(account)):.1f} m/s "
                         f"{'upwards' if _up_speed(account) > 0.0 else 'downwards'}.")  # fmt: skip
        elif moves:
            headline, text = _walks(account)
            words.append(text)
        elif math.hypot(*account.carried) > TOLD:
            headline = "Carried along"
            words.append(f"The mover that it stands on took it {_mm(math.hypot(*account.carried))} along.")
        else:
            headline = "Stands"
            words.append("Nothing was asked, and nothing moved: not by one bit.")
    return headline, tuple(words)


def _walks(account: Account) -> tuple[str, str]:
    """Of one who walks, and whom nothing stops."""
    rise = _rise(account)
    ground = next((one for one in account.surfaces if one.kind == "walkable" and one.touching), None)
    if ground is None or abs(rise) <= TOLD:
        return "Nothing in the way", "All that was asked for was given."
    way = "up" if rise > 0.0 else "down"
    if ground.feature == "face" and ground.slope < LEVEL:
        return f"Comes {way} onto the level", f"It came {_mm(rise)} {way} onto {_named(ground)}, and lost no speed."
    if ground.feature == "face":
        text = f"All that was asked for was given, and {_mm(rise)} {way} with {_named(ground)}: a slope takes no speed."
        return f"Walks {way} a slope", text
    text = f"The round body rides {way} over the {ground.feature} of {_named(ground)}: {_mm(rise)} in this tick."
    return f"Rides {way} over an edge", text


def _held_headline(account: Account, stops: list[Surface], part: float) -> str:
    kinds = _listed(sorted({CALLED[one.kind] for one in stops}, key="wall ceiling ground".find))
    what = f"a {kinds}" if len(stops) == 1 else f"{len(stops)} surfaces"
    gone, wish = (math.hypot(*_flat(way, account.before.up)) for way in (account.given, account.asked))
    if gone <= max(LEAST, ALL * wish):
        return f"Stopped by {what}"
    across = np.linalg.norm(np.cross(account.asked, _flat(account.given, account.before.up)))
    if across <= STRAIGHT * gone * wish:
        return f"Runs into {what}"
    return f"Slides along {what}"


def _held_words(account: Account, stops: list[Surface], lost: float, wish: float) -> list[str]:
    words = []
    limit = [one for one in stops if _steep(one)]
    names = _listed([_named(one) for one in stops])
    gone = math.hypot(*_flat(account.given, account.before.up))
    if gone > max(LEAST, ALL * wish):
        words.append(f"Of the {_mm(wish)} asked for, {names} took {_mm(lost)}; {_mm(gone)} was given.")
        words.append("The two add up as arrows do.")
    else:
        words.append(f"{names[0].upper()}{names[1:]} took all of the {_mm(wish)} asked for: no way is left.")
    words += [f"Surface {one.number} leans {one.slope:.0f}°: too steep to walk, so it is a wall." for one in limit]
    if any(one.feature != "face" for one in stops):
        one = next(one for one in stops if one.feature != "face")
        words.append(f"Surface {one.number} is met at its {one.feature}: that plane is across the way there.")
    return words


def _other_words(account: Account, headline: str, world: World) -> tuple[str, list[str]]:
    """Steps, snaps, jumps, and what was refused."""
    words: list[str] = []
    events, rise = account.events, _rise(account)
    grounds = [one for one in account.surfaces if one.kind == "walkable" and one.touching]
    onto = f" onto {_named(grounds[0])}" if grounds else ""
    if "stepped" in events:
        headline = headline or f"Steps up {_mm(rise)}"
        words.append(f"It was lifted {_mm(rise)} over an edge{onto}: lower than a step of "
                     f"{_mm(world.settings.step_height)}, so the edge is ground.")  # fmt: skip
    elif "snapped" in events and rise < -TOLD:
        headline = headline or f"Snaps down {_mm(-rise)}"
        words.append(f"The ground fell away, by less than {_mm(world.settings.snap_down)}: it was brought down "
                     f"{_mm(-rise)}{onto}, and did not fly.")  # fmt: skip
    if "jumped" in events:
        headline = headline or "Jumps"
        words.append(f"It left the ground at {_up_speed(account):.1f} m/s upwards.")
    if "landed" in events:
        headline = headline or "Lands"
        words.append(f"It came down{onto}.")
    if "bounced" in events:
        headline = headline or "Bounces"
        words.append("The ground gave back part of its speed.")
    if "head" in events:
        headline = headline or "Its head meets a ceiling"
        words.append("The ceiling ended the rise.")
    if "pushed" in events:
        words.append("Something had come into it: it was pushed clear first.")
    for word, head, text in REFUSED:
        if word in events:
            headline = headline or head
            words.append(text)
    return headline, words


REFUSED = (
    ("turn cut", "May not turn further", "The body may not turn further here: the next bit of a turn would not fit."),
    ("no room to stand", "May not stand up", "There is no head room to stand up: it stays crouched."),
    ("squeezed", "No way at all", "The surfaces leave no way at all: the step was refused."),
    ("funnel", "Held in a funnel", "It hangs between slopes too steep to walk, which hold it up together."),
)


def _steep(one: Surface) -> bool:
    """Whether it is a slope that is too steep to walk."""
    return one.kind == "wall" and one.feature == "face" and one.slope < 85.0


def _named(one: Surface) -> str:
    what = "steep slope" if _steep(one) else CALLED[one.kind]
    return f"{what} {one.number}" + (f" ({one.place})" if one.place else "")


def _listed(names: list[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def _mm(metres: float) -> str:
    """A length as people read it."""
    size = abs(metres)
    if size >= 0.9995:
        return f"{size:.2f} m"
    return f"{1e3 * size:.0f} mm" if size >= 0.09995 else f"{1e3 * size:.1f} mm"


def _place(point: Point) -> str:
    return " ".join(f"{value:.2f}" for value in point)


def _rise(account: Account) -> float:
    return sum(a * b for a, b in zip(account.given, account.before.up, strict=True))


def _up_speed(account: Account) -> float:
    return sum(a * b for a, b in zip(account.after.velocity, account.after.up, strict=True))


def _flat(vector: Any, up: Point) -> Point:
    """Without its part along up."""
    along = sum(a * b for a, b in zip(vector, up, strict=True))
    x, y, z = (a - along * b for a, b in zip(vector, up, strict=True))
    return x, y, z


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _point(array: Any) -> Point:
    x, y, z = (float(value) for value in array)
    return x, y, z
