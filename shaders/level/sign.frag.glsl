// Sign text from a distance field (Green 2007). Unlit dark ink, so that it reads in sun and shade.
#include "include/shade.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
in vec2 glyph_uv;
uniform sampler2D glyph_atlas;  // signed distance to the outline; 0.5 is the outline
uniform float distance_range;        // texels: distance of the values 0 and 1
out vec4 picture_colour;

void main() {
    float signed_distance = (texture(glyph_atlas, glyph_uv).r - 0.5) * 2.0 * distance_range;  // texels
    vec2 texels_per_pixel = fwidth(glyph_uv) * vec2(textureSize(glyph_atlas, 0));
    float pixel_texels = max(0.7 * max(texels_per_pixel.x, texels_per_pixel.y), 1e-4);  // texels per pixel
    // Strokes thinner than a pixel would fade: widen them by up to half a texel.
    float coverage = clamp((signed_distance + 0.12 * min(pixel_texels, 4.0)) / pixel_texels + 0.5, 0.0, 1.0);
    vec3 ink = vec3(0.016, 0.018, 0.024);
    picture_colour = vec4(shown_through_haze(ink, world_position - eye.xyz).rgb, coverage);
    WRITE_DEPTH
}
