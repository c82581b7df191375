// Light of the lamps in reach on a vertex of a mover, from the texture of mover.glsl.
#include "include/mover.glsl"
#include "include/point_lamp.glsl"
#ifdef LAMPS

// Brightens and desaturates dark light; as apply_eye_adaptation in game/render/scene/light_bake.py.
vec3 apply_eye_adaptation(vec3 light) {
    float grey = dot(light, vec3(0.25, 0.5, 0.25)), darkness = exp(-grey / ADAPTATION_LEVEL);
    return mix(light, vec3(grey), 0.6 * darkness) * (1.0 + SHADOW_GAIN * darkness) + SHADOW_OFFSET * darkness;
}

// Direct light, and a guess at what walls near a lamp throw back, whatever way the vertex faces, so that no side is black.
vec3 light_of_lamps(vec3 position, vec3 n) {
    vec3 light = vec3(0.0), bounced = vec3(0.0);
    float bouncing_lamps = 0.0;  // of the mover, so that no edge of the brightening lies on it
    for (int k = 0; k < LAMPS; k++) {
        vec4 place = mover_texel(3 + 2 * k), radiance = mover_texel(4 + 2 * k);  // as in point_lamp.glsl; w: 1 bounces
        if (place.w == 0.0)
            break;
        light += lamp_light(position, n, place, radiance.rgb);
        vec3 to_lamp = place.xyz - position;
        float distance_squared = dot(to_lamp, to_lamp);
        bouncing_lamps += radiance.w;
        bounced += radiance.w * lamp_window(distance_squared, place.w) * radiance.rgb *
                   (LAMP_BOUNCE / (distance_squared + BOUNCE_DISTANCE * BOUNCE_DISTANCE));
    }
    return bouncing_lamps == 0.0 ? light : light + apply_eye_adaptation(bounced);
}
#endif
