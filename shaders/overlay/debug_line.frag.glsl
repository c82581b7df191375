#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec3 colour;
in vec2 quad_position;
uniform float opacity;
uniform float is_point;  // 1 for points
out vec4 picture_colour;

void main() {
    float edge_distance = is_point > 0.5 ? length(quad_position) : abs(quad_position.y);
    if (is_point > 0.5 && edge_distance > 1.0)
        discard;
    picture_colour = vec4(mix(colour, vec3(0.0), 0.55 * smoothstep(0.55, 0.85, edge_distance) * is_point), opacity);
    WRITE_DEPTH
}
