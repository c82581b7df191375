// Decal: self-lit picture, which appears in its own colours.
#include "include/shade.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
in vec2 picture_uv;
uniform sampler2D picture;  // sRGB, decoded by the sampler
out vec4 picture_colour;

void main() {
    vec4 texel = texture(picture, picture_uv);
    if (texel.a < 0.02)
        discard;  // the depth of a transparent pixel would hide the sky
    picture_colour = vec4(own_colour_through_haze(texel.rgb, world_position - eye.xyz), texel.a);
    WRITE_DEPTH
}
