// Depth prepass of the level: each pixel is shaded once only.
#include "include/frame_block.glsl"
in vec3 in_position;
invariant gl_Position;

void main() {
    gl_Position = world_to_clip * vec4(in_position, 1.0);
}
