"""Small sabotages of the physics, each of which must turn a test red: `python -m tools.sabotage` makes them in a copy.

Named for what they take away; most are what a plainer program would do.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.mutations.change import Change, constant


@dataclass(frozen=True, slots=True)
class Sabotage:
    """Changes that are made together, and the tests likely to see them first: names of functions in tests/physics and
    tests/properties, each followed by "[...]" where one of its cases is enough."""

    name: str
    changes: tuple[Change, ...]
    tests: tuple[str, ...]


SABOTAGES = (
    # Movers
    Sabotage(
        "a mover carries nobody",
        (Change("carry.carry", "if moves: ...; f(*a)", "if False: ...; f(*a)", f="_along"),),
        ("test_who_stands_on_a_mover_stays_where_he_stands",),
    ),
    Sabotage(
        "movers go through a tick in one step",
        (Change("steps_of", "return min(int(x) + 1, most)", "return 1"),),
        ("test_a_moving_wall_pushes_ahead_and_never_passes_through",),
    ),
    Sabotage(
        "a jump leaves the lift's speed behind",
        (Change("carry.settle", "s += u; t += x - u * y", "pass; t += x - u * y"),),
        ("test_a_jump_takes_the_velocity_of_what_is_left",),
    ),
    Sabotage(
        "a crush goes unnoticed",
        (Change("carry.carry", "not f(w)", "not f(w) and False", f="_pushed"),),
        ("test_a_press_crushes_and_says_so",),
    ),
    # The touching set and the response to it
    Sabotage(
        "snap not limited by the touching planes",
        (Change("snap", "d = min(d, max(-x, 0.0) / y)", "pass"),),
        ("test_a_landing_obeys_what_is_touched_beside",),
    ),
    Sabotage(
        "no final check of all planes",
        (Change("_obeys", "x >= min(y, 0.0) - z", "True"),),
        ("test_no_room_for_the_skin_is_left_as_it_is",),
    ),
    Sabotage(
        "response in ellipsoid space",
        (
            Change(
                "_accept",
                "x, y, z = a * b, c * d, e * f; u, v, w = g * x + h * z, y, g * z - h * x",
                "x, y, z = a, c, e; u, v, w = g * x + h * z, y, g * z - h * x",
            ),
        ),
        ("test_spawning", "test_ledges_up_to_the_step_height", "[0-default-30]"),
    ),
    Sabotage(
        "no claiming",
        (Change("_claimed", "if e == 0:\n    if x: return True", "if e == 0:\n    if False: return True"),),
        ("test_tiled_floor_in_360_headings",),
    ),
    Sabotage(
        "no floor-and-ceiling rows",
        (Change("_plan_rows", "if x <= y: continue", "if True: continue"),),
        ("test_a_ramp_under_a_ceiling_stops_cleanly_and_leaves_freely",),
    ),
    Sabotage(
        "back off along the motion",
        (Change("swept_move", "f(w, x, y, z, near)", "max(f(w, x, y, z, 0.0) - 0.005, 0.0)", f="move.sweep"),),
        ("test_nothing_is_tunnelled_at_300_metres_a_tick", "test_tiled_wall_rubbed", "[0.05-30]"),
    ),
    Sabotage(
        "a sweep that keeps no skin",
        (Change("move.sweep", "1.0 + x * y", "1.0"),),
        ("test_every_wall_of_a_room_is_met_at_the_skin",),
    ),
    Sabotage("one round only", (constant("move.ROUNDS", "1"),), ("test_stairs_up_and_down_at_plan_speed", "[slim-30]")),
    Sabotage(
        "a corner that leaves no way is slid out of",
        (Change("clip_velocity", "(x != 0.0 or y != 0.0) and f(*a)", "False"),),
        ("test_wide_corners_hold_still",),
    ),
    Sabotage(
        "speed kept against a wall",
        (Change("", "x, z = f(*a)", "pass", f="clip_velocity"),),
        ("test_a_wall_takes_the_speed_into_it",),
    ),
    # Ellipsoid space and the exact tests
    Sabotage(
        "matrix to ellipsoid space as rotation times scale",
        (
            Change(
                "to_ellipsoid",
                "(c * x - s * z) * i, y * j, (s * x + c * z) * k",
                "c * x * i - s * z * k, y * j, s * x * i + c * z * k",
            ),
        ),
        ("test_the_wall_stops_the_side_that_faces_it", "test_a_turned_level_gives_a_turned_trace"),
    ),
    Sabotage(
        "normals by the matrix, not its inverse transpose",
        (
            Change(
                "transform_one",
                "a * (c * x - s * z), b * y, d * (s * x + c * z)",
                "(c * x - s * z) / a, y / b, (s * x + c * z) / d",
            ),
        ),
        ("test_ramps_under_the_limit_are_walked_at_plan_speed",),
    ),
    Sabotage(
        "unsigned barycentrics",
        (
            Change(
                "closest_on_triangle",
                "v = a * b - c * d\nif v <= 0.0 and a >= 0.0 and c <= 0.0: ...",
                "v = abs(a * b - c * d)\nif v <= 0.0 and a >= 0.0 and c <= 0.0: ...",
            ),
            Change(
                "closest_on_triangle",
                "v = a * b - c * d\nif v <= 0.0 and b >= 0.0 and d <= 0.0: ...",
                "v = abs(a * b - c * d)\nif v <= 0.0 and b >= 0.0 and d <= 0.0: ...",
            ),
        ),
        ("test_closest_point",),
    ),
    Sabotage(
        "closest point forgets an edge",
        (
            Change(
                "closest_on_triangle",
                "v = a * b - c * d\nif v <= 0.0 and b >= 0.0 and d <= 0.0: ...",
                "v = a * b - c * d\nif False: ...",
            ),
        ),
        ("test_closest_point",),
    ),
    Sabotage(
        "two-sidedness lost",
        (Change("sweep_triangle", "h, d = -h, -d", "return miss, 0.0, 0.0, 0.0, 0", "return miss, 0.0, 0.0, 0.0, 0"),),
        ("test_first_touch", "test_a_quad_seen_from_below_holds_too"),
    ),
    Sabotage(
        "a sweep that knows no corners",
        (Change("sweep_triangle", "m < 0.0 and a >= 0.0 and a * d <= x", "m < 0.0 and a >= 1e9 and a * d <= x"),),
        ("test_first_touch",),
    ),
    Sabotage(
        "what rounding alone lets a sweep meet is a touch",
        (Change("sweep_rows", "g and f(*a) >= x", "False and f(*a) >= x", f="nearest_on_way"),),
        ("test_touching_hits_at_once_only_when_moving_into_it",),
    ),
    Sabotage(
        "candidates gathered from too small a box",
        (
            Change(
                "gather", "x - s, y - b, z - s, x + s, y + a, z + s", "x - 0.5 * s, y - b, z - s, x + s, y + a, z + s"
            ),
        ),
        ("test_every_wall_of_a_room_is_met_at_the_skin",),
    ),
    Sabotage(
        "the tree's query leaves out what only touches its box",
        (
            Change(
                "tree_part",
                "a > b or c < d or e > f or g < h or i > j or k < l",
                "a >= b or c < d or e > f or g < h or i > j or k < l",
            ),
        ),
        ("test_box_query_finds_what_brute_force_finds",),
    ),
    # Steps, edges and slopes
    Sabotage(
        "no kink",
        (Change("_kink", "if x <= y: continue", "if True: continue"),),
        ("test_stairs_up_and_down_at_plan_speed", "[slim-30]"),
    ),
    Sabotage(
        "edges ask for their tangent alone, whatever their top",
        (
            Change("plane_height", "min(t, max(x, 0.0))", "t"),
            Change("_kink", "if x <= y: continue", "if True: continue"),
        ),
        ("test_stairs_up_and_down_at_plan_speed", "[slim-30]"),
    ),
    Sabotage(
        "steep slopes lift",
        (Change("_height", "max(b, min(h, 0.0))", "max(b, h)"),),
        ("test_pressing_a_steep_slope_lifts_nobody",),
    ),
    Sabotage(
        "step height a millimetre too much",
        (constant("HALF_MILLIMETRE", "0.0015"),),
        ("test_ledges_up_to_the_step_height", "[0-default-30]"),
    ),
    Sabotage(
        "edges measured from the feet and two skins",
        (Change("_accept", "x - r * (1.0 + s) + h", "x - r * (1.0 - s) + h"),),
        ("test_ledges_up_to_the_step_height", "[0-default-30]"),
    ),
    Sabotage(
        "a long way in one piece",
        (Change("_on_ground", "int(x / y) + 1", "1"),),
        ("test_stairs_up_and_down_at_plan_speed", "[slim-30]"),
    ),
    # Seams
    Sabotage(
        "an edge met by rounding alone counts",
        (constant("NOISE", "0.0"),),
        ("test_seams_of_single_precision_stop_nobody",),
    ),
    Sabotage(
        "what a plane claims stops a sweep at once",
        (Change("move.sweep", "t <= x and p < 1.0", "False"),),
        ("test_seams_of_single_precision_stop_nobody",),
    ),
    # Turning and stance
    Sabotage(
        "turning without looking",
        (
            Change(
                "turn.turn",
                "d, r = f(w, h, e)\nif d != e and g: ...",
                "d, r = e, 0\nif d != e and g: ...",
                f="_turn_in_place",
            ),
        ),
        ("test_a_turn_against_a_wall_never_embeds",),
    ),
    Sabotage(
        "half a turn leaves what is near where it was",
        (Change("turn.turn", "if x != z: f(w)", "if False: f(w)", f="transform"),),
        ("test_half_a_turn_in_one_tick_mirrors_nothing",),
    ),
    Sabotage(
        "turning the long way",
        (
            Change("turn.turn", "(t - h + 32768) % 65536 - 32768", "(t - h) % 65536"),
            Change("turn.turn", "d > 16384", "d > 65536"),
        ),
        ("test_a_turn_goes_the_short_way",),
    ),
    Sabotage(
        "half a turn taken for another shape",
        (Change("turn.turn", "d > 16384", "d > 32768"), Change("turn.turn", "d < -16384", "d < -32768")),
        ("test_half_a_turn_is_the_same_shape_in_a_place_too_tight_to_turn",),
    ),
    Sabotage(
        "standing up without looking",
        (Change("stand", "if f(w) >= x: return True", "if True: return True", f="touch"),),
        ("test_crouching_under_and_standing_up_at_the_first_clear_tick",),
    ),
    Sabotage(
        "a crouch let go under a ceiling is forgotten",
        (Change("tick.tick", "if c: f |= x", "if w: f |= x", "if w and not c: ...; c = True"),),
        ("test_crouching_under_and_standing_up_at_the_first_clear_tick",),
    ),
    Sabotage("never pushed out", (constant("PUSHES", "0"),), ("test_put_inside_a_wall_it_is_pushed_out_or_goes_back",)),
    # Jumps, gravity, wishes
    Sabotage(
        "gravity by Euler",
        (Change("_fallen", "after, v * t - 0.5 * g * t * t", "after, after * t"),),
        ("test_a_jump_follows_the_formula",),
    ),
    Sabotage(
        "speeding up by Euler",
        (Change("_approach", "after, 0.5 * (now + after) * t", "after, after * t"),),
        ("test_starting_and_stopping_are_the_same_at_every_rate",),
    ),
    Sabotage(
        "a jump that coyote time repeats",
        (
            Change("", "if j: f = n[k]; b, c = 0, 0; ...", "if j: f = n[k]; b = 0; ..."),
            Change("", "if j: c = 0\nelif s: c = int(n)\nelse: ...", "if False: c = 0\nelif s: c = int(n)\nelse: ..."),
        ),
        ("test_no_second_jump_in_the_air",),
    ),
    Sabotage(
        "coyote time a tick longer",
        (Change("", "if j: c = 0\nelif s: c = int(n)\nelse: ...", "if j: c = 0\nelif s: c = int(n) + 1\nelse: ..."),),
        ("test_coyote_time_is_exact_to_the_tick",),
    ),
    Sabotage(
        "jump buffer a tick shorter",
        (Change("", "if p and f & h == 0: b = int(x) + 1", "if p and f & h == 0: b = int(x)"),),
        ("test_a_jump_pressed_before_landing_is_remembered",),
    ),
    Sabotage(
        "a held key jumps again and again",
        (Change("", "if p and f & h == 0: b = int(x) + 1", "if p: b = int(x) + 1"),),
        ("test_a_held_key_jumps_once",),
    ),
    Sabotage(
        "a snap in the jump's tick",
        (
            Change(
                "",
                "if g and not j and not l: ...\nelif x != 0.0 or z != 0.0: f(*a)",
                "if g and not l: ...\nelif x != 0.0 or z != 0.0: f(*a)",
                f="slide",
            ),
        ),
        ("test_a_jump_follows_the_formula",),
    ),
    Sabotage(
        "movement by the body's heading",
        (
            Change(
                "tick.tick",
                "s, c = f(view)",
                "s, c = f(h)",
                "h = turn(w, h, view, *a)",
                f="heading_sin_cos",
                turn="turn.turn",
            ),
        ),
        ("test_a_body_that_cannot_turn_walks_the_views_way",),
    ),
    # The mesh
    Sabotage(
        "no weld",
        (Change("find_points", "x * x + y * y + z * z <= w * w", "False"),),
        ("test_weld_across_cell_borders_and_by_way_of_others",),
    ),
    Sabotage(
        "triangles left in the file's order",
        (Change("bake", "o = np.argsort(c); c = c[o]", "o = np.arange(len(c)); c = c[o]"),),
        ("test_order_and_first_corners_change_no_bit",),
    ),
    Sabotage(
        "scratch memory remembers the tick before",
        (Change("", "c[k] = 0", "pass", k="STOPS"),),
        ("test_scratch_memory_is_never_read",),
    ),
    Sabotage(
        "quarter turns only nearly exact",
        (Change("heading_sin_cos", "r <= 8192", "r <= 16384"),),
        ("test_sine_and_cosine_of_headings", "test_a_turned_level_gives_a_turned_trace"),
    ),
    # Questions to shapes and meshes
    Sabotage(
        "segments that cross are apart",
        (Change("segments", "if c > 0.0: ...", "if False: ..."),),
        ("test_capsules_whose_axes_cross_overlap",),
    ),
    Sabotage(
        "boxes without the axes of their edges",
        (Change("weigh_boxes", "range(15)", "range(6)"),),
        ("test_gaps_are_proved_by_points_and_planes", "[0.0-box-box]"),
    ),
    Sabotage(
        "a box and a triangle without the axes of their edges",
        (Change("weigh_triangle", "range(13)", "range(4)"),),
        ("test_overlaps_are_all_there_are", "[0.0-box]"),
    ),
    Sabotage(
        "a sweep by one tangent",
        (constant("meeting.ROUNDS", "1"),),
        ("test_sweeps_stop_at_the_first_touch_and_nothing_is_jumped_over", "[sphere-sphere]"),
    ),
    Sabotage(
        "what slides along is met",
        (Change("first_meeting", "a >= b or b <= 0.0 or t > m or a >= t + 1.0", "a >= b or b <= 0.0 or t > m"),),
        ("test_what_lies_on_a_floor_slides_along_it_and_meets_it_from_above",),
    ),
    Sabotage(
        "a round shape that slides along is met",
        (Change("first_touch", "x <= 2.0 * t", "x <= -1.0"),),
        ("test_what_lies_on_a_slope_slides_along_it", "[sphere]"),
    ),
    Sabotage(
        "the side of an edge by floats alone",
        (Change("side", "abs(r) > s * (abs(x) + abs(y))", "True"),),
        ("test_answers_are_those_of_fractions", "[1]", "test_answers_are_those_of_fractions", "[0]"),
    ),
    Sabotage(
        "the segment meets a triangle only at its ends and edges",
        (Change("segment_triangle", "not (a < 0.0 < b or b < 0.0 < a)", "True"),),
        ("test_overlaps_are_all_there_are", "[0.0-capsule]"),
    ),
    Sabotage(
        "a box's nearest point between the wrong planes",
        (Change("segment_box", "if h > 0.0: x, y = s, h\nelse: z, w = s, h", "if h > 0.0: x, y = s, h\nelse: pass"),),
        ("test_gaps_are_proved_by_points_and_planes", "[0.0-capsule-box]"),
    ),
    # Balls
    Sabotage(
        "balls forget what a mover moves in the tick",
        (Change("list_of_mover", "f(*a, r + w)", "f(*a, r)", f="add_near"),),
        ("test_the_list_of_a_ball_is_what_a_look_at_every_triangle_finds",),
    ),
    Sabotage(
        "the last balls that are listed meet no surface",
        (Change("list_all", "if n > 0: f(*a)", "if False: f(*a)", f="list_group"),),
        ("test_the_list_of_a_ball_is_what_a_look_at_every_triangle_finds",),
    ),
    Sabotage(
        "large balls meet no surface",
        (
            Change(
                "list_all",
                "for q in range(n):\n    x[0] = y[q]\n    ...",
                "for q in range(0):\n    x[0] = y[q]\n    ...",
            ),
        ),
        ("test_the_list_of_a_ball_is_what_a_look_at_every_triangle_finds",),
    ),
    Sabotage(
        "balls do not see large ones",
        (Change("find_pairs", "x <= y and f(*a)", "x <= y and False", f="near_wide"),),
        ("test_all_pairs_that_may_meet_each_once_and_from_below",),
    ),
    Sabotage(
        "large balls are as low as their centres",
        (Change("find_pairs", "t = max(t, h + r)", "t = max(t, h)"),),
        ("test_all_pairs_that_may_meet_each_once_and_from_below",),
    ),
    Sabotage(
        "balls at one height go in the order in which they come",
        (Change("part_ties", "s = x - y\nwhile s > 1: ...", "s = 0\nwhile s > 1: ..."),),
        ("test_balls_at_one_height_go_by_what_they_are",),
    ),
    Sabotage(
        "balls look for others in their own columns only",
        (
            Change(
                "ask_columns",
                "for i in range(a, max(b, a + 2) + 1):\n    x = y\n    for j in range(c, max(d, c + 2) + 1): ...",
                "for i in range(a, max(b, a + 2) + 1):\n    x = y\n    for j in range(c + 1, c + 2): ...",
            ),
        ),
        ("test_all_pairs_that_may_meet_each_once_and_from_below",),
    ),
    Sabotage(
        "columns aside count as twice as far",
        (Change("square_beside", "d * d", "4.0 * d * d"),),
        ("test_all_pairs_that_may_meet_each_once_and_from_below",),
    ),
    Sabotage(
        "who is struck out of its way meets nobody on the one after it",
        (Change("ask_around", "b[i, s] = r", "b[i, s] = b[i, REACH] = r"),),
        ("test_one_that_is_struck_twice_meets_those_it_was_not_near",),
    ),
    Sabotage(
        "nobody meets a large one that is struck out of its way",
        (Change("wander", "x != y", "x == 0"),),
        ("test_who_is_pushed_into_the_way_of_one_from_far_is_met", "[200]"),
    ),
    Sabotage(
        "nobody meets one that is struck out of its way",
        (Change("comes_near", "i == j", "True"),),
        ("test_who_is_pushed_into_the_way_of_one_from_far_is_met",),
    ),
    Sabotage(
        "what a ball's chord meets first is what it meets",
        (Change("meet_level", "x <= y or w >= e", "x <= y or True"),),
        (
            "test_it_meets_first_what_its_way_meets_first_not_its_chord",
            "test_a_flat_bounce_meets_the_wall_before_it_comes_down",
        ),
    ),
    Sabotage(
        "a ball is struck again and again by what turns under it",
        (Change("run_events", "f(*a)", "pass", f="follow"),),
        ("test_it_slides_along_a_wall_that_turns_with_few_impacts",),
    ),
    Sabotage(
        "a ball that waits is run over",
        (Change("wait_out", "s = max(*n); x, y, z = x + s * a, y + s * b, z + s * c", "s = max(*n); pass"),),
        ("test_one_that_is_struck_too_often_is_not_run_over_by_a_wall",),
    ),
    Sabotage(
        "past what turns a ball goes straight",
        (Change("sweep_mover", "1 if x <= y * z else n", "1 if True else n"),),
        ("test_a_way_as_long_as_the_box_ends_at_its_wall",),
    ),
    Sabotage(
        "in a pile every impact bounces",
        (Change("find_contacts", "x if s >= p else y", "y"),),
        ("test_in_a_pile_a_slow_impact_does_not_bounce_and_else_it_does",),
    ),
    Sabotage(
        "a ball slips as long as it likes",
        (
            Change(
                "press_plane",
                "x = a - k * u; y = b - k * v; z = c - k * w; p = m / max(*n)",
                "x = a; y = b - k * v; z = c - k * w; p = m / max(*n)",
            ),
        ),
        ("test_from_sliding_to_rolling_at_five_sevenths_of_its_speed",),
    ),
    Sabotage(
        "rolling is not resisted",
        (Change("resist", "x = a * b\nif x <= 0.0: return", "x = 0.0\nif x <= 0.0: return"),),
        ("test_it_rolls_v_squared_over_2_c_g_and_rests_for_good",),
    ),
    Sabotage(
        "a ball is not carried by its acceleration",
        (Change("balls_events.advance", "x += s * (v + 0.5 * s * a)", "x += s * v"),),
        ("test_a_ball_bounces_to_e_squared_of_its_height",),
    ),
)
