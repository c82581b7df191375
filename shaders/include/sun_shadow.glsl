// Shadows of the sun: shadow map of the static level, shadow map of moving bodies, analytic shadow of the player.
uniform sampler2DShadow shadow_map;
uniform sampler2DShadow dynamic_shadow_map;

const float MAX_RECEIVER_SLOPE = 6.0;  // tangent of the angle between normal and sun; a steeper surface gets no sun
const float NEAR_MARGIN = 0.02;        // of the near map: normal offset in the map of the level, filter, and gutter

// Receiver plane: depth change per unit of the shadow map along its two sides, for a surface of normal n.
vec2 shadow_depth_slope(vec3 n) {
    mat3 rotation = mat3(world_to_shadow), rows = transpose(rotation);  // orthogonal rows, each scaled
    vec3 normal_in_map = rotation * n / vec3(length(rows[0]), length(rows[1]), length(rows[2]));
    float z = abs(normal_in_map.z) < 0.02 ? 0.02 * sign(normal_in_map.z + 1e-6) : normal_in_map.z;
    vec2 slope = -normal_in_map.xy / z;
    slope *= min(1.0, MAX_RECEIVER_SLOPE / max(length(slope), 1e-6));
    return slope * length(rows[2]) / vec2(length(rows[0]), length(rows[1]));
}

// Receiver position in the shadow map (0..1, depth) with a normal offset. The offset is 0.6 to 2 texels, more at grazing
// incidence, where the depth error of a texel is larger. texel: metres.
vec3 shadow_map_position(vec3 position, vec3 n, float texel) {
    float cos_incidence = clamp(dot(n, to_sun.xyz), -1.0, 1.0);
    float texels = 0.6 + 1.4 * sqrt(1.0 - cos_incidence * cos_incidence);
    return (world_to_shadow * vec4(position + n * sign(cos_incidence) * texel * texels, 1.0)).xyz;
}

// Percentage-closer filtering: visible fraction over a disc of SHADOW_TAPS compared samples on the receiver plane.
// position: 0..1 in the map, and depth. The taps lie on a Vogel spiral, which covers the disc evenly for any count.
float filter_shadow(sampler2DShadow map, vec3 position, vec2 slope, vec2 penumbra_radius) {
#if SHADOW_TAPS == 1
    return texture(map, position);
#else
    float lit = 0.0;
    for (int i = 0; i < SHADOW_TAPS; i++) {
        vec2 radius = sqrt((float(i) + 0.5) / float(SHADOW_TAPS)) * penumbra_radius;
        float angle = 2.3999632 * float(i);  // golden angle, radians
        vec2 offset = radius * vec2(cos(angle), sin(angle));
        lit += texture(map, vec3(position.xy + offset, position.z + dot(slope, offset)));
    }
    return lit / float(SHADOW_TAPS);
#endif
}

// Fraction of the texture's width that the map of the level fills: 1/2 where a near map lies on its right, else 1.
float level_map_width() {
    ivec2 size = textureSize(shadow_map, 0);
    return float(size.y) / float(size.x);
}

// Visible fraction of the sun past the static level. position and slope: in the map of the level. receiver: the point in
// the world, with its normal n; they give the position in the near map, whose normal offset is smaller.
float static_shadow(vec3 position, vec2 slope, vec3 receiver, vec3 n) {
    vec2 scale = vec2(1.0);  // from the map of the level to the texture
#ifdef NEAR_SHADOW
    scale.x = level_map_width();
    if (all(lessThan(abs(near_shadow.z * position.xy + near_shadow.xy - 0.5), vec2(0.5 - NEAR_MARGIN)))) {
        position = shadow_map_position(receiver, n, near_shadow.w);
        position.xy = (near_shadow.z * position.xy + near_shadow.xy + vec2(1.0, 0.0)) * scale;
        scale *= near_shadow.z;
    } else {
        position.x = min(position.x, 1.0) * scale.x;
    }
#endif
    return filter_shadow(shadow_map, position, slope / scale, horizon.w * scale);
}

// Visible fraction of the sun past moving bodies. position and slope: in the map of the static level.
float dynamic_shadow(vec3 position, vec2 slope) {
    vec3 in_dynamic_map = position * dynamic_shadow_scale.xyz + dynamic_shadow_offset.xyz;
    if (dynamic_shadow_scale.w < 0.5 || any(greaterThan(abs(in_dynamic_map.xy - 0.5), vec2(0.5))))
        return 1.0;
    in_dynamic_map.z = min(in_dynamic_map.z, 0.9999);
    slope *= dynamic_shadow_scale.z / dynamic_shadow_scale.x;
    return filter_shadow(dynamic_shadow_map, in_dynamic_map, slope, vec2(dynamic_shadow_offset.w));
}

// World position to the space in which the player's ellipsoid is the unit sphere.
vec3 to_body_space(vec3 position) {
    vec4 p = vec4(position, 1.0);
    return vec3(dot(body_x, p), dot(body_y, p), dot(body_z, p));
}

// Shadow of the player's ellipsoid at a point p of body space. x: visible fraction of the sun, by the distance of the
// ray from the unit sphere; y: visible fraction of the sky (ambient occlusion by a sphere).
vec2 player_shadow(vec3 p, float normal_up) {
    float along = max(-dot(p, body_sun.xyz) * body_sun.w, 0.0);
    float ray_distance = length(p + body_sun.xyz * along);
    float penumbra = 0.10 + 0.05 * along;
    float distance_squared = dot(p, p);
    float facing = 0.5 - 0.5 * normal_up * p.y * inversesqrt(max(distance_squared, 1e-6));
    float sun_visibility = clamp((ray_distance - 1.0) / (2.0 * penumbra) + 0.5, 0.0, 1.0);
    return vec2(sun_visibility, 1.0 - 0.8 * facing / (0.35 + 0.65 * distance_squared * distance_squared));
}
