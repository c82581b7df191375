"""Figures of ellipsoid space and of the contacts of a body."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from game.physics import Ellipsoid, TriangleMesh, Walker, WalkerSettings, WalkerState, bare
from game.physics.character import contacts as contact_finding
from game.physics.character.rows import contact, counter, plane
from tools.docs.figures.scenes import base, draw_ground, extrude, planes, side, touched
from tools.docs.figures.svg import AIR, BODY, FAINT, GOOD, GROUND, INK, SOFT, STEP, Drawing, Panel, Point

RADII = WalkerSettings().radii


def _slope_line(panel: Panel, through: Point, slope: float, reach: float) -> None:
    a = (through[0] - reach, through[1] - reach * slope)
    b = (through[0] + reach, through[1] + reach * slope)
    draw_ground(panel, [a, b], min(a[1], b[1]) - 3.0)


def space() -> Drawing:
    """A slope of 30 degrees met by the default body, seen from its side, in the world and in ellipsoid space."""
    d = Drawing(760, 340)
    slope = math.tan(math.radians(30.0))
    world = extrude([(-6.0, -6.0 * slope), (6.0, 6.0 * slope)])
    hit = world.sweep(Ellipsoid(RADII), (0.0, 3.0, 0.0), 0.0, (0.0, -4.0, 0.0))
    _, along_y, along_z = RADII
    centre = (0.0, 3.0 - hit.distance)
    point, normal = side(hit.point), (-hit.normal[2], hit.normal[1])

    p = Panel(d, 20, 40, 225, 280, (-0.92, -0.36), 122.0)
    with p:
        _slope_line(p, point, slope, 3.0)
        p.ellipse(centre, along_z, along_y, BODY, fill_opacity=0.14, stroke=BODY, width=2)
        d.line(p([(-0.8, centre[1]), (0.8, centre[1])]), FAINT, 1)
        d.line(p([(0.0, centre[1] - 1.1), (0.0, centre[1] + 1.1)]), FAINT, 1)
        d.line(p([point, centre]), SOFT, 1.2, dash="3 3")
        d.arrow(p.at(point), p.at((point[0] + 0.5 * normal[0], point[1] + 0.5 * normal[1])), GOOD, 2.4)
        d.dot(p.at(point))
    d.text((20, 26), "the world (m)", size=14)
    d.text(p.at((0.03, centre[1] + 0.5)), f"{along_y:.2f}", SOFT, 12)
    d.text(p.at((0.28, centre[1] + 0.04)), f"{along_z:.2f}", SOFT, 12)
    d.text(p.at((-0.72, point[1] + 0.42)), "normal", GOOD, 12)

    e = Panel(d, 268, 40, 225, 280, (-1.4, -1.7), 80.0)
    touch = ((point[0] - centre[0]) / along_z, (point[1] - centre[1]) / along_y)
    with e:
        _slope_line(e, touch, slope * along_z / along_y, 5.0)
        e.ellipse((0.0, 0.0), 1.0, 1.0, BODY, fill_opacity=0.14, stroke=BODY, width=2)
        d.line(e([touch, (0.0, 0.0)]), SOFT, 1.2, dash="3 3")
        d.arrow(e.at(touch), e.at((touch[0] * 0.35, touch[1] * 0.35)), GOOD, 2.4)
        d.dot(e.at(touch))
        d.dot(e.at((0.0, 0.0)), SOFT, 2.5)
    d.text((268, 26), "ellipsoid space (radii)", size=14)
    d.text(e.at((-1.3, 1.35)), "a unit sphere; the normal\nis the radius to the contact", SOFT, 12)

    length = math.hypot(*touch)
    wrong = (-touch[0] / length * along_z, -touch[1] / length * along_y)
    scale = 1.0 / math.hypot(*wrong)
    wrong = (wrong[0] * scale, wrong[1] * scale)
    error = math.degrees(math.acos(wrong[0] * normal[0] + wrong[1] * normal[1]))
    b = Panel(d, 516, 40, 224, 280, (-0.95, -0.6), 118.0)
    with b:
        _slope_line(b, (0.0, 0.0), slope, 3.0)
        d.arrow(b.at((0.0, 0.0)), b.at((1.2 * wrong[0], 1.2 * wrong[1])), AIR, 2.4)
        d.arrow(b.at((0.0, 0.0)), b.at((1.2 * normal[0], 1.2 * normal[1])), GOOD, 2.4)
        k = 0.12
        t = (normal[1], -normal[0])
        square = [(k * (i * t[0] + j * normal[0]), k * (i * t[1] + j * normal[1])) for i, j in ((1, 0), (1, 1), (0, 1))]
        d.line(b(square), SOFT, 1.2)
        d.dot(b.at((0.0, 0.0)))
    d.text((516, 26), "the normal in the world", size=14)
    d.text(b.at((0.06, 1.2)), f"as a displacement:\n{error:.1f} degrees wrong", AIR, 12)
    d.text(b.at((-0.93, 1.2)), "by the inverse\ntranspose", GOOD, 12)
    return d


def _tiles() -> TriangleMesh:
    """A floor laid of tiles of two sizes, so that corners and edges of many meet near the origin."""
    quads = []
    for x in range(-4, 4):
        quads.append((0.3 * x - 0.005, -1.2, 0.3 * (x + 1) - 0.005, 0.006))
        quads.append((0.2 * x + 0.012, 0.006, 0.2 * (x + 1) + 0.012, 1.2))
    out = []
    for x0, z0, x1, z1 in quads:
        a, b, c, d = (x0, 0.0, z1), (x1, 0.0, z1), (x1, 0.0, z0), (x0, 0.0, z0)
        out += [(a, b, c), (a, c, d)]
    return TriangleMesh(np.array(out))


def contacts() -> Drawing:
    """Contacts within a skin and a half, those that a plane includes, and the planes; on tiles and before a step."""
    d = Drawing(760, 330)
    walker = Walker(bare(walk_speed=0.5))
    _draw_tiles(d, walker)
    _draw_bounds(d, _draw_step(d, walker))
    return d


def _find_contacts(walker: Walker, state: WalkerState, world: TriangleMesh) -> tuple[Any, int]:
    """Scratch memory with the contacts and planes of a body, and the number of contacts within a skin and a half."""
    work = touched(walker, state, world)
    count = contact_finding.collect_contacts(work, 1.0 + 1.5 * walker.settings.skin)
    work.counters[counter.CONTACTS_VALID] = 0
    contact_finding.find_contacts(work)
    return work, count


def _draw_contacts(panel: Panel, rows: Any, project: Callable[[list[float]], Point]) -> None:
    """Dots for contacts with a plane of their own, over circles for the others."""
    for row in sorted(rows.tolist(), key=lambda row: row[contact.STATUS] == 1):
        if row[contact.STATUS] == 1:
            panel.drawing.dot(panel.at(project(row)), BODY, 5)
        else:
            panel.drawing.ring(panel.at(project(row)), SOFT, 5)


def _draw_tiles(d: Drawing, walker: Walker) -> None:
    """Left panel: the foot on tiles, from above."""
    world = _tiles()
    work, count = _find_contacts(walker, walker.spawn(world, (0.0, 0.0, 0.0)), world)
    p = Panel(d, 20, 40, 225, 210, (-0.045, -0.042), 2500.0)
    with p:
        for t in world.triangles12:
            d.line(p([(t[0], -t[2]), (t[3], -t[5]), (t[6], -t[8]), (t[0], -t[2])]), GROUND, 1.2)
        skin = walker.settings.skin
        band = math.sqrt((1.0 + 1.5 * skin) * (1.0 + 1.5 * skin) - (1.0 + skin) * (1.0 + skin))
        p.ellipse((0.0, 0.0), band * RADII[0], band * RADII[2], BODY, fill_opacity=0.12, stroke=BODY, dash="4 3")
        _draw_contacts(p, work.contacts[:count], lambda row: (row[0] * RADII[0], -row[2] * RADII[2]))
    plane_count = len(planes(work))
    d.text((20, 26), "on tiles, seen from above", size=14)
    d.line([(160, 240), (210, 240)], INK, 2)
    d.text((185, 234), "20 mm", INK, 11, "middle")
    label = f"{count} contacts within 1.5 skins,\n"
    label += f"{count - plane_count} in the plane of the nearest face:\n{plane_count} plane remains"
    d.text((20, 272), label, size=12)


def _draw_step(d: Drawing, walker: Walker) -> Any:
    """Middle panel: the body before a step, from the side. Returns its scratch memory."""
    profile = [(-3.0, 0.0), (0.0, 0.0), (0.0, 0.18), (0.1, 0.18), (3.0, 0.18)]
    world = extrude(profile)
    states = walker.run(walker.spawn(world, (0.0, 0.0, 0.6)), walker.commands(forward=np.ones(120)), world)
    state = next(s for s in map(walker.state, states) if len(planes(touched(walker, s, world))) > 1)
    work, count = _find_contacts(walker, state, world)
    centre = side(state.position)
    s = Panel(d, 268, 40, 225, 210, (-0.5, -0.1), 375.0)
    with s:
        draw_ground(s, profile, -1.0)
        s.ellipse(centre, RADII[2], RADII[1], BODY, fill_opacity=0.14, stroke=BODY, width=2)
        k = 1.0 + walker.settings.skin
        s.ellipse(centre, k * RADII[2], k * RADII[1], "none", stroke=BODY, width=1, dash="3 3")
        rows = work.contacts[:count]
        _draw_contacts(s, rows, lambda row: (centre[0] - row[2] * RADII[2], centre[1] + row[1] * RADII[1]))
        for row in planes(work):
            at = side(base(work) + row[plane.POINT_X : plane.POINT_Z + 1])
            tip = (at[0] - 0.16 * row[plane.NZ], at[1] + 0.16 * row[plane.NY])
            d.arrow(s.at(at), s.at(tip), STEP if row[plane.FEATURE] else GOOD, 2.4)
    d.text((268, 26), "before a step of 0.18 m", size=14)
    label = f"{count} contacts: the floor, and the edge of\n"
    label += f"the step, shared by {count - 1} triangles:\n{len(planes(work))} planes remain"
    d.text((268, 272), label, size=12)
    return work


def _draw_bounds(d: Drawing, work: Any) -> None:
    """Right panel: the planes as bounds of a displacement."""
    w = Panel(d, 516, 40, 224, 210, (-0.05, -0.04), 1500.0)
    with w:
        for row in planes(work):
            n, b = (-row[plane.NZ], row[plane.NY]), row[plane.BOUND]
            foot, t = (n[0] * b, n[1] * b), (n[1], -n[0])
            colour = STEP if row[plane.FEATURE] else GOOD
            line = [(foot[0] - t[0], foot[1] - t[1]), (foot[0] + t[0], foot[1] + t[1])]
            behind = [(x - n[0], y - n[1]) for x, y in reversed(line)]
            d.area(w([*line, *behind]), colour, fill_opacity=0.16)
            d.line(w(line), colour, 2)
        d.dot(w.at((0.0, 0.0)), BODY, 5)
    d.text((516, 26), "allowed displacements (mm)", size=14)
    d.text(w.at((-0.006, 0.009)), "start", BODY, 12, "end")
    for x in (-40, 0, 40, 80):
        d.text(w.at((x / 1000, -0.036)), str(x), SOFT, 11, "middle")
    for y in (40, 80):
        d.text(w.at((-0.046, y / 1000)), str(y), SOFT, 11)
    d.text((516, 272), "shaded: forbidden by the floor\n(green) and the step edge (orange)", size=12)
