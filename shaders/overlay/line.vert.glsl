// Overlay line or point: a quad of constant width in pixels, plus one pixel on each side for antialiasing.
#include "include/frame_block.glsl"
in vec3 in_start;
in vec3 in_end;
in vec4 in_colour;
uniform float width_pixels;
uniform float inverse_fade_distance;  // 1/m
uniform float depth_scale;            // above 1: depth bias against z-fighting with a surface
out vec4 colour;
noperspective out vec2 pixel_offset;  // pixels from the centre, along and across the line
flat out float half_length;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    vec4 a = world_to_clip * vec4(in_start, 1.0), b = world_to_clip * vec4(in_end, 1.0);
    float near_plane = depth_parameters.x * 1.01;
    colour = vec4(0.0);
    pixel_offset = vec2(0.0);
    half_length = 0.0;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    // Clip at the near plane before the perspective division.
    if (a.w < near_plane && b.w < near_plane)
        return;
    if (a.w < near_plane)
        a = mix(a, b, (near_plane - a.w) / (b.w - a.w));
    if (b.w < near_plane)
        b = mix(b, a, (near_plane - b.w) / (a.w - b.w));
    vec4 clip = corner.x < 0.5 ? a : b;
    float attenuation = exp2(-pow(clip.w * inverse_fade_distance, 2.0));
    colour = vec4(in_colour.rgb, in_colour.a * attenuation);
    if (max(a.w, b.w) * inverse_fade_distance > 6.0 && min(a.w, b.w) * inverse_fade_distance > 3.0)
        return;
    vec2 a_pixels = a.xy / a.w * viewport.xy * 0.5, b_pixels = b.xy / b.w * viewport.xy * 0.5;
    vec2 along = b_pixels - a_pixels;
    float length_pixels = length(along);
    along = length_pixels > 1e-3 ? along / length_pixels : vec2(1.0, 0.0);
    vec2 perpendicular = vec2(-along.y, along.x);
    float half_width = width_pixels * 0.5 + 1.0;
    vec2 signs = corner * 2.0 - 1.0;
    vec2 direction = (along * signs.x + perpendicular * signs.y) * half_width;
    clip.xy += direction * viewport.zw * 2.0 * clip.w;
    half_length = length_pixels * 0.5;
    pixel_offset = vec2(signs.x * (half_length + half_width), signs.y * half_width);
    clip.z *= depth_scale;
    gl_Position = clip;
}
