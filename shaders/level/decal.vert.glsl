// Decal: a picture on a rectangle in the world. Six vertices without a buffer.
#include "include/frame_block.glsl"
uniform vec3 centre;      // metres
uniform vec3 half_right;  // metres, from the centre to the right edge
uniform vec3 half_up;     // metres, from the centre to the upper edge
out vec3 world_position;
out vec2 picture_uv;

const vec2 CORNERS[6] = vec2[](vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, -1.0), vec2(1.0, 1.0),
                               vec2(-1.0, 1.0));

void main() {
    vec2 corner = CORNERS[gl_VertexID];
    world_position = centre + corner.x * half_right + corner.y * half_up;
    picture_uv = vec2(0.5 + 0.5 * corner.x, 0.5 - 0.5 * corner.y);  // the first row of the picture is its top
    gl_Position = world_to_clip * vec4(world_position, 1.0);
}
