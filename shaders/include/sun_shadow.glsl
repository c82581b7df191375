// How much of the sun reaches a place: the level's map, and the player's ellipsoid without one.
uniform sampler2DShadow sun_map;
uniform sampler2DShadow mover_map;  // of what moves

const float STEEPEST = 6.0;  // tangent of the angle between a surface's normal and the sun: steeper ones hardly see it

// How the depth in the sun's map changes along a surface, by the map's two sides.
vec2 slope_in_map(vec3 n) {
    mat3 turn = mat3(world_to_shadow), rows = transpose(turn);  // rows at right angles, each scaled
    vec3 along = turn * n / vec3(length(rows[0]), length(rows[1]), length(rows[2]));
    vec2 slope = -along.xy / (abs(along.z) < 0.02 ? 0.02 * sign(along.z + 1e-6) : along.z);
    slope *= min(1.0, STEEPEST / max(length(slope), 1e-6));
    return slope * length(rows[2]) / vec2(length(rows[0]), length(rows[1]));
}

float sun_through_level(vec3 place, vec2 slope) {
#if SHADOW_TAPS == 1
    return texture(sun_map, place);
#else
    float lit = 0.0;
    for (int i = 0; i < SHADOW_TAPS; i++) {
        // sunflower seeds: even over the disc for any number
        float radius = sqrt((float(i) + 0.5) / float(SHADOW_TAPS)) * horizon.w;
        float angle = 2.3999632 * float(i);
        vec2 off = radius * vec2(cos(angle), sin(angle));
        lit += texture(sun_map, vec3(place.xy + off, place.z + dot(slope, off)));  // on the surface's own plane
    }
    return lit / float(SHADOW_TAPS);
#endif
}

// The same of what moves; place and slope as of the level's map.
float sun_through_movers(vec3 place, vec2 slope) {
    vec3 there = place * movers_by.xyz + movers_from.xyz;
    if (movers_by.w < 0.5 || any(greaterThan(abs(there.xy - 0.5), vec2(0.5))))
        return 1.0;
    there.z = min(there.z, 0.9999);
#if SHADOW_TAPS == 1
    return texture(mover_map, there);
#else
    slope *= movers_by.z / movers_by.x;
    float lit = 0.0;
    for (int i = 0; i < SHADOW_TAPS; i++) {
        float radius = sqrt((float(i) + 0.5) / float(SHADOW_TAPS)) * movers_from.w;
        float angle = 2.3999632 * float(i);
        vec2 off = radius * vec2(cos(angle), sin(angle));
        lit += texture(mover_map, vec3(there.xy + off, there.z + dot(slope, off)));
    }
    return lit / float(SHADOW_TAPS);
#endif
}

// A place in the space where the player's ellipsoid is the unit sphere.
vec3 beside_body(vec3 place) {
    return vec3(dot(body_x, vec4(place, 1.0)), dot(body_y, vec4(place, 1.0)), dot(body_z, vec4(place, 1.0)));
}

// x: part of the sun, y: part of the sky that the player's ellipsoid leaves to a place of `beside_body`.
vec2 past_body(vec3 p, float normal_up) {
    float along = max(-dot(p, body_sun.xyz) * body_sun.w, 0.0);
    float miss = length(p + body_sun.xyz * along);
    float soft = 0.10 + 0.05 * along;
    float away = dot(p, p);
    float facing = 0.5 - 0.5 * normal_up * p.y * inversesqrt(max(away, 1e-6));
    return vec2(clamp((miss - 1.0) / (2.0 * soft) + 0.5, 0.0, 1.0), 1.0 - 0.8 * facing / (0.35 + 0.65 * away * away));
}
