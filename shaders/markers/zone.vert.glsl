// Faces of zones: water, launch pads, teleports, checkpoints, kill zones.
#include "include/frame_block.glsl"
in vec3 in_position;         // metres
in vec3 in_local_position;   // metres from the centre, along the axes of the box
in vec3 in_half_size;        // metres
in vec3 in_normal;           // outward, along the axes of the box
in vec4 in_colour_and_kind;  // sRGB; w: kind
in vec3 in_velocity;         // m/s, world; of a checkpoint, x: 1 for the last one reached
in vec2 in_rotation;         // sine and cosine of the heading of the box
out vec3 world_position;
out vec3 local_position;
flat out vec3 half_size;
flat out vec3 normal;
flat out vec4 colour_and_kind;
flat out vec3 velocity;
flat out vec2 rotation;

void main() {
    world_position = in_position;
    local_position = in_local_position;
    half_size = in_half_size;
    normal = in_normal;
    colour_and_kind = in_colour_and_kind;
    velocity = in_velocity;
    rotation = in_rotation;
    gl_Position = world_to_clip * vec4(in_position, 1.0);
}
