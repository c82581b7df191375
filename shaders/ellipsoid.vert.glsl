// Ellipsoids: a unit sphere, stretched, turned about the upright and put in its place.
#include "frame.glsl"
in vec3 in_position;
in vec4 in_place;    // metres; w: sine of the turn, counter-clockwise seen from above
in vec4 in_radii;    // right, up, ahead; w: its cosine
in vec4 in_colour;   // as the screen shows it; w: 1 solid, less glass
out vec3 place;
out vec3 normal;
flat out vec4 colour;

vec3 turned(vec3 p) {
    float s = in_place.w, c = in_radii.w;
    return vec3(c * p.x + s * p.z, p.y, c * p.z - s * p.x);
}

void main() {
    place = in_place.xyz + turned(in_position * in_radii.xyz);
    normal = turned(in_position / in_radii.xyz);
    colour = in_colour;
    gl_Position = world_to_clip * vec4(place, 1.0);
}
