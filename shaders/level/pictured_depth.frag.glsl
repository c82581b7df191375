// Depth of a masked surface: its holes stay open.
#include "include/frame_block.glsl"
#include "include/material_block.glsl"
#include "include/alpha_mask.glsl"
#include "include/write_depth.glsl"
in vec2 uv;
in float vertex_opacity;
uniform sampler2D base_map;

void main() {
#ifdef SEPARATE_TRANSFORMS
    vec2 base_uv = texture_uv(uv, BASE_MAP);
#else
    vec2 base_uv = uv;
#endif
    float opacity = base_factor.a * vertex_opacity * texture(base_map, base_uv).a;
    if (masked_opacity(opacity, base_uv, vec2(textureSize(base_map, 0))) < factors.w)
        discard;
#ifndef SHADOW_MAP
    WRITE_DEPTH
#endif
}
