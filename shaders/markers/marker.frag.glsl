// Markers: ray-traced gem with a ring (target), glow (lamp), arch of light (exit). Premultiplied.
#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec2 local_position;
in vec3 world_position;
flat in vec4 centre;
flat in vec4 colour_and_kind;
flat in vec2 state;
out vec4 picture_colour;

const float TURN = 6.2831853;
const vec2 GEM = vec2(0.21, 0.34);  // half width and half height, in units of the marker's size
const float RING = 0.60;            // radius, likewise

vec2 rotate2(vec2 p, float angle) {
    float s = sin(angle), c = cos(angle);
    return vec2(c * p.x - s * p.y, s * p.x + c * p.y);
}

// Ray against a rotating octahedron: premultiplied colour and distance. Intersection of four slabs.
vec4 trace_gem(vec3 origin, vec3 view, float angle, float scale, out float hit_distance) {
    origin.xz = rotate2(origin.xz, angle);
    view.xz = rotate2(view.xz, angle);
    vec3 plane_scale = 1.0 / (vec3(GEM.x, GEM.y, GEM.x) * max(scale, 1e-3));
    float entry = -1e9, second_entry = -1e9, exit_t = 1e9;
    vec3 front = plane_scale;
    for (int k = 0; k < 4; k++) {
        vec3 n = plane_scale * vec3(float(k & 1) * 2.0 - 1.0, 1.0, float(k >> 1) * 2.0 - 1.0);
        float speed = dot(n, view), offset = dot(n, origin);
        speed = abs(speed) < 1e-6 ? 1e-6 : speed;
        float a = (-1.0 - offset) / speed, b = (1.0 - offset) / speed;
        float t_near = min(a, b);
        if (t_near > entry) {
            second_entry = entry;
            entry = t_near;
            front = speed > 0.0 ? -n : n;
        } else
            second_entry = max(second_entry, t_near);
        exit_t = min(exit_t, max(a, b));
    }
    hit_distance = entry;
    float thickness = (exit_t - entry) / (GEM.x * scale);
    float coverage = clamp(thickness / max(fwidth(thickness), 1e-4) + 0.5, 0.0, 1.0) * step(-0.2, thickness);
    front = normalize(front);
    vec3 light_direction = normalize(vec3(0.45, 0.80, 0.40));
    light_direction.xz = rotate2(light_direction.xz, angle);
    float diffuse = 0.5 + 0.5 * dot(front, light_direction);
    float height = (origin.y + view.y * entry) / (GEM.y * max(scale, 1e-3));
    // Diffuse light from above, plus a glow that grows with the thickness along the ray.
    float brightness = 0.30 + 0.46 * diffuse * diffuse + 0.30 * min(thickness * 0.55, 1.0) + 0.12 * height;
    float specular = pow(max(dot(reflect(view, front), light_direction), 0.0), 10.0);
    float edge = 1.0 - smoothstep(0.0, 0.10, (entry - second_entry) / (GEM.x * scale));
    brightness += 0.35 * specular + 0.20 * edge;
    vec3 tint = mix(colour_and_kind.rgb, vec3(0.95, 1.0, 1.0), smoothstep(0.62, 1.30, brightness));
    return vec4(tint * min(0.10 + 0.95 * brightness, 1.0), 0.9) * coverage;
}

// Ray against a thin ring in the plane through the marker's centre: coverage and distance.
float trace_ring(vec3 origin, vec3 view, vec3 plane_normal, float radius, float half_width, out float hit_distance) {
    float cos_view = dot(view, plane_normal);
    hit_distance = -dot(origin, plane_normal) / (abs(cos_view) < 1e-3 ? 1e-3 : cos_view);
    float ring_offset = abs(length(origin + view * hit_distance) - radius);
    float filter_width = clamp(fwidth(ring_offset), 1e-4, 0.10);
    float coverage = 1.0 - smoothstep(half_width, half_width + 1.5 * filter_width, ring_offset);
    return coverage * smoothstep(0.03, 0.12, abs(cos_view)) * min(1.0, half_width / filter_width + 0.35);
}

