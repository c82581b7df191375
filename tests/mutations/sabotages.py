"""Small sabotages of the physics, each of which turns a test red: `python -m tools.verify.sabotage` makes them.

Named for what they take away; most are what a plainer program would do. `tests` are those likely to see it first.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sabotage:
    """What stands in a file of game/physics (exactly once), what it becomes, and where to look first, as
    "file::test" without tests/physics/test_. More than one change: `also`, as (file, before, after)."""

    name: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]
    also: tuple[tuple[str, str, str], ...] = ()

    @property
    def changes(self) -> tuple[tuple[str, str, str], ...]:
        """Every (file, before, after)."""
        return ((self.file, self.before, self.after), *self.also)


SABOTAGES = (
    # Movers
    Sabotage(
        "a mover carries nobody",
        "carry.py",
        "if dx != 0.0 or dy != 0.0 or dz != 0.0:",
        "if False:",
        ("platforms::test_who_stands_on_a_mover_stays_where_he_stands",),
    ),
    Sabotage(
        "movers go through a tick in one step",
        "carry.py",
        "return min(int(furthest / limit) + 1, MOST_STEPS)",
        "return 1",
        ("platforms::test_a_moving_wall_pushes_ahead_and_never_passes_through",),
    ),
    Sabotage(
        "a jump leaves the lift's speed behind",
        "carry.py",
        "f[at, FALLING] += up",
        "pass",
        ("platforms::test_a_jump_takes_the_velocity_of_what_is_left",),
    ),
    Sabotage(
        "a crush goes unnoticed",
        "carry.py",
        "if not _pushed(w):",
        "if not _pushed(w) and False:",
        ("platforms::test_a_press_crushes_and_says_so",),
    ),
    # The touching set and the response to it
    Sabotage(
        "snap not limited by the touching planes",
        "walk.py",
        "drop = min(drop, max(-planes[p, BOUND], 0.0) / planes[p, NY])",
        "pass",
        ("sabotaged::test_a_landing_obeys_what_is_touched_beside",),
    ),
    Sabotage(
        "no final check of all planes",
        "walk.py",
        "if given >= min(planes[p, BOUND], 0.0) - CHECK:",
        "if True:",
        ("sabotaged::test_no_room_for_the_skin_is_left_as_it_is",),
    ),
    Sabotage(
        "response in ellipsoid space",
        "touching.py",
        "wx, wy, wz = ex * b[INVERSE], ey * b[INVERSE + 1], ez * b[INVERSE + 2]",
        "wx, wy, wz = ex, ey, ez",
        ("turn_stance::test_spawning", "walk::test_ledges_up_to_the_step_height[0-default-30]"),
    ),
    Sabotage(
        "no claiming",
        "touching.py",
        "if con[f, 3] * dx + con[f, 4] * dy + con[f, 5] * dz <= CLAIM:",
        "if False:",
        ("walk::test_tiled_floor_in_360_headings",),
    ),
    Sabotage(
        "no floor-and-ceiling rows",
        "walk.py",
        "if planes[q, NY] <= SUPPORTING:",
        "if True:",
        ("walk::test_a_ramp_under_a_ceiling_stops_cleanly_and_leaves_freely",),
    ),
    Sabotage(
        "back off along the motion",
        "move.py",
        "t = sweep(w, dx, dy, dz, NEAR)",
        "t = max(sweep(w, dx, dy, dz, 0.0) - 0.005, 0.0)",
        ("air::test_nothing_is_tunnelled_at_300_metres_a_tick", "walk::test_tiled_wall_rubbed[0.05-30]"),
    ),
    Sabotage(
        "a sweep that keeps no skin",
        "move.py",
        "r = 1.0 + part * b[SKIN]",
        "r = 1.0",
        ("sabotaged::test_every_wall_of_a_room_is_met_at_the_skin",),
    ),
    Sabotage(
        "one round only",
        "move.py",
        "ROUNDS = 12",
        "ROUNDS = 1",
        ("walk::test_stairs_up_and_down_at_plan_speed[slim-30]",),
    ),
    Sabotage(
        "a corner that leaves no way is slid out of",
        "move.py",
        "if (wx != 0.0 or wz != 0.0) and _no_way(w, wx, wz):",
        "if False:",
        ("tests/regressions/test_found_by_hypothesis.py::test_wide_corners_hold_still",),
    ),
    Sabotage(
        "speed kept against a wall",
        "tick.py",
        "vx, vz = clip_velocity(w, vx, vz, wx, wz)",
        "pass",
        ("sabotaged::test_a_wall_takes_the_speed_into_it",),
    ),
    # Ellipsoid space and the exact tests
    Sabotage(
        "matrix to ellipsoid space as rotation times scale",
        "gather.py",
        "return (c * x - s * z) * b[INVERSE], y * b[INVERSE + 1], (s * x + c * z) * b[INVERSE + 2]",
        "return c * x * b[INVERSE] - s * z / b[R + 2], y * b[INVERSE + 1], s * x / b[R] + c * z * b[INVERSE + 2]",
        ("turn_stance::test_the_wall_stops_the_side_that_faces_it", "walk::test_a_turned_level_gives_a_turned_trace"),
    ),
    Sabotage(
        "normals by the matrix, not its inverse transpose",
        "gather.py",
        "x, y, z = b[R] * (c * nx - s * nz), b[R + 1] * ny, b[R + 2] * (s * nx + c * nz)\n    scale",
        "x, y, z = (c * nx - s * nz) / b[R], ny / b[R + 1], (s * nx + c * nz) / b[R + 2]\n    scale",
        ("walk::test_ramps_under_the_limit_are_walked_at_plan_speed",),
    ),
    Sabotage(
        "unsigned barycentrics",
        "geometry.py",
        "vc = d1 * d4 - d3 * d2",
        "vc = abs(d1 * d4 - d3 * d2)",
        ("geometry::test_closest_point",),
        (("geometry.py", "vb = d5 * d2 - d1 * d6", "vb = abs(d5 * d2 - d1 * d6)"),),
    ),
    Sabotage(
        "closest point forgets an edge",
        "geometry.py",
        "if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:",
        "if False:",
        ("geometry::test_closest_point",),
    ),
    Sabotage(
        "two-sidedness lost",
        "geometry.py",
        "        h, hd = -h, -hd",
        "        return MISS, 0.0, 0.0, 0.0, 0",
        ("geometry::test_first_touch", "turn_stance::test_a_quad_seen_from_below_holds_too"),
    ),
    Sabotage(
        "a sweep that knows no corners",
        "geometry.py",
        "if md < 0.0 and apart >= 0.0",
        "if md < 0.0 and apart >= 1e9",
        ("geometry::test_first_touch",),
    ),
    Sabotage(
        "what rounding alone lets a sweep meet is a touch",
        "queries.py",
        "if grazing and nearest_on_way(",
        "if False and nearest_on_way(",
        ("queries::test_touching_hits_at_once_only_when_moving_into_it",),
    ),
    Sabotage(
        "candidates gathered from too small a box",
        "gather.py",
        "= x - side, y - below,",
        "= x - 0.5 * side, y - below,",
        ("sabotaged::test_every_wall_of_a_room_is_met_at_the_skin",),
    ),
    Sabotage(
        "the tree's query leaves out what only touches its box",
        "tree.py",
        "nodes[node, 0] > x1",
        "nodes[node, 0] >= x1",
        ("tree::test_box_query_finds_what_brute_force_finds",),
    ),
    # Steps, edges and slopes
    Sabotage(
        "no kink",
        "walk.py",
        "if t1 <= c1:",
        "if True:",
        ("walk::test_stairs_up_and_down_at_plan_speed[slim-30]",),
    ),
    Sabotage(
        "edges ask for their tangent alone, whatever their top",
        "touching.py",
        "return min(tangent, max(top, 0.0))",
        "return tangent",
        ("walk::test_stairs_up_and_down_at_plan_speed[slim-30]",),
        (("walk.py", "if t1 <= c1:", "if True:"),),
    ),
    Sabotage(
        "steep slopes lift",
        "walk.py",
        "best = max(best, min(hold, 0.0))",
        "best = max(best, hold)",
        ("sabotaged::test_pressing_a_steep_slope_lifts_nobody",),
    ),
    Sabotage(
        "step height a millimetre too much",
        "touching.py",
        "HALF_MILLIMETRE = 0.0005",
        "HALF_MILLIMETRE = 0.0015",
        ("walk::test_ledges_up_to_the_step_height[0-default-30]",),
    ),
    Sabotage(
        "edges measured from the feet and two skins",
        "touching.py",
        "feet = b[MOVED + 1] - b[R + 1] * (1.0 + skin) + HALF_MILLIMETRE",
        "feet = b[MOVED + 1] - b[R + 1] * (1.0 - skin) + HALF_MILLIMETRE",
        ("walk::test_ledges_up_to_the_step_height[0-default-30]",),
    ),
    Sabotage(
        "a long way in one piece",
        "tick.py",
        "pieces = int(sqrt(ux * ux + uz * uz) / STRIDE) + 1",
        "pieces = 1",
        ("walk::test_stairs_up_and_down_at_plan_speed[slim-30]",),
    ),
    # Seams
    Sabotage(
        "an edge met by rounding alone counts",
        "geometry.py",
        "NOISE = 64.0 * 2.0**-52",
        "NOISE = 0.0",
        ("tests/regressions/test_found_by_hypothesis.py::test_seams_of_single_precision_stop_nobody",),
    ),
    Sabotage(
        "what a plane claims stops a sweep at once",
        "move.py",
        "if t <= AT_ONCE and part < 1.0:",
        "if False:",
        ("tests/regressions/test_found_by_hypothesis.py::test_seams_of_single_precision_stop_nobody",),
    ),
    # Turning and stance
    Sabotage(
        "turning without looking",
        "turn.py",
        "done, reachable = _turn_in_place(w, heading, delta)",
        "done, reachable = delta, 0",
        ("turn_stance::test_a_turn_against_a_wall_never_embeds",),
    ),
    Sabotage(
        "half a turn leaves what is near where it was",
        "turn.py",
        "        if rx != rz:  # half",
        "        if False:  # half",
        ("tests/regressions/test_found_by_hypothesis.py::test_half_a_turn_in_one_tick_mirrors_nothing",),
    ),
    Sabotage(
        "turning the long way",
        "turn.py",
        "delta = (target - heading + 32768) % 65536 - 32768",
        "delta = (target - heading) % 65536",
        ("sabotaged::test_a_turn_goes_the_short_way",),
        (("turn.py", "    if delta > 16384:", "    if delta > 65536:"),),
    ),
    Sabotage(
        "half a turn taken for another shape",
        "turn.py",
        "    if delta > 16384:",
        "    if delta > 32768:",
        ("turn_stance::test_half_a_turn_is_the_same_shape_in_a_place_too_tight_to_turn",),
        (("turn.py", "    elif delta < -16384:", "    elif delta < -32768:"),),
    ),
    Sabotage(
        "standing up without looking",
        "stance.py",
        "if touch(w) >= 0.5 * b[SKIN] - INSIDE:\n        return True",
        "if True:\n        return True",
        ("turn_stance::test_crouching_under_and_standing_up_at_the_first_clear_tick",),
    ),
    Sabotage(
        "a crouch let go under a ceiling is forgotten",
        "tick.py",
        "    if crouched:\n        flags |= CROUCHED\n    if pressed:\n        flags |= JUMP_HELD\n    if sliding:",
        "    if wants_low:\n        flags |= CROUCHED\n    if pressed:\n        flags |= JUMP_HELD\n    if sliding:",
        ("turn_stance::test_crouching_under_and_standing_up_at_the_first_clear_tick",),
    ),
    Sabotage(
        "never pushed out",
        "stance.py",
        "PUSHES = 8",
        "PUSHES = 0",
        ("turn_stance::test_put_inside_a_wall_it_is_pushed_out_or_goes_back",),
    ),
    # Jumps, gravity, wishes
    Sabotage(
        "gravity by Euler",
        "tick.py",
        "v * dt - 0.5 * gravity * dt * dt",
        "after * dt",
        ("air::test_a_jump_follows_the_formula",),
    ),
    Sabotage(
        "speeding up by Euler",
        "tick.py",
        "return after, 0.5 * (now + after) * dt",
        "return after, after * dt",
        ("air::test_starting_and_stopping_are_the_same_at_every_rate",),
    ),
    Sabotage(
        "a jump that coyote time repeats",
        "tick.py",
        "buffer, coyote = 0, 0",
        "buffer = 0",
        ("air::test_no_second_jump_in_the_air",),
        (("tick.py", "    if jumping:\n        i[at, COYOTE] = 0\n    elif", "    if"),),
    ),
    Sabotage(
        "coyote time a tick longer",
        "tick.py",
        "i[at, COYOTE] = int(numbers[st.COYOTE])\n",
        "i[at, COYOTE] = int(numbers[st.COYOTE]) + 1\n",
        ("air::test_coyote_time_is_exact_to_the_tick",),
    ),
    Sabotage(
        "jump buffer a tick shorter",
        "tick.py",
        "buffer = int(numbers[st.BUFFER]) + 1",
        "buffer = int(numbers[st.BUFFER])",
        ("air::test_a_jump_pressed_before_landing_is_remembered",),
    ),
    Sabotage(
        "a held key jumps again and again",
        "tick.py",
        "if pressed and flags & JUMP_HELD == 0:",
        "if pressed:",
        ("air::test_a_held_key_jumps_once",),
    ),
    Sabotage(
        "a snap in the jump's tick",
        "tick.py",
        "if grounded and not jumping and not lifts:",
        "if grounded and not lifts:",
        ("air::test_a_jump_follows_the_formula",),
    ),
    Sabotage(
        "movement by the body's heading",
        "tick.py",
        "s, c = heading_sin_cos(view)",
        "s, c = heading_sin_cos(heading)",
        ("sabotaged::test_a_body_that_cannot_turn_walks_the_views_way",),
    ),
    # The mesh
    Sabotage(
        "no weld",
        "weld.py",
        "if dx * dx + dy * dy + dz * dz <= WELD * WELD:",
        "if False:",
        ("mesh::test_weld_across_cell_borders_and_by_way_of_others",),
    ),
    Sabotage(
        "triangles left in the file's order",
        "bake.py",
        "order = np.argsort(codes)\n    codes",
        "order = np.arange(len(codes))\n    codes",
        ("mesh::test_order_and_first_corners_change_no_bit",),
    ),
    Sabotage(
        "scratch memory remembers the tick before",
        "tick.py",
        "    w.count[STOPS] = 0\n",
        "",
        ("sabotaged::test_scratch_memory_is_never_read",),
    ),
    Sabotage(
        "quarter turns only nearly exact",
        "trig.py",
        "if r <= 8192:",
        "if r <= 16384:",
        ("contract::test_sine_and_cosine_of_headings", "walk::test_a_turned_level_gives_a_turned_trace"),
    ),
    # Questions to shapes and meshes
    Sabotage(
        "segments that cross are apart",
        "cores.py",
        "    if cc > 0.0:",
        "    if False:",
        ("shapes::test_capsules_whose_axes_cross_overlap",),
    ),
    Sabotage(
        "boxes without the axes of their edges",
        "planes.py",
        "for axis in range(15):",
        "for axis in range(6):",
        ("shapes::test_gaps_are_proved_by_points_and_planes[0.0-box-box]",),
    ),
    Sabotage(
        "a box and a triangle without the axes of their edges",
        "planes.py",
        "for axis in range(13):",
        "for axis in range(4):",
        ("shape_mesh::test_overlaps_are_all_there_are[0.0-box]",),
    ),
    Sabotage(
        "a sweep by one tangent",
        "meeting.py",
        "ROUNDS = 100 ",
        "ROUNDS = 1 ",
        ("shapes::test_sweeps_stop_at_the_first_touch_and_nothing_is_jumped_over[sphere-sphere]",),
    ),
    Sabotage(
        "what slides along is met",
        "planes.py",
        "or t > t_max or span[0] >= t + 1.0:",
        "or t > t_max:",
        ("shapes::test_what_lies_on_a_floor_slides_along_it_and_meets_it_from_above",),
    ),
    Sabotage(
        "a round shape that slides along is met",
        "meeting.py",
        "<= 2.0 * tolerance:",
        "<= -1.0:",
        ("shape_mesh::test_what_lies_on_a_slope_slides_along_it[sphere]",),
    ),
    Sabotage(
        "the side of an edge by floats alone",
        "polygon.py",
        "if abs(rough) > SURE * (abs(left) + abs(right)):",
        "if True:",
        ("polygon::test_answers_are_those_of_fractions[1]", "polygon::test_answers_are_those_of_fractions[0]"),
    ),
    Sabotage(
        "the segment meets a triangle only at its ends and edges",
        "cores.py",
        "            if not (first < 0.0 < last or last < 0.0 < first):",
        "            if True:",
        ("shape_mesh::test_overlaps_are_all_there_are[0.0-capsule]",),
    ),
    Sabotage(
        "a box's nearest point between the wrong planes",
        "cores.py",
        "low, at_low = s, here",
        "pass",
        ("shapes::test_gaps_are_proved_by_points_and_planes[0.0-capsule-box]",),
    ),
    # Balls
    Sabotage(
        "balls forget what a mover moves in the tick",
        "balls_near.py",
        "found, x, y, z, b[i, REACH] + way)",
        "found, x, y, z, b[i, REACH])",
        ("balls_near::test_the_list_of_a_ball_is_what_a_look_at_every_triangle_finds",),
    ),
    Sabotage(
        "the last balls that are listed meet no surface",
        "balls_near.py",
        "    if count > 0:",
        "    if False:",
        ("balls_near::test_the_list_of_a_ball_is_what_a_look_at_every_triangle_finds",),
    ),
    Sabotage(
        "large balls meet no surface",
        "balls_near.py",
        "for q in range(w.count[WANDERERS]):",
        "for q in range(0):",
        ("balls_near::test_the_list_of_a_ball_is_what_a_look_at_every_triangle_finds",),
    ),
    Sabotage(
        "balls do not see large ones",
        "balls_grid.py",
        " and near_wide(w, x, y, z, own):",
        " and False:",
        ("balls_grid::test_all_pairs_that_may_meet_each_once_and_from_below",),
    ),
    Sabotage(
        "large balls are as low as their centres",
        "balls_grid.py",
        "top = max(top, w.heights[i] + own)",
        "top = max(top, w.heights[i])",
        ("balls_grid::test_all_pairs_that_may_meet_each_once_and_from_below",),
    ),
    Sabotage(
        "balls at one height go in the order in which they come",
        "balls_rows.py",
        "        step = end - begin\n",
        "        step = 0\n",
        ("balls_grid::test_balls_at_one_height_go_by_what_they_are",),
    ),
    Sabotage(
        "balls look for others in their own columns only",
        "balls_grid.py",
        "for ic in range(c0, max(c1, c0 + 2) + 1):",
        "for ic in range(c0 + 1, c0 + 2):",
        ("balls_grid::test_all_pairs_that_may_meet_each_once_and_from_below",),
    ),
    Sabotage(
        "columns aside count as twice as far",
        "balls_grid.py",
        "    return d * d",
        "    return 4.0 * d * d",
        ("balls_grid::test_all_pairs_that_may_meet_each_once_and_from_below",),
    ),
    Sabotage(
        "who is struck out of its way meets nobody on the one after it",
        "balls_meet_ball.py",
        "    b[i, STRAY] = reach",
        "    b[i, STRAY] = b[i, REACH] = reach",
        ("balls_grid::test_one_that_is_struck_twice_meets_those_it_was_not_near",),
    ),
    Sabotage(
        "nobody meets a large one that is struck out of its way",
        "balls_grid.py",
        "    if w.k[i, WANDERS] != how:",
        "    if w.k[i, WANDERS] == 0:",
        ("balls_grid::test_who_is_pushed_into_the_way_of_one_from_far_is_met[200]",),
    ),
    Sabotage(
        "nobody meets one that is struck out of its way",
        "balls_meet_ball.py",
        "    if i == j:",
        "    if True:",
        ("balls_grid::test_who_is_pushed_into_the_way_of_one_from_far_is_met",),
    ),
    Sabotage(
        "what a ball's chord meets first is what it meets",
        "balls_meet_surface.py",
        "ALIKE * end or wait >= end:",
        "ALIKE * end or True:",
        (
            "balls_kept::test_it_meets_first_what_its_way_meets_first_not_its_chord",
            "balls_kept::test_a_flat_bounce_meets_the_wall_before_it_comes_down",
        ),
    ),
    Sabotage(
        "a ball is struck again and again by what turns under it",
        "balls_events.py",
        "                follow(others, w, i, numbers[DT])",
        "                pass",
        ("balls_kept::test_it_slides_along_a_wall_that_turns_with_few_impacts",),
    ),
    Sabotage(
        "a ball that waits is run over",
        "balls_events.py",
        "dx, dy, dz = dx + short * nx, dy + short * ny, dz + short * nz",
        "pass",
        ("balls_kept::test_one_that_is_struck_too_often_is_not_run_over_by_a_wall",),
    ),
    Sabotage(
        "past what turns a ball goes straight",
        "balls_movers.py",
        "pieces = 1 if bulge <= BULGE * r else",
        "pieces = 1 if True else",
        ("balls_kept::test_a_way_as_long_as_the_box_ends_at_its_wall",),
    ),
    Sabotage(
        "in a pile every impact bounces",
        "balls_contact.py",
        "numbers[PILE_SLOW] if w.slow[i] >= PILE else numbers[SLOW]",
        "numbers[SLOW]",
        ("balls::test_in_a_pile_a_slow_impact_does_not_bounce_and_else_it_does",),
    ),
    Sabotage(
        "a ball slips as long as it likes",
        "balls_press.py",
        "tx = holds[p, HOLD_PT] - TWO_SEVENTHS * ux",
        "tx = holds[p, HOLD_PT]",
        ("balls::test_from_sliding_to_rolling_at_five_sevenths_of_its_speed",),
    ),
    Sabotage(
        "rolling is not resisted",
        "balls_press.py",
        "    loss = planes[p, OF_ROLL] * planes[p, PN]",
        "    loss = 0.0",
        ("balls::test_it_rolls_v_squared_over_2_c_g_and_rests_for_good",),
    ),
    Sabotage(
        "a ball is not carried by its acceleration",
        "balls_events.py",
        "            b[i, X + axis] += s * (b[i, V + axis] + 0.5 * s * b[i, A + axis])",
        "            b[i, X + axis] += s * b[i, V + axis]",
        ("balls::test_a_ball_bounces_to_e_squared_of_its_height",),
    ),
)
