// Sunlit cloth, which lets light through, and a striped pole.
#include "include/frame_block.glsl"
#include "include/tone_mapping.glsl"
#include "include/atmosphere.glsl"
#include "include/write_depth.glsl"
in vec3 place;
in vec3 normal;
flat in float part;
uniform vec3 colour;  // linear
uniform float foot;   // metres: where the stripes of the pole begin
out vec4 picture_colour;

void main() {
    vec3 n = normalize(normal), away = place - eye.xyz;
    if (dot(n, away) > 0.0)
        n = -n;
    float facing = dot(n, to_sun.xyz);
    float sun = part > 0.5 ? max(facing, 0.0) + 0.45 * max(-facing, 0.0) : max(facing, 0.0);
    vec3 sky = mix(ground.rgb, zenith.rgb, 0.5 + 0.5 * n.y) * 0.7 + 0.25 * horizon.rgb;
    float band = step(0.5, fract((place.y - foot) / 0.5));
    vec3 white = part > 0.5 ? colour : mix(vec3(0.80, 0.78, 0.74), colour, band);
    picture_colour = shown(veil(white * (sunlight.rgb * sun + sky), away), gl_FragCoord.xy);
    WRITE_DEPTH
}
