"""Commands: the player's input for one tick, as an object, as a structured row, and as the kernels read it."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from math import sqrt
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.angles import HEADING_UNITS_PER_QUARTER_TURN, HEADING_UNITS_PER_TURN, heading_from_degrees, wrap_heading
from ...core.arguments import as_instances, as_number, describe_value
from ...core.vectors import Floats
from ..numerics.jit import inner, kernel
from .rows import button, command_row, setting

MAX_PITCH = HEADING_UNITS_PER_QUARTER_TURN  # straight up
MAX_INPUT = 1e6  # of forward and strafe: a longer vector is shortened, but this is an error of the caller
_INPUT_RANGE = f"a finite number within ±{MAX_INPUT:g} (1 is full speed)"
_COLUMN_RANGES: dict[str, tuple[float, float]] = {
    "forward": (-MAX_INPUT, MAX_INPUT),
    "strafe": (-MAX_INPUT, MAX_INPUT),
    "pitch": (-MAX_PITCH, MAX_PITCH),
    "buttons": (0, 2**32 - 1),
}

COMMAND_ROW = np.dtype([("forward", "f8"), ("strafe", "f8"), ("heading", "i4"), ("pitch", "i4"), ("buttons", "u4")])
_NAMES = ("forward", "strafe", "heading", "pitch", "jump", "crouch", "sprint", "use")
_pack = struct.Struct(f"{command_row.LATER}d").pack  # in the order of rows.command_row
Rows = npt.NDArray[np.void]
Column = float | Sequence[float] | npt.NDArray[Any]  # a number, or one for each row


class Command:
    """The input of one tick. Immutable.

    forward, strafe   -1..1 (strafe: positive is right); the vector is shortened to length 1
    heading, pitch    of the view, absolute; 65536 units a turn, pitch within +-16384
    use               the level's action (throw, strike); the walker itself ignores it

    ValueError for values that are not finite, over 1e6 or of the wrong type.
    """

    __slots__ = ("_row", "_values")

    def __init__(
        self,
        forward: float = 0.0,
        strafe: float = 0.0,
        heading: int = 0,
        pitch: int = 0,
        jump: bool = False,
        crouch: bool = False,
        sprint: bool = False,
        use: bool = False,
    ) -> None:
        if type(forward) is int and -MAX_INPUT <= forward <= MAX_INPUT:
            forward = float(forward)
        if type(strafe) is int and -MAX_INPUT <= strafe <= MAX_INPUT:
            strafe = float(strafe)
        values = forward, strafe, heading, pitch, jump, crouch, sprint, use
        if not (
            type(forward) is type(strafe) is float
            and type(heading) is type(pitch) is int
            and type(jump) is type(crouch) is type(sprint) is type(use) is bool
            and -MAX_INPUT <= forward <= MAX_INPUT
            and -MAX_INPUT <= strafe <= MAX_INPUT
            and -MAX_PITCH <= pitch <= MAX_PITCH
        ):
            values = forward, strafe, heading, pitch, jump, crouch, sprint, use = _as_values(*values)
        self._values = values
        held = jump * button.JUMP | crouch * button.CROUCH | sprint * button.SPRINT | use * button.USE
        self._row = _pack(forward, strafe, heading % HEADING_UNITS_PER_TURN, held, pitch)  # its columns

    @classmethod
    def degrees(
        cls,
        heading: float = 0.0,
        pitch: float = 0.0,
        *,
        forward: float = 0.0,
        strafe: float = 0.0,
        jump: bool = False,
        crouch: bool = False,
        sprint: bool = False,
        use: bool = False,
    ) -> Command:
        """A command with its angles in degrees: heading counter-clockwise from north (-Z), so 90 looks west; pitch
        within +-90, positive looks up. ValueError as of `Command`."""
        units = round(as_number(pitch, "pitch", -90.0, 90.0) / 360.0 * HEADING_UNITS_PER_TURN)
        turned = heading_from_degrees(as_number(heading, "heading"))
        return cls(forward, strafe, turned, units, jump, crouch, sprint, use)

    @property
    def forward(self) -> float:
        """Input ahead, 1.0: full speed."""
        return self._values[0]

    @property
    def strafe(self) -> float:
        """Input to the right."""
        return self._values[1]

    @property
    def heading(self) -> int:
        """Heading of the view, as it was given."""
        return self._values[2]

    @property
    def pitch(self) -> int:
        """Pitch of the view, positive looks up."""
        return self._values[3]

    @property
    def jump(self) -> bool:
        """Whether the jump button is down."""
        return self._values[4]

    @property
    def crouch(self) -> bool:
        """Whether the crouch button is down."""
        return self._values[5]

    @property
    def sprint(self) -> bool:
        """Whether the sprint button is down."""
        return self._values[6]

    @property
    def use(self) -> bool:
        """Whether the use button is down."""
        return self._values[7]

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, Command) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), self._values)

    def __repr__(self) -> str:
        return f"Command({', '.join(f'{name}={value!r}' for name, value in zip(_NAMES, self._values, strict=True))})"


def _as_values(*values: Any) -> tuple[float, float, int, int, bool, bool, bool, bool]:
    """The values of a Command as floats, ints and bools. ValueError names the first wrong one."""
    for name, value in zip(_NAMES, values, strict=True):
        is_flag = isinstance(value, (bool, np.bool_))
        if name in ("forward", "strafe"):
            is_number = isinstance(value, Real) and not is_flag
            if not (is_number and -MAX_INPUT <= value <= MAX_INPUT):
                raise ValueError(f"{name} must be {_INPUT_RANGE}, not {describe_value(value)}")
        elif name in ("heading", "pitch"):
            if is_flag or not isinstance(value, Integral):
                raise ValueError(f"{name} must be an integer, 65536 to the turn, not {describe_value(value)}")
        elif not is_flag:
            raise ValueError(f"{name} must be True or False, not {value!r}")
        if name == "pitch" and not -MAX_PITCH <= value <= MAX_PITCH:  # abs(int8(-128)) is -128
            raise ValueError(f"pitch must be within +-{MAX_PITCH} (straight up or down), not {describe_value(value)}")
    forward, strafe, heading, pitch, jump, crouch, sprint, use = values
    held = bool(jump), bool(crouch), bool(sprint), bool(use)
    return float(forward), float(strafe), int(heading), int(pitch), *held


def _rows_from_commands(commands: Iterable[Command]) -> Rows:
    joined = b"".join([command._row for command in as_instances(commands, Command, "commands")])
    columns: Floats = np.frombuffer(joined).reshape(-1, command_row.LATER)
    rows = np.zeros(len(columns), COMMAND_ROW)
    rows["forward"], rows["strafe"] = columns[:, command_row.FORWARD], columns[:, command_row.STRAFE]
    rows["heading"] = wrap_heading(columns[:, command_row.HEADING])
    rows["pitch"] = columns[:, command_row.PITCH]
    rows["buttons"] = columns[:, command_row.BUTTONS]
    return rows


def _rows_from_columns(columns: dict[str, Any]) -> Rows:
    known = {"forward", "strafe", "heading", "pitch", "jump", "crouch", "sprint", "use", "buttons"}
    if unknown := set(columns) - known:
        raise ValueError(f"unknown column {sorted(unknown)[0]!r}; known: {', '.join(sorted(known))}")
    arrays = {name: _as_column(value, name) for name, value in columns.items()}
    for name, array in arrays.items():
        kinds = {"forward": "fiu", "strafe": "fiu", "heading": "iu", "pitch": "iu", "buttons": "iu"}.get(name, "b")
        if array.dtype.kind == "f" and name in ("heading", "pitch"):
            cure = f"heading_from_degrees({name})" if name == "heading" else "units, 16384 straight up"
            raise ValueError(f"{name} must be integers, 65536 to the turn, not {array.dtype}; for degrees: {cure}")
        if array.dtype.kind not in kinds:
            raise ValueError(f"{name} must not be of type {array.dtype}")
    lengths = {name: len(array) for name, array in arrays.items() if len(array) != 1}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"columns must be equally long, not: {told}")
    rows = np.zeros(max(lengths.values(), default=1 if arrays else 0), COMMAND_ROW)
    for name in [name for name in _COLUMN_RANGES if name in arrays]:
        _check_column(name, arrays[name])  # before the cast, which would wrap
        rows[name] = arrays[name]
    rows["heading"] = wrap_heading(arrays["heading"].astype(np.int64)) if "heading" in arrays else 0
    buttons = arrays.get("buttons", np.zeros(1, np.int64)).astype(np.int64)
    for name, bit in (("jump", button.JUMP), ("crouch", button.CROUCH), ("sprint", button.SPRINT), ("use", button.USE)):
        if name in arrays:
            buttons = buttons | arrays[name].astype(np.int64) * bit
    rows["buttons"] = buttons
    return rows


def _as_column(value: object, name: str) -> npt.NDArray[Any]:
    """A number or a sequence of numbers as a 1-D array of any type."""
    try:
        array = np.atleast_1d(np.asarray(value))
    except ValueError:  # of lists of different lengths
        array = np.empty((0, 0))
    if array.ndim != 1:
        raise ValueError(f"{name} must be a number or a column, not {describe_value(value)}")
    return array


def command_of_row(row: Any) -> Command:
    """The command of a command row. ValueError for values that no command has."""
    buttons = int(row["buttons"])
    return Command(
        forward=float(row["forward"]),
        strafe=float(row["strafe"]),
        heading=int(row["heading"]),
        pitch=max(-MAX_PITCH, min(MAX_PITCH, int(row["pitch"]))),
        jump=bool(buttons & button.JUMP),
        crouch=bool(buttons & button.CROUCH),
        sprint=bool(buttons & button.SPRINT),
        use=bool(buttons & button.USE),
    )


def check_rows(rows: npt.ArrayLike) -> Rows:
    """`rows` as a contiguous array of command rows. ValueError names the first wrong field and row."""
    array = np.ascontiguousarray(rows)
    if array.dtype != COMMAND_ROW or array.ndim != 1:
        raise ValueError(
            f"rows must be a 1-D array of command rows (walker.commands(...)), not {array.dtype} of shape {array.shape}"
        )
    for name in ("forward", "strafe", "pitch"):
        _check_column(name, array[name])
    return array


def _check_column(name: str, column: npt.NDArray[Any]) -> None:
    """ValueError for a value outside the range of its column, or not finite."""
    low, high = _COLUMN_RANGES[name]
    inside = (column >= low) & (column <= high)
    if not inside.all():
        row = int(inside.argmin())
        wanted = _INPUT_RANGE if name in ("forward", "strafe") else f"within {low}..{high}"
        raise ValueError(f"{name} of row {row} must be {wanted}, not {column[row].item()!r}")


def command_rows(commands: Iterable[Command] | Rows | None = None, **columns: Any) -> Rows:
    """Structured array of command rows, from Commands or from columns (a number is repeated to the longest column)."""
    if commands is not None and columns:
        raise ValueError("give either commands or columns, not both")
    if commands is None:
        return check_rows(_rows_from_columns(columns))
    if isinstance(commands, np.ndarray):
        return check_rows(commands)
    return _rows_from_commands(commands)


def command_columns(rows: Rows) -> Floats:
    """Command rows as the kernels read them, (n, command_row.WIDTH) f8. ValueError as of `check_rows`."""
    if type(rows) is not np.ndarray or rows.dtype != COMMAND_ROW or rows.ndim != 1:
        rows = check_rows(rows)
    own: Rows = np.ndarray(len(rows), COMMAND_ROW, rows.tobytes())  # contiguous, and what the caller writes into is not
    columns = np.empty((len(own), command_row.WIDTH))
    if not write_columns(own, columns):
        check_rows(own)
    return columns


@kernel
def write_columns(rows: Rows, columns: Floats) -> bool:
    """Write command rows (n,) into columns (n, command_row.WIDTH); False if a value is outside its range."""
    for k in range(len(rows)):
        row, column = rows[k], columns[k]
        forward, strafe, pitch = float(row["forward"]), float(row["strafe"]), float(row["pitch"])
        if not (abs(forward) <= MAX_INPUT and abs(strafe) <= MAX_INPUT and abs(pitch) <= MAX_PITCH):  # also for nan
            return False
        column[command_row.FORWARD], column[command_row.STRAFE] = forward, strafe
        column[command_row.HEADING], column[command_row.PITCH] = row["heading"], pitch
        column[command_row.BUTTONS], column[command_row.LATER], column[command_row.EVENTS] = row["buttons"], 0.0, 0.0
    return True


class TickCommand(NamedTuple):
    """One row of `command_columns` inside a kernel."""

    forward: float
    strafe: float
    heading: int  # of the view, 65536 units a turn
    buttons: int  # bits of rows.button
    pitch: int


@inner
def move_input(command: TickCommand) -> tuple[float, float]:
    """(forward, strafe), shortened to length 1."""
    forward, strafe = command.forward, command.strafe
    length = forward * forward + strafe * strafe
    if length > 1.0:
        length = sqrt(length)
        forward, strafe = forward / length, strafe / length
    return forward, strafe


@inner
def upright_speed(settings: Floats, command: TickCommand) -> float:
    """Walking or sprinting speed, m/s."""
    speed: float = settings[setting.SPRINT_SPEED if command.buttons & button.SPRINT != 0 else setting.WALK_SPEED]
    return speed
