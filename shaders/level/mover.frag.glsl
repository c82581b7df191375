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
in float openness;  // part of what it looks at that its own walls leave free
flat in vec3 colour;
uniform sampler2DArray colour_textures;   // as in level.frag.glsl
out vec4 picture_colour;

void main() {
    vec3 n = gl_FrontFacing ? normal : -normal;
    vec4 tint = texture(colour_textures, tile_uv);
    vec3 albedo = colour * tint.rgb * tint.rgb * 2.0;
    // nothing is gathered for what moves: half of an open sky, more of it upwards, and what its walls leave of it
    vec3 sky_light = mix(ground.rgb, 0.5 * (zenith.rgb + horizon.rgb), 0.5 + 0.5 * n.y) * (0.55 + 0.2 * n.y);
    sky_light *= 0.20 + 0.80 * openness;
    albedo *= 0.62 + 0.38 * openness;
    vec2 body_visibility = player_shadow(body_position, n.y);
    float sun_light = max(dot(n, to_sun.xyz), 0.0);
    sun_light *= static_shadow(shadow_position, shadow_slope) * dynamic_shadow(shadow_position, shadow_slope) * body_visibility.x;
    vec3 radiance = albedo * (sky_light * body_visibility.y + sunlight.rgb * sun_light);
    picture_colour = tone_map_dithered(apply_haze(radiance, world_position - eye.xyz), gl_FragCoord.xy);
    WRITE_DEPTH
}
