// Decal: self-lit picture, which appears in its own colours at brightness 1.
#include "include/frame_block.glsl"
#include "include/tone_mapping.glsl"
#include "include/atmosphere.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
in vec2 picture_uv;
uniform sampler2D picture;  // sRGB, decoded by the sampler
uniform float brightness;
out vec4 picture_colour;

void main() {
    vec4 texel = texture(picture, picture_uv);
    if (texel.a < 0.02)
        discard;  // the depth of a transparent pixel would hide the sky
    // Inverse of the exact tone curve 1 - 2^(-x (1.25 + 0.35 x)), x = 0.95 radiance: the radiance that it maps to
    // the texel's colour.
    vec3 shown = min(texel.rgb * brightness, vec3(0.985));
    vec3 radiance = (sqrt(1.5625 - 1.4 * log2(1.0 - shown)) - 1.25) / (0.7 * 0.95);
    picture_colour = vec4(tone_map(apply_haze(radiance, world_position - eye.xyz)), texel.a);
    WRITE_DEPTH
}
