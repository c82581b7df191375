// Debug line or point: a quad of constant width in pixels.
#include "include/frame_block.glsl"
in vec3 in_start;
in vec3 in_end;
in vec3 in_colour;
uniform float width_pixels;
out vec3 colour;
out vec2 quad_position;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    vec4 a = world_to_clip * vec4(in_start, 1.0), b = world_to_clip * vec4(in_end, 1.0);
    // Clip at the near plane before the perspective division.
    float near_plane = depth_parameters.x * 1.01;
    if (a.w < near_plane && b.w < near_plane) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        colour = vec3(0.0);
        quad_position = vec2(0.0);
        return;
    }
    if (a.w < near_plane)
        a = mix(a, b, (near_plane - a.w) / (b.w - a.w));
    if (b.w < near_plane)
        b = mix(b, a, (near_plane - b.w) / (a.w - b.w));
    vec2 a_pixels = a.xy / a.w * viewport.xy * 0.5, b_pixels = b.xy / b.w * viewport.xy * 0.5;
    vec2 along = b_pixels - a_pixels;
    along = dot(along, along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
    vec2 perpendicular = vec2(-along.y, along.x);
    vec4 clip = corner.x < 0.5 ? a : b;
    vec2 direction = (corner.x < 0.5 ? -along : along) + perpendicular * (corner.y * 2.0 - 1.0);
    clip.xy += direction * width_pixels * 0.5 * viewport.zw * 2.0 * clip.w;
    colour = in_colour;
    quad_position = corner * 2.0 - 1.0;
    clip.z *= 1.003;  // depth bias against z-fighting with a surface
    gl_Position = clip;
}
