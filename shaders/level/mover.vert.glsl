// What moves: corners that the renderer has put in their place.
#include "include/frame_block.glsl"
#include "include/sun_shadow.glsl"
in vec3 in_position;
in vec3 in_normal;
in vec3 in_tile_uv;     // z: texture layer
in vec3 in_colour;   // linear
in float in_openness;
out vec3 world_position;
out vec3 normal;
out vec3 shadow_position;
flat out vec2 shadow_slope;
out vec3 body_position;
out vec3 tile_uv;
out float openness;
flat out vec3 colour;

void main() {
    world_position = in_position;
    normal = in_normal;
    float cos_incidence = clamp(dot(normal, to_sun.xyz), -1.0, 1.0);
    vec3 offset_position = in_position + normal * sign(cos_incidence) * to_sun.w * (0.6 + 1.4 * sqrt(1.0 - cos_incidence * cos_incidence));
    shadow_position = (world_to_shadow * vec4(offset_position, 1.0)).xyz;
    shadow_slope = shadow_depth_slope(normal);
    body_position = to_body_space(in_position);
    tile_uv = in_tile_uv;
    openness = in_openness;
    colour = in_colour;
    gl_Position = world_to_clip * vec4(in_position, 1.0);
}
