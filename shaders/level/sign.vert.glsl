// Sign text: glyph quads on the boards.
#include "include/frame_block.glsl"
#include "include/mover.glsl"
in vec3 in_position;
in vec2 in_glyph_uv;
out vec3 world_position;
out vec2 glyph_uv;

void main() {
    world_position = carried_position(in_position);
    glyph_uv = in_glyph_uv;
    gl_Position = world_to_clip * vec4(world_position, 1.0);
}
