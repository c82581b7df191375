"""Promises of docs/limits.md and docs/physics.md, each with default tests that fail when it is broken.

A promise is named by the words that the page begins it with: the bold words of an entry, the first column of a row, or
the heading of a section. A test is named by its function; one that many promises have in common stands first.
"""

IN_ANY_SCENE = "test_every_tick_of_random_scenes_is_within_the_bounds"

LIMITS = {
    # Not modelled
    "Friction is Coulomb friction only on slopes.": (
        "test_friction_over_1_does_not_stop_the_walker_sooner",
        "test_friction_does_not_hold_beyond_the_slope_limit",
        "test_walls_ignore_friction_and_use_rub",
        "test_a_slope_holds_up_to_the_angle_of_friction",
    ),
    "Balls do not push the walker.": ("test_a_ball_does_not_push_the_walker", "test_a_walker_pushes_a_ball"),
    "Walkers do not collide with each other.": ("test_walkers_of_a_crowd_pass_through_each_other",),
    "Bodies do not affect moving platforms.": (
        "test_a_press_crushes_and_reports_it",
        "test_a_vice_crushes",
        "test_one_tick_climbs_no_higher_by_push_and_own_move_than_by_one_of_them",
        "test_a_safe_place_under_a_press_is_free_again_when_it_rises",
        "test_a_second_respawn_at_the_checkpoint_keeps_its_reason",
        "test_falling_again_at_once_leads_to_the_spawn",
    ),
    "The body stays upright.": ("test_the_body_does_not_lean",),
    # Slopes, edges and steps
    "A bevelled kerb can stop the walker where an upright kerb does not.": ("test_bevels_that_stop_the_walker",),
    "Steep ground gives no stance and no jump, however rough it is.": (
        "test_steep_ground_is_not_climbed_by_hopping",
        "test_a_ridge_a_beam_and_a_fence_are_stood_on_and_jumped_from",
    ),
    "A jump reaches ledges above the jump height": ("test_ledges_that_a_jump_reaches",),
    "A steep face that leans away adds to a jump": ("test_a_steep_face_adds_millimetres_to_a_jump",),
    "The body can stand with its centre beyond an edge": ("test_the_body_stands_with_its_centre_beyond_an_edge",),
    "`max_slope` does not apply to stairs.": (
        "test_steep_stairs_are_climbed",
        "test_a_round_body_stops_before_steep_stairs",
        "test_a_step_a_millimetre_too_high_is_not_climbed",
        "test_high_stairs_beside_a_wall_lose_nothing",
    ),
    "Stairs lift the body abruptly": ("test_lift_in_a_tick_on_stairs",),
    "A tick climbs one step height.": (
        "test_no_tick_climbs_two_risers",
        "test_flights_met_from_every_side",
        "test_one_riser_more_for_each_tread",
    ),
    "With `step_height=0` the walker slides up steps and loses speed.": (
        "test_sliding_over_steps_without_a_step_height",
        "test_stairs_are_climbed_by_sliding_with_step_height_zero",
    ),
    # Water
    "A swimmer climbs out over a bank up to a third of its upright height above the surface": (
        "test_banks_up_to_the_limit_are_climbed_and_higher_ones_give_nothing",
        "test_a_wader_climbs_with_jump",
    ),
    "A bank needs ground straight ahead.": ("test_banks_that_a_swimmer_climbs",),
    "A ladder that ends below the bank holds the body at its top.": (
        "test_banks_that_a_swimmer_climbs",
        "test_ladders_still_lead_out",
    ),
    # Narrow places
    "A gap stays between body and surfaces": (
        "test_the_gaps_of_the_skin",
        "test_every_wall_of_a_room_is_met_at_the_skin",
    ),
    "A passage must be wider than the body with its skin": (
        "test_passages_and_ceilings_pass_the_body_down_to_the_limits_of_the_page",
        "test_a_corridor_a_micrometre_wider_than_the_body",
    ),
    "Entering a tight passage can cost up to 4 ticks": ("test_the_entrance_of_a_passage",),
    "A body with unequal radii does not turn while it is pressed against a wall.": (
        "test_a_body_pressed_to_a_wall_turns_only_if_its_radii_are_equal",
        "test_a_body_that_cannot_turn_walks_in_the_view_direction",
    ),
    "Between surfaces closer than body and skin the gap is not restored": (
        "test_between_surfaces_that_are_too_close",
        "test_gaps_too_low_for_the_skin_are_not_narrowed",
    ),
    "A body comes to rest slowly in a wide corner": (
        "test_the_body_comes_to_rest_in_wide_corners_in_the_times_of_the_page",
    ),
    "A pressed body may tremble or stand.": ("test_random_walks_in_random_rooms",),
    # The mesh
    "Solids are hollow.": (
        "test_solids_are_hollow_sheets",
        "test_a_spawn_is_pushed_by_half_a_metre_at_most",
        "test_a_floor_facing_down_supports_the_body",
    ),
    "A tick holds at most 12 contact planes.": ("test_a_body_in_a_bowl_of_many_planes_keeps_its_full_gap",),
    "Cracks are not closed.": ("test_a_foot_dips_into_a_crack_and_keeps_its_velocity", "test_what_cracks_cost"),
    "An upright plate without thickness is a wall": ("test_an_upright_plate_is_a_wall",),
    "Two conveyors that run against each other never let a body rest.": ("test_opposed_conveyors_swing_the_body",),
    "Coordinates are limited to 10 000 km from the origin": (
        "test_a_walk_far_from_the_origin_has_the_error_of_the_page",
        "test_coordinates_beyond_10000_km_are_refused",
    ),
    "Triangles without area, and duplicates, are dropped.": (
        "test_report_names_what_was_dropped_and_why",
        "test_nothing_is_dropped_for_being_near_another",
    ),
    # Sweeps
    "A sweep that approaches a surface by less than 1e-10 of its displacement does not hit it": (
        "test_a_very_slow_approach_is_no_hit",
        "test_sliding_along_a_tiled_floor_meets_no_edge",
    ),
    # Time
    "The first ticks are slow if nothing is compiled.": (
        "test_a_long_wait_is_explained_once",
        "test_the_compiler_is_asked_for_after_a_second_of_interpreted_ticks",
        "test_a_very_long_run_compiles_at_once_and_records_it",
        "test_a_process_waits_for_the_one_that_compiles",
    ),
    "A command applies to a whole tick.": ("test_the_top_of_a_jump_at_30_and_240_ticks_a_second",),
    "Coyote time and jump buffer are whole ticks": (
        "test_coyote_time_is_exact_to_the_tick",
        "test_the_jump_buffer_keeps_a_jump_pressed_before_landing",
        "test_late_jumps_count_whole_ticks",
    ),
    "The falling speed is at most 60 m/s": (
        "test_a_long_fall_is_the_same_at_every_rate",
        "test_falling_ends_at_the_fall_limit",
    ),
    "A walk in a room that moves at constant velocity is that in the room at rest": (
        "test_a_walk_in_a_room_that_moves_is_that_in_a_room_at_rest",
    ),
    "Speeds are limited to 100 000 m/s.": (
        "test_speeds_beyond_the_limit_are_refused_with_the_limit",
        "test_what_adds_up_stays_bounded",
    ),
    "A tick divides a movement on ground into at most 256 steps.": (
        "test_a_tick_at_the_limit_is_bounded",
        "test_a_blocked_body_stops_after_a_step",
    ),
    "The heading is an integer": ("test_a_heading_is_an_integer",),
    # Text
    "Scripts whose letters join or move are shaped only where Pillow has Raqm": (
        "test_text_is_split_into_drawn_units",
        "test_widths_do_not_depend_on_the_shaping_engine",
    ),
    "Right to left is done in a simple form.": ("test_text_is_split_into_drawn_units",),
    "Han characters look as in the first font that has them": (),
    "Emoji are drawn in one colour": (),
    "Thai, Lao and Khmer lines break at spaces": ("test_soft_hyphens_and_zero_width_spaces_are_places_to_break",),
    "Pairs of letters are kerned in the game's text font alone": ("test_pairs_are_kerned",),
}

