// How much of the sun reaches a place: the level's map, and the player's ellipsoid without one.
uniform sampler2DShadow sun_map;

float sun_through_level(vec3 place) {
#if SHADOW_TAPS == 1
    return texture(sun_map, place);
#else
    float lit = 0.0;
    for (int i = 0; i < SHADOW_TAPS; i++) {
        // sunflower seeds: even over the disc for any number
        float radius = sqrt((float(i) + 0.5) / float(SHADOW_TAPS)) * horizon.w;
        float angle = 2.3999632 * float(i);
        lit += texture(sun_map, vec3(place.xy + radius * vec2(cos(angle), sin(angle)), place.z));
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
