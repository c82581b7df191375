// Water line: colour of the water over the part of the picture whose lens point is below the surface, and the meniscus
// between both parts. Premultiplied.
#include "include/frame_block.glsl"
#include "include/water_waves.glsl"
in vec2 uv;
uniform vec3 water_colour;     // sRGB
uniform vec3 water_centre;     // metres
uniform vec3 water_half_size;  // metres
uniform vec2 water_rotation;   // sine and cosine of the heading of the box
out vec4 picture_colour;

const float OPACITY = 0.10;        // of the water over the picture, whose level shows the way through it
const float MENISCUS_PIXELS = 3.0; // half width at a height of 720 pixels

void main() {
    vec2 across = uv * 2.0 - 1.0;
    vec3 from_eye = forward.xyz + across.x * right.xyz + across.y * up.xyz;
    vec3 lens = eye.xyz + LENS_DISTANCE * from_eye;
    vec3 offset = lens - water_centre;
    float s = water_rotation.x, c = water_rotation.y;
    vec2 local = vec2(c * offset.x - s * offset.z, s * offset.x + c * offset.z);
    if (any(greaterThan(abs(local), water_half_size.xz)))
        discard;
    float height = offset.y - water_half_size.y - lens_wave(lens);  // metres above the surface
    float metres_per_pixel = max(fwidth(height), 1e-5);
    float pixels = height / metres_per_pixel;
    float under = 1.0 - smoothstep(-1.0, 1.0, pixels);
    float incoming = dot(zenith.rgb + horizon.rgb + 0.4 * sunlight.rgb, vec3(0.4));
    vec3 body_colour = 0.75 * water_colour * sqrt(clamp(incoming, 0.02, 1.0));
    body_colour *= 1.0 - 0.18 * smoothstep(0.1, -0.9, normalize(from_eye).y);  // darker towards the depth
    // The film of water on the lens bends the light: dark below the line, a bright rim above it.
    float width = MENISCUS_PIXELS * max(viewport.y / 720.0, 0.5);
    float film = exp2(-pow(pixels / width + 0.8, 2.0)), rim = exp2(-pow(pixels / (0.6 * width) - 1.2, 2.0));
    vec4 picture = vec4(body_colour, 1.0) * (OPACITY * under);
    picture = mix(picture, vec4(body_colour * 0.55, 0.85), 0.75 * film);
    picture = mix(picture, vec4(mix(body_colour, vec3(1.0), 0.6) * 0.7, 0.7), 0.55 * rim);
    if (picture.a < 0.004)
        discard;
    picture_colour = picture;
}
