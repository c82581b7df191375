// Mover: vertices in its own frame.
#include "include/frame_block.glsl"
#include "include/sun_shadow.glsl"
#include "include/ambient.glsl"
#include "include/mover_lamps.glsl"
in vec3 in_position;
in vec3 in_normal;
in vec3 in_tile_uv;   // z: texture layer
in vec3 in_colour;    // linear
in float in_openness;  // 0..1: fraction of the hemisphere that the mover's own faces leave free
#ifdef LAMPS
out vec3 mover_lamp_light;  // of all lamps in reach
#endif
out vec3 world_position;
out vec3 normal;
out vec3 shadow_position;
flat out vec2 shadow_slope;
out vec3 body_position;
out vec3 tile_uv;
out vec3 sky_light;  // ambient light
flat out vec3 colour;

void main() {
    world_position = carried_position(in_position);
    normal = carried_direction(in_normal);
    shadow_position = shadow_map_position(world_position, normal, to_sun.w);
    shadow_slope = shadow_depth_slope(normal);
    body_position = to_body_space(world_position);
    tile_uv = in_tile_uv;
    // Of the side that the eye sees. The mover's own faces hide a part.
    vec3 seen_normal = faceforward(normal, world_position - eye.xyz, normal);
    sky_light = ambient(world_position, seen_normal) * mix(0.12, 1.0, in_openness);
    colour = in_colour;
#ifdef LAMPS
    mover_lamp_light = light_of_lamps(world_position, normal);
#endif
    gl_Position = world_to_clip * vec4(world_position, 1.0);
}
