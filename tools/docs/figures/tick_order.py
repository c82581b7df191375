"""The order of a tick, as game/physics/character/tick/run.py has it."""

from __future__ import annotations

from tools.docs.figures.svg import AIR, BODY, GOOD, INK, OTHER, SOFT, Drawing

LEFT, RIGHT, HALF, WHOLE = 20, 390, 350, 720
BOXES = (  # left, top, width, height, colour, title, words
    (
        LEFT,
        46,
        WHOLE,
        62,
        SOFT,
        "gather",
        "every triangle in a box round all that this tick can reach, brought into ellipsoid "
        "space;\na tick that turns out to need more is done again with a box twice as large",
    ),
    (
        LEFT,
        122,
        WHOLE,
        46,
        AIR,
        "push clear",
        "inside something that it did not walk into: out of it, or back to the last safe place",
    ),
    (LEFT, 182, HALF, 62, OTHER, "turn", "towards the view, as far as there is room\n(the view itself turns freely)"),
    (RIGHT, 182, HALF, 62, OTHER, "stance", "down at once, up only where it is clear;\nthe feet stay"),
    (LEFT, 262, HALF, 62, OTHER, "jump", "on ground, up to 0.1 s after it, or\npressed up to 0.1 s before it"),
    (
        RIGHT,
        262,
        HALF,
        62,
        OTHER,
        "wish",
        "velocity and displacement, exact for a\nconstant acceleration towards the wish",
    ),
    (
        LEFT,
        348,
        HALF,
        116,
        BODY,
        "on ground",
        "no wish, and what touches holds it:\nnot a bit moves\n"
        "else in pieces of at most 0.15 m:\nwalk (plan move, height follows), snap down",
    ),
    (
        RIGHT,
        348,
        HALF,
        62,
        AIR,
        "slide",
        "collide and slide with the whole set of\nplanes; what is steep never lifts it",
    ),
    (
        RIGHT,
        424,
        HALF,
        80,
        AIR,
        "fall",
        "gravity, exact; slides down what is steep,\nlands on what can be walked on, is held\nin a funnel",
    ),
    (
        LEFT,
        522,
        WHOLE,
        46,
        GOOD,
        "clip the velocity",
        "take out of it what really stopped the body; in a corner without any way left, all of it",
    ),
    (
        LEFT,
        582,
        WHOLE,
        62,
        GOOD,
        "classify",
        "grounded, ground normal, last safe place, ticks left for a late or an early "
        "jump;\nthe touching planes go into the trace",
    ),
)


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
    d.text((364, 448), "no longer carried", AIR, 12, "end")
    down(195, 464, 522)
    d.text((207, 498), "still carried", BODY, 12)
    down(565, 504, 522)
    down(380, 568, 582)
    down(380, 644, 658)
    d.text((380, 674), "next state, trace", INK, 13, "middle")
    return d
