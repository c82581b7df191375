// Zone faces, premultiplied: launch pad, teleport, checkpoint, kill zone.
#include "include/shade.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
in vec3 local_position;
flat in vec3 half_size;
flat in vec3 normal;
flat in vec4 colour_and_kind;
flat in vec3 velocity;  // of a checkpoint, x: 1 for the last one reached
flat in vec2 rotation;
out vec4 picture_colour;

const float TURN = 6.2831853;
const float PAD = 1.5, TELEPORT = 2.5, CHECKPOINT = 3.5;  // a kind is less than its constant

// Checkpoint, on the ground: corners and dashes while it waits, an unbroken double line once it is the last one reached.
vec4 shade_checkpoint_frame() {
    vec2 inset = half_size.xz - abs(local_position.xz);  // metres from the sides
    float edge = min(inset.x, inset.y), along = inset.x < inset.y ? local_position.z : local_position.x;
    float from_corner = max(inset.x, inset.y);
    float filter_width = fwidth(edge) + 0.004;
    float outer_line = 1.0 - smoothstep(0.035, 0.035 + filter_width, abs(edge - 0.12));
    float inner_line = 1.0 - smoothstep(0.018, 0.018 + filter_width, abs(edge - 0.26));
    float dash_filter = fwidth(along) / 0.5 + 0.02;
    float dashes = smoothstep(0.22 - dash_filter, 0.22 + dash_filter, abs(fract(along / 0.5) - 0.5));
    dashes = max(dashes, 1.0 - smoothstep(0.55, 0.60, from_corner));
    float line = 0.95 * mix(outer_line * dashes, max(outer_line, inner_line), velocity.x);
    // A dark rim, so that a bright line is readable on a bright floor.
    float rim = 1.0 - smoothstep(0.06, 0.10 + filter_width, abs(edge - 0.12 - 0.07 * velocity.x) - 0.07 * velocity.x);
    rim *= mix(dashes, 1.0, velocity.x) * 0.55;
    return mix(vec4(0.0, 0.0, 0.0, rim), vec4(colour_and_kind.rgb, 1.0), line);
}

// Checkpoint, above the ground: mist along the ray through the box, thinner upwards and towards the sides, so that no
// edge of the box can be seen. Shaded on the faces that face the eye; there is none for an eye inside.
vec4 shade_checkpoint_mist(float time) {
    vec3 from_eye = world_position - eye.xyz;
    vec3 x = vec3(rotation.y, 0.0, -rotation.x), z = vec3(rotation.x, 0.0, rotation.y);
    vec3 ray = normalize(vec3(dot(x, from_eye), from_eye.y, dot(z, from_eye)));
    if (dot(ray, normal) > -1e-4)
        return vec4(0.0);
    vec3 leave = (sign(ray) * half_size - local_position) / (sign(ray) * max(abs(ray), vec3(1e-4)));
    float chord = min(leave.x, min(leave.y, leave.z)), sum = 0.0;
    float softness = min(0.6, 0.8 * min(half_size.x, half_size.z));
    const int STEPS = 6;
    for (int k = 0; k < STEPS; k++) {
        vec3 position = local_position + ray * (chord * (float(k) + 0.5) / float(STEPS));
        vec2 inset = smoothstep(vec2(0.0), vec2(softness), half_size.xz - abs(position.xz));
        sum += inset.x * inset.y * exp2(-1.9 * (position.y + half_size.y)) * smoothstep(0.0, 0.3, half_size.y - position.y);
    }
    float depth = sum * chord / float(STEPS);
    vec3 eye_offset = abs(local_position - ray * length(from_eye)) - half_size;
    float near_fade = smoothstep(0.0, 1.5, length(max(eye_offset, 0.0)));
    float brightness = 0.42 * (1.0 - exp2(-1.1 * depth)) * near_fade * (0.92 + 0.08 * sin(2.0 * time));
    brightness *= 1.0 - 0.75 * velocity.x;
    return vec4(colour_and_kind.rgb, 0.92) * brightness;
}

void main() {
    float time = eye.w;
    vec4 premultiplied = vec4(0.0);
    if (colour_and_kind.w < PAD) {
        float ring = max(abs(local_position.x), abs(local_position.z)) / max(half_size.x, 0.01);
        if (normal.y > 0.5) {  // squares that travel outwards, brightest at the edge
            float wave = fract(ring * 2.0 - time * 0.9);
            float brightness = smoothstep(0.55, 1.0, wave) * (1.0 - ring * 0.4) + smoothstep(0.90, 0.93, ring);
            premultiplied = vec4(colour_and_kind.rgb * brightness, 0.25 * brightness);
        } else {
            float height = (local_position.y + half_size.y) / (2.0 * half_size.y);
            float brightness = 0.30 * (1.0 - height) * (1.0 - height);
            premultiplied = vec4(colour_and_kind.rgb * brightness, 0.0);
        }
    } else if (colour_and_kind.w < TELEPORT) {
        vec3 unit = local_position / half_size;
        vec2 face_position = abs(normal.x) > 0.5 ? unit.zy : abs(normal.y) > 0.5 ? unit.xz : unit.xy;
        float edge = smoothstep(0.90, 0.97, max(abs(face_position.x), abs(face_position.y)));
        float swirl = sin(3.0 * atan(face_position.y, face_position.x) + 9.0 * length(face_position) - 2.6 * time);
        float brightness = 0.16 + 0.14 * swirl * (1.0 - 0.5 * length(face_position)) + 0.7 * edge;
        premultiplied = vec4(colour_and_kind.rgb * brightness, 0.35 * brightness);
    } else if (colour_and_kind.w < CHECKPOINT) {
        premultiplied = normal.y < -0.5 ? shade_checkpoint_frame() : shade_checkpoint_mist(time);
    } else {
        float height = (local_position.y + half_size.y) / (2.0 * half_size.y);
        float pulse = 0.75 + 0.25 * sin(2.2 * time + 3.0 * (local_position.x + local_position.z));
        float brightness = normal.y > 0.5 ? 0.30 * pulse : 0.22 * height * pulse;
        premultiplied = vec4(colour_and_kind.rgb * brightness, 0.5 * brightness);
    }
    if (max(max(premultiplied.r, premultiplied.g), max(premultiplied.b, premultiplied.a)) < 0.002)
        discard;
    picture_colour = premultiplied;
    WRITE_DEPTH
}
