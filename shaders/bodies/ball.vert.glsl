// Ball: instanced unit sphere.
#include "include/frame_block.glsl"
in vec3 in_position;
in vec4 in_centre;    // metres; w: radius
in vec4 in_rotation;  // unit quaternion: vector part; w: scalar part
in vec4 in_colour;    // sRGB; w unused
out vec3 world_position;
out vec3 normal;
out vec3 local_normal;  // in the frame of the ball
flat out vec3 colour;
flat out int instance;

vec3 rotate(vec3 p) {
    return p + 2.0 * cross(in_rotation.xyz, cross(in_rotation.xyz, p) + in_rotation.w * p);
}

void main() {
    local_normal = in_position;
    instance = gl_InstanceID;
    normal = rotate(in_position);
    world_position = in_centre.xyz + in_centre.w * normal;
    colour = pow((in_colour.rgb + 0.055) / 1.055, vec3(2.4));
    gl_Position = world_to_clip * vec4(world_position, 1.0);
}
