// Ellipsoids: a unit sphere, stretched, turned and put in its place.
#include "include/frame_block.glsl"
in vec3 in_position;
in vec4 in_place;    // metres; w: 1 for somebody with a visor
in vec4 in_radii;    // right, up, ahead; w unused
in vec4 in_turn;     // unit quaternion: vector part; w: scalar part
in vec4 in_colour;   // as the screen shows it; w: 1 solid, less glass
out vec3 place;
out vec3 normal;
out vec3 own;        // on the unit sphere, before it was stretched and turned
flat out vec4 colour;
flat out float somebody;

vec3 turned(vec3 p) {
    return p + 2.0 * cross(in_turn.xyz, cross(in_turn.xyz, p) + in_turn.w * p);
}

void main() {
    own = in_position;
    place = in_place.xyz + turned(in_position * in_radii.xyz);
    normal = turned(in_position / in_radii.xyz);
    colour = in_colour;
    somebody = in_place.w;
    gl_Position = world_to_clip * vec4(place, 1.0);
}
