// Water: surface with waves, reflection of the sky, foam at the sides, and colour by the length of the way through it.
#include "include/shade.glsl"
#include "include/water_waves.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
in vec3 local_position;
flat in vec3 half_size;
flat in vec3 normal;
flat in vec4 colour_and_kind;
flat in vec3 velocity;
flat in vec2 rotation;
layout(location = 0, index = 0) out vec4 added;
layout(location = 0, index = 1) out vec4 kept;  // of the picture behind

// Metres from a point of the surface through the box of the water, along the refracted view.
float way_through(vec3 view, float refraction) {
    vec3 below = normalize(vec3(view.x, min(view.y, -0.02) - refraction, view.z));
    vec3 x = vec3(rotation.y, 0.0, -rotation.x), z = vec3(rotation.x, 0.0, rotation.y);
    vec3 ray = vec3(dot(x, below), below.y, dot(z, below));
    vec3 leave = (sign(ray) * half_size - local_position) / (sign(ray) * max(abs(ray), vec3(1e-4)));
    return max(min(leave.x, min(leave.y, leave.z)), 0.0);
}

void main() {
    float time = eye.w, range = length(world_position - eye.xyz);
    vec3 view = (world_position - eye.xyz) / max(range, 1e-6);
    vec3 deep = deep_water(pow(colour_and_kind.rgb, vec3(2.2)));
    bool underwater = eye.y < world_position.y;
    if (normal.y < 0.5) {  // side of a box that stands free
        float opacity = 0.3 + 0.2 * local_position.y / half_size.y;
        added = vec4(tone_map(deep) * opacity, 1.0);
        kept = vec4(1.0 - opacity);
        WRITE_DEPTH
        return;
    }
    if (dot(world_position - eye.xyz, forward.xyz) < LENS_DISTANCE)
        discard;  // before the lens: the water line pass draws it, and the near plane would cut it open
    vec2 flowing = world_position.xz - velocity.xz * time;
    vec2 slope = ripples(flowing, time) / (1.0 + 0.02 * range * range) + wake(world_position, time);
    vec3 n = normalize(vec3(-slope.x, 1.0, -slope.y));
    float facing = abs(dot(view, n));
    float reflectance = underwater ? smoothstep(0.72, 0.60, facing) : 0.02 + 0.78 * pow(1.0 - facing, 4.0);
    if (underwater) {
        added = vec4(mix(vec3(0.75, 0.93, 0.95) * 0.16, tone_map(deep), reflectance * 0.9) * mix(0.5, 1.0, reflectance), 1.0);
        kept = vec4(1.0 - mix(0.16, 0.85, reflectance));
        WRITE_DEPTH
        return;
    }
    vec3 transmitted = exp(-WATER_EXTINCTION * way_through(view, 0.5));
    // Focused light on the floor: seen through the water, less the deeper it lies.
    float depth = min(2.0 * half_size.y, 1.5);
    vec2 floor_position = flowing + view.xz * (depth / max(-view.y, 0.25));
    float focus = caustics(floor_position, time) * clamp(dot(sunlight.rgb, vec3(0.25)), 0.0, 1.0) / (1.0 + 0.012 * range * range);
    vec3 mirrored = tone_map(sky_radiance(reflect(view, n)));
    vec3 glint = tone_map(sunlight.rgb) * pow(max(dot(reflect(view, n), to_sun.xyz), 0.0), 220.0) * 0.8;
    // The curve is not linear: roots of the factors look right on colours of the screen.
    vec3 seen = sqrt(transmitted) * 0.94;
    added = vec4(tone_map(deep) * (1.0 - seen) * (1.0 + 1.2 * (slope.x + slope.y)), 1.0);
    added.rgb += vec3(0.55, 0.75, 0.70) * (0.22 * focus) * seen;
    added.rgb = mix(added.rgb, mirrored, reflectance) + glint;
    kept = vec4(seen * (1.0 - reflectance), 1.0);
    // Foam: a wet line at the sides that comes and goes with the waves, and crests behind it.
    float inset = min(half_size.x - abs(local_position.x), half_size.z - abs(local_position.z));
    float lap = 0.06 + 0.05 * sin(3.1 * (flowing.x + flowing.y) + 1.7 * time) + 0.25 * (slope.x - slope.y);
    float bubbles = caustics(2.3 * flowing, 0.6 * time);
    float foam = 0.75 * smoothstep(lap + 0.03, lap - 0.03, inset) + 0.5 * bubbles * smoothstep(0.45, 0.05, inset);
    vec3 white = tone_map(0.7 * (0.5 * (zenith.rgb + horizon.rgb) + 0.6 * sunlight.rgb * max(to_sun.y, 0.0)));
    added.rgb = mix(added.rgb, white, min(foam, 0.85));
    kept *= 1.0 - min(foam, 0.85);
    WRITE_DEPTH
}
