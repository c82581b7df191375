// Shading that level, pictures, movers, balls and bodies share: relief in ambient light, and the colour on screen.
#include "include/frame_block.glsl"
#include "include/tone_mapping.glsl"
#include "include/atmosphere.glsl"

// Albedo, darkened where its luminance comes near ALBEDO_LIMIT; as limit_albedo in render_mesh.py.
vec3 limit_albedo(vec3 albedo) {
    const float knee = ALBEDO_KNEE * ALBEDO_LIMIT, room = ALBEDO_LIMIT - knee;
    float luminance = max(dot(albedo, vec3(0.2126, 0.7152, 0.0722)), 1e-6);
    return luminance < knee ? albedo : albedo * ((ALBEDO_LIMIT - room * exp((knee - luminance) / room)) / luminance);
}

// Factor of ambient light where relief turns the normal: more from above and from the bright side of the sky.
float relief_in_shade(vec3 n, vec3 shading_normal) {
    return max(1.0 + dot(shading_normal - n, vec3(0.5 * to_sun.x, 0.8, 0.5 * to_sun.z)), 0.3);
}

// Cosine of the incidence of the sun on relief; none on a face that is turned away.
float sun_on_relief(vec3 n, vec3 shading_normal) {
    return clamp(dot(n, to_sun.xyz) * 8.0, 0.0, 1.0) * max(dot(shading_normal, to_sun.xyz), 0.0);
}

// Interleaved gradient noise (Jimenez 2014) of half an 8-bit step, against banding in smooth skies.
float dither(vec2 pixel) {
    return (fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}

// Colour on screen of radiance that needs no haze.
vec4 shown(vec3 radiance) {
#ifdef FAST_TONE_MAPPING
    return vec4(tone_map(radiance), 1.0);  // textures hide 8-bit banding
#else
    return vec4(tone_map(radiance) + dither(gl_FragCoord.xy), 1.0);
#endif
}

// Colour on screen of radiance at an offset from the eye (metres).
vec4 shown_through_haze(vec3 radiance, vec3 from_eye) {
    return shown(apply_haze(radiance, from_eye));
}

// Colour on screen of a picture that keeps its own colours (linear), but for the haze.
vec3 own_colour_through_haze(vec3 colour, vec3 from_eye) {
    return mix(tone_map(apply_haze(vec3(0.0), 1e5 * from_eye)), encode_srgb(colour), exp2(-sunlight.w * length(from_eye)));
}
