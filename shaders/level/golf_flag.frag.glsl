// Golf flag: translucent cloth and a striped pole.
#include "include/shade.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
in vec3 normal;
in vec3 sky_light;
flat in float mesh_part;
uniform vec3 colour;  // linear
uniform float stripe_origin;  // metres: height at which the stripes of the pole start
out vec4 picture_colour;

void main() {
    vec3 n = normalize(normal), from_eye = world_position - eye.xyz;
    if (dot(n, from_eye) > 0.0)
        n = -n;
    float cos_incidence = dot(n, to_sun.xyz);
    float transmitted = mesh_part > 0.5 ? 0.45 * max(-cos_incidence, 0.0) : 0.0;  // sun through the cloth
    float sun_light = max(cos_incidence, 0.0) + transmitted;
    float stripe = step(0.5, fract((world_position.y - stripe_origin) / 0.5));
    vec3 albedo = mesh_part > 0.5 ? colour : mix(vec3(0.80, 0.78, 0.74), colour, stripe);
    picture_colour = shown_through_haze(albedo * (sunlight.rgb * sun_light + sky_light), from_eye);
    WRITE_DEPTH
}
