// Point lamp: inverse square law with a window that falls to 0 at the reach, as bake_point_light.frag.glsl.

// Light of a lamp (xyz, w: position, reach in metres; radiance of a white surface at 1 m) on a surface.
vec3 lamp_light(vec3 position, vec3 n, vec4 position_reach, vec3 radiance) {
    vec3 to_lamp = position_reach.xyz - position;
    float distance_squared = dot(to_lamp, to_lamp);
    float ratio = distance_squared / (position_reach.w * position_reach.w);
    float window = clamp(1.0 - ratio * ratio, 0.0, 1.0);
    float cos_incidence = max(dot(to_lamp, n), 0.0) * inversesqrt(distance_squared + 1e-12);
    return radiance * (cos_incidence * window * window / (distance_squared + LAMP_BULB_RADIUS * LAMP_BULB_RADIUS));
}

#ifdef MOVING_LAMPS
uniform vec4 moving_lamps[2 * MOVING_LAMPS];  // position and reach, radiance of each

// Light of the lamps that movers carry, without shadows.
vec3 moving_lamp_light(vec3 position, vec3 n) {
    vec3 light = vec3(0.0);
    for (int k = 0; k < MOVING_LAMPS; k++)
        light += lamp_light(position, n, moving_lamps[2 * k], moving_lamps[2 * k + 1].rgb);
    return light;
}
#endif
