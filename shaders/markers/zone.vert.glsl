// Faces of zones: water, pads, teleports, checkpoints, kills. `in_kind` tells which.
#include "include/frame_block.glsl"
in vec3 in_position;  // metres
in vec3 in_local;     // metres from the middle of the box, by its own directions
in vec3 in_half;      // half the box
in vec3 in_normal;    // outwards; by the box's own directions
in vec4 in_look;      // colour as the screen shows it; w: kind
in vec3 in_flow;      // m/s, in the world
out vec3 place;
out vec3 local;
flat out vec3 half_box;
flat out vec3 normal;
flat out vec4 look;
flat out vec3 flow;

void main() {
    place = in_position;
    local = in_local;
    half_box = in_half;
    normal = in_normal;
    look = in_look;
    flow = in_flow;
    gl_Position = world_to_clip * vec4(in_position, 1.0);
}