BOUNDS = {  # rows of the table of limits.md
    "way": (IN_ANY_SCENE, "test_a_change_of_one_state_is_seen"),
    "speed": (IN_ANY_SCENE, "test_a_change_of_one_state_is_seen"),
    "high step": (IN_ANY_SCENE, "test_no_tick_climbs_two_risers"),
    "air step": (IN_ANY_SCENE, "test_flights_met_from_every_side"),
    "landing": (IN_ANY_SCENE, "test_a_landing_on_too_high_a_ledge_is_seen"),
    "drop": (IN_ANY_SCENE, "test_a_change_of_one_state_is_seen"),
    "turn": (IN_ANY_SCENE, "test_a_change_of_one_state_is_seen"),
    "up": (IN_ANY_SCENE, "test_a_change_of_one_state_is_seen"),
    "gap": (IN_ANY_SCENE, "test_states_are_finite_keep_the_gap_and_stay_inside"),
    "tunnel": (IN_ANY_SCENE, "test_nothing_is_tunnelled_at_300_metres_a_tick"),
    "stuck": (IN_ANY_SCENE, "test_a_body_that_stays_inside_something_is_stuck"),
}

GUARANTEES = {
    "the gap to every surface is at least half the skin after every tick; no tunnelling, even at 300 m a tick": (
        "test_random_walks_in_random_rooms",
        "test_nothing_is_tunnelled_at_300_metres_a_tick",
    ),
    "steps, drop, way, speed and turn of every tick within the bounds of a tick, in any scene": (IN_ANY_SCENE,),
    "slopes up to the limit and stairs up to the step height are walked at the horizontal speed to 1e-6, at 30 to 240 "
    "ticks a second, always on the ground": (
        "test_ramps_under_the_limit_are_walked_at_horizontal_speed",
        "test_stairs_up_and_down_at_horizontal_speed",
        "test_ledges_up_to_the_step_height",
    ),
    "at rest on level ground or a slope, no bit changes": ("test_at_rest_nothing_moves_by_a_bit",),
    "slopes beyond the limit are never climbed; a slide follows g sin²(a) t²/2": (
        "test_ramps_over_the_limit_are_never_climbed",
        "test_a_steep_slide_follows_the_formula_at_every_rate",
        "test_pressing_against_a_steep_slope_does_not_lift_the_body",
    ),
    "seams of floors and walls have no effect: distance, heading and height to 1e-9": (
        "test_tiled_floor_in_360_headings",
        "test_sliding_along_a_tiled_wall",
    ),
    "a corner stops the body without jitter, and the body leaves it freely": (
        "test_a_body_rests_in_an_inner_corner_and_leaves_at_full_speed",
        "test_wide_corners_hold_still",
    ),
    "ice, mud, conveyors, trampolines and rubbing walls follow their formulas": (
        "test_a_body_slides_down_by_half_g_sin_minus_mu_cos_t_squared",
        "test_mud_halves_the_pace",
        "test_a_belt_carries_and_a_jump_keeps_its_speed",
        "test_a_bounce_gives_back_e_squared_of_the_height",
        "test_wall_friction_reduces_the_speed_along_it",
    ),
    "a body turned with its level takes the same path, turned": ("test_a_rotated_scene_gives_the_rotated_walk",),
    "a turn never embeds the body; on slopes up to 44 degrees it turns all the way round": (
        "test_a_turn_against_a_wall_never_embeds",
        "test_turning_in_place_on_a_slope",
    ),
    "a jump in a room of constant velocity is that in one at rest; belts and pads keep their velocity along walls": (
        "test_a_jump_on_a_lift_is_that_on_the_ground",
        "test_a_jump_beside_a_wall_or_under_the_roof_of_a_car",
        "test_a_wall_takes_only_what_goes_into_it",
    ),
    "a moving wall pushes a body up what it could walk up, and no higher": (
        "test_a_moving_wall_pushes_a_body_up_what_it_could_walk_up",
        "test_a_vice_crushes",
        "test_one_tick_climbs_no_higher_by_push_and_own_move_than_by_one_of_them",
    ),
    "a body that moving platforms push and crush never ends a tick embedded, unless it spawned in their way": (
        IN_ANY_SCENE,
        "test_a_body_crushed_beside_a_crawl_space_is_back_in_it_crouched",
    ),
    "jumps, and falls onto faces, edges and corners, are exact to the tick": (
        "test_a_jump_follows_the_formula",
        "test_coyote_time_is_exact_to_the_tick",
        "test_nothing_is_tunnelled_at_300_metres_a_tick",
    ),
    "the same input gives the same bits: step or run, alone or in a crowd, with or without JIT": (
        "test_run_step_and_crowd_give_the_same_bits_and_change_nothing_else",
        "test_a_crowd_gives_the_bits_of_single_walkers",
        "test_the_same_bits_without_the_jit",
        "test_golden_walks_have_their_stored_hashes",
    ),
}

