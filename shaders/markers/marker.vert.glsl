// Markers as billboards: target gem, lamp glow, exit arch.
#include "include/frame_block.glsl"
#include "include/mover.glsl"
in vec4 in_centre;           // metres; w: size, metres
in vec4 in_colour_and_kind;  // sRGB; w: 0 target, 1 lamp, 2 exit
in vec2 in_state;            // x: 0 waiting to 1 reached; y: phase of the animation, turns
out vec2 local_position;     // -1..1; of an exit: y is 0 at the bottom
out vec3 world_position;
flat out vec4 centre;
flat out vec4 colour_and_kind;
flat out vec2 state;

const float EXIT_HEIGHT = 2.25;  // metres

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    vec3 centre_position = carried_position(in_centre.xyz);
    float size = in_centre.w;
    local_position = corner;
    vec3 position;
    if (in_colour_and_kind.w > 1.5) {  // exit: rotates about the vertical only
        vec2 horizontal_offset = centre_position.xz - eye.xz;
        vec2 from_eye = horizontal_offset / max(length(horizontal_offset), 1e-4);
        local_position.y = corner.y * 0.5 + 0.5;
        position = centre_position + vec3(-from_eye.y, 0.0, from_eye.x) * (size * corner.x) + vec3(0.0, EXIT_HEIGHT * local_position.y, 0.0);
    } else {
        if (in_colour_and_kind.w < 0.5)
            centre_position.y += 0.045 * sin(eye.w * 1.3 + 6.2831853 * in_state.y) * (1.0 - in_state.x);
        vec3 from_eye = normalize(centre_position - eye.xyz);
        vec3 x = cross(from_eye, abs(from_eye.y) > 0.99 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0));
        x = normalize(x);
        position = centre_position + size * (x * corner.x + cross(x, from_eye) * corner.y);
    }
    world_position = position;
    centre = vec4(centre_position, size);
    colour_and_kind = in_colour_and_kind;
    state = in_state;
    gl_Position = world_to_clip * vec4(position, 1.0);
}
