// Overlay face: a translucent triangle over a face of the level.
#include "include/frame_block.glsl"
in vec3 in_position;
in vec4 in_colour;
in float in_stripes;
out vec3 world_position;
flat out vec4 colour;
flat out float stripes;

void main() {
    world_position = in_position;
    colour = in_colour;
    stripes = in_stripes;
    gl_Position = world_to_clip * vec4(in_position, 1.0);
    gl_Position.z *= 1.0008;  // depth bias against z-fighting with the face below
}
