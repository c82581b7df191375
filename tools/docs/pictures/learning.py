"""Draws the learning curves and the success table of docs/gym.md: `python -m tools.docs.pictures.learning AGENT ...`

The agents are those that examples/learning/walk_courses.py has trained, with its `table` command's output beside the
first, AGENT.txt.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np

from game.drawing.canvas import INK, Canvas, Rectangle, Text, save_canvas
from game.drawing.plot_sheet import Chart, Series, draw_chart

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "pictures" / "learning"
COLOURS = ((33, 115, 178), (217, 102, 26), (51, 153, 77))


def draw(agents: list[Path], folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    curves = [np.asarray(np.load(path)["curve"], np.float64) for path in agents]
    canvas = Canvas(900, 360)
    series = [
        Series(np.arange(len(curve), dtype=np.float64), curve, COLOURS[number % len(COLOURS)])
        for number, curve in enumerate(curves)
    ]
    box = (20.0, 20.0, 860.0, 320.0)
    draw_chart(canvas, box, Chart(f"mean return by generation, {len(curves)} seeds", series, unit=""))
    save_canvas(canvas, folder / "curves.png")
    rows = re.findall(r"^(\w+) +([\d.]+) %$", agents[0].with_suffix(".txt").read_text(), re.M)
    canvas = Canvas(900, 40 + 44 * len(rows))
    for number, (name, share) in enumerate(rows):
        y = 30.0 + 44.0 * number
        canvas.add(Rectangle(150.0, y, max(6.0 * float(share), 1.0), 26.0, COLOURS[0]))
        canvas.add(Text(20.0, y + 19.0, name, 16, INK), Text(800.0, y + 19.0, f"{share} %", 16, INK))
    save_canvas(canvas, folder / "success.png")


if __name__ == "__main__":
    draw([Path(name) for name in sys.argv[1:]])
