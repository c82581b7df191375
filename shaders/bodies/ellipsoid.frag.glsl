#include "include/frame_block.glsl"
#include "include/tone_mapping.glsl"
#include "include/atmosphere.glsl"
#include "include/sun_shadow.glsl"
#include "include/write_depth.glsl"
in vec3 place;
in vec3 normal;
in vec3 own;
flat in vec4 colour;
flat in float somebody;
out vec4 picture_colour;

// Somebody: in the level's light, with a dark visor at the height of the eyes.
vec4 body(vec3 n, vec3 away) {
    vec3 d = normalize(away), o = normalize(own);
    vec3 albedo = pow((colour.rgb + 0.055) / 1.055, vec3(2.4));
    float wide = fwidth(o.y) + 1e-4;
    vec2 off = vec2(o.x / 0.72, (o.y - 0.60) / 0.13);
    float edge = length(off);
    float visor = (1.0 - smoothstep(1.0 - 8.0 * wide, 1.0, edge)) * step(o.z, -0.1);
    albedo = mix(albedo, vec3(0.012, 0.016, 0.022), visor);
    vec3 lifted = place + n * to_sun.w * 1.6;
    float sun = max(dot(n, to_sun.xyz), 0.0);
    vec3 spot_in_map = (world_to_shadow * vec4(lifted, 1.0)).xyz;
    vec2 slope = slope_in_map(n);
    sun *= sun_through_level(spot_in_map, slope) * sun_through_movers(spot_in_map, slope);
    vec3 sky_light = mix(0.55 * ground.rgb + 0.12, 0.60 * zenith.rgb + 0.35 * horizon.rgb, 0.5 + 0.5 * n.y);
    float open = mix(0.35, 1.0, smoothstep(-1.0, 0.1, o.y)) * mix(0.75, 1.2, 0.5 + 0.5 * n.y);  // the ground is near its foot
    vec3 light = albedo * (sky_light * open + sunlight.rgb * sun);
    float gloss = pow(max(dot(normalize(to_sun.xyz - d), n), 0.0), mix(40.0, 160.0, visor));
    float rim = pow(1.0 - max(-dot(d, n), 0.0), 4.0);
    light += sunlight.rgb * sun * gloss * mix(0.35, 1.2, visor) + (0.10 + 0.25 * visor) * rim * horizon.rgb;
    return vec4(shown(veil(light, away), gl_FragCoord.xy).rgb, colour.a);
}

void main() {
    vec3 n = normalize(normal), away = place - eye.xyz, d = normalize(away);
    float facing = clamp(-dot(n, d), 0.0, 1.0);
    float rim = pow(1.0 - facing, 2.5);
    float lit = 0.62 + 0.26 * max(dot(n, to_sun.xyz), 0.0) + 0.12 * n.y;
    float glass = 1.0 - colour.a;
    // glass is clear in its middle and bright along its rim; what is solid has a soft spot of the sun
    float spot = pow(max(dot(reflect(d, n), to_sun.xyz), 0.0), 24.0) * (1.0 - 0.6 * glass);
    vec3 seen = colour.rgb * lit + (0.30 * rim * glass + 0.35 * spot) * mix(vec3(1.0), colour.rgb, 0.4);
    float opacity = mix(colour.a, min(1.0, colour.a + 0.55), rim * step(0.001, glass));
    picture_colour = somebody > 0.5 ? body(n, away) : vec4(min(seen, vec3(1.0)), opacity);
    WRITE_DEPTH
}
