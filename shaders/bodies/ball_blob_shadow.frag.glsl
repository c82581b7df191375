#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec2 at;
flat in float dark;
out vec4 picture_colour;

void main() {
    float away = dot(at, at);
    float spot = max(1.0 - away, 0.0);
    picture_colour = vec4(0.0, 0.0, 0.0, dark * spot * spot);
    WRITE_DEPTH
}
