// Faces of zones: water, pads, teleports, checkpoints, kills. `in_kind` tells which.
#include "include/frame_block.glsl"
in vec3 in_position;  // metres
in vec3 in_local_position;     // metres from the middle of the box, by its own directions
in vec3 in_half_size;      // half the box
in vec3 in_normal;    // outwards; by the box's own directions
in vec4 in_colour_and_kind;      // colour as the screen shows it; w: kind
in vec3 in_velocity;      // m/s, in the world
out vec3 world_position;
out vec3 local_position;
flat out vec3 half_size;
flat out vec3 normal;
flat out vec4 colour_and_kind;
flat out vec3 velocity;

void main() {
    world_position = in_position;
    local_position = in_local_position;
    half_size = in_half_size;
    normal = in_normal;
    colour_and_kind = in_colour_and_kind;
    velocity = in_velocity;
    gl_Position = world_to_clip * vec4(in_position, 1.0);
}
