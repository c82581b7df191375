// Light bake: rays from each light probe, along the axes for the distance of surfaces, and in all directions for light.
#include "bake/incoming_light.glsl"
#include "bake/probe_faces.glsl"

uniform sampler2D positions;  // metres; w: 1 to 27, the place in a block of 3x3x3 probes; 0: no probe
uniform int ray_count;        // of a probe
uniform float farthest;       // metres: limit of the distance

void main() {
    vec4 probe = texelFetch(positions, ivec2(gl_FragCoord.xy), 0);
    if (probe.w < 0.5)
        discard;
    mat2x3 distances;  // in positive and in negative direction
    mat3 positive = mat3(0.0), negative = mat3(0.0);  // light on the faces
    float hits_behind = 0.0;
    for (int k = -6; k < ray_count; k++) {
        // Uniform on the sphere. Each probe of a block has another part of the sequence R2 (Roberts 2018): neighbours in
        // sight are averaged.
        vec2 turned = fract((float(k) + float(ray_count) * probe.w) * vec2(0.7548777, 0.5698403));
        float height = 1.0 - 2.0 * turned.x, radius = sqrt(1.0 - height * height), azimuth = 6.2831853 * turned.y;
        vec3 direction = vec3(radius * cos(azimuth), height, radius * sin(azimuth));
        int axis = (k + 6) / 2, side = k & 1;
        if (k < 0)
            direction = vec3(equal(ivec3(0, 1, 2), ivec3(axis))) * (side == 0 ? 1.0 : -1.0);
        direction += vec3(lessThan(abs(direction), vec3(1e-7))) * 1e-7;
        float nearest;
        vec4 light = incoming_light(probe.xyz, direction, nearest);
        if (k < 0) {
            distances[side][axis] = min(nearest, farthest);
        } else {
            positive += outerProduct(light.rgb, max(direction, 0.0));
            negative += outerProduct(light.rgb, max(-direction, 0.0));
            hits_behind += max(light.w, 0.0);
        }
    }
    // The mean of the cosine over the sphere, without the half behind, is a quarter.
    float scale = 4.0 / float(ray_count);
    positive_x = vec4(scale * positive[0], distances[0].x);
    negative_x = vec4(scale * negative[0], distances[1].x);
    positive_y = vec4(scale * positive[1], distances[0].y);
    negative_y = vec4(scale * negative[1], distances[1].y);
    positive_z = vec4(scale * positive[2], distances[0].z);
    negative_z = vec4(scale * negative[2], distances[1].z);
    back_faces = hits_behind / float(ray_count);
}
