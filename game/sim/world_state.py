"""Saved states of worlds: bytes that know the level of their world, so that a world of another level refuses them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..level.mesh_level import NO_FILE
from ..physics import WalkerState

if TYPE_CHECKING:
    from ..level import Level


class LevelIdentity(NamedTuple):
    """Name and file of a level; both empty for a mesh.

    A level is another one if its name and its file are different. An edited level keeps its file, and a copy its name.
    """

    name: str
    file: str

    @classmethod
    def of(cls, level: Level) -> LevelIdentity:
        """The identity of a level, or of the level around a mesh."""
        return cls("", "") if level.path == NO_FILE else cls(level.name, str(level.path.resolve()))

    def is_same(self, other: LevelIdentity) -> bool:
        """Whether both are versions of one level."""
        return self.name == other.name or self.file == other.file

    def __str__(self) -> str:
        return f"the level {self.name!r} ({self.file})" if self.file else "a mesh"


class WorldState(bytes):
    """Value of `World.state()`. In a file, and after `bytes(state)`, it does not know its level any more.

    level: None if it is unknown
    """

    level: LevelIdentity | None = None

    @classmethod
    def of(cls, value: bytes, level: LevelIdentity) -> WorldState:
        """These bytes as the state of a world of a level."""
        state = cls(value)
        state.level = level
        return state


def check_level(value: object, level: LevelIdentity) -> None:
    """ValueError, with both levels, for the state of a world of another level than this one."""
    if isinstance(value, WorldState) and value.level is not None and not value.level.is_same(level):
        raise ValueError(f"this is a state of {value.level}, and this world is of {level}: a state fits its own level")


def off_platform(state: WalkerState, first: int = 0) -> WalkerState:
    """The state on none of the movers from `first` on, for a place that was kept: they have moved on, or are gone."""
    return state if state.mover < first else state.replace(position=state.position)  # a new position is on none


def mover_like(names: tuple[str, ...], name: str, number: int) -> int:
    """Index in `names` of the mover that had this name and number in another version of a level; -1: none.

    It is the one of its name, or of its number where it has no name.
    """
    if name in names:
        return names.index(name) if name else number if number < len(names) else -1
    return -1
