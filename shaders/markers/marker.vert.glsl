// Marks that stand in the air: targets, lamps, exits. Each is a rectangle that faces the eye; `kind` tells which.
#include "include/frame_block.glsl"
in vec4 in_place;   // metres; w: size in metres
in vec4 in_look;    // colour as the screen shows it; w: kind: 0 target, 1 lamp, 2 exit
in vec2 in_state;   // 0 waiting .. 1 reached; where its turning begins
out vec2 local;     // -1..1; of an exit: y from 0 at its foot
out vec3 place;
flat out vec4 centre;
flat out vec4 look;
flat out vec2 state;

const float EXIT_TALL = 2.25;  // metres

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    vec3 middle = in_place.xyz;
    float size = in_place.w;
    local = corner;
    vec3 p;
    if (in_look.w > 1.5) {  // upright: turned to the eye on the plan only
        vec2 flat_away = middle.xz - eye.xz;
        vec2 away = flat_away / max(length(flat_away), 1e-4);
        local.y = corner.y * 0.5 + 0.5;
        p = middle + vec3(-away.y, 0.0, away.x) * (size * corner.x) + vec3(0.0, EXIT_TALL * local.y, 0.0);
    } else {
        if (in_look.w < 0.5)
            middle.y += 0.045 * sin(eye.w * 1.3 + 6.2831853 * in_state.y) * (1.0 - in_state.x);
        vec3 away = normalize(middle - eye.xyz);
        vec3 x = cross(away, abs(away.y) > 0.99 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0));
        x = normalize(x);
        p = middle + size * (x * corner.x + cross(x, away) * corner.y);
    }
    place = p;
    centre = vec4(middle, size);
    look = in_look;
    state = in_state;
    gl_Position = world_to_clip * vec4(p, 1.0);
}
