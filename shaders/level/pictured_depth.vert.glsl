// Depth of a masked surface, seen by the camera or, with SHADOW_MAP, by the sun.
#include "include/frame_block.glsl"
#include "include/material_block.glsl"
#include "include/mover.glsl"
in vec3 in_position;
in vec2 in_uv;
in vec4 in_colour;
out vec2 uv;
out float vertex_opacity;
#ifdef SHADOW_MAP
uniform mat4 world_to_light_clip;
#else
invariant gl_Position;
#endif

void main() {
    vec3 position = carried_position(in_position);
    uv = scrolled_uv(in_uv, eye.w);
#ifndef SEPARATE_TRANSFORMS
    uv = texture_uv(uv, BASE_MAP);
#endif
    vertex_opacity = in_colour.a;
#ifdef SHADOW_MAP
    gl_Position = world_to_light_clip * vec4(position, 1.0);
#else
    gl_Position = world_to_clip * vec4(position, 1.0);
#endif
}
