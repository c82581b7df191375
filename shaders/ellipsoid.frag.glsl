#include "frame.glsl"
#include "depth.glsl"
in vec3 place;
in vec3 normal;
flat in vec4 colour;
out vec4 picture_colour;

void main() {
    vec3 n = normalize(normal), d = normalize(place - eye.xyz);
    float facing = clamp(-dot(n, d), 0.0, 1.0);
    float rim = pow(1.0 - facing, 2.5);
    float lit = 0.62 + 0.26 * max(dot(n, to_sun.xyz), 0.0) + 0.12 * n.y;
    float glass = 1.0 - colour.a;
    // glass is clear in its middle and bright along its rim; what is solid has a soft spot of the sun
    float spot = pow(max(dot(reflect(d, n), to_sun.xyz), 0.0), 24.0) * (1.0 - 0.6 * glass);
    vec3 shown = colour.rgb * lit + (0.30 * rim * glass + 0.35 * spot) * mix(vec3(1.0), colour.rgb, 0.4);
    float opacity = mix(colour.a, min(1.0, colour.a + 0.55), rim * step(0.001, glass));
    picture_colour = vec4(min(shown, vec3(1.0)), opacity);
    WRITE_DEPTH
}
