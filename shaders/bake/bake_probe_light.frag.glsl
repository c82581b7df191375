// Light bake: one ray from each light probe, for light from everywhere or for the distance of a surface along an axis.
#include "bake/incoming_light.glsl"
#include "bake/probe_faces.glsl"

uniform sampler2D positions;  // metres; w: 1 to 8, the place in a block of 2x2x2 probes; 0: no probe
uniform vec2 ray_sample;      // 0..1: height on the sphere, and turns around it
uniform vec3 axis;            // to measure a distance along it; 0: to gather light
uniform float farthest;       // metres: limit of the distance

void main() {
    vec4 probe = texelFetch(positions, ivec2(gl_FragCoord.xy), 0);
    if (probe.w < 0.5)
        discard;
    bool measures = axis != vec3(0.0);
    // Each probe of a block sends another ray; neighbours in sight are averaged. Uniform on the sphere.
    vec2 turned = fract(ray_sample + probe.w * vec2(0.7548777, 0.5698403));
    float height = 1.0 - 2.0 * turned.x, radius = sqrt(1.0 - height * height), azimuth = 6.2831853 * turned.y;
    vec3 direction = measures ? axis : vec3(radius * cos(azimuth), height, radius * sin(azimuth));
    direction += vec3(lessThan(abs(direction), vec3(1e-7))) * 1e-7;
    float nearest;
    vec4 light = incoming_light(probe.xyz, direction, nearest);
    if (measures)
        write_faces(vec4(0.0, 0.0, 0.0, min(nearest, farthest)), axis, 0.0);
    else
        write_faces(vec4(light.rgb, 0.0), direction, max(light.w, 0.0));
}
