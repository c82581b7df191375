// Bloom, step 1: bright pass at a quarter of the size. Four bilinear taps average 16 pixels.
in vec2 uv;
uniform sampler2D source;
uniform vec2 texel_size;  // of the source, 0..1
uniform float threshold;  // sRGB 0..1
out vec4 colour;

vec3 bright_pass(vec2 position) {
    vec3 rgb = texture(source, position).rgb;
    float brightest = max(rgb.r, max(rgb.g, rgb.b));
    return rgb * (max(brightest - threshold, 0.0) / max(brightest, 1e-3) / (1.0 - threshold));
}

void main() {
    vec3 sum = bright_pass(uv + texel_size * vec2(-1.0, -1.0)) + bright_pass(uv + texel_size * vec2(1.0, -1.0));
    sum += bright_pass(uv + texel_size * vec2(-1.0, 1.0)) + bright_pass(uv + texel_size * vec2(1.0, 1.0));
    colour = vec4(sum * 0.25, 1.0);
}
