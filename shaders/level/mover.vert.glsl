// Mover: vertices in world space, transformed on the CPU.
#include "include/frame_block.glsl"
#include "include/sun_shadow.glsl"
#include "include/ambient.glsl"
in vec3 in_position;
in vec3 in_normal;
in vec3 in_tile_uv;   // z: texture layer
in vec3 in_colour;    // linear
in float in_openness;  // 0..1: fraction of the hemisphere that the mover's own faces leave free
#ifdef LAMPS
in vec3 in_lamp_light;
out vec3 lamp_light;
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
    world_position = in_position;
    normal = in_normal;
    shadow_position = shadow_map_position(in_position, normal, to_sun.w);
    shadow_slope = shadow_depth_slope(normal);
    body_position = to_body_space(in_position);
    tile_uv = in_tile_uv;
    // Of the side that the eye sees. The mover's own faces hide a part.
    sky_light = ambient(in_position, faceforward(normal, in_position - eye.xyz, normal)) * mix(0.12, 1.0, in_openness);
    colour = in_colour;
#ifdef LAMPS
    lamp_light = in_lamp_light;
#endif
    gl_Position = world_to_clip * vec4(in_position, 1.0);
}
