// Balls: a unit sphere each, in its place; lit and shaded pixel by pixel.
#include "include/frame_block.glsl"
in vec3 in_position;
in vec4 in_place;    // metres; w: radius
in vec4 in_turn;     // unit quaternion: vector part; w: scalar part
in vec4 in_colour;   // sRGB; w unused
out vec3 place;
out vec3 normal;
out vec3 own;  // the normal as the ball has it, before it turned
flat out vec3 colour;

vec3 turned(vec3 p) {
    return p + 2.0 * cross(in_turn.xyz, cross(in_turn.xyz, p) + in_turn.w * p);
}

void main() {
    own = in_position;
    normal = turned(in_position);
    place = in_place.xyz + in_place.w * normal;
    colour = pow((in_colour.rgb + 0.055) / 1.055, vec3(2.4));
    gl_Position = world_to_clip * vec4(place, 1.0);
}
