#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec3 place;
uniform vec3 middle;
uniform vec4 sizes;
uniform float broad_pixels;  // width of the broad lines
out vec4 picture_colour;

// How much of a pixel the lines of a grid cover, one and a bit pixels wide; less where they would run together.
vec2 lines(vec2 at, vec2 pixel, float wide) {
    vec2 near = abs(fract(at - 0.5) - 0.5) / pixel;
    return clamp(wide * 0.5 + 0.5 - near, 0.0, 1.0) * clamp(1.3 - 2.6 * pixel, 0.0, 1.0);
}

void main() {
    vec2 at = place.xz;
    vec2 pixel = max(fwidth(at), vec2(1e-6));
    vec2 fine = lines(at / sizes.x, pixel / sizes.x, 0.7 * broad_pixels);
    vec2 broad = lines(at / sizes.y, pixel / sizes.y, broad_pixels);
    vec2 axis = clamp(0.7 * broad_pixels + 0.5 - abs(at) / pixel, 0.0, 1.0);
    float away = length(at - middle.xz) / sizes.z;
    float fading = clamp(1.0 - away * away, 0.0, 1.0);
    float small = max(fine.x, fine.y) * 0.42 * clamp(1.6 - 2.2 * away, 0.0, 1.0);
    float shown = max(small, max(broad.x, broad.y) * 0.75);
    vec3 colour = vec3(0.97, 0.96, 0.92);
    // where x is 0 runs the z axis, and the other way round
    colour = mix(colour, vec3(0.42, 0.62, 1.0), axis.x);
    colour = mix(colour, vec3(1.0, 0.45, 0.40), axis.y);
    shown = max(shown, max(axis.x, axis.y)) * fading * sizes.w;
    if (shown < 0.004)
        discard;
    picture_colour = vec4(colour, shown);
    WRITE_DEPTH
}
