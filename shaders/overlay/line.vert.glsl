// A line or a point as a rectangle of constant width in pixels, with a pixel around it for its soft edge.
#include "include/frame_block.glsl"
in vec3 in_from;
in vec3 in_to;
in vec4 in_colour;
uniform float thick;  // pixels
uniform float fade;   // one over the metres that it fades over
out vec4 colour;
noperspective out vec2 across;  // pixels from the middle, along and aside
flat out float long_half;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    vec4 a = world_to_clip * vec4(in_from, 1.0), b = world_to_clip * vec4(in_to, 1.0);
    float near = depth.x * 1.01;
    colour = vec4(0.0);
    across = vec2(0.0);
    long_half = 0.0;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    // what lies behind the eye is cut off before the division
    if (a.w < near && b.w < near)
        return;
    if (a.w < near)
        a = mix(a, b, (near - a.w) / (b.w - a.w));
    if (b.w < near)
        b = mix(b, a, (near - b.w) / (a.w - b.w));
    vec4 p = corner.x < 0.5 ? a : b;
    float dim = exp2(-pow(p.w * fade, 2.0));
    colour = vec4(in_colour.rgb, in_colour.a * dim);
    if (max(a.w, b.w) * fade > 6.0 && min(a.w, b.w) * fade > 3.0)
        return;
    vec2 pa = a.xy / a.w * picture.xy * 0.5, pb = b.xy / b.w * picture.xy * 0.5;
    vec2 along = pb - pa;
    float size = length(along);
    along = size > 1e-3 ? along / size : vec2(1.0, 0.0);
    vec2 aside = vec2(-along.y, along.x);
    float reach = thick * 0.5 + 1.0;
    vec2 signs = corner * 2.0 - 1.0;
    vec2 pixels = (along * signs.x + aside * signs.y) * reach;
    p.xy += pixels * picture.zw * 2.0 * p.w;
    long_half = size * 0.5;
    across = vec2(signs.x * (long_half + reach), signs.y * reach);
    p.z *= 1.002;  // a hair nearer, so that lines on a surface do not sink into it
    gl_Position = p;
}
