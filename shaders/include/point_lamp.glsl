// Point lamp: inverse square law with a window that falls to 0 at the reach, as bake_point_light.frag.glsl.

// Factor 1 at a lamp to 0 at its reach (m).
float lamp_window(float distance_squared, float reach) {
    float ratio = distance_squared / (reach * reach), window = clamp(1.0 - ratio * ratio, 0.0, 1.0);
    return window * window;
}

// Light of a lamp (xyz, w: position, reach in metres; radiance of a white surface at 1 m) on a surface.
vec3 lamp_light(vec3 position, vec3 n, vec4 position_reach, vec3 radiance) {
    vec3 to_lamp = position_reach.xyz - position;
    float distance_squared = dot(to_lamp, to_lamp);
    float window = lamp_window(distance_squared, position_reach.w);
    float cos_incidence = max(dot(to_lamp, n), 0.0) * inversesqrt(distance_squared + 1e-12);
    return radiance * (cos_incidence * window / (distance_squared + LAMP_BULB_RADIUS * LAMP_BULB_RADIUS));
}

#ifdef MOVING_LAMPS
uniform vec4 moving_lamps[2 * MOVING_LAMPS];  // position and reach, radiance and slot in the shadow map (-1: none)

#ifdef LAMP_SHADOW_SIZE
uniform sampler2DShadow lamp_shadow_map;  // game/render/passes/shadows.py

// Visible fraction 0..1 of a lamp at a point of a surface of normal n.
float lamp_shadow(vec3 position, vec3 n, vec4 position_reach, float slot) {
    vec3 d = position - position_reach.xyz, size = abs(d);
    float depth = max(size.x, max(size.y, size.z));
    d += n * (3.0 * depth / float(LAMP_SHADOW_SIZE));  // 1.5 texels
    size = abs(d);
    int axis = size.x >= max(size.y, size.z) ? 0 : size.y >= size.z ? 1 : 2;
    vec3 turned = axis == 0 ? d.yzx : axis == 1 ? d.zxy : d;  // across, up and along the face
    depth = abs(turned.z);
    float far = max(position_reach.w, 2.0 * LAMP_SHADOW_NEAR);
    float compared = far * (depth - LAMP_SHADOW_NEAR) / (max(depth, 1e-3) * (far - LAMP_SHADOW_NEAR));
    vec2 tile = vec2(axis, 2.0 * slot + (turned.z < 0.0 ? 1.0 : 0.0));
    vec2 scale = 1.0 / vec2(3.0, 2.0 * float(LAMP_SHADOW_SLOTS)), texel = scale / float(LAMP_SHADOW_SIZE);
    vec2 at = (tile + 0.5 + 0.5 * turned.xy / max(depth, 1e-3) * (1.0 - 4.0 / float(LAMP_SHADOW_SIZE))) * scale;
    float lit = 0.0;
    for (int k = 0; k < 4; k++)
        lit += texture(lamp_shadow_map, vec3(at + (vec2(k & 1, k >> 1) * 1.5 - 0.75) * texel, compared));
    return 0.25 * lit;
}
#endif

// Light of the lamps that movers carry.
vec3 moving_lamp_light(vec3 position, vec3 n) {
    vec3 light = vec3(0.0);
    for (int k = 0; k < MOVING_LAMPS; k++) {
        vec3 from_lamp = lamp_light(position, n, moving_lamps[2 * k], moving_lamps[2 * k + 1].rgb);
#ifdef LAMP_SHADOW_SIZE
        if (moving_lamps[2 * k + 1].w >= 0.0 && from_lamp != vec3(0.0))
            from_lamp *= lamp_shadow(position, n, moving_lamps[2 * k], moving_lamps[2 * k + 1].w);
#endif
        light += from_lamp;
    }
    return light;
}
#endif
