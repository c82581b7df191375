// Mover: as the level surface, with an ambient term per vertex instead of a lightmap.
#include "include/frame_block.glsl"
#include "include/tone_mapping.glsl"
#include "include/atmosphere.glsl"
#include "include/sun_shadow.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
in vec3 normal;
in vec3 shadow_position;
flat in vec2 shadow_slope;
in vec3 body_position;
in vec3 tile_uv;
in float openness;  // ambient openness 0..1: fraction of the hemisphere that the mover's own faces leave free
flat in vec3 colour;
#ifdef LAMPS
in vec3 lamp_light;  // of all lamps in reach
#endif
uniform sampler2DArray colour_textures;  // as in level.frag.glsl
out vec4 picture_colour;

void main() {
    vec3 n = gl_FrontFacing ? normal : -normal;
    vec4 tint = texture(colour_textures, tile_uv);
    vec3 albedo = colour * tint.rgb * tint.rgb * 2.0;
    // No lightmap: hemispheric ambient light of about half an open sky, times the openness.
    vec3 sky_light = mix(ground.rgb, 0.5 * (zenith.rgb + horizon.rgb), 0.5 + 0.5 * n.y) * (0.55 + 0.2 * n.y);
    sky_light *= 0.20 + 0.80 * openness;
    albedo *= 0.62 + 0.38 * openness;
    vec2 body_visibility = player_shadow(body_position, n.y);
    float sun_light = max(dot(n, to_sun.xyz), 0.0);
    sun_light *= static_shadow(shadow_position, shadow_slope);
    sun_light *= dynamic_shadow(shadow_position, shadow_slope) * body_visibility.x;
    vec3 radiance = albedo * (sky_light * body_visibility.y + sunlight.rgb * sun_light);
#ifdef LAMPS
    radiance += albedo * lamp_light;
#endif
    picture_colour = tone_map_dithered(apply_haze(radiance, world_position - eye.xyz), gl_FragCoord.xy);
    WRITE_DEPTH
}
