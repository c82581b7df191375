// Clear-sky radiance in the unit direction d, without clouds and without the disc of the sun.
vec3 sky_radiance(vec3 d) {
    float elevation = max(d.y, 0.0);
    vec3 radiance = mix(horizon.rgb, zenith.rgb, 1.0 - exp2(-4.2 * elevation));
    radiance = mix(radiance, ground.rgb, smoothstep(0.0, -0.35, d.y));
    float sun_cosine = max(dot(d, to_sun.xyz), 0.0);
    float p2 = sun_cosine * sun_cosine, p4 = p2 * p2, p8 = p4 * p4;
    return radiance + halo.rgb * (0.35 * p4 + 0.65 * p8 * p8 * p8);
}

// Light that water takes per metre, as an exponent of e: red is lost first.
const vec3 WATER_EXTINCTION = vec3(0.35, 0.16, 0.14);

#ifdef UNDER_WATER
// Whether the eye sees the point at an offset from it (metres) through water: where the lens is below the surface.
bool seen_through_water(vec3 from_eye) {
    vec3 lens = eye.xyz + from_eye * (LENS_DISTANCE / max(dot(from_eye, forward.xyz), 1e-4));
    return lens.y < water.w + lens_wave(lens);
}
#endif

// Aerial perspective: radiance at an offset from the eye (metres), attenuated by 2^(-haze * distance) and blended with the
// radiance of the air.
vec3 apply_haze(vec3 light, vec3 from_eye) {
    float range = length(from_eye);
#ifdef UNDER_WATER
    if (seen_through_water(from_eye)) {
        // Only the way below the surface counts. Deeper water around the surface of things is darker.
        float way = from_eye.y > 0.0 ? range * min((water.w - eye.y) / from_eye.y, 1.0) : range;
        vec3 deep = water.rgb * exp2(0.16 * min(eye.y + from_eye.y - water.w, 0.0));
        return mix(deep, light, exp(-0.5 * WATER_EXTINCTION * max(way, 0.0)));  // the eye of a swimmer adapts
    }
#endif
    float transmittance = exp2(-sunlight.w * range);
#ifdef HORIZON_HAZE
    return mix(horizon.rgb, light, transmittance);
#else
    vec3 d = from_eye / max(range, 1e-6);
    d.y = max(d.y, 0.0) * 0.6 + 0.02;  // haze near the ground has the colour of the sky just above the horizon
    return mix(sky_radiance(normalize(d)), light, transmittance);
#endif
}
