// Sky light without clouds and without the sun's own disc.
vec3 air(vec3 d) {
    float high = max(d.y, 0.0);
    vec3 c = mix(horizon.rgb, zenith.rgb, 1.0 - exp2(-4.2 * high));
    c = mix(c, ground.rgb, smoothstep(0.0, -0.35, d.y));
    float s = max(dot(d, to_sun.xyz), 0.0);
    float s2 = s * s, s4 = s2 * s2, s8 = s4 * s4;
    return c + halo.rgb * (0.35 * s4 + 0.65 * s8 * s8 * s8);
}

// Aerial haze: light from `away` (metres, not unit) of the eye, dimmed and veiled by the air between.
vec3 veil(vec3 light, vec3 away) {
    float far = length(away);
    float clear = exp2(-sunlight.w * far);
#ifdef PLAIN_VEIL
    return mix(horizon.rgb, light, clear);
#else
    vec3 d = away / max(far, 1e-6);
    d.y = max(d.y, 0.0) * 0.6 + 0.02;  // the air near the ground is as bright as the sky just above it
    return mix(air(normalize(d)), light, clear);
#endif
}
