// Blob shadow of a ball: a quad on the ground below it.
#include "include/frame_block.glsl"
in vec2 in_corner;
in vec4 in_ground;   // metres; w: radius of the shadow
in vec4 in_normal;   // of the ground; w: opacity
out vec2 square_position;
flat out float opacity;

void main() {
    vec3 n = in_normal.xyz;
    vec3 tangent = normalize(cross(n, abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    vec3 position = in_ground.xyz + n * 0.004 + in_ground.w * (in_corner.x * tangent + in_corner.y * cross(n, tangent));
    square_position = in_corner;
    opacity = in_normal.w;
    gl_Position = world_to_clip * vec4(position, 1.0);
}
