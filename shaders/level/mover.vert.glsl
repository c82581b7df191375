// What moves: corners that the renderer has put in their place.
#include "include/frame_block.glsl"
#include "include/sun_shadow.glsl"
in vec3 in_position;
in vec3 in_normal;
in vec3 in_tile;     // z: texture layer
in vec3 in_colour;   // linear
in float in_open;
out vec3 place;
out vec3 normal;
out vec3 sun_place;
flat out vec2 sun_slope;
out vec3 body_place;
out vec3 tile;
out float open;
flat out vec3 colour;

void main() {
    place = in_position;
    normal = in_normal;
    float graze = clamp(dot(normal, to_sun.xyz), -1.0, 1.0);
    vec3 lifted = in_position + normal * sign(graze) * to_sun.w * (0.6 + 1.4 * sqrt(1.0 - graze * graze));
    sun_place = (world_to_shadow * vec4(lifted, 1.0)).xyz;
    sun_slope = slope_in_map(normal);
    body_place = beside_body(in_position);
    tile = in_tile;
    open = in_open;
    colour = in_colour;
    gl_Position = world_to_clip * vec4(in_position, 1.0);
}
