// Leaf card: tone and outline of the leaves.
#include "include/shade.glsl"
#include "include/alpha_mask.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
in vec2 picture_uv;
in vec3 radiance;
uniform sampler2D leaf_picture;  // rgb: tone; a: opacity
out vec4 picture_colour;

void main() {
    vec4 leaf = texture(leaf_picture, picture_uv);
    float opacity = masked_opacity(leaf.a, picture_uv, vec2(textureSize(leaf_picture, 0)));
#ifdef ALPHA_TO_COVERAGE
    opacity = clamp((opacity - 0.5) / max(fwidth(opacity), 1e-3) + 0.5, 0.0, 1.0);
    if (opacity < 0.05)
        discard;
#else
    if (opacity < 0.5)
        discard;
#endif
    picture_colour = vec4(shown_through_haze(radiance * (1.6 * leaf.r), world_position - eye.xyz).rgb, opacity);
    WRITE_DEPTH
}
