// Bloom, step 2: separable Gaussian blur along one axis, 9 texels by 5 bilinear taps.
in vec2 uv;
uniform sampler2D source;
uniform vec2 texel_step;  // one texel along the axis, 0..1
out vec4 colour;

void main() {
    vec3 sum = texture(source, uv).rgb * 0.2270270;
    vec2 near_offset = texel_step * 1.3846154, far_offset = texel_step * 3.2307692;
    sum += (texture(source, uv + near_offset).rgb + texture(source, uv - near_offset).rgb) * 0.3162162;
    sum += (texture(source, uv + far_offset).rgb + texture(source, uv - far_offset).rgb) * 0.0702703;
    colour = vec4(sum, 1.0);
}
