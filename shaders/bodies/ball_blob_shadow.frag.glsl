// Blob shadow of a ball: radial falloff.
#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec2 square_position;
flat in float opacity;
out vec4 picture_colour;

void main() {
    float radius_squared = dot(square_position, square_position);
    float falloff = max(1.0 - radius_squared, 0.0);
    picture_colour = vec4(0.0, 0.0, 0.0, opacity * falloff * falloff);
    WRITE_DEPTH
}
