// Sky: full-screen triangle at infinite depth, with the view ray of each pixel.
#include "include/frame_block.glsl"
out vec3 ray;

void main() {
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
    ray = forward.xyz + right.xyz * corner.x + up.xyz * corner.y;
#ifdef REVERSED_DEPTH
    gl_Position = vec4(corner, 0.0, 1.0);
#else
    gl_Position = vec4(corner, -1.0, 1.0);
#endif
}
