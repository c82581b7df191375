"""Course of the day: the course of a date, the same for everybody, with medals by the time of a bot."""

from __future__ import annotations

from calendar import weekday
from dataclasses import dataclass

from ...physics import Command
from .courses import CourseLook, GeneratedCourse
from .proof import proven_course

DIFFICULTIES = (3, 4, 5, 6, 7, 8, 10)  # of the days from Monday on
LANES = (4, 4, 5, 5, 6, 7, 8)
MEDAL_FACTORS = {"gold": 1.05, "silver": 1.35, "bronze": 2.0}  # of the time of the bot
LOOKS = (  # of the days from Monday on: sky, then surfaces of the ground and of the walls
    (
        "palette: morning, sun: {height: 26, from: southeast}",
        '"#b9ab90", texture: flagstone',
        '"#b5694f", texture: brick',
    ),
    ("palette: day, sun: {height: 52, from: southwest}", '"#c8bfae", texture: tiles', '"#8fa39a", texture: plaster'),
    ("palette: overcast", '"#9a9b97", texture: concrete', '"#a98d74", texture: planks'),
    ("palette: day, sun: {height: 34, from: east}", '"#d2b98c", texture: sand', '"#c39a78", texture: flagstone'),
    ("palette: evening, sun: {height: 18, from: west}", '"#b79a74", texture: planks', '"#d8b497", texture: plaster'),
    ("palette: day, sun: {height: 46, from: southeast}", '"#7d9a58", texture: grass', '"#b7a98f", texture: flagstone'),
    (
        "palette: evening, sun: {height: 24, from: southwest}",
        '"#8f959b", texture: metal',
        '"#9fb0bf", texture: plaster',
    ),
)


@dataclass(frozen=True, slots=True)
class DailyCourse:
    """The course of a day: the text of its level file, and the commands of a bot that reaches the goal."""

    text: str
    course: GeneratedCourse
    commands: tuple[Command, ...]


def daily_course(year: int, month: int, day: int) -> DailyCourse:
    """The course of a date, harder at the end of the week. The version of the generator is a part of its name.

    ValueError for what is no date.
    """
    day_of_week = weekday(year, month, day)
    seed = year * 10_000 + month * 100 + day
    course, commands = proven_course(seed, DIFFICULTIES[day_of_week], LANES[day_of_week])
    seconds = len(commands) / course.level.player.ticks_per_second
    medals = ", ".join(f"{medal}: {factor * seconds:.1f}" for medal, factor in MEDAL_FACTORS.items())
    sky, ground, wall = LOOKS[day_of_week]
    look = CourseLook(f"{{colour: {ground}}}", f"{{colour: {wall}}}")
    fields = ("about: A new course for each day, the same for everybody.", f"medals: {{{medals}}}", f"sky: {{{sky}}}")
    name = f"Course of {year:04}-{month:02}-{day:02}"
    return DailyCourse(course.level_text(name, look, fields), course, tuple(commands))