SECTIONS = {  # of physics.md
    "A tick": ("test_starting_and_stopping_are_the_same_at_every_rate", "test_golden_walks_have_their_stored_hashes"),
    "Ellipsoid space": (
        "test_a_wall_stops_the_body_at_its_extent_in_that_direction",
        "test_ramps_under_the_limit_are_walked_at_horizontal_speed",
    ),
    "Broad phase": (
        "test_a_kept_list_finds_what_brute_force_finds",
        "test_a_walk_has_the_same_bytes_with_and_without_lists",
    ),
    "Sweeps": ("test_sweeps_pass_the_oracle", "test_seams_of_single_precision_do_not_stop_a_walk"),
    "Contacts": ("test_tiled_floor_in_360_headings", "test_the_trace_names_the_reason_of_a_stop"),
    "Slide: projection onto half-spaces": (
        "test_sliding_along_a_tiled_wall",
        "test_a_body_rests_in_an_inner_corner_and_leaves_at_full_speed",
    ),
    "Ground move": (
        "test_stairs_up_and_down_at_horizontal_speed",
        "test_a_ramp_under_a_ceiling_stops_cleanly_and_leaves_freely",
    ),
    "Support": ("test_a_groove_holds_like_ground", "test_walking_off_a_ledge_is_one_fall"),
    "In the air": ("test_a_wall_changes_no_vertical_speed_of_a_jump", "test_the_head_stops_a_jump"),
    "Surfaces": ("test_plain_materials_change_no_bit", "test_wrong_materials_are_refused"),
    "Moving platforms": (
        "test_a_body_at_rest_on_a_mover_keeps_its_place_on_it",
        "test_a_moving_wall_pushes_ahead_and_never_passes_through",
    ),
    "Up direction": ("test_velocity_and_normal_are_the_worlds", "test_a_rotated_scene_gives_the_rotated_walk"),
    "Rotation": (
        "test_a_free_turn_reaches_any_heading_in_one_tick_in_place",
        "test_half_a_turn_succeeds_where_a_quarter_turn_has_no_room",
    ),
    "Crouching and recovery from penetration": (
        "test_crouching_under_and_standing_up_at_the_first_clear_tick",
        "test_a_body_put_inside_a_wall_is_pushed_out_or_goes_back",
    ),
    "Trace": ("test_the_trace_names_the_reason_of_a_stop",),
    "Execution": ("test_scratch_memory_is_never_read", "test_loading_happens_in_a_thread_and_ticks_go_on_meanwhile"),
}

FONTS_OF_THE_SYSTEM = {  # what the system's fonts decide: no test can show it on each machine
    "Han characters look as in the first font that has them",
    "Emoji are drawn in one colour",
}
