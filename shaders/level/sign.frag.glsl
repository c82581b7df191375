// Ink: dark in any light, so that a sign reads in sun and in shade.
#include "include/frame_block.glsl"
#include "include/tone_mapping.glsl"
#include "include/atmosphere.glsl"
#include "include/write_depth.glsl"
in vec3 place;
in vec2 letter;
uniform sampler2D letters;  // distance to the outline, 0.5 on it
uniform float reach;        // texels that 0.5 stands for
out vec4 picture_colour;

void main() {
    float inside = (texture(letters, letter).r - 0.5) * 2.0 * reach;  // texels
    vec2 size = fwidth(letter) * vec2(textureSize(letters, 0));
    float pixel = max(0.7 * max(size.x, size.y), 1e-4);  // texels a pixel spans
    // far away strokes thinner than a pixel would fade: thicken them a little
    float cover = clamp((inside + 0.12 * min(pixel, 4.0)) / pixel + 0.5, 0.0, 1.0);
    vec3 light = vec3(0.016, 0.018, 0.024);
    picture_colour = vec4(toned(veil(light, place - eye.xyz)), cover);
    WRITE_DEPTH
}
