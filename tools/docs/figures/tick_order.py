"""Order of the phases of a tick (game/physics/character/tick/step.py)."""

from __future__ import annotations

from tools.docs.figures.svg import AIR, BODY, GOOD, INK, OTHER, SOFT, Drawing

LEFT, RIGHT, HALF, WHOLE = 20, 390, 350, 720
BOXES = (  # left, top, width, height, colour, title, text
    (
        LEFT, 46, WHOLE, 62, SOFT, "broad phase",
        "triangles in a box around everything that this tick can reach, in ellipsoid space;\n"
        "a tick that needs more is repeated with a box twice as large",
    ),
    (
        LEFT, 122, WHOLE, 46, AIR, "recover from penetration",
        "push a body that overlaps geometry out of it, or move it to the last safe position",
    ),
    (LEFT, 182, HALF, 62, OTHER, "rotate", "towards the heading of the view,\nas far as there is room"),
    (
        RIGHT, 182, HALF, 62, OTHER, "crouch or stand",
        "crouch at once, stand up where there is\nroom; the feet stay in place",
    ),
    (LEFT, 262, HALF, 62, OTHER, "jump", "on ground, with coyote time and\njump buffer of 0.1 s each"),
    (
        RIGHT, 262, HALF, 62, OTHER, "wish velocity",
        "velocity and displacement, exact for a\nconstant acceleration towards the wish",
    ),
    (
        LEFT, 348, HALF, 116, BODY, "move on ground",
        "at rest: nothing changes;\n"
        "otherwise sub-steps of at most 0.15 m:\nground move in plan, height, snap to ground",
    ),
    (
        RIGHT, 348, HALF, 62, AIR, "slide in the air",
        "collide and slide along all contact\nplanes; steep ones never lift the body",
    ),
    (
        RIGHT, 424, HALF, 80, AIR, "fall",
        "gravity; slide down steep planes, land on\nwalkable ground, or stop between steep\nplanes (wedged)",
    ),
    (
        LEFT, 522, WHOLE, 46, GOOD, "clip the velocity",
        "remove the components into obstacles; zero in a corner that blocks every direction of the wish",
    ),
    (
        LEFT, 582, WHOLE, 62, GOOD, "write the state",
        "grounded, ground normal, last safe position, coyote time, jump buffer;\nthe contact planes go into the trace",
    ),
)  # fmt: skip


def tick() -> Drawing:
    """From state, command and mesh to the next state and the trace."""
    d = Drawing(760, 690)
    for left, top, width, height, colour, title, words in BOXES:
        corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
        d.area(corners, colour, fill_opacity=0.1, stroke=colour, width=1.5)
        d.text((left + 12, top + 20), title, INK, 13, font_weight="bold")
        d.text((left + 12, top + 38), words, SOFT, 12)

    def down(x: float, y0: float, y1: float) -> None:
        d.arrow((x, y0), (x, y1), SOFT, 1.6, 7)

    d.text((380, 26), "state, command, mesh", INK, 13, "middle")
    down(380, 32, 46)
    down(380, 108, 122)
    down(195, 168, 182)
    d.arrow((370, 213), (390, 213), SOFT, 1.6, 7)
    d.line([(565, 244), (565, 251), (195, 251)], SOFT, 1.6)
    down(195, 251, 262)
    d.arrow((370, 293), (390, 293), SOFT, 1.6, 7)
    d.line([(565, 324), (565, 334), (195, 334)], SOFT, 1.6)
    down(195, 334, 348)
    down(565, 334, 348)
    d.text((207, 345), "grounded", BODY, 12)
    d.text((577, 345), "in the air, or jumping", AIR, 12)
    down(565, 410, 424)
    d.arrow((370, 444), (390, 444), AIR, 1.6, 7)
    d.text((364, 448), "not supported", AIR, 12, "end")
    down(195, 464, 522)
    d.text((207, 498), "supported", BODY, 12)
    down(565, 504, 522)
    down(380, 568, 582)
    down(380, 644, 658)
    d.text((380, 674), "next state, trace", INK, 13, "middle")
    return d
