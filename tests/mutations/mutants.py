"""Mutants of the physics for mutation testing: small faults, each killed by a test (`python -m tools.verify.mutants`).

The name states the fault; most are what a simpler implementation does.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.mutations.change import Change, constant


@dataclass(frozen=True, slots=True, init=False)
class Mutant:
    """Changes of the source that are made together. `tests` are run first: functions in the `TEST_FOLDERS` of
    tools/verify/mutants.py; "[...]" after a function selects one of its cases."""

    tests: tuple[str, ...]
    changes: tuple[Change, ...]

    def __init__(self, tests: str | tuple[str, ...], *changes: Change) -> None:
        object.__setattr__(self, "tests", (tests,) if isinstance(tests, str) else tests)
        object.__setattr__(self, "changes", changes)


MUTANTS = {
    # Movers
    "movers do not carry the body": Mutant(
        "test_a_body_at_rest_on_a_mover_keeps_its_place_on_it",
        Change("platform_riding.ride_platforms", "if x != 0.0 or y != 0.0 or z != 0.0: ...", "if False: ..."),
    ),
    "a push does not go up steps": Mutant(
        "test_a_moving_wall_pushes_a_body_up_what_it_could_walk_up",
        Change("ride_platforms", "if c: f(*a)", "if False: pass", f="push_along_ground"),
    ),
    "a pusher lower than a step is ground in its push": Mutant(
        "test_walls_of_any_height_push_without_a_crush",
        Change("_accept_contact", "if a <= b < c: ...", "if False: ..."),
    ),
    "push and own move of a tick each have a step height": Mutant(
        "test_one_tick_climbs_no_higher_by_push_and_own_move_than_by_one_of_them",
        Change("begin_step_up", "if b[c] < d: ...", "if False: ..."),
    ),
    "movers advance a whole tick in one sub-step": Mutant(
        "test_a_moving_wall_pushes_ahead_and_never_passes_through",
        Change("platform_step_count", "return min(int(x) + 1, most)", "return 1"),
    ),
    "a jump does not inherit the platform's velocity": Mutant(
        "test_a_jump_beside_a_wall_or_under_the_roof_of_a_car",
        Change(
            "platform_riding.finish_platform_tick",
            "u = x * a + y * b + z * c; s += u; t += x",
            "u = x * a + y * b + z * c; pass; t += x",
        ),
    ),
    "a body in the air does not move along with the platform that it left": Mutant(
        "test_a_jump_beside_a_wall_or_under_the_roof_of_a_car",
        Change("_mover_taken_along", "return best", "return -1"),
    ),
    "a landing compares the velocity of the world": Mutant(
        "test_a_lift_that_starts_catches_a_body_that_has_jumped",
        Change("fall_and_slide", "x = f(*a)[1] - y", "x = 0.0", f="plane_velocity"),
    ),
    "a roof that moves ends the rise as one at rest": Mutant(
        "test_a_jump_beside_a_wall_or_under_the_roof_of_a_car",
        Change("fall_and_slide", "max(x, min(c, 0.0)) - c", "-c"),
    ),
    "a ceiling gives upward velocity": Mutant(
        "test_the_lower_edge_of_a_resting_beam_takes_no_fall",
        Change("fall", "min(v, m.lid)", "m.lid"),
    ),
    "crushing is not reported": Mutant(
        "test_a_press_crushes_and_reports_it",
        Change("platform_riding.ride_platforms", "if not c:\n    x |= y\n    break", "pass"),
    ),
    "a body returns upright to a safe place where it was crouched": Mutant(
        "test_a_body_crushed_beside_a_crawl_space_is_back_in_it_crouched",
        Change("return_to_safe_place", "c = a or x != 0", "c = a"),
    ),
    "a safe place without room is never taken crouched": Mutant(
        "test_a_safe_place_under_a_press_is_free_again_when_it_rises",
        Change("return_to_safe_place", "c = a or x != 0", "c = x != 0"),
    ),
    # Contacts and collision response
    "snap down ignores the contact planes": Mutant(
        "test_a_landing_keeps_the_gap_to_touched_walls",
        Change("drop_to_contact", "d = min(d, max(-x, 0.0) / y)", "pass"),
    ),
    "no final check against all contact planes": Mutant(
        "test_gaps_too_low_for_the_skin_are_not_narrowed",
        Change("_satisfies_contacts", "x >= min(y, 0.0) - z", "True"),
    ),
    "contact normals left in ellipsoid space": Mutant(
        "test_a_wall_stops_the_body_at_its_extent_in_that_direction",
        Change(
            "_accept_contact",
            "x, y, z = a * b, c * d, e * f; u, v, w = g * x + h * z, y, g * z - h * x",
            "x, y, z = a, c, e; u, v, w = g * x + h * z, y, g * z - h * x",
        ),
    ),
    "internal edges are not removed": Mutant(
        "test_tiled_floor_in_360_headings",
        Change("_is_internal_edge", "if e == 0:\n    if x: return True", "if e == 0:\n    if False: return True"),
    ),
    "no combined constraints of floor and ceiling": Mutant(
        "test_a_ramp_under_a_ceiling_stops_cleanly_and_leaves_freely",
        Change("_write_horizontal_half_planes", "if x <= y: continue", "if True: continue"),
    ),
    "sweeps back off along the motion": Mutant(
        ("test_nothing_is_tunnelled_at_300_metres_a_tick", "test_sliding_along_a_tiled_wall[0.05-30]"),
        Change("sweep_and_move", "f(w, x, y, z, near)", "max(f(w, x, y, z, 0.0) - 0.005, 0.0)", f="slide.sweep_body"),
    ),
    "sweeps without skin": Mutant(
        "test_the_head_stops_a_jump",
        Change("slide.sweep_body", "r = 1.0 + x * y", "r = 1.0", "c = r - z"),
    ),
    "one slide iteration only": Mutant(
        "test_stairs_up_and_down_at_horizontal_speed[slim-30]",
        constant("slide.MAX_SLIDE_ITERATIONS", "1"),
    ),
    "velocity is kept in a blocked corner": Mutant(
        "test_wide_corners_hold_still",
        Change("clip_velocity", "x, y, is_blocked = f(*a)", "pass", f="_blocking_corner"),
    ),
    "velocity into a wall is kept": Mutant(
        "test_a_wall_cancels_the_velocity_into_it",
        Change("", "v, w, x, z = f(*a)", "pass", f="clip_velocity"),
    ),
    "a wall takes the velocity of the platform that it belongs to": Mutant(
        "test_a_body_rests_in_the_corner_of_a_car_that_flees",
        Change("_write_speed_limit", "min(v, max(x, 0.0))", "0.0"),
    ),
    "a moving wall gives its velocity to a body that it pushes": Mutant(
        "test_a_piston_throws_no_body_that_jumps",
        Change("_write_speed_limit", "min(v, max(x, 0.0))", "v"),
    ),
    # Ellipsoid space, broad phase and exact tests
    "ellipsoid transform scales before it rotates": Mutant(
        ("test_a_wall_stops_the_body_at_its_extent_in_that_direction", "test_a_turned_level_gives_a_turned_trace"),
        Change(
            "to_ellipsoid_space",
            "(c * x - s * z) * i, y * j, (s * x + c * z) * k",
            "c * x * i - s * z * k, y * j, s * x * i + c * z * k",
        ),
    ),
    "normals transformed by the matrix, not its inverse transpose": Mutant(
        "test_ramps_under_the_limit_are_walked_at_horizontal_speed",
        Change(
            "transform_normal",
            "a * (c * x - s * z), b * y, d * (s * x + c * z)",
            "(c * x - s * z) / a, y / b, (s * x + c * z) / d",
        ),
    ),
    "unsigned barycentric coordinates": Mutant(
        "test_no_point_of_the_triangle_is_closer_than_the_closest_point",
        Change(
            "closest_point_on_triangle",
            "v = a * b - c * d\nif v <= 0.0 and a >= 0.0 and c <= 0.0: ...",
            "v = abs(a * b - c * d)\nif v <= 0.0 and a >= 0.0 and c <= 0.0: ...",
        ),
        Change(
            "closest_point_on_triangle",
            "v = a * b - c * d\nif v <= 0.0 and b >= 0.0 and d <= 0.0: ...",
            "v = abs(a * b - c * d)\nif v <= 0.0 and b >= 0.0 and d <= 0.0: ...",
        ),
    ),
    "closest point on a triangle skips an edge": Mutant(
        "test_no_point_of_the_triangle_is_closer_than_the_closest_point",
        Change(
            "closest_point_on_triangle",
            "v = a * b - c * d\nif v <= 0.0 and b >= 0.0 and d <= 0.0: ...",
            "v = a * b - c * d\nif False: ...",
        ),
    ),
    "triangles are one-sided": Mutant(
        (
            "test_sweeps_pass_the_oracle",
            "test_a_floor_facing_down_supports_the_body",
        ),
        Change(
            "sweep_sphere_against_triangle",
            "h, d = -h, -d",
            "return miss, 0.0, 0.0, 0.0, 0",
            "return miss, 0.0, 0.0, 0.0, 0",
        ),
    ),
    "sweeps ignore vertices": Mutant(
        "test_sweeps_pass_the_oracle",
        Change("sweep_sphere_against_triangle", "f(*a)", "-1.0", f="_time_of_entry"),
    ),
    "grazing sweeps hit by rounding error": Mutant(
        "test_touching_hits_at_once_only_when_moving_into_it",
        Change("sweep_ellipsoid_rows", "g and f(*a) >= x", "False and f(*a) >= x", f="closest_approach"),
    ),
    "a thin body reaches as far as its smaller radius": Mutant(
        "test_reachable_candidates_are_all_that_the_body_can_touch_and_no_far_ones",
        Change("find_reachable", "min(b[x], b[y])", "max(b[x], b[y])"),
    ),
    "broad phase box too small": Mutant(
        "test_every_wall_of_a_room_is_met_at_the_skin",
        Change(
            "find_candidates",
            "x - s, y - b, z - s, x + s, y + a, z + s",
            "x - 0.5 * s, y - b, z - s, x + s, y + a, z + s",
        ),
    ),
    "BVH query excludes touching boxes": Mutant(
        "test_box_query_finds_what_brute_force_finds",
        Change(
            "is_node_outside_box",
            "a > b or c < d or e > f or g < h or i > j or k < l",
            "a >= b or c < d or e > f or g < h or i > j or k < l",
        ),
    ),
    # Steps, edges and slopes
    "no kink between an edge's tangent and its top": Mutant(
        "test_stairs_up_and_down_at_horizontal_speed[slim-30]",
        Change("_find_edge_crest", "if x <= y: continue", "if True: continue"),
    ),
    "edge height follows the tangent past the top": Mutant(
        "test_stairs_up_and_down_at_horizontal_speed[slim-30]",
        Change("required_rise", "min(t, max(x, 0.0))", "t"),
        Change("_find_edge_crest", "if x <= y: continue", "if True: continue"),
    ),
    "steep slopes lift the body": Mutant(
        "test_pressing_against_a_steep_slope_does_not_lift_the_body",
        Change("_follow_ground_height", "max(b, min(h, 0.0))", "max(b, h)"),
    ),
    "step height one millimetre too large": Mutant(
        "test_ledges_up_to_the_step_height[0-default-30]",
        constant("STEP_HEIGHT_TOLERANCE", "0.0015"),
    ),
    "a tick climbs one ledge from another": Mutant(
        "test_no_tick_climbs_two_risers[default-60-0.4]",
        Change("limit_step_up", "limit = max(a, b)", "limit = 1e9"),
    ),
    "a step-up may end in the air": Mutant(
        "test_flights_met_from_every_side",
        Change("move_on_ground", "a > min(b, c) + d", "False"),
    ),
    "a sweep along a wall is stopped by rounding": Mutant(
        "test_high_stairs_beside_a_wall_lose_nothing",
        constant("PARALLEL_TOLERANCE", "0.0"),
    ),
    "step height measured from two skins above the feet": Mutant(
        "test_ledges_up_to_the_step_height[0-default-30]",
        Change("_accept_contact", "x - r * (1.0 + s) + h", "x - r * (1.0 - s) + h"),
    ),
    "long moves are not split": Mutant(
        "test_stairs_up_and_down_at_horizontal_speed[slim-30]",
        Change("move_on_ground", "int(min(x / y, z - 1.0)) + 1", "1"),
    ),
    # Seams
    "no tolerance for closest approach to edges": Mutant(
        "test_seams_of_single_precision_do_not_stop_a_walk",
        constant("CLOSEST_APPROACH_ROUNDING", "0.0"),
    ),
    "internal edges stop a sweep at once": Mutant(
        "test_seams_of_single_precision_do_not_stop_a_walk",
        Change("slide.sweep_body", "t <= x and p < 1.0", "False"),
    ),
    # Rotation and crouching
    "rotation without collision test": Mutant(
        "test_a_turn_against_a_wall_never_embeds",
        Change(
            "rotate.rotate_body",
            "d, r = f(w, h, e)\nif d != e and g and m: ...",
            "d, r = e, 0\nif d != e and g and m: ...",
            f="_rotate_in_place",
        ),
    ),
    "candidates are not transformed after a half turn": Mutant(
        "test_half_a_turn_in_one_tick_beside_a_block_keeps_the_gap",
        Change("rotate.rotate_body", "if x != z: f(w)", "if False: f(w)", f="invalidate_candidates"),
    ),
    "rotation takes the long way round": Mutant(
        "test_the_body_turns_by_the_smaller_angle",
        Change("rotate.rotate_body", "(t - h + x) % y - x", "(t - h) % y"),
        Change("rotate.rotate_body", "d > x", "d > 65536", x="HEADING_UNITS_PER_QUARTER_TURN"),
    ),
    "a half turn is treated as a different shape": Mutant(
        "test_half_a_turn_succeeds_where_a_quarter_turn_has_no_room",
        Change("rotate.rotate_body", "d > x", "d > 32768", x="HEADING_UNITS_PER_QUARTER_TURN"),
        Change("rotate.rotate_body", "d < -x", "d < -32768", x="HEADING_UNITS_PER_QUARTER_TURN"),
    ),
    "standing up without collision test": Mutant(
        "test_crouching_under_and_standing_up_at_the_first_clear_tick",
        Change("stand_up", "if f(w) >= x: return True", "if True: return True", f="search_contacts"),
    ),
    "crouch state lost under a ceiling": Mutant(
        "test_crouching_under_and_standing_up_at_the_first_clear_tick",
        Change("crouch_or_stand", "c and not w and f(*a)", "c and not w and (f(*a) or True)", f="stand_up"),
    ),
    "no recovery from penetration": Mutant(
        "test_a_body_put_inside_a_wall_is_pushed_out_or_goes_back",
        constant("MAX_RECOVERY_ITERATIONS", "0"),
    ),
    # Jumps, gravity, wish velocity
    "explicit Euler integration of gravity": Mutant(
        "test_a_jump_follows_the_formula",
        Change("integrate_fall", "after, v * t - 0.5 * g * t * t", "after, after * t"),
    ),
    "explicit Euler integration of acceleration": Mutant(
        "test_starting_and_stopping_are_the_same_at_every_rate",
        Change("integrate_acceleration", "after, 0.5 * (now + after) * t", "after, after * t"),
    ),
    "coyote time allows a second jump": Mutant(
        "test_no_second_jump_in_the_air",
        Change("", "if j: c = 0\nelif s: c = int(n)\nelse: ...", "if False: c = 0\nelif s: c = int(n)\nelse: ..."),
    ),
    "coyote time one tick too long": Mutant(
        "test_coyote_time_is_exact_to_the_tick",
        Change("", "if j: c = 0\nelif s: c = int(n)\nelse: ...", "if j: c = 0\nelif s: c = int(n) + 1\nelse: ..."),
    ),
    "jump buffer one tick too short": Mutant(
        "test_the_jump_buffer_keeps_a_jump_pressed_before_landing",
        Change("", "if p and f & h == 0: b = int(x) + 1", "if p and f & h == 0: b = int(x)"),
    ),
    "holding the jump key repeats the jump": Mutant(
        "test_a_held_key_jumps_once",
        Change("", "if p and f & h == 0: b = int(x) + 1", "if p: b = int(x) + 1"),
    ),
    "snap down in the tick of the jump": Mutant(
        "test_a_jump_follows_the_formula",
        Change("step_walker", "w = g and not j and not (u and x > 0.0)", "w = g and not (u and x > 0.0)"),
    ),
    "movement follows the body's heading, not the view's": Mutant(
        "test_a_body_that_cannot_turn_walks_in_the_view_direction",
        Change("wish_motion", "s, c = f(view)", "s, c = f(i[state_row.HEADING])", f="heading_sin_cos"),
    ),
    # Cooking and scratch memory
    "vertices are not welded": Mutant(
        "test_weld_across_cell_borders_and_through_other_points",
        Change("_join_near_points", "x * x + y * y + z * z <= w * w", "False"),
    ),
    "triangles are not sorted": Mutant(
        "test_triangle_order_and_first_corners_change_no_bit",
        Change("sort_by_code", "k[a], v[a] = c, w[i]", "k[i], v[i] = c, w[i]"),
    ),
    "scratch memory is not reset": Mutant(
        "test_scratch_memory_is_never_read",
        Change("", "c[k] = 0", "pass", k="STOPS"),
    ),
    "quarter turns are not exact": Mutant(
        ("test_sine_and_cosine_of_headings", "test_a_turned_level_gives_a_turned_trace"),
        Change("heading_sin_cos", "r <= x // 2", "r <= x"),
    ),
    # Queries of shapes and meshes
    "crossing segments are separated": Mutant(
        "test_capsules_whose_axes_cross_overlap",
        Change("closest_between_segments", "if c > 0.0: ...", "if False: ..."),
    ),
    "box-box SAT without the edge axes": Mutant(
        "test_the_gap_of_two_shapes_has_a_certificate_and_is_symmetric[0.0-box-box]",
        Change("test_box_box_axes", "range(15)", "range(6)"),
    ),
    "box-triangle SAT without the edge axes": Mutant(
        "test_overlaps_match_the_reference[0.0-box]",
        Change("test_box_triangle_axes", "range(13)", "range(4)"),
    ),
    "time of impact with one iteration": Mutant(
        "test_sweeps_stop_at_the_first_touch[sphere-sphere]",
        constant("time_of_impact.MAX_NEWTON_ITERATIONS", "1"),
    ),
    "sliding contact of flat shapes counts as impact": Mutant(
        "test_a_shape_on_a_floor_slides_along_it",
        Change(
            "time_of_impact_from_axes", "a >= b or b <= 0.0 or t > m or a >= t + 1.0", "a >= b or b <= 0.0 or t > m"
        ),
    ),
    "sliding contact of round shapes counts as impact": Mutant(
        "test_a_shape_on_a_slope_slides_along_it[sphere]",
        Change("time_of_impact", "x <= 2.0 * t", "x <= -1.0"),
    ),
    "orientation test without exact arithmetic": Mutant(
        ("test_results_match_rational_arithmetic[1]", "test_results_match_rational_arithmetic[0]"),
        Change("orient2d_exact", "abs(r) > s * (abs(x) + abs(y))", "True"),
    ),
    "segment-triangle distance ignores the interior": Mutant(
        "test_overlaps_match_the_reference[0.0-capsule]",
        Change("closest_on_segment_to_triangle", "not (a < 0.0 < b or b < 0.0 < a)", "True"),
    ),
    "segment-box bisection keeps its lower bound": Mutant(
        "test_the_gap_of_two_shapes_has_a_certificate_and_is_symmetric[0.0-capsule-box]",
        Change(
            "closest_on_segment_to_box",
            "if h > 0.0: x, y = s, h\nelse: z, w = s, h",
            "if h > 0.0: x, y = s, h\nelse: pass",
        ),
    ),
    # Balls
    "balls' candidates ignore how far a mover moves": Mutant(
        "test_triangle_lists_match_brute_force",
        Change("list_mover_triangles", "f(*a, r + w)", "f(*a, r)", f="append_to_triangle_list"),
    ),
    "the last group of balls gets no candidates": Mutant(
        "test_triangle_lists_match_brute_force",
        Change("update_triangle_lists", "if n > 0: f(*a)", "if False: f(*a)", f="list_group_triangles"),
    ),
    "large balls get no candidates": Mutant(
        "test_triangle_lists_match_brute_force",
        Change(
            "update_triangle_lists",
            "for q in range(n):\n    x[0] = y[q]\n    ...",
            "for q in range(0):\n    x[0] = y[q]\n    ...",
        ),
    ),
    "small balls are not paired with large ones": Mutant(
        "test_the_broad_phase_finds_each_pair_that_may_meet_once",
        Change("find_ball_pairs", "x <= y and f(*a)", "x <= y and False", f="is_near_outlier"),
    ),
    "the top of large balls is taken at their centres": Mutant(
        "test_the_broad_phase_finds_each_pair_that_may_meet_once",
        Change("find_ball_pairs", "t = max(t, h + r)", "t = max(t, h)"),
    ),
    "balls at equal heights are not sorted": Mutant(
        "test_balls_of_equal_height_are_sorted",
        Change("sort_equal_heights", "s = x - y\nwhile s > 1: ...", "s = 0\nwhile s > 1: ..."),
    ),
    "pairs are searched in the same grid column only": Mutant(
        "test_the_broad_phase_finds_each_pair_that_may_meet_once",
        Change(
            "query_columns",
            "for i in range(a, max(b, a + 2) + 1):\n    x = y\n    for j in range(c, max(d, c + 2) + 1): ...",
            "for i in range(a, max(b, a + 2) + 1):\n    x = y\n    for j in range(c + 1, c + 2): ...",
        ),
    ),
    "distance to neighbouring grid columns doubled": Mutant(
        "test_the_broad_phase_finds_each_pair_that_may_meet_once",
        Change("column_distance_squared", "d * d", "4.0 * d * d"),
    ),
    "a ball struck a second time finds no new pairs": Mutant(
        "test_a_ball_hit_twice_hits_balls_beyond",
        Change("query_extended_reach", "b[i, s] = r", "b[i, s] = b[i, reach] = r", "c[m, reach] + c[n, s]"),
    ),
    "a large ball off its path is not paired": Mutant(
        "test_a_ball_pushed_into_a_far_balls_path_is_hit[200]",
        Change("mark_outlier", "x != y", "x == 0"),
    ),
    "a ball off its path is not paired": Mutant(
        "test_a_ball_pushed_into_a_far_balls_path_is_hit",
        Change("may_come_near", "i == j", "True"),
    ),
    "impact time taken from the chord, not the path": Mutant(
        ("test_impact_times_follow_the_path_not_its_chord", "test_a_flat_bounce_hits_the_wall_before_the_floor"),
        Change("level_time_of_impact", "x <= y or w >= e", "x <= y or True"),
    ),
    "a ball does not follow a rotating surface": Mutant(
        "test_a_ball_on_a_rotating_wall_has_few_impacts",
        Change("process_events", "f(*a)", "pass", f="follow_mover"),
    ),
    "a parked ball is not pushed by movers": Mutant(
        "test_a_suspended_ball_is_pushed_by_a_wall",
        Change("suspend_ball", "s = max(*n); x, y, z = x + s * a, y + s * b, z + s * c", "s = max(*n); pass"),
    ),
    "a ball within a body is swept against the level as a smaller one": Mutant(
        "test_a_walker_presses_no_ball_into_the_level",
        Change("set_sweep_radius", "x.SURFACE_PLANE_COUNT", "x.PLANE_COUNT"),
    ),
    "the path past a rotating mover is not subdivided": Mutant(
        "test_a_long_path_in_a_rotating_box_ends_at_its_wall",
        Change("sweep_ball_against_mover", "1 if x <= y * z else n", "1 if True else n"),
    ),
    "impacts in a pile bounce": Mutant(
        "test_slow_impacts_bounce_except_in_a_pile",
        Change("_set_restitution_thresholds", "x if s >= p else y", "y"),
    ),
    "friction of balls without the slip along x": Mutant(
        "test_from_sliding_to_rolling_at_five_sevenths_of_its_speed",
        Change(
            "solve_plane",
            "x = a - k * u; y = b - k * v; z = c - k * w; p = m / max(*n)",
            "x = a; y = b - k * v; z = c - k * w; p = m / max(*n)",
        ),
    ),
    "no rolling resistance": Mutant(
        "test_rolling_distance_is_v_squared_over_2_c_g",
        Change("apply_rolling_resistance", "x = a * b\nif x <= 0.0: return", "x = 0.0\nif x <= 0.0: return"),
    ),
    "balls move without the acceleration term": Mutant(
        "test_a_ball_bounces_to_e_squared_of_its_height",
        Change("continuous_collision.advance_ball", "x += s * (v + 0.5 * s * a)", "x += s * v"),
    ),
}