void main() {
    float r = length(local_position), time = eye.w;
    vec4 premultiplied = vec4(0.0);
    if (colour_and_kind.w < 0.5) {
        vec3 origin = (eye.xyz - centre.xyz) / centre.w, view = normalize(world_position - eye.xyz);
        float reached = state.x, presence = 1.0 - smoothstep(0.0, 0.45, reached);
        float angle = 0.55 * time + TURN * state.y;
        vec3 tilt = normalize(vec3(0.34 * cos(0.4 * angle), 1.0, 0.34 * sin(0.4 * angle)));
        float fade = 1.0 - smoothstep(0.85, 1.0, r);
        float halo = exp2(-9.0 * r * r) * 0.34 * presence;
        float ring_distance, gem_distance;
        float ring_strength = trace_ring(origin, view, tilt, RING, 0.012, ring_distance);
        ring_strength *= 0.75 * presence + 0.26 * (1.0 - presence);
        float wave = 0.30 + 0.62 * sqrt(reached);
        float burst = (1.0 - smoothstep(0.0, 0.03 + 0.05 * reached, abs(r - wave))) * 0.8;
        burst *= sin(3.14159 * min(reached, 1.0));
        vec3 light = mix(vec3(0.72, 0.80, 0.82), colour_and_kind.rgb, presence);
        vec4 ring_colour = vec4(light, 0.35) * (ring_strength * fade);
        premultiplied.rgb = light * ((halo + burst) * fade);
        if (presence > 0.01) {
            vec4 gem_colour = trace_gem(origin, view, angle, presence, gem_distance);
            vec4 ring_behind = ring_distance > gem_distance ? ring_colour : vec4(0.0);
            premultiplied = (premultiplied + ring_behind) * (1.0 - gem_colour.a) + gem_colour;
            if (ring_distance <= gem_distance)
                premultiplied = premultiplied * (1.0 - ring_colour.a) + ring_colour;
        } else
            premultiplied += ring_colour;
    } else if (colour_and_kind.w < 1.5) {
        float night = 1.0 - smoothstep(0.15, 0.9, dot(zenith.rgb + horizon.rgb, vec3(0.33)));
        float falloff = max(1.0 - r, 0.0);
        float bulb = smoothstep(0.13, 0.06, r);
        float halo = (exp2(-6.0 * r) * 0.95 + 0.20 * falloff) * falloff * mix(0.20, 0.85, night);
        vec3 glow = mix(colour_and_kind.rgb, vec3(1.0, 0.99, 0.96), 0.8 * bulb + 0.3 * exp2(-9.0 * r));
        premultiplied.rgb = glow * min(bulb + halo, 1.0);
        premultiplied.a = 0.9 * bulb;
    } else {
        // Arch of light: a thin edge, and a curtain that is most transparent in the centre.
        float aspect = 2.25 / max(centre.w, 0.05);
        vec2 p = vec2(abs(local_position.x), max(local_position.y * aspect - (aspect - 1.0), 0.0));
        float in_arch = local_position.y * aspect > aspect - 1.0 ? length(p) : p.x;
        float filter_width = fwidth(in_arch) + 0.004;
        float arch_edge = 1.0 - smoothstep(0.02, 0.02 + filter_width, abs(in_arch - 0.95));
        float inside = 1.0 - smoothstep(0.95 - filter_width, 0.95, in_arch);
        float x = local_position.x, y = local_position.y;
        float wave = sin(TURN * (x * 1.7 + 0.35 * sin(TURN * y * 0.6 + 0.5 * time)) + 0.7 * time);
        float streaks = 0.70 + 0.30 * wave * sin(TURN * x * 2.3 - 0.43 * time);
        float foot = 0.35 + 0.65 * exp2(-2.2 * local_position.y);
        float curtain = inside * (0.07 + 0.26 * in_arch * in_arch) * streaks * foot;
        float strength = curtain + 0.42 * arch_edge * (0.45 + 0.55 * foot);
        premultiplied = vec4(colour_and_kind.rgb * strength, 0.30 * strength);
    }
    if (max(max(premultiplied.r, premultiplied.g), max(premultiplied.b, premultiplied.a)) < 0.002)
        discard;
    picture_colour = premultiplied;
    WRITE_DEPTH
}
