// What is brighter than most of a picture, at a quarter of its size: the mean of sixteen pixels.
in vec2 at;
uniform sampler2D source;
uniform vec2 pixel;       // of the source, 0..1
uniform float threshold;  // 0..1, as the screen shows it
out vec4 colour;

vec3 above(vec2 where) {
    vec3 c = texture(source, where).rgb;
    float most = max(c.r, max(c.g, c.b));
    return c * (max(most - threshold, 0.0) / max(most, 1e-3) / (1.0 - threshold));
}

void main() {
    vec3 sum = above(at + pixel * vec2(-1.0, -1.0)) + above(at + pixel * vec2(1.0, -1.0));
    sum += above(at + pixel * vec2(-1.0, 1.0)) + above(at + pixel * vec2(1.0, 1.0));
    colour = vec4(sum * 0.25, 1.0);
}
