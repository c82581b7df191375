#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec4 colour;
noperspective in vec2 pixel_offset;
flat in float half_length;
uniform float width_pixels;
uniform float opacity;
uniform float is_point;  // 1 for points
out vec4 picture_colour;

void main() {
    float beyond = max(abs(pixel_offset.x) - half_length, 0.0);
    float edge_distance = is_point > 0.5 ? length(pixel_offset) : length(vec2(beyond, pixel_offset.y));
    float coverage = clamp(width_pixels * 0.5 + 0.5 - edge_distance, 0.0, 1.0);
    if (coverage <= 0.0)
        discard;
    float rim = is_point * smoothstep(0.52, 0.80, edge_distance / (width_pixels * 0.5));
    picture_colour = vec4(mix(colour.rgb, vec3(0.04), 0.75 * rim), colour.a * coverage * opacity);
    WRITE_DEPTH
}
