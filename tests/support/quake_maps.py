"""Builder of Quake maps in the published text format."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Point = Sequence[float]
Plane = tuple[Point, Point, Point]

FACES = ((0, -1), (0, 1), (1, -1), (1, 1), (2, -1), (2, 1))  # west, east, south, north, bottom, top


def box_planes(low: Point, high: Point) -> list[Plane]:
    """Three points of each face, clockwise seen from outside."""
    found = []
    for axis, side in FACES:
        base = np.array(high if side > 0 else low, float)
        u, v = np.zeros(3), np.zeros(3)
        u[(axis + 1) % 3], v[(axis + 2) % 3] = 1.0, 1.0
        first, second = (v, u) if side > 0 else (u, v)
        found.append((tuple(base), tuple(base + 64 * first), tuple(base + 64 * second)))
    return found


def turned_plane(normal: np.ndarray, offset: float, digits: int = 6) -> Plane:
    """Three points of the plane with this outward unit normal, rounded as an editor does."""
    away = np.eye(3)[int(np.argmin(np.abs(normal)))]
    u = np.cross(normal, away)
    u /= np.linalg.norm(u)
    v = np.cross(normal, u)
    base = normal * offset
    return tuple(tuple(np.round(point, digits) + 0.0) for point in (base, base + 128 * v, base + 128 * u))  # type: ignore[return-value]


def number(value: float) -> str:
    return f"{value:.10g}"


def brush(planes: Sequence[Plane], textures: str | Sequence[str] = "stone", valve: bool = False) -> str:
    names = [textures] * len(planes) if isinstance(textures, str) else textures
    rows = []
    for plane, name in zip(planes, names, strict=True):
        points = " ".join("( " + " ".join(number(part) for part in point) + " )" for point in plane)
        axes = "[ 1 0 0 0 ] [ 0 -1 0 -16.5 ] 0 1 1" if valve else "0 0 0 1 1"
        rows.append(f"{points} {name} {axes}")
    return "{\n" + "\n".join(rows) + "\n}\n"


def box(low: Point, high: Point, textures: str | Sequence[str] = "stone", valve: bool = False) -> str:
    return brush(box_planes(low, high), textures, valve)


def entity(kind: str, *brushes: str, **keys: str) -> str:
    rows = [f'"classname" "{kind}"', *(f'"{key.removeprefix("k_")}" "{value}"' for key, value in keys.items())]
    return "{\n" + "\n".join(rows) + "\n" + "".join(f"// brush {k}\n{text}" for k, text in enumerate(brushes)) + "}\n"


def written(*entities: str, kind: str = "Standard") -> bytes:
    head = f"// Game: Quake\n// Format: {kind}\n"
    return (head + "".join(f"// entity {k}\n{text}" for k, text in enumerate(entities))).encode()


def hall(valve: bool = False) -> bytes:
    """A closed hall of 16 by 12 m with steps, a clip brush, water, a light, and brushes of triggers and monsters."""
    walls = [
        box((-16, -16, -16), (528, 400, 0), "ground1_6", valve),
        box((-16, -16, 128), (528, 400, 144), "sky4", valve),
        box((-16, -16, 0), (0, 400, 128), "city2_5", valve),
        box((512, -16, 0), (528, 400, 128), "city2_5", valve),
        box((0, -16, 0), (512, 0, 128), "wizwood1_4", valve),
        box((0, 384, 0), (512, 400, 128), "metal5_8", valve),
    ]
    steps = [box((256 + 16 * k, 64, 0), (272 + 16 * k, 192, 8 * (k + 1)), "stone", valve) for k in range(6)]
    walls.append(box((400, 300, 0), (440, 340, 64), "clip", valve))
    return written(
        entity("worldspawn", *walls, message="The hall", wad="c:\\q\\gfx.wad"),
        entity("func_detail", *steps),
        entity("func_illusionary", box((32, 300, 0), (96, 364, 64), "*water1", valve)),
        entity("trigger_teleport", box((460, 20, 0), (500, 60, 64), "trigger", valve), target="t1"),
        entity("info_player_start", origin="64 64 24", angle="90"),
        entity("info_player_deathmatch", origin="128 200 24", angle="0"),
        entity("light", origin="128 128 96", light="250", k__color="1 0.5 0.25"),
        entity("monster_army", origin="300 300 24"), entity("monster_army", origin="330 300 24"),
        kind="Valve" if valve else "Standard",
    )  # fmt: skip
