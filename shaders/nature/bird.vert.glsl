// Bird: body and two wings that flap, on a circle around the middle of its flock. Each cell around the eye has a flock.
#include "include/frame_block.glsl"
uniform float lowest;  // metres
out vec3 world_position;
flat out vec3 normal;

// Corners of a wing and of half a body, right and forward in metres; y: part of the wing that flaps.
const float SIZE = 1.3;  // factor of a wing of 0.58 m
const vec3 CORNERS[12] = vec3[](
    vec3(0.04, 0.0, 0.10), vec3(0.04, 0.0, -0.10), vec3(0.24, 0.4, 0.08), vec3(0.24, 0.4, 0.08), vec3(0.04, 0.0, -0.10),
    vec3(0.24, 0.4, -0.07), vec3(0.24, 0.4, 0.08), vec3(0.24, 0.4, -0.07), vec3(0.58, 1.0, -0.05),
    vec3(0.0, 0.0, 0.22), vec3(0.0, 0.0, -0.30), vec3(0.05, 0.0, -0.02));

float hash(vec3 p) {
    return fract(sin(dot(p, vec3(12.9898, 78.233, 37.719))) * 43758.5453);
}

vec3 placed(vec3 corner, float side, float beat, float flapping, float heading, vec3 at) {
    float lift = mix(0.12, 0.04 + 0.32 * sin(beat - 0.9 * corner.y), flapping);
    vec3 local = SIZE * vec3(side * corner.x, corner.y * lift, -corner.z);
    float s = sin(heading), c = cos(heading);
    return at + vec3(c * local.x + s * local.z, local.y, c * local.z - s * local.x);
}

void main() {
    int flock = gl_InstanceID / BIRDS_PER_FLOCK, side = gl_VertexID / 12, first = gl_VertexID % 12 / 3 * 3;
    vec2 cell = floor(eye.xz / BIRD_CELL + 0.5) + vec2(flock % 3 - 1, flock / 3 - 1);
    vec3 seed = vec3(cell, gl_InstanceID % BIRDS_PER_FLOCK);
    float of_flock = hash(vec3(cell, 91.0)), of_bird = hash(seed), turning = of_flock < 0.5 ? -1.0 : 1.0;
    float radius = mix(12.0, 24.0, of_flock) + mix(-3.0, 3.0, of_bird);
    float angle = turning * (0.16 * eye.w + 0.9 * hash(seed + 5.0)) + 6.2831853 * of_flock;
    vec3 at = vec3(BIRD_CELL * cell.x, lowest + 7.0 * of_flock + 3.0 * hash(seed + 9.0) + 0.8 * sin(0.5 * eye.w + 6.0 * of_bird), BIRD_CELL * cell.y);
    at.xz += radius * vec2(cos(angle), sin(angle));
    float heading = -angle + (turning > 0.0 ? 3.14159265 : 0.0);
    float flapping = smoothstep(-0.3, 0.4, sin(0.7 * eye.w + 6.2831853 * hash(seed + 3.0)));  // 0: it glides
    float beat = (9.0 + 2.0 * of_bird) * eye.w;
    vec3 corners[3];
    for (int k = 0; k < 3; k++)
        corners[k] = placed(CORNERS[first + k], side == 0 ? 1.0 : -1.0, beat, flapping, heading, at);
    world_position = corners[gl_VertexID % 3];
    normal = normalize(cross(corners[1] - corners[0], corners[2] - corners[0]));
    gl_Position = world_to_clip * vec4(world_position, 1.0);
}
