// Ellipsoid: instanced unit sphere, scaled, rotated and translated.
#include "include/frame_block.glsl"
in vec3 in_position;
in vec4 in_centre;    // metres; w: 1 for a character with a visor, 2 for a part of it; negative for a ghost
in vec4 in_radii;    // metres: right, up, back; w unused
in vec4 in_rotation;  // unit quaternion: vector part; w: scalar part
in vec4 in_colour;    // sRGB; w: opacity
out vec3 world_position;
out vec3 normal;
out vec3 local_normal;  // position on the unit sphere, in the frame of the body
flat out vec4 colour;
flat out float is_character;
flat out int instance;

vec3 rotate(vec3 p) {
    return p + 2.0 * cross(in_rotation.xyz, cross(in_rotation.xyz, p) + in_rotation.w * p);
}

void main() {
    local_normal = in_position;
    world_position = in_centre.xyz + rotate(in_position * in_radii.xyz);
    normal = rotate(in_position / in_radii.xyz);
    colour = in_colour;
    instance = gl_InstanceID;
    is_character = in_centre.w;
    gl_Position = world_to_clip * vec4(world_position, 1.0);
}
