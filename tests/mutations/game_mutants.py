"""Mutants of the level, the simulation, the pictures and the application: `python -m tools.verify.mutants --game`.

Each names the tests that kill it, as files below tests/.
"""

from tests.mutations.change import Change, constant
from tests.mutations.mutants import Mutant

GAME_MUTANTS = {
    # Level files
    "pieces are drawn and not solid": Mutant(
        "level/building/test_pieces.py",
        Change("level/_build_level", 'f(x, "collide")', 'f(x, "visible")'),
    ),
    "the top of each step is a tenth lower": Mutant(
        ("level/building/test_pieces.py", "level/building/test_pieces_are_walkable.py"),
        Change("level/_closed_steps", "(k + 1) * x", "(k + 0.9) * x"),
    ),
    "copies of an array are not turned": Mutant(
        "level/building",
        Change("level/_tree_frames", "f(x.first + n * x.step)", "f(x.first)"),
    ),
    "a partly covered face is hidden": Mutant(
        "level/building/test_hidden_faces.py",
        Change("level/_partly_uncovered", "0 < f(x) <= y", "False"),
    ),
    "the ground is whole below a floor of a room that takes its place": Mutant(
        "level/building/test_hidden_faces.py",
        Change("level/cut_below_rooms", "if not x: ...", "if True: ..."),
    ),
    "lights of a piece on the ground stay where they are": Mutant(
        "level/building/test_terrain.py",
        Change("level/FaceArrays.raised", "f(x._mark_places())", "x._mark_places()"),
    ),
    "a sign binds more tightly than a power": Mutant(
        "level/format/test_expressions.py",
        constant("level/_SIGN_PRECEDENCE", "5"),
    ),
    "a level without a kill height ends at its lowest corner": Mutant(
        ("level", "sim"),
        constant("level/KILL_DEPTH", "0.0"),
    ),
    "a path waits at no stop": Mutant(
        ("level/building/test_movers.py", "level/lint"),
        Change("level/MoverPath._keyframes", "np.clip(x, 0.0, 1.0)", "np.clip(x, 1.0, 1.0)"),
    ),
    # Saving
    "a file is written in place": Mutant(
        ("core", "level/edit/test_save.py"),
        Change("core/write_atomic", "if x and not f(x): ...", "if x: ..."),
    ),
    "a save does not see that another program has changed the file": Mutant(
        "level/edit/test_save.py",
        Change("level/save_text", "if f(x) != y: ...", "if False: ..."),
    ),
    "no backup is kept": Mutant(
        "level/edit/test_save.py",
        Change("level/save_text", "if not f(x, y): ...", "if False: ..."),
    ),
    "a save that fails in its second file leaves the first one changed": Mutant(
        "app/editor",
        Change("app/UndoHistory._save_all", "for x in y:\n    with f(z): ...", "for x in ():\n    with f(z): ..."),
    ),
    "an undo restores nothing": Mutant(
        "app/editor",
        Change("app/FileChange.revert", "a + x.old + b", "a + x.new + b"),
    ),
    # Simulation
    "a checkpoint counts in the air": Mutant(
        "sim/test_triggers.py",
        Change("rules._enter_checkpoint", "if x & (a | b) == 0: ...", "if False: ..."),
    ),
    "a checkpoint on a lift stays behind": Mutant(
        "sim/test_carried_zones.py",
        Change("rules._go_to_checkpoint", "if x >= 0: ...", "if False: ..."),
    ),
    "an arrival inside a teleport enters it": Mutant(
        "sim/test_triggers.py",
        Change("rules._enter_teleport", "x[y] |= b; f(*a)", "x[y] |= b; pass"),
    ),
    "a target is touched by the feet alone": Mutant(
        "sim",
        Change("rules._touches_body", "min(max(x, 0.0), y)", "0.0"),
    ),
    "the goal does not wait for targets": Mutant(
        "sim",
        Change("rules._apply_goals", "(a or b) and c", "c"),
    ),
    "no kill height": Mutant(
        "sim",
        Change("rules._is_out_of_level", "if a < b: return True", "if False: return True"),
    ),
    "a restored world forgets its checkpoint": Mutant(
        "sim",
        Change("sim/World._read_state", "x[0, a] = c, d = f(*b)", "c, d = f(*b)"),
    ),
    "a restart keeps the targets": Mutant(
        "sim",
        Change("rules.begin_runs", "x[a], y[a] = 0.0, 0", "x[a] = 0.0"),
    ),
    "a run walks on from where nobody is after a respawn": Mutant(
        "sim/test_world_run.py",
        Change("sim/World._run_rows", "if x & (y.MOVED | y.SET_OFF): ...", "if x & y.SET_OFF: ..."),
    ),
    "a run walks on beside movers that were not set off": Mutant(
        "sim/test_waiting_movers.py",
        Change("sim/World._run_rows", "if x & (y.MOVED | y.SET_OFF): ...", "if x & y.MOVED: ..."),
    ),
    "a mover that moves is set off again": Mutant(
        "sim/test_waiting_movers.py",
        Change("rules._set_off_movers", "if 0.0 <= a < b: ...", "if False: ..."),
    ),
    "a run that is interrupted stays half done": Mutant(
        "sim/test_world_run.py",
        Change("sim/World.run", "x.__setstate__(y)", "pass"),
    ),
    "rewind stops a tick early": Mutant(
        "sim/replay",
        Change("sim/History.seek", "for each in range(a, b): ...", "for each in range(a, b - 1): ..."),
    ),
    "a cut keeps the events after it": Mutant(
        "sim/replay",
        Change("sim/History.cut", "self._event_count -= len(self.events.pop(x))", "pass"),
    ),
    "a replay is verified without its last state": Mutant(
        "sim/replay",
        Change("sim/replay.verifier.verify", "if a and b and f(*x) != c: ...", "if False: ..."),
    ),
    "a lost ball costs no stroke": Mutant(
        "sim",
        Change(
            "sim/TrialRun._check_event",
            "self.strokes += 1\nself._lose_challenge(x)",
            "pass\nself._lose_challenge(x)",
        ),
    ),
    "the clock of a run begins with its first tick": Mutant(
        ("sim", "app/runs"),
        Change("sim/TrialRun.stepped", "if a == b and f(x): ...", "if a == b: ..."),
    ),
    "teleports lead nowhere": Mutant(
        ("sim", "gym"),
        Change("rules._enter_teleport", "if a == b or a == c or d == 0.0: ...", "if True: ..."),
    ),
    "frames show the last tick without interpolation": Mutant(
        "sim",
        Change("sim/interpolate_point", "return x", "return b"),
    ),
    # Pictures
    "no sky": Mutant(
        "render",
        Change("render/SkyPass.draw", "self._array.render(*a, vertices=n)", "pass"),
    ),
    "balls are not drawn": Mutant(
        "render/passes/test_ellipsoids.py",
        Change("render/BallPass.draw", "s(c, t, culls=True)\narray.render(*a, instances=balls)", "pass\npass"),
    ),
    "the goal is drawn in the colour of a reached one": Mutant(
        "render/passes/test_markers.py",
        Change("render/GoalPass.draw", 'x["goal_reached" if y else "goal"]', 'x["goal_reached"]'),
    ),
    "movers are drawn at their home": Mutant(
        "render",
        Change("render/MoverPass.upload_poses", "self._rows[1:, :3] = x", "self._rows[1:, :3] = self._homes"),
    ),
    "the sun casts no shadow": Mutant(
        "render",
        Change("render/SunShadowMap.draw_in_bands", "self.draw_part(*a)", "pass"),
    ),
    # Application
    "a worse run replaces the best one": Mutant(
        "app/runs",
        Change("app/record_finish", "a is None or b < c", "True"),
    ),
    "challenges of earlier runs are lost": Mutant(
        "app/runs",
        Change("app/record_finish", "tuple(f(x))", "challenges"),
    ),
    "a run at the limit misses its medal": Mutant(
        "app/guidance/test_medals.py",
        Change("app/MedalLimits.medal_for", "a <= b", "a < b"),
    ),
    "one wrong setting resets the others": Mutant(
        "app/settings",
        Change("app/_parse_settings", "e.append(str(x))", "return Settings(), str(x)"),
    ),
    "settings are not saved when they change": Mutant(
        "app/settings",
        Change("app/SettingsSaver.update", "self._saving = run_in_thread('settings', save_settings, x, y)", "pass"),
    ),
    "a key that moves to another slot stays in the first one": Mutant(
        "app/settings",
        Change("app/KeyBindings.bind", "if x & y: ...", "if False: ..."),
    ),
    "a level that changed while it is run counts": Mutant(
        "app/runs",
        Change("app/TimeTrial.update", "self.void(x)", "pass"),
    ),
    "the third-person camera rises through a ceiling": Mutant(
        "app/cameras",
        Change("app/_free_fraction", "return x", "return 1.0"),
    ),
}
