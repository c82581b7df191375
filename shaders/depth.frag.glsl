#include "frame.glsl"
#include "depth.glsl"

void main() {
    WRITE_DEPTH
}
