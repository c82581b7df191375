"""Cost of `check` for a level of single quads and for the demo level, and of one edit in each text.

    python -m benchmarks.check [QUADS ...]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from game.level import check, load
from game.level.edit import YamlDocument, read_text
from game.level.format.source import SHIPPED_LEVELS

SIZES = (500, 2000, 8000)


def field(quads: int) -> str:
    """A level of uneven quads without findings. Every row is raised a little."""
    heights = np.random.default_rng(7).integers(0, 3, (quads // 40 + 1, 2)) * 0.1
    rows = ["format: 1", "spawn: {at: [0, 1, 0]}", "pieces:"]
    for k in range(quads):
        x, z = divmod(k, 40)
        low, high = heights[x]
        corners = f"[[{x}, {low}, {z}], [{x}, {low}, {z + 1}], [{x + 1}, {high}, {z + 1}], [{x + 1}, {high}, {z}]]"
        rows.append(f"  - quad: {{corners: {corners}}}")
    return "\n".join(rows) + "\n"


def seconds(work, rounds: int = 5) -> float:
    best = np.inf
    for _ in range(rounds):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    return best


def table_row(name: str, path: Path) -> str:
    draft = YamlDocument(read_text(path))
    entry = draft.top_pieces()[0]
    turn = iter(range(1_000_000))
    edit = seconds(lambda: draft.set_field(entry, "name", f"n{next(turn)}"))
    checked = seconds(lambda: check(path))
    return f"{name:>12}{len(load(path).faces):>10}{seconds(lambda: load(path)):>10.3f}{checked:>10.3f}{edit:>10.3f}"


def main() -> None:
    print(f"{'level':>12}{'quads':>10}{'load s':>10}{'check s':>10}{'edit s':>10}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "field.yaml"
        for quads in [int(word) for word in sys.argv[1:]] or SIZES:
            path.write_text(field(quads))
            print(table_row("field", path))
    print(table_row("demo", SHIPPED_LEVELS / "demo.yaml"))


if __name__ == "__main__":
    main()
