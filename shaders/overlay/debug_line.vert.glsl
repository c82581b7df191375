// A line or a point as a rectangle of constant width in pixels.
#include "include/frame_block.glsl"
in vec3 in_from;
in vec3 in_to;
in vec3 in_colour;
uniform float thick;  // pixels
out vec3 colour;
out vec2 across;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    vec4 a = world_to_clip * vec4(in_from, 1.0), b = world_to_clip * vec4(in_to, 1.0);
    // what lies behind the eye is cut off before the division
    float near = depth.x * 1.01;
    if (a.w < near && b.w < near) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        colour = vec3(0.0);
        across = vec2(0.0);
        return;
    }
    if (a.w < near)
        a = mix(a, b, (near - a.w) / (b.w - a.w));
    if (b.w < near)
        b = mix(b, a, (near - b.w) / (a.w - b.w));
    vec2 pa = a.xy / a.w * picture.xy * 0.5, pb = b.xy / b.w * picture.xy * 0.5;
    vec2 along = pb - pa;
    along = dot(along, along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
    vec2 aside = vec2(-along.y, along.x);
    vec4 p = corner.x < 0.5 ? a : b;
    vec2 pixels = (corner.x < 0.5 ? -along : along) + aside * (corner.y * 2.0 - 1.0);
    p.xy += pixels * thick * 0.5 * picture.zw * 2.0 * p.w;
    colour = in_colour;
    across = corner * 2.0 - 1.0;
    p.z *= 1.003;  // a hair nearer, so that lines on a surface do not sink into it
    gl_Position = p;
}
