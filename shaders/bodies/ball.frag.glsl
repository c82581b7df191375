#include "include/frame_block.glsl"
#include "include/tone_mapping.glsl"
#include "include/atmosphere.glsl"
#include "include/sun_shadow.glsl"
#include "include/write_depth.glsl"
in vec3 place;
in vec3 normal;
in vec3 own;
flat in vec3 colour;
out vec4 picture_colour;

void main() {
    vec3 away = place - eye.xyz;
    vec3 n = normalize(normal), o = normalize(own), d = normalize(away);
    // a pale belt round it and two caps, so that one sees it roll
    float wide = fwidth(o.y) + 1e-4;
    float belt = 1.0 - smoothstep(0.16 - wide, 0.16 + wide, abs(o.y));
    float cap = smoothstep(0.90 - wide, 0.90 + wide, abs(o.y));
    vec3 albedo = mix(colour, mix(colour, vec3(0.92), 0.72), max(belt, cap));
    vec3 lifted = place + n * to_sun.w * 1.6;
    float sun = max(dot(n, to_sun.xyz), 0.0);
    vec3 spot_in_map = (world_to_shadow * vec4(lifted, 1.0)).xyz;
    vec2 slope = slope_in_map(n);
    sun *= sun_through_level(spot_in_map, slope) * sun_through_movers(spot_in_map, slope);
    vec3 sky_light = mix(0.55 * ground.rgb + 0.12, 0.60 * zenith.rgb + 0.35 * horizon.rgb, 0.5 + 0.5 * n.y);
    vec3 light = albedo * (sky_light + sunlight.rgb * sun);
    float spot = pow(max(dot(normalize(to_sun.xyz - d), n), 0.0), 60.0);
    float rim = pow(1.0 - max(-dot(d, n), 0.0), 4.0);
    light += sunlight.rgb * sun * spot * 0.6 + rim * 0.12 * horizon.rgb;
    picture_colour = shown(veil(light, away), gl_FragCoord.xy);
    WRITE_DEPTH
}
