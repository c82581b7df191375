// Depth prepass of the level.
#include "include/frame_block.glsl"
#include "include/write_depth.glsl"

void main() {
    WRITE_DEPTH
}
