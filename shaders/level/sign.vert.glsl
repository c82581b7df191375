#include "include/frame_block.glsl"
in vec3 in_position;
in vec2 in_letter;
out vec3 place;
out vec2 letter;

void main() {
    place = in_position;
    letter = in_letter;
    gl_Position = world_to_clip * vec4(in_position, 1.0);
}
