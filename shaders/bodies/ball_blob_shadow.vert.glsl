// The soft dark spot of a ball on what is below it: a square on the ground.
#include "include/frame_block.glsl"
in vec2 in_corner;
in vec4 in_ground;   // metres; w: radius of the spot
in vec4 in_normal;   // of the ground; w: how dark
out vec2 at;
flat out float dark;

void main() {
    vec3 n = in_normal.xyz;
    vec3 side = normalize(cross(n, abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    vec3 p = in_ground.xyz + n * 0.004 + in_ground.w * (in_corner.x * side + in_corner.y * cross(n, side));
    at = in_corner;
    dark = in_normal.w;
    gl_Position = world_to_clip * vec4(p, 1.0);
}
