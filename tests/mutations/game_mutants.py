"""Mutants of the level, the simulation, the pictures and the application: `python -m tools.verify.mutants --game`.

Each names the tests that kill it, as files below tests/.
"""

from __future__ import annotations

from tests.mutations.change import Change, constant
from tests.mutations.mutants import Mutant

GAME_MUTANTS = (
    # Level files
    Mutant(
        "pieces are drawn and not solid",
        (Change("level/_build_level", 'f(x, "collide")', 'f(x, "visible")'),),
        ("level/building/test_pieces.py",),
    ),
    Mutant(
        "the top of each step is a tenth lower",
        (Change("level/_closed_steps", "(k + 1) * x", "(k + 0.9) * x"),),
        ("level/building/test_pieces.py", "level/building/test_pieces_are_walkable.py"),
    ),
    Mutant(
        "copies of an array are not turned",
        (Change("level/_tree_frames", "f(x.first + n * x.step)", "f(x.first)"),),
        ("level/building",),
    ),
    Mutant(
        "a partly covered face is hidden",
        (Change("level/_partly_uncovered", "0 < f(x) <= y", "False"),),
        ("level/building/test_hidden_faces.py",),
    ),
    Mutant(
        "the ground is whole below a floor of a room that takes its place",
        (Change("level/cut_below_rooms", "if not x: ...", "if True: ..."),),
        ("level/building/test_hidden_faces.py",),
    ),
    Mutant(
        "lights of a piece on the ground stay where they are",
        (Change("level/FaceArrays.raised", "f(x._mark_places())", "x._mark_places()"),),
        ("level/building/test_terrain.py",),
    ),
    Mutant(
        "a sign binds more tightly than a power",
        (constant("level/_SIGN_PRECEDENCE", "5"),),
        ("level/format/test_expressions.py",),
    ),
    Mutant(
        "a level without a kill height ends at its lowest corner",
        (constant("level/KILL_DEPTH", "0.0"),),
        ("level", "sim"),
    ),
    Mutant(
        "a path waits at no stop",
        (Change("level/MoverPath._keyframes", "np.clip(x, 0.0, 1.0)", "np.clip(x, 1.0, 1.0)"),),
        ("level/building/test_movers.py", "level/lint"),
    ),
    # Saving
    Mutant(
        "a file is written in place",
        (Change("core/write_atomic", "if x and not f(x): ...", "if x: ..."),),
        ("core", "level/edit/test_save.py"),
    ),
    Mutant(
        "a save does not see that another program has changed the file",
        (Change("level/save_text", "if f(x) != y: ...", "if False: ..."),),
        ("level/edit/test_save.py",),
    ),
    Mutant(
        "no backup is kept",
        (Change("level/save_text", "if not f(x, y): ...", "if False: ..."),),
        ("level/edit/test_save.py",),
    ),
    Mutant(
        "a save that fails in its second file leaves the first one changed",
        (Change("app/UndoHistory._save_all", "for x in y:\n    with f(z): ...", "for x in ():\n    with f(z): ..."),),
        ("app/editor",),
    ),
    Mutant(
        "an undo restores nothing",
        (Change("app/FileChange.revert", "a + x.old + b", "a + x.new + b"),),
        ("app/editor",),
    ),
    # Simulation
    Mutant(
        "a checkpoint counts in the air",
        (Change("rules._enter_checkpoint", "if x & (a | b) == 0: ...", "if False: ..."),),
        ("sim/test_triggers.py",),
    ),
    Mutant(
        "a checkpoint on a lift stays behind",
        (Change("rules._enter_checkpoint", "if x >= 0: ...", "if False: ..."),),
        ("sim/test_carried_zones.py",),
    ),
    Mutant(
        "an arrival inside a teleport enters it",
        (Change("rules._enter_teleport", "x[y] |= b; f(*a)", "x[y] |= b; pass"),),
        ("sim/test_triggers.py",),
    ),
    Mutant(
        "a target is touched by the feet alone",
        (Change("rules._touches_body", "min(max(x, 0.0), y)", "0.0"),),
        ("sim",),
    ),
    Mutant(
        "the goal does not wait for targets",
        (Change("rules._apply_goals", "(a or b) and c", "c"),),
        ("sim",),
    ),
    Mutant(
        "no kill height",
        (Change("rules._is_out_of_level", "if a < b: return True", "if False: return True"),),
        ("sim",),
    ),
    Mutant(
        "a restored world forgets its checkpoint",
        (Change("sim/World._read_state", "x[0, a] = c, d = f(*b)", "c, d = f(*b)"),),
        ("sim",),
    ),
    Mutant(
        "a restart keeps the targets",
        (Change("rules.begin_runs", "x[a], y[a] = 0.0, 0", "x[a] = 0.0"),),
        ("sim",),
    ),
    Mutant(
        "a run walks on from where nobody is after a respawn",
        (Change("sim/World._run_rows", "if x & (y.MOVED | y.SET_OFF): ...", "if x & y.SET_OFF: ..."),),
        ("sim/test_world_run.py",),
    ),
    Mutant(
        "a run walks on beside movers that were not set off",
        (Change("sim/World._run_rows", "if x & (y.MOVED | y.SET_OFF): ...", "if x & y.MOVED: ..."),),
        ("sim/test_waiting_movers.py",),
    ),
    Mutant(
        "a mover that moves is set off again",
        (Change("rules._set_off_movers", "if 0.0 <= a < b: ...", "if False: ..."),),
        ("sim/test_waiting_movers.py",),
    ),
    Mutant(
        "a run that is interrupted stays half done",
        (Change("sim/World.run", "x.__setstate__(y)", "pass"),),
        ("sim/test_world_run.py",),
    ),
    Mutant(
        "rewind stops a tick early",
        (Change("sim/History.seek", "for each in range(a, b): ...", "for each in range(a, b - 1): ..."),),
        ("sim/replay",),
    ),
    Mutant(
        "a cut keeps the events after it",
        (Change("sim/History.cut", "self._event_count -= len(self.events.pop(x))", "pass"),),
        ("sim/replay",),
    ),
    Mutant(
        "a replay is verified without its last state",
        (Change("sim/replay.verifier.verify", "if a and b and f(*x) != c: ...", "if False: ..."),),
        ("sim/replay",),
    ),
    Mutant(
        "a lost ball costs no stroke",
        (
            Change(
                "sim/TrialRun._check_event",
                "self.strokes += 1\nself._lose_challenge(x)",
                "pass\nself._lose_challenge(x)",
            ),
        ),
        ("sim",),
    ),
    Mutant(
        "the clock of a run begins with its first tick",
        (Change("sim/TrialRun.stepped", "if a == b and f(x): ...", "if a == b: ..."),),
        ("sim", "app/runs"),
    ),
    Mutant(
        "teleports lead nowhere",
        (Change("rules._enter_teleport", "if a == b or a == c or d == 0.0: ...", "if True: ..."),),
        ("sim", "gym"),
    ),
    Mutant(
        "frames show the last tick without interpolation",
        (Change("sim/interpolate_point", "return x", "return b"),),
        ("sim",),
    ),
    # Pictures
    Mutant(
        "no sky",
        (Change("render/SkyPass.draw", "self._array.render(*a, vertices=n)", "pass"),),
        ("render",),
    ),
    Mutant(
        "balls are not drawn",
        (Change("render/BallPass.draw", "s(c, t, culls=True)\narray.render(*a, instances=balls)", "pass\npass"),),
        ("render",),
    ),
    Mutant(
        "the goal is drawn in the colour of a reached one",
        (Change("render/GoalPass.draw", 'x["goal_reached" if y else "goal"]', 'x["goal_reached"]'),),
        ("render",),
    ),
    Mutant(
        "movers are drawn at their home",
        (Change("render/MoverPass.draw", "if not f(x): return", "if False: return"),),
        ("render",),
    ),
    Mutant(
        "the sun casts no shadow",
        (Change("render/SunShadowMap.draw_in_bands", "self.draw_part(*a)", "pass"),),
        ("render",),
    ),
    # Application
    Mutant(
        "a worse run replaces the best one",
        (Change("app/record_finish", "a is None or b < c", "True"),),
        ("app/runs",),
    ),
    Mutant(
        "challenges of earlier runs are lost",
        (Change("app/record_finish", "tuple(f(x))", "challenges"),),
        ("app/runs",),
    ),
    Mutant(
        "a run at the limit misses its medal",
        (Change("app/MedalLimits.medal_for", "a <= b", "a < b"),),
        ("app/runs",),
    ),
    Mutant(
        "one wrong setting resets the others",
        (Change("app/_parse_settings", "e.append(str(x))", "return Settings(), str(x)"),),
        ("app/settings",),
    ),
    Mutant(
        "settings are not saved when they change",
        (Change("app/SettingsSaver.update", "self._worker.submit(x)", "pass"),),
        ("app/settings",),
    ),
    Mutant(
        "a key that moves to another slot stays in the first one",
        (Change("app/KeyBindings.bind", "if x & y: ...", "if False: ..."),),
        ("app/settings",),
    ),
    Mutant(
        "a level that changed while it is run counts",
        (Change("app/TimeTrial.update", "self.void(x)", "pass"),),
        ("app/runs",),
    ),
    Mutant(
        "the third-person camera rises through a ceiling",
        (Change("app/_free_fraction", "return x", "return 1.0"),),
        ("app/cameras",),
    ),
)
