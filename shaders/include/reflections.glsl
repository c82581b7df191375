// Reflections of a rough surface without an environment map: sun, sky, and the light that arrives at the surface.
// Needs frame_block.glsl and atmosphere.glsl.

// Reflected fraction of even light from all sides (Lazarov 2013; fit by Karis 2014). mirror: at normal incidence.
vec3 rough_reflectance(vec3 mirror, float roughness, float cos_view) {
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * cos_view)) * r.x + r.y;
    vec2 scale_and_bias = vec2(-1.04, 1.04) * a + r.zw;
    return clamp(mirror * scale_and_bias.x + scale_and_bias.y, 0.0, 1.0);
}

// Radiance that a surface mirrors. Indoors it is the light of the room, as in level.frag.glsl; the rougher the surface,
// the more it is the light from all sides.
vec3 reflected_surroundings(vec3 view, vec3 n, vec3 sky_light, float roughness) {
    float sky_visibility = smoothstep(0.40, 1.20, dot(sky_light, vec3(0.33)) * 1.6);
    vec3 mirrored = mix(0.75 * sky_light, sky_radiance(reflect(view, n)), sky_visibility);
    return mix(mirrored, sky_light, roughness * roughness);
}

// Factor of the sun's light in its mirror image: GGX distribution with Smith visibility (Walter 2007, Heitz 2014).
vec3 sun_highlight(vec3 view, vec3 n, vec3 mirror, float roughness) {
    float alpha = max(roughness * roughness, 0.03), alpha2 = alpha * alpha;  // the sun is no point
    vec3 halfway = normalize(to_sun.xyz - view);
    float cos_half = max(dot(n, halfway), 0.0), cos_sun = max(dot(n, to_sun.xyz), 0.001);
    float cos_view = max(-dot(n, view), 0.001);
    float spread = cos_half * cos_half * (alpha2 - 1.0) + 1.0;
    float distribution = alpha2 / (spread * spread);  // times pi, which the radiance of a white surface has lost
    float visibility = 0.5 / (cos_sun * sqrt(cos_view * cos_view * (1.0 - alpha2) + alpha2) +
                              cos_view * sqrt(cos_sun * cos_sun * (1.0 - alpha2) + alpha2));
    float grazing = 1.0 - max(-dot(view, halfway), 0.0), grazing2 = grazing * grazing;
    vec3 fresnel = mirror + (1.0 - mirror) * grazing2 * grazing2 * grazing;
    return min(distribution * visibility, 16.0) * fresnel;
}
