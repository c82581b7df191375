// The goal's ring on the ground, its column of light and its core. `part` tells which.
#include "include/frame_block.glsl"
in vec3 in_position;  // unit shapes
in float in_part;
uniform vec4 goal;    // place; radius
uniform vec3 upward;  // unit, against the gravity there
out vec3 local;
out vec3 place;
flat out float part;

void main() {
    local = in_position;
    part = in_part;
    vec3 u = upward, s = abs(u.y) > 0.99 ? vec3(1.0, 0.0, 0.0) : normalize(cross(u, vec3(0.0, 1.0, 0.0)));
    mat3 stands = mat3(s, u, cross(s, u));
    vec3 p;
    if (in_part < 0.5)        // ring: a square on the ground
        p = goal.xyz + stands * (vec3(0.0, 0.015, 0.0) + goal.w * in_position);
    else if (in_part < 1.5)   // column: an open cylinder
        p = goal.xyz + stands * (vec3(0.78 * goal.w, 3.4, 0.78 * goal.w) * in_position);
    else {                    // core: a square that faces the eye
        vec3 middle = goal.xyz + u * (1.25 + 0.07 * sin(eye.w * 1.7));
        vec3 x = normalize(right.xyz), y = normalize(up.xyz);
        p = middle + 0.95 * (x * in_position.x + y * in_position.y);
    }
    place = p;
    gl_Position = world_to_clip * vec4(p, 1.0);
}
