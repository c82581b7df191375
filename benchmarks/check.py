"""Seconds to load and to check a level of single quads and the demo level, and to edit one field of each text.

python -m benchmarks.check [QUADS ...]
"""

from __future__ import annotations

import tempfile
from itertools import count
from pathlib import Path

import numpy as np

from benchmarks.common import best_seconds, parse_sizes
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


def table_row(name: str, path: Path) -> str:
    document = YamlDocument(read_text(path))
    entry = document.top_pieces()[0]
    numbers = count()
    edit = best_seconds(lambda: document.set_field(entry, "name", f"n{next(numbers)}"), 5)
    loading, checking = best_seconds(lambda: load(path), 5), best_seconds(lambda: check(path), 5)
    return f"{name:>12}{len(load(path).faces):>10}{loading:>10.3f}{checking:>10.3f}{edit:>10.3f}"


def main() -> None:
    """Run the command line."""
    sizes = parse_sizes("benchmarks.check", __doc__, "QUADS", "quads of the generated level", SIZES)
    print(f"{'level':>12}{'quads':>10}{'load s':>10}{'check s':>10}{'edit s':>10}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "field.yaml"
        for quads in sizes:
            path.write_text(field(quads))
            print(table_row("field", path))
    print(table_row("demo", SHIPPED_LEVELS / "demo.yaml"))


if __name__ == "__main__":
    main()
