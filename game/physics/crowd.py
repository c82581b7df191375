"""Many walkers at once on one mesh; each as if it were alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from game.physics.command import check_rows, command_rows
from game.physics.mesh import TriangleMesh
from game.physics.state import STATE_ROW, States, WalkerState
from game.physics.walker import Walker


class Crowd:
    """Steps N walkers of one kind on one mesh; the same bits as each stepped alone."""

    def __init__(self, walker: Walker, mesh: TriangleMesh) -> None:
        self.walker = walker
        self.mesh = mesh

    def step(self, states: Any, rows: Any) -> States:
        """One tick for each of N states (structured array or WalkerStates) with N commands (rows or Commands).
        ValueError where their numbers differ."""
        if not isinstance(states, np.ndarray):
            listed = list(states)
            joined = b"".join(s.to_bytes() for s in listed if isinstance(s, WalkerState))
            if len(joined) != len(listed) * STATE_ROW.itemsize:
                raise ValueError("states must be WalkerStates or a structured array of them")
            states = np.frombuffer(joined, STATE_ROW)
        table = check_rows(rows) if isinstance(rows, np.ndarray) else command_rows(rows)
        if len(states) != len(table):
            raise ValueError(f"{len(states)} states need as many commands, not {len(table)}")
        after = np.empty(len(states), STATE_ROW)
        for k in range(len(states)):
            after[k] = self.walker.run(self.walker.state(states[k]), table[k : k + 1], self.mesh)[0]
        return after
