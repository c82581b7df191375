#include "include/frame_block.glsl"
#include "include/tone_mapping.glsl"
#include "include/atmosphere.glsl"
#include "include/sun_shadow.glsl"
#include "include/write_depth.glsl"
in vec3 place;
in vec3 normal;
in vec3 sun_place;
flat in vec2 sun_slope;
in vec3 body_place;
in vec3 tile;
in float open;  // part of what it looks at that its own walls leave free
flat in vec3 colour;
uniform sampler2DArray tints;   // as in level.frag.glsl
out vec4 picture_colour;

void main() {
    vec3 n = gl_FrontFacing ? normal : -normal;
    vec4 tint = texture(tints, tile);
    vec3 albedo = colour * tint.rgb * tint.rgb * 2.0;
    // nothing is gathered for what moves: half of an open sky, more of it upwards, and what its walls leave of it
    vec3 sky_light = mix(ground.rgb, 0.5 * (zenith.rgb + horizon.rgb), 0.5 + 0.5 * n.y) * (0.55 + 0.2 * n.y);
    sky_light *= 0.20 + 0.80 * open;
    albedo *= 0.62 + 0.38 * open;
    vec2 body = past_body(body_place, n.y);
    float sun = max(dot(n, to_sun.xyz), 0.0);
    sun *= sun_through_level(sun_place, sun_slope) * sun_through_movers(sun_place, sun_slope) * body.x;
    vec3 light = albedo * (sky_light * body.y + sunlight.rgb * sun);
    picture_colour = shown(veil(light, place - eye.xyz), gl_FragCoord.xy);
    WRITE_DEPTH
}
