#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
uniform vec3 grid_centre;
uniform vec4 grid_parameters;
uniform float major_line_pixels;
out vec4 picture_colour;

// Coverage of a pixel by grid lines at integers, per axis; fades out where lines are closer than a few pixels.
vec2 line_coverage(vec2 position, vec2 pixel, float width_pixels) {
    vec2 distance_pixels = abs(fract(position - 0.5) - 0.5) / pixel;
    return clamp(width_pixels * 0.5 + 0.5 - distance_pixels, 0.0, 1.0) * clamp(1.3 - 2.6 * pixel, 0.0, 1.0);
}

void main() {
    vec2 position = world_position.xz;
    vec2 pixel = max(fwidth(position), vec2(1e-6));
    vec2 minor = line_coverage(position / grid_parameters.x, pixel / grid_parameters.x, 0.7 * major_line_pixels);
    vec2 major = line_coverage(position / grid_parameters.y, pixel / grid_parameters.y, major_line_pixels);
    vec2 axis = clamp(0.7 * major_line_pixels + 0.5 - abs(position) / pixel, 0.0, 1.0);
    float radius = length(position - grid_centre.xz) / grid_parameters.z;
    float fade = clamp(1.0 - radius * radius, 0.0, 1.0);
    float minor_opacity = max(minor.x, minor.y) * 0.42 * clamp(1.6 - 2.2 * radius, 0.0, 1.0);
    float opacity = max(minor_opacity, max(major.x, major.y) * 0.75);
    vec3 colour = vec3(0.97, 0.96, 0.92);
    // The z axis lies at x = 0, the x axis at z = 0.
    colour = mix(colour, vec3(0.42, 0.62, 1.0), axis.x);
    colour = mix(colour, vec3(1.0, 0.45, 0.40), axis.y);
    opacity = max(opacity, max(axis.x, axis.y)) * fade * grid_parameters.w;
    if (opacity < 0.004)
        discard;
    picture_colour = vec4(colour, opacity);
    WRITE_DEPTH
}
