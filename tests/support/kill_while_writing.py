"""Kill processes while they write files and report what remains. Run by test_progress.py, or by hand:

    python -m tests.support.kill_while_writing FOLDER KILLS SEED

One process has everything loaded and forks those that are killed. A child tells through a pipe what it has finished.
"""

from __future__ import annotations

import json
import os
import random
import signal
import struct
import sys
import time
from pathlib import Path

FLOOR = """\
format: 1
name: Floor
spawn: {name: start, at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
goal: {at: [0, 0, -8], radius: 0.5}
"""
LONGEST = 0.12  # s that a child has at most
ENOUGH, MORE = 5, 10  # kills after each kind of work that there are to be; times as many kills, on a slow machine
SECOND = 60  # ticks


def write_for_ever(folder: Path, level, pipe: int, first: int) -> None:
    """Save settings, end runs, record; tell after each what is done: kind, number."""
    from game.app.runs import progress, recording
    from game.app.runs.progress import BestRun
    from game.app.settings import settings_file
    from game.physics import Command
    from game.sim import History, Session, World

    session = Session(World(level))
    session.history = History(session.world)
    record = recording.ReplayRecording(session)
    os.write(pipe, b"F" + struct.pack("<q", len(str(record.path))) + str(record.path).encode())
    for number in range(first, first + 100_000):
        settings_file.save_settings(settings_file.Settings().with_value("fov", 60.0 + number % 50))
        os.write(pipe, b"S" + struct.pack("<q", number))
        progress.record_finish(level, "start", BestRun(1e5 - number), (f"challenge {number}",))
        os.write(pipe, b"P" + struct.pack("<q", number))
        for _ in range(SECOND):
            session.tick(Command(forward=1.0, heading=number % 65536))
        os.write(pipe, b"R" + struct.pack("<q", (number - first + 1) * SECOND))


def told(data: bytes) -> dict[str, object]:
    """What the child had finished when it was killed."""
    found: dict[str, object] = {}
    while len(data) >= 9:
        kind, number = data[:1].decode(), struct.unpack("<q", data[1:9])[0]
        data = data[9:]
        if kind == "F":
            found["F"], data = data[:number].decode(), data[number:]
        else:
            found[kind] = number
    return found


def kill_one(folder: Path, level, seconds: float, first: int) -> dict[str, object]:
    """Start a child, kill it so many seconds later; what it had told."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            write_for_ever(folder, level, writing, first)
        finally:
            os._exit(1)
    os.close(writing)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    data = b""
    while piece := os.read(reading, 1 << 16):
        data += piece
    os.close(reading)
    _, status = os.waitpid(child, 0)
    return {**told(data), "killed": os.WIFSIGNALED(status)}


def main(arguments: list[str]) -> int:
    folder, kills, seed = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    os.environ["WALKER_DATA"] = os.environ["WALKER_CONFIG"] = str(folder / "kept")
    from game.app.runs import progress
    from game.app.settings import settings_file
    from game.core import user_folders
    from game.level import load
    from game.physics import Command
    from game.sim import World
    from game.sim.replay import replay_file

    path = folder / "floor.yaml"
    path.write_text(FLOOR, encoding="utf-8")
    level = load(path)
    World(level).step(Command())
    progress.cached_level_hash(level)
    chance = random.Random(seed)
    wrong: list[str] = []
    counts = {"S": 0, "P": 0, "R": 0}
    first, most, fov = 1, 0, None
    for turn in range(MORE * kills):
        if turn >= kills and min(counts.values()) >= ENOUGH:
            break
        longest = LONGEST * max(1, turn // kills)  # a busy machine does less in that time
        ended = kill_one(folder, level, chance.uniform(0.0, longest), first)
        if not ended["killed"]:
            wrong.append(f"kill {turn}: the child ended by itself")
        for kind in counts:
            counts[kind] += kind in ended
        # settings: whole, and the last that was told or the one under way
        kept, notes = settings_file.load_settings()
        allowed = {fov} if "S" not in ended else {60.0 + int(ended["S"]) % 50}
        allowed.add(60.0 + (int(ended["S"]) + 1 if "S" in ended else first) % 50)
        fov = kept.fov if (user_folders.config_folder() / "settings.json").exists() else None
        if notes or fov not in allowed:
            wrong.append(f"kill {turn}: settings {fov}, allowed {allowed}, {notes}")
        # progress: nothing that was told is lost
        most = max(most, int(ended.get("P", 0)))
        best = progress.level_record(level).best
        last = 0 if best is None else round(1e5 - best.seconds)
        if progress.take_notes() or last not in (most, max(int(ended.get("P", first - 1)) + 1, most)):
            wrong.append(f"kill {turn}: progress {last}, told {most}")
        most = max(most, last)
        missing = [k for k in range(1, most + 1) if f"challenge {k}" not in progress.level_record(level).challenges]
        if missing:
            wrong.append(f"kill {turn}: challenges lost: {missing}")
        # the record: every whole second that was told can be replayed
        if "F" in ended:
            try:
                ticks = replay_file.read_replay(Path(str(ended["F"]))).ticks
            except replay_file.ReplayError as error:
                ticks = 0 if "cut off" in str(error) or "empty" in str(error) else -1
            if ticks < int(ended.get("R", 0)) or ticks % SECOND:
                wrong.append(f"kill {turn}: {ticks} ticks in the record, told {ended.get('R', 0)}")
        first = most + 1
    left = [entry.name for entry in (folder / "kept").iterdir()]
    print(json.dumps({"wrong": wrong, "told": counts, "last": most, "left": left}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
